/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/format.h"
#include "chart/layer.h"
#include "chart/readout.h"
#include "chart/ticks.h"
#include "chart/viewport.h"

#define WIDTH 600
#define HEIGHT 300

static void assert_near(double value, double expected)
{
    g_assert_cmpfloat_with_epsilon(value, expected, 1e-9);
}

static void test_viewport_zoom(void)
{
    PltViewport v;

    plt_viewport_init(&v, 0.01);
    g_assert_true(plt_viewport_is_whole(&v));
    g_assert_false(plt_viewport_zoom(&v, 0.5, 0.5));
    /* A quarter in stays a quarter in: 0.25 is at 0.125 + 0.25 x 0.5. */
    g_assert_true(plt_viewport_zoom(&v, 0.25, 2.0));
    assert_near(v.from, 0.125);
    assert_near(v.to, 0.625);
    g_assert_true(plt_viewport_zoom(&v, 0.25, 0.5));
    g_assert_true(plt_viewport_is_whole(&v));
    /* No closer than the least stretch, and from there no change is told. */
    g_assert_true(plt_viewport_zoom(&v, 1.0, 1e6));
    assert_near(v.to - v.from, 0.01);
    assert_near(v.to, 1.0);
    g_assert_false(plt_viewport_zoom(&v, 1.0, 2.0));
    g_assert_false(plt_viewport_zoom(&v, 0.5, 0.0));
    g_assert_false(plt_viewport_zoom(&v, NAN, 2.0));
    g_assert_true(plt_viewport_reset(&v));
    g_assert_false(plt_viewport_reset(&v));
}

static void test_viewport_moves(void)
{
    PltViewport v;

    plt_viewport_init(&v, 0.01);
    g_assert_false(plt_viewport_pan(&v, 0.5));
    g_assert_true(plt_viewport_select(&v, 0.6, 0.4));
    assert_near(v.from, 0.4);
    assert_near(v.to, 0.6);
    g_assert_true(plt_viewport_pan(&v, 0.5));
    assert_near(v.from, 0.5);
    g_assert_true(plt_viewport_pan(&v, 100.0));
    assert_near(v.to, 1.0);
    assert_near(v.from, 0.8);
    g_assert_false(plt_viewport_pan(&v, 1.0));
    g_assert_false(plt_viewport_reveal(&v, 0.9));
    g_assert_true(plt_viewport_reveal(&v, 0.3));
    assert_near(v.from, 0.3);
    g_assert_true(plt_viewport_reveal(&v, 0.7));
    assert_near(v.to, 0.7);
    g_assert_false(plt_viewport_reveal(&v, NAN));
}

static PltAxis time_axis(double from, double to)
{
    return (PltAxis){.scale = PLT_SCALE_LINEAR, .unit = PLT_UNIT_TIME, .from = from, .to = to};
}

static void test_viewport_applies(void)
{
    PltAxis whole = time_axis(0.0, 100.0), seen;
    PltAxis blocks = {.scale = PLT_SCALE_LOG2, .unit = PLT_UNIT_BLOCK, .from = 512.0, .to = 512.0 * 256.0};
    PltViewport v;

    plt_viewport_init(&v, 0.01);
    plt_viewport_apply(&v, &whole, &seen);
    g_assert_cmpfloat(seen.from, ==, 0.0);
    g_assert_cmpfloat(seen.to, ==, 100.0);
    plt_viewport_select(&v, 0.25, 0.5);
    plt_viewport_apply(&v, &whole, &seen);
    assert_near(seen.from, 25.0);
    assert_near(seen.to, 50.0);
    /* Two of eight doublings. */
    plt_viewport_apply(&v, &blocks, &seen);
    g_assert_cmpfloat_with_epsilon(seen.from, 2048.0, 1e-6);
    g_assert_cmpfloat_with_epsilon(seen.to, 8192.0, 1e-6);
    whole.reversed = TRUE;
    plt_viewport_apply(&v, &whole, &seen);
    assert_near(seen.from, 50.0);
    assert_near(seen.to, 75.0);
}

static void test_viewport_follows(void)
{
    PltAxis before = time_axis(0.0, 100.0), after = time_axis(0.0, 200.0), seen;
    PltViewport v;

    plt_viewport_init(&v, 0.01);
    plt_viewport_follow(&v, &before, &after, 150.0);
    g_assert_true(plt_viewport_is_whole(&v));
    plt_viewport_select(&v, 0.8, 1.0);
    plt_viewport_follow(&v, &before, &after, NAN);
    plt_viewport_apply(&v, &after, &seen);
    assert_near(seen.from, 80.0);
    assert_near(seen.to, 100.0);
    /* Moves on: the newest value stands at three quarters, so the next ones do not move it again. */
    plt_viewport_follow(&v, &after, &after, 101.0);
    plt_viewport_apply(&v, &after, &seen);
    assert_near(seen.from, 86.0);
    assert_near(seen.to, 106.0);
    plt_viewport_follow(&v, &after, &after, 105.0);
    plt_viewport_apply(&v, &after, &seen);
    assert_near(seen.to, 106.0);
}

static void test_room(void)
{
    assert_near(plt_viewport_room(0.0, 0.0), 10.0);
    assert_near(plt_viewport_room(0.0, 10.0), 10.0);
    assert_near(plt_viewport_room(0.0, 10.1), 15.0);
    assert_near(plt_viewport_room(5.0, 64.0), 65.0);
    assert_near(plt_viewport_room(0.0, 2701.0), 3600.0);
    g_assert_cmpfloat(plt_viewport_room(0.0, 1e6), >=, 1e6);
    g_assert_cmpfloat(plt_viewport_room(0.0, 1e6), <=, 1.6e6);
}

/* Read: 0.05 s, 0.15 s … with a hole at 0.35; a write a second later; a stall and a section. */
static PltChart *make_chart(void)
{
    PltChart *chart = plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_TIME, "Time", PLT_SCALE_LINEAR,
                                    PLT_UNIT_BANDWIDTH, "Throughput");
    PltPyramid *read = plt_pyramid_new_uneven(), *write = plt_pyramid_new_uneven();

    for (guint i = 0; i < 10; i++)
        plt_pyramid_append_at(read, 0.05 + 0.1 * i, i == 3 ? NAN : 1e9 + 1e8 * i);
    for (guint i = 0; i < 5; i++)
        plt_pyramid_append_at(write, 2.05 + 0.1 * i, 2e9);
    plt_chart_add_series(chart, PLT_SERIES_LINE, "Read", 0, read);
    plt_chart_add_series(chart, PLT_SERIES_LINE, "Write", 1, write);
    plt_chart_add_band(chart, 0.0, 1.0, PLT_TONE_NORMAL, "SEQ1M", NULL);
    plt_chart_add_band(chart, 0.3, 0.4, PLT_TONE_BAD, "stall", NULL);
    return chart;
}

static void test_reads(void)
{
    g_autoptr(PltChart) chart = make_chart();
    PltReading reading;

    g_assert_true(plt_chart_read(chart, 0, 0.14, 0.001, 0.05, &reading));
    g_assert_cmpuint(reading.count, ==, 1);
    assert_near(reading.x, 0.15);
    assert_near(reading.value, 1.1e9);
    /* Between two neighbours the hole is skipped; out of reach there is nothing. */
    g_assert_true(plt_chart_read(chart, 0, 0.36, 0.001, 0.2, &reading));
    assert_near(reading.x, 0.45);
    g_assert_false(plt_chart_read(chart, 0, 0.35, 0.001, 0.05, &reading));
    g_assert_false(plt_chart_read(chart, 1, 0.5, 0.001, 0.2, &reading));
    g_assert_true(plt_chart_read(chart, 0, -5.0, 0.001, 10.0, &reading));
    assert_near(reading.x, 0.05);
    g_assert_true(plt_chart_read(chart, 1, 99.0, 0.001, 1e3, &reading));
    assert_near(reading.x, 2.45);
    /* Several in one column: 0.45 … 0.65 have 1.4, 1.5 and 1.6 GB/s. */
    g_assert_true(plt_chart_read(chart, 0, 0.55, 0.11, 0.2, &reading));
    g_assert_cmpuint(reading.count, ==, 3);
    assert_near(reading.x, 0.55);
    assert_near(reading.value, 1.5e9);
    assert_near(reading.min, 1.4e9);
    assert_near(reading.max, 1.6e9);
}

static void test_steps(void)
{
    g_autoptr(PltChart) chart = make_chart();

    assert_near(plt_chart_step(chart, -INFINITY, 0.0, TRUE), 0.05);
    assert_near(plt_chart_step(chart, INFINITY, 0.0, FALSE), 2.45);
    assert_near(plt_chart_step(chart, 0.05, 0.0, TRUE), 0.15);
    assert_near(plt_chart_step(chart, 0.25, 0.0, TRUE), 0.45);
    assert_near(plt_chart_step(chart, 0.45, 0.0, FALSE), 0.25);
    assert_near(plt_chart_step(chart, 0.05, 0.15, TRUE), 0.25);
    assert_near(plt_chart_step(chart, 0.96, 0.0, TRUE), 2.05);
    g_assert_true(isnan(plt_chart_step(chart, 2.45, 0.0, TRUE)));
    g_assert_true(isnan(plt_chart_step(chart, 0.05, 0.0, FALSE)));
    assert_near(plt_chart_last(chart), 2.45);
}

static void test_readout(void)
{
    g_autoptr(PltChart) chart = make_chart();
    PltReading readings[2] = {{0, 1, 0.15, 3.412e9, 3.412e9, 3.412e9}, {1, 9, 0.15, 2e9, 1.2e9, 3.8e9}};
    g_autofree char *line = NULL, *nothing = NULL;
    const char *section = NULL, *event = NULL;

    plt_chart_bands_at(chart, 0.35, 0.0, &section, &event);
    g_assert_cmpstr(section, ==, "SEQ1M");
    g_assert_cmpstr(event, ==, "stall");
    line = plt_chart_readout(chart, readings, 2, 0.1, section, event);
    g_assert_cmpstr(line, ==,
                    "SEQ1M · 0.15 s · Read 3,412 MB/s · Write 2,000 MB/s (1,200 MB/s – 3,800 MB/s) · stall");
    plt_chart_bands_at(chart, 1.5, 0.0, &section, &event);
    g_assert_null(section);
    g_assert_null(event);
    plt_chart_bands_at(chart, 0.45, 0.06, &section, &event);
    g_assert_cmpstr(event, ==, "stall");
    nothing = plt_chart_readout(chart, readings, 0, 0.1, NULL, NULL);
    g_assert_null(nothing);
}

static void assert_format(const PltAxis *axis, double value, double step, const char *expected)
{
    g_autofree char *text = plt_axis_format(axis, value, step);

    g_assert_cmpstr(text, ==, expected);
}

static void test_format(void)
{
    PltAxis axis = time_axis(0.0, 1.0), categories;

    assert_format(&axis, 12.35, 0.1, "12.35 s");
    assert_format(&axis, 12.35, 10.0, "12 s");
    assert_format(&axis, 59.999, 0.1, "1:00.00");
    assert_format(&axis, 3723.5, 1.0, "1:02:03.5");
    assert_format(&axis, NAN, 1.0, "—");
    axis.unit = PLT_UNIT_BLOCK;
    assert_format(&axis, 4096.0, 0.0, "4K");
    axis.unit = PLT_UNIT_CELSIUS;
    assert_format(&axis, 41.25, 0.0, "41.2 °C");
    axis.unit = PLT_UNIT_SHARE;
    assert_format(&axis, 0.5, 0.0, "50 %");
    plt_axis_init(&categories, PLT_SCALE_CATEGORY, PLT_UNIT_NUMBER, NULL);
    plt_axis_add_category(&categories, "first");
    assert_format(&categories, 0.0, 0.0, "first");
    assert_format(&categories, 7.0, 0.0, "");
    plt_axis_clear(&categories);
}

static void assert_clock(double seconds, int decimals, const char *expected)
{
    g_autofree char *text = plt_format_clock(seconds, decimals);

    g_assert_cmpstr(text, ==, expected);
}

static void test_clock(void)
{
    g_auto(PltTicks) ticks = {0}, long_ticks = {0};
    PltAxis axis = time_axis(30000.0, 30060.0), whole = time_axis(0.0, 30060.0);

    assert_clock(0.0, 0, "0:00");
    assert_clock(59.96, 1, "1:00.0");
    assert_clock(3599.0, 0, "59:59");
    assert_clock(30000.25, 2, "8:20:00.25");
    assert_clock(-61.0, 0, "−1:01");
    assert_clock(INFINITY, 0, "—");
    /* A minute far from the start is labelled by the second, not left without a label. */
    plt_ticks_init(&ticks, &axis, 7);
    g_assert_cmpstr(ticks.unit, ==, "h:min:s");
    g_assert_cmpuint(ticks.ticks->len, ==, 7);
    g_assert_cmpstr(g_array_index(ticks.ticks, PltTick, 1).label, ==, "8:20:10");
    plt_ticks_init(&long_ticks, &whole, 7);
    g_assert_cmpstr(long_ticks.unit, ==, "h");
}

static cairo_surface_t *draw(const PltChart *chart, gboolean layers)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
    cairo_t *cr = cairo_create(surface);
    PltRect area = {10.0, 10.0, WIDTH - 20.0, HEIGHT - 20.0};
    PltChartPlace place;
    PltCanvas canvas;

    cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
    cairo_paint(cr);
    plt_canvas_init(&canvas, cr, WIDTH, HEIGHT, FALSE, "en", NULL);
    if (layers) {
        plt_chart_draw_ground(chart, &canvas, area, &place);
        plt_chart_draw_curves(chart, &canvas, &place);
    } else {
        plt_chart_draw(chart, &canvas, area);
    }
    plt_canvas_clear(&canvas);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    return surface;
}

/* Pixels of A and B that differ by more than what the order of two transparent strokes can do. */
static guint count_differing(cairo_surface_t *a, cairo_surface_t *b)
{
    const guint8 *left = cairo_image_surface_get_data(a), *right = cairo_image_surface_get_data(b);
    gsize stride = (gsize)cairo_image_surface_get_stride(a);
    guint n = 0;

    for (gsize y = 0; y < HEIGHT; y++) {
        for (gsize x = 0; x < WIDTH * 4; x++)
            n += ABS(left[y * stride + x] - right[y * stride + x]) > 96;
    }
    return n;
}

/* The two layers over each other are the picture; without the curves they are not. */
static void test_layers(void)
{
    g_autoptr(PltChart) chart = make_chart(), other = make_chart();
    cairo_surface_t *whole = draw(chart, FALSE), *layered = draw(chart, TRUE), *changed = NULL;

    g_assert_true(plt_chart_has_layers(chart));
    g_assert_cmpuint(count_differing(whole, layered), <, 60);
    for (guint i = 0; i < 30; i++)
        plt_pyramid_append_at(((PltSeries *)other->series->pdata[1])->data, 2.6 + 0.1 * i, 5e8);
    changed = draw(other, TRUE);
    g_assert_cmpuint(count_differing(whole, changed), >, 200);
    plt_series_add_label(chart->series->pdata[0], "1");
    g_assert_false(plt_chart_has_layers(chart));
    cairo_surface_destroy(whole);
    cairo_surface_destroy(layered);
    cairo_surface_destroy(changed);
}

static void test_excerpt(void)
{
    g_autoptr(PltChart) chart = make_chart();
    g_autoptr(PltChartExcerpt) excerpt = NULL;
    PltAxis x = time_axis(2.0, 2.5), y = chart->y, y2 = chart->y2;
    PltMark *mark = plt_chart_add_mark(chart, FALSE, 9e9, PLT_TONE_NORMAL, NULL);

    mark->from = 0.0;
    mark->to = 1.0;
    plt_chart_add_mark(chart, TRUE, 0.5, PLT_TONE_NORMAL, NULL);
    plt_chart_fit_stretch(chart, &x, &y, &y2);
    g_assert_cmpfloat(y.from, ==, 0.0);
    g_assert_cmpfloat(y.to, ==, 2e9);
    excerpt = plt_chart_excerpt_new(chart, &x, &y, &y2);
    g_assert_cmpuint(plt_chart_excerpt_get(excerpt)->bands->len, ==, 0);
    g_assert_cmpuint(plt_chart_excerpt_get(excerpt)->marks->len, ==, 0);
    g_assert_cmpuint(chart->bands->len, ==, 2);
    /* A level that reaches in is part of what has to be seen. */
    x = time_axis(0.9, 1.5);
    y = chart->y;
    plt_chart_fit_stretch(chart, &x, &y, &y2);
    g_assert_cmpfloat(y.to, >=, 9e9);
    /* An end that the chart sets stays. */
    y = chart->y;
    y.to = 4e9;
    plt_chart_fit_stretch(chart, &x, &y, &y2);
    g_assert_cmpfloat(y.to, ==, 4e9);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chart/viewport/zoom", test_viewport_zoom);
    g_test_add_func("/chart/viewport/moves", test_viewport_moves);
    g_test_add_func("/chart/viewport/applies", test_viewport_applies);
    g_test_add_func("/chart/viewport/follows", test_viewport_follows);
    g_test_add_func("/chart/viewport/room", test_room);
    g_test_add_func("/chart/readout/reads", test_reads);
    g_test_add_func("/chart/readout/steps", test_steps);
    g_test_add_func("/chart/readout/line", test_readout);
    g_test_add_func("/chart/readout/format", test_format);
    g_test_add_func("/chart/ticks/clock", test_clock);
    g_test_add_func("/chart/layer/same-picture", test_layers);
    g_test_add_func("/chart/layer/excerpt", test_excerpt);
    return g_test_run();
}
