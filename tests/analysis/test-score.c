/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "analysis/score.h"

/* Each weight shows by itself when only one figure is not zero. */
static void test_weights(void)
{
    static const struct {
        struct plt_score_input read, write;
        double read_score, write_score, total;
    } cases[] = {
        {{1000, 0, 0}, {0, 0, 0}, 100, 0, 100},   {{0, 1000, 0}, {0, 0, 0}, 1000, 0, 2000},
        {{0, 0, 1000}, {0, 0, 0}, 1000, 0, 1500}, {{0, 0, 0}, {1000, 0, 0}, 0, 100, 150},
        {{0, 0, 0}, {0, 1000, 0}, 0, 1000, 1000}, {{0, 0, 0}, {0, 0, 1000}, 0, 1000, 1000},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct plt_score score = plt_analysis_as_ssd_score(&cases[i].read, &cases[i].write);

        g_assert_cmpfloat_with_epsilon(score.read, cases[i].read_score, 1e-9);
        g_assert_cmpfloat_with_epsilon(score.write, cases[i].write_score, 1e-9);
        g_assert_cmpfloat_with_epsilon(score.total, cases[i].total, 1e-9);
    }
}

/* By hand: 52 + 30 + 380 = 462; 49 + 90 + 330 = 469; 52 + 60 + 570 + 73.5 + 90 + 330 = 1175.5. */
static void test_drive(void)
{
    const struct plt_score_input read = {520, 30, 380};
    const struct plt_score_input write = {490, 90, 330};
    struct plt_score score = plt_analysis_as_ssd_score(&read, &write);

    g_assert_cmpfloat_with_epsilon(score.read, 462, 1e-9);
    g_assert_cmpfloat_with_epsilon(score.write, 469, 1e-9);
    g_assert_cmpfloat_with_epsilon(score.total, 1175.5, 1e-9);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/score/weights", test_weights);
    g_test_add_func("/analysis/score/drive", test_drive);
    return g_test_run();
}
