/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/theme.h"

/* clang-format off */
#define RGB(hex) { (((hex) >> 16) & 0xff) / 255.0, (((hex) >> 8) & 0xff) / 255.0, ((hex) & 0xff) / 255.0 }

/*
 * The first three colours (read, write, mix) stay apart for all three kinds of colour blindness and in
 * greyscale with the labels beside them; the dash and the marker of a style are unique (tests/chart/test-theme).
 */
static const PltTheme light = {
    .dark = FALSE,
    .background = RGB(0xffffff),
    .surface = RGB(0xf0f1f4),
    .grid = RGB(0xe6e8ec),
    .axis = RGB(0xb4b8c0),
    .text = RGB(0x16181d),
    .secondary = RGB(0x636975),
    .good = RGB(0x157a3d),
    .warning = RGB(0x9a5b00),
    .bad = RGB(0xc0232c),
    .series = {
        { RGB(0x1a5fdc), PLT_SHAPE_CIRCLE, FALSE, { 0 } },
        { RGB(0xe2600c), PLT_SHAPE_SQUARE, FALSE, { 9, 4 } },
        { RGB(0x0c9c84), PLT_SHAPE_DIAMOND, FALSE, { 3, 3 } },
        { RGB(0xb8246f), PLT_SHAPE_TRIANGLE, FALSE, { 12, 4, 3, 4 } },
        { RGB(0x96730a), PLT_SHAPE_CIRCLE, TRUE, { 16, 5 } },
        { RGB(0x6d45d9), PLT_SHAPE_SQUARE, TRUE, { 6, 3 } },
        { RGB(0x4a5364), PLT_SHAPE_DIAMOND, TRUE, { 2, 4 } },
        { RGB(0x1590c4), PLT_SHAPE_TRIANGLE, TRUE, { 14, 4, 6, 4 } },
    },
};

static const PltTheme dark = {
    .dark = TRUE,
    .background = RGB(0x13151a),
    .surface = RGB(0x22262e),
    .grid = RGB(0x2a2f38),
    .axis = RGB(0x565d6b),
    .text = RGB(0xf4f5f7),
    .secondary = RGB(0xa3a9b6),
    .good = RGB(0x4cc38a),
    .warning = RGB(0xf0b24a),
    .bad = RGB(0xff7a7f),
    .series = {
        { RGB(0x4f90ff), PLT_SHAPE_CIRCLE, FALSE, { 0 } },
        { RGB(0xff9145), PLT_SHAPE_SQUARE, FALSE, { 9, 4 } },
        { RGB(0x45d6bb), PLT_SHAPE_DIAMOND, FALSE, { 3, 3 } },
        { RGB(0xf277b0), PLT_SHAPE_TRIANGLE, FALSE, { 12, 4, 3, 4 } },
        { RGB(0xe3c04f), PLT_SHAPE_CIRCLE, TRUE, { 16, 5 } },
        { RGB(0xaf98ff), PLT_SHAPE_SQUARE, TRUE, { 6, 3 } },
        { RGB(0xa9b2c3), PLT_SHAPE_DIAMOND, TRUE, { 2, 4 } },
        { RGB(0x76c8f2), PLT_SHAPE_TRIANGLE, TRUE, { 14, 4, 6, 4 } },
    },
};
/* clang-format on */

const PltTheme *plt_theme_get(gboolean want_dark)
{
    return want_dark ? &dark : &light;
}

PltColour plt_theme_tone(const PltTheme *theme, PltTone tone)
{
    switch (tone) {
    case PLT_TONE_MUTED:
        return theme->secondary;
    case PLT_TONE_GOOD:
        return theme->good;
    case PLT_TONE_WARNING:
        return theme->warning;
    case PLT_TONE_BAD:
        return theme->bad;
    case PLT_TONE_NORMAL:
    default:
        return theme->text;
    }
}

/* sRGB transfer function, IEC 61966-2-1, as WCAG 2 uses it. */
static double linear_light(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(PltColour c)
{
    return 0.2126 * linear_light(c.red) + 0.7152 * linear_light(c.green) + 0.0722 * linear_light(c.blue);
}

double plt_colour_contrast(PltColour a, PltColour b)
{
    double la = luminance(a), lb = luminance(b);

    return (MAX(la, lb) + 0.05) / (MIN(la, lb) + 0.05);
}
