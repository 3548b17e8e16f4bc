/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/theme.h"

/* Machado, Oliveira, Fernandes 2009, severity 1.0: what the three kinds of colour blindness see, linear RGB.
 */
static const double blindness[][9] = {
    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
};

static double to_linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

struct lab {
    double l, a, b;
};

static double lab_curve(double t)
{
    return t > 216.0 / 24389.0 ? cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
}

/* CIE L*a*b* (D65) of COLOUR as seen through MATRIX, NULL = by everybody. */
static struct lab see(PltColour colour, const double *matrix)
{
    double in[3] = {to_linear(colour.red), to_linear(colour.green), to_linear(colour.blue)}, c[3], x, y, z;

    for (int i = 0; i < 3; i++) {
        c[i] = matrix ? matrix[3 * i] * in[0] + matrix[3 * i + 1] * in[1] + matrix[3 * i + 2] * in[2] : in[i];
        c[i] = CLAMP(c[i], 0.0, 1.0);
    }
    x = lab_curve((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
    y = lab_curve(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    z = lab_curve((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
    return (struct lab){116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

static double distance(PltColour a, PltColour b, const double *matrix)
{
    struct lab p = see(a, matrix), q = see(b, matrix);

    return sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

/* Read, write and mix stay apart for everybody: 20 is clearly different, 2.3 just noticeable. */
static void test_colour_blind(void)
{
    for (int dark = 0; dark < 2; dark++) {
        const PltTheme *theme = plt_theme_get(dark);

        for (guint i = 0; i < 3; i++) {
            for (guint j = 0; j < i; j++) {
                g_assert_cmpfloat(distance(theme->series[i].colour, theme->series[j].colour, NULL), >, 40.0);
                for (guint b = 0; b < 3; b++)
                    g_assert_cmpfloat(
                        distance(theme->series[i].colour, theme->series[j].colour, blindness[b]), >, 20.0);
            }
        }
    }
}

/* All eight are told apart without any colour: by dash, and by marker and its filling. */
static void test_without_colour(void)
{
    const PltTheme *theme = plt_theme_get(FALSE);

    for (guint i = 0; i < PLT_N_SERIES_STYLES; i++) {
        for (guint j = 0; j < i; j++) {
            const PltSeriesStyle *a = &theme->series[i], *b = &theme->series[j];

            g_assert_false(a->shape == b->shape && a->hollow == b->hollow);
            g_assert_cmpint(memcmp(a->dash, b->dash, sizeof a->dash), !=, 0);
        }
    }
}

/* WCAG 2: 4.5 for text, 3 for what is drawn. */
static void test_contrast(void)
{
    for (int dark = 0; dark < 2; dark++) {
        const PltTheme *theme = plt_theme_get(dark);

        for (PltTone tone = PLT_TONE_NORMAL; tone <= PLT_TONE_BAD; tone++)
            g_assert_cmpfloat(plt_colour_contrast(plt_theme_tone(theme, tone), theme->background), >=, 4.5);
        for (guint i = 0; i < PLT_N_SERIES_STYLES; i++)
            g_assert_cmpfloat(plt_colour_contrast(theme->series[i].colour, theme->background), >=, 3.0);
        g_assert_true(theme->dark == dark);
    }
}

static void test_contrast_known(void)
{
    PltColour black = {0, 0, 0}, white = {1, 1, 1}, grey = {0x76 / 255.0, 0x76 / 255.0, 0x76 / 255.0};

    g_assert_cmpfloat_with_epsilon(plt_colour_contrast(black, white), 21.0, 1e-9);
    g_assert_cmpfloat_with_epsilon(plt_colour_contrast(white, grey), 4.54, 0.01);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chart/theme/colour-blind", test_colour_blind);
    g_test_add_func("/chart/theme/without-colour", test_without_colour);
    g_test_add_func("/chart/theme/contrast", test_contrast);
    g_test_add_func("/chart/theme/contrast-known", test_contrast_known);
    return g_test_run();
}
