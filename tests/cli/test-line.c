/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/line.h"

#include <string.h>

#include "cli/table.h"

static const PltLineStyle plain = {FALSE, FALSE}, blocks = {TRUE, FALSE}, colored = {TRUE, TRUE};

static PltLineView sample_view(void)
{
    PltLineView view = {
        .cell = 3,
        .n_cells = 17,
        .label = "RND4K Q32T16 read",
        .label_width = 17,
        .stage = "run 2/3",
        .bandwidth_bps = 3504.2e6,
        .fraction = 0.42,
        .elapsed_ms = 35000,
        .left_ms = 80000,
        .history = {0, 1e9, 2e9, 4e9},
        .n_history = 4,
    };
    return view;
}

static void test_full(void)
{
    PltLineView view = sample_view();
    g_autofree char *line = plt_line_format(&view, 120, blocks);

    g_assert_cmpstr(line, ==,
                    " 3/17  RND4K Q32T16 read  run 2/3   3504 MB/s                  ▁▃▅█  "
                    "━━━━━━━━━━──────────────   42%   0:35   1:20 left");
}

static void test_never_wider(void)
{
    PltLineView view = sample_view();

    for (guint width = 1; width < 200; width++) {
        g_autofree char *line = plt_line_format(&view, width, blocks);
        g_autofree char *ascii = plt_line_format(&view, width, plain);

        g_assert_cmpuint(plt_cli_text_width(line), <=, width);
        g_assert_cmpuint(plt_cli_text_width(ascii), <=, width);
        g_assert_true(g_str_is_ascii(ascii));
    }
}

static void test_what_goes_first(void)
{
    PltLineView view = sample_view();
    g_autofree char *at_80 = plt_line_format(&view, 79, plain);
    g_autofree char *at_50 = plt_line_format(&view, 50, plain);
    g_autofree char *at_30 = plt_line_format(&view, 30, plain);

    g_assert_cmpstr(at_80, ==,
                    " 3/17  RND4K Q32T16 read  run 2/3   3504 MB/s  ###----   42%   0:35   1:20 left");
    g_assert_cmpstr(at_50, ==, "RND4K Q32T16 read   3504 MB/s   42%   1:20 left");
    g_assert_cmpstr(at_30, ==, "RND4K Q32T16 read   3504 MB/s");
}

static void test_does_not_jump(void)
{
    PltLineView view = sample_view();
    g_autofree char *before = plt_line_format(&view, 100, blocks);
    g_autofree char *after = NULL;

    view.cell = 12;
    view.label = "SEQ1M Q8T1 read";
    view.stage = "rest";
    view.bandwidth_bps = -1;
    view.n_history = 0;
    view.fraction = 1;
    view.left_ms = 0;
    after = plt_line_format(&view, 100, blocks);
    g_assert_cmpuint(plt_cli_text_width(before), ==, plt_cli_text_width(after));
    g_assert_null(strstr(after, "MB/s"));
}

static void test_color(void)
{
    PltLineView view = sample_view();
    g_autofree char *line = plt_line_format(&view, 120, colored);
    g_autofree char *without = plt_line_format(&view, 120, blocks);

    g_assert_nonnull(strstr(line, "\033[1m"));
    g_assert_nonnull(strstr(line, "\033[0m"));
    g_assert_null(strchr(without, '\033'));
}

static void test_absurd(void)
{
    PltLineView view = sample_view();
    g_autofree char *line = NULL;

    view.fraction = 7;
    view.left_ms = G_MAXUINT64;
    view.bandwidth_bps = 1e18;
    view.label = "";
    view.label_width = 100000;
    line = plt_line_format(&view, 60, blocks);
    g_assert_cmpuint(plt_cli_text_width(line), <=, 60);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/line/full", test_full);
    g_test_add_func("/cli/line/never-wider", test_never_wider);
    g_test_add_func("/cli/line/what-goes-first", test_what_goes_first);
    g_test_add_func("/cli/line/does-not-jump", test_does_not_jump);
    g_test_add_func("/cli/line/color", test_color);
    g_test_add_func("/cli/line/absurd", test_absurd);
    return g_test_run();
}
