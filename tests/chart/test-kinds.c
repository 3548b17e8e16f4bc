/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

/* Every kind of chart that reviews show can be said with the grammar, and looks sound in every size. */

#include "config.h"

#include <math.h>

#include "boxes.h"
#include "chart/chart.h"
#include "chart/format.h"
#include "chart/table.h"

static PltPyramid *curve(double start, double step, guint n, double (*f)(double x))
{
    PltPyramid *data = plt_pyramid_new(start, step);

    for (guint i = 0; i < n; i++)
        plt_pyramid_append(data, f(start + i * step));
    return data;
}

static PltPyramid *points(const double (*xy)[2], guint n)
{
    PltPyramid *data = plt_pyramid_new_uneven();

    for (guint i = 0; i < n; i++)
        plt_pyramid_append_at(data, xy[i][0], xy[i][1]);
    return data;
}

static PltPicture *picture_of(const char *title, PltChart *chart)
{
    PltPicture *picture = plt_picture_new();

    picture->title = g_strdup(title);
    picture->subtitle = g_strdup("Example NV4000 4TB · 예시 드라이브");
    picture->source = g_strdup("Plateau");
    g_ptr_array_add(picture->captions, g_strdup("128K sequential, queue depth 32"));
    if (chart)
        g_ptr_array_add(picture->charts, chart);
    return picture;
}

static double cliff(double x)
{
    return x < 1.2e12 ? 6655e6 + 100e6 * sin(x) : 1808e6 + 300e6 * sin(x * 1e-9);
}

/* C2, C6, C16, C17: a long curve with a second pass, a mark, a mean line, a stall and a temperature. */
static PltPicture *fill_curve(void)
{
    PltChart *chart = plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_CAPACITY, "Written", PLT_SCALE_LINEAR,
                                    PLT_UNIT_BANDWIDTH, "Throughput");
    static const double heat[][2] = {{0, 41}, {1e12, 63}, {2e12, 71}, {4e12, 72}};

    plt_chart_add_series(chart, PLT_SERIES_LINE, "Pass 1", 0, curve(0, 1e8, 40000, cliff));
    plt_axis_clear(&chart->y2);
    plt_axis_init(&chart->y2, PLT_SCALE_LINEAR, PLT_UNIT_CELSIUS, "Composite");
    chart->has_y2 = TRUE;
    plt_chart_add_series(chart, PLT_SERIES_STEPS, "Temperature", 3, points(heat, G_N_ELEMENTS(heat)))->right =
        TRUE;
    plt_chart_add_band(chart, 2.4e12, 2.41e12, PLT_TONE_BAD, "stall, 4.3 s", NULL);
    plt_chart_add_mark(chart, TRUE, 1.2e12, PLT_TONE_NORMAL, "cache full, 1,200 GB");
    plt_chart_add_mark(chart, FALSE, 1808e6, PLT_TONE_MUTED, "mean 1,808 MB/s");
    return picture_of("Fill", chart);
}

/* C3, C15, C18: bars by name with the subject marked. */
static PltPicture *ranking(void)
{
    static const char *const names[] = {"Example NV4000 4TB", "아주 긴 이름을 가진 예시 드라이브 2테라바이트",
                                        "Solidigm P44 Pro 2TB", "Samsung 990 PRO 4TB", "Micron 9300 MAX"};
    PltChart *chart = plt_chart_new(PLT_SCALE_CATEGORY, PLT_UNIT_NUMBER, NULL, PLT_SCALE_LINEAR,
                                    PLT_UNIT_BANDWIDTH, "higher is better");
    PltPyramid *data = plt_pyramid_new(0, 1);
    PltSeries *series = NULL;

    chart->horizontal = TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        plt_axis_add_category(&chart->x, names[i]);
        plt_pyramid_append(data, (3000.0 - 520.0 * i) * 1e6);
    }
    series = plt_chart_add_series(chart, PLT_SERIES_BARS, NULL, 0, data);
    series->highlight = 2;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        PltQuantity quantity = plt_format_bandwidth((3000.0 - 520.0 * i) * 1e6);
        g_autofree char *text = plt_quantity_join(&quantity);

        plt_series_add_label(series, text);
    }
    plt_chart_add_mark(chart, FALSE, 2400e6, PLT_TONE_MUTED, "specified");
    return picture_of("Ranking", chart);
}

static double share_curve(double x)
{
    return (100.0 + x * x / 40.0) * 1e6;
}

/* C4: a reversed axis, one panel for each queue depth. */
static PltPicture *ratio_panels(void)
{
    PltPicture *picture = picture_of("Reads and writes mixed", NULL);

    for (guint i = 0; i < 4; i++) {
        PltChart *chart = plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_PERCENT, "Reads", PLT_SCALE_LINEAR,
                                        PLT_UNIT_BANDWIDTH, "QD1");

        chart->x.reversed = TRUE;
        plt_chart_add_series(chart, PLT_SERIES_POINTS, NULL, i, curve(0, 10, 11, share_curve));
        g_ptr_array_add(picture->charts, chart);
    }
    picture->columns = 2;
    return picture;
}

/* C8, C21: latency over throughput, the queue depth at each point. */
static PltPicture *performance_latency(void)
{
    static const double xy[][2] = {{46e3, 87e6},    {48e3, 170e6},   {52e3, 320e6},
                                   {60e3, 550e6},   {75e3, 900e6},   {102e3, 1300e6},
                                   {160e3, 1700e6}, {290e3, 1900e6}, {560e3, 1950e6}};
    PltChart *chart = plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_LATENCY, "Mean latency", PLT_SCALE_LINEAR,
                                    PLT_UNIT_BANDWIDTH, "Random read 4K");
    PltSeries *series =
        plt_chart_add_series(chart, PLT_SERIES_POINTS, "Example NV4000 4TB", 0, points(xy, G_N_ELEMENTS(xy)));

    for (guint i = 0; i < G_N_ELEMENTS(xy); i++) {
        g_autofree char *label = g_strdup_printf("QD%u", 1u << i);

        plt_series_add_label(series, label);
    }
    chart->x.to = 300e3; /* zoomed: two points are beyond */
    chart->grid_x = TRUE;
    return picture_of("Throughput and latency", chart);
}

static double depth(double x)
{
    return 21000.0 * pow(x, 0.8);
}

/* C9, C10, C22: eight drives over queue depth. */
static PltPicture *queue_depths(void)
{
    PltChart *chart = plt_chart_new(PLT_SCALE_LOG2, PLT_UNIT_NUMBER, "Queue depth", PLT_SCALE_LOG10,
                                    PLT_UNIT_IOPS, "Random read 4K");

    for (guint drive = 0; drive < 8; drive++) {
        g_autofree char *name = g_strdup_printf("Drive number %u with a name", drive + 1);
        PltPyramid *data = plt_pyramid_new_uneven();

        for (guint q = 1; q <= 256; q *= 2)
            plt_pyramid_append_at(data, q, depth(q) * (1.0 + 0.3 * drive));
        plt_chart_add_series(chart, PLT_SERIES_POINTS, name, drive, data);
    }
    return picture_of("IOPS over queue depth", chart);
}

/* C7, C11: latency by percentile, cut off at 10 ms. */
static PltPicture *tail(void)
{
    static const double xy[][2] = {{0.0, 42e3},    {0.5, 46e3},     {0.9, 52e3},    {0.99, 71e3},
                                   {0.999, 310e3}, {0.9999, 2.1e6}, {0.99999, 48e6}};
    PltChart *chart = plt_chart_new(PLT_SCALE_NINES, PLT_UNIT_SHARE, "Percentile", PLT_SCALE_LOG10,
                                    PLT_UNIT_LATENCY, "Latency");

    plt_chart_add_series(chart, PLT_SERIES_POINTS, "QD1, 21,338 IOPS", 0, points(xy, G_N_ELEMENTS(xy)));
    chart->y.to = 10e6;
    return picture_of("Tail latency", chart);
}

static double counts(double x)
{
    return x > 3000.0 && x < 6000.0 ? 0.0 : 1e6 / (1.0 + x);
}

/* C5, C20: a histogram, both axes logarithmic, with empty buckets. */
static PltPicture *histogram(void)
{
    PltChart *chart =
        plt_chart_new(PLT_SCALE_LOG10, PLT_UNIT_LATENCY, "Latency", PLT_SCALE_LOG10, PLT_UNIT_NUMBER, "I/Os");

    plt_chart_add_series(chart, PLT_SERIES_STEPS, "Read", 0, curve(20, 20, 5000, counts));
    plt_chart_add_series(chart, PLT_SERIES_STEPS, "Write", 1, curve(50, 40, 3000, counts));
    return picture_of("Histogram", chart);
}

/* C12 to C14, C19: text tables with verdicts. */
static PltPicture *table(void)
{
    PltPicture *picture = picture_of("Specification and result", NULL);
    static const char *const rows[][3] = {{"7,300 MB/s", "7,012 MB/s", "−3.9 %"},
                                          {"6,600 MB/s", "6,587 MB/s", "met"}};

    picture->table = plt_table_new();
    plt_table_add_column(picture->table, "Specified", -1);
    plt_table_add_column(picture->table, "Measured", -1);
    plt_table_add_column(picture->table, "Verdict", -1);
    for (guint r = 0; r < 8; r++) {
        guint row =
            plt_table_add_row(picture->table, r % 2 ? "Sequential write 128K" : "순차 읽기 128K", NULL);

        for (guint c = 0; c < 3; c++)
            plt_table_cell(picture->table, row, c)->value = g_strdup(rows[r % 2][c]);
        plt_table_cell(picture->table, row, 2)->tone = r % 2 ? PLT_TONE_GOOD : PLT_TONE_WARNING;
    }
    return picture;
}

/* Nothing at all: a live chart before its first sample. */
static PltPicture *empty(void)
{
    PltChart *chart = plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_TIME, "Time", PLT_SCALE_LINEAR,
                                    PLT_UNIT_BANDWIDTH, "Throughput");

    plt_chart_add_series(chart, PLT_SERIES_LINE, "Read", 0, plt_pyramid_new(0, 0.1));
    plt_chart_add_series(chart, PLT_SERIES_STEPS, "Write", 1, plt_pyramid_new(0, 0.1));
    plt_chart_add_series(chart, PLT_SERIES_BARS, "Mix", 2, plt_pyramid_new(0, 0.1));
    return picture_of("Empty", chart);
}

static const struct {
    const char *name;
    PltPicture *(*make)(void);
} kinds[] = {
    {"fill", fill_curve},     {"ranking", ranking},
    {"ratio", ratio_panels},  {"performance-latency", performance_latency},
    {"depths", queue_depths}, {"tail", tail},
    {"histogram", histogram}, {"table", table},
    {"empty", empty},
};

static void test_kind(gconstpointer data)
{
    static const int sizes[][2] = {{1200, 675}, {400, 300}, {1080, 1350}, {240, 160}, {2400, 800}};
    guint kind = GPOINTER_TO_UINT(data);
    g_autoptr(PltPicture) picture = kinds[kind].make();

    for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
        for (int dark = 0; dark < 2; dark++) {
            g_autofree char *name =
                g_strdup_printf("%s, %d x %d", kinds[kind].name, sizes[s][0], sizes[s][1]);
            g_autoptr(GArray) boxes =
                plt_boxes_draw(picture, sizes[s][0], sizes[s][1], dark, dark ? "ko" : "en", name);

            g_assert_true(plt_boxes_have(boxes, picture->title));
        }
    }
}

/* What a reader must be told: logarithmic, cut off, unit. */
static void test_axis_says(void)
{
    g_autoptr(PltPicture) cut = tail();
    g_autoptr(PltPicture) depths = queue_depths();
    g_autoptr(GArray) cut_boxes = plt_boxes_draw(cut, 1200, 675, FALSE, "en", "tail");
    g_autoptr(GArray) depth_boxes = plt_boxes_draw(depths, 1200, 675, FALSE, "en", "depths");

    g_assert_true(plt_boxes_have(cut_boxes, "Latency (log) (cut)"));
    g_assert_true(plt_boxes_have(cut_boxes, "99.999 %"));
    g_assert_true(plt_boxes_have(depth_boxes, "Random read 4K, k IOPS (log)"));
    g_assert_true(plt_boxes_have(depth_boxes, "256"));
}

/* A picture is a function of its model alone: drawing it twice gives the same pixels. */
static void test_pure(void)
{
    g_autoptr(PltPicture) picture = fill_curve();
    cairo_surface_t *surfaces[2];

    for (guint i = 0; i < 2; i++) {
        cairo_t *cr = NULL;

        surfaces[i] = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 600, 400);
        cr = cairo_create(surfaces[i]);
        plt_picture_draw(picture, cr, 600, 400, FALSE, "en", NULL);
        cairo_destroy(cr);
        cairo_surface_flush(surfaces[i]);
    }
    g_assert_cmpmem(cairo_image_surface_get_data(surfaces[0]), 600 * 400 * 4,
                    cairo_image_surface_get_data(surfaces[1]), 600 * 400 * 4);
    cairo_surface_destroy(surfaces[0]);
    cairo_surface_destroy(surfaces[1]);
}

/* A view finds a bar where it was drawn: its colour is at the place of its middle. */
static void test_locate(void)
{
    g_autoptr(PltChart) chart = plt_chart_new(PLT_SCALE_LOG2, PLT_UNIT_BLOCK, "Block size", PLT_SCALE_LINEAR,
                                              PLT_UNIT_BANDWIDTH, "Throughput");
    static const double xy[][2] = {{4096, 400e6}, {65536, 2000e6}};
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 600, 400);
    cairo_t *cr = cairo_create(surface);
    const PltRect area = {20.0, 20.0, 560.0, 360.0};
    PltColour blue = plt_theme_get(FALSE)->series[0].colour;
    const guint8 *pixel = NULL;
    PltChartPlace place;
    PltCanvas canvas;
    double x, y;

    chart->x.from = 2048;
    chart->x.to = 131072;
    plt_chart_add_series(chart, PLT_SERIES_BARS, "Read", 0, points(xy, 2));
    plt_canvas_init(&canvas, cr, 600, 400, FALSE, "en", NULL);
    plt_chart_locate(chart, &canvas, area, &place);
    plt_chart_draw(chart, &canvas, area);
    plt_canvas_clear(&canvas);
    cairo_destroy(cr);
    x = place.plot.x + place.plot.width * plt_axis_place(&place.x, 65536);
    y = place.plot.y + place.plot.height * (1.0 - plt_axis_place(&place.y, 1000e6));
    cairo_surface_flush(surface);
    pixel = cairo_image_surface_get_data(surface) +
            (gsize)y * (gsize)cairo_image_surface_get_stride(surface) + (gsize)x * 4;
    g_assert_cmpint(pixel[0], ==, (int)round(blue.blue * 255.0));
    g_assert_cmpint(pixel[1], ==, (int)round(blue.green * 255.0));
    g_assert_cmpint(pixel[2], ==, (int)round(blue.red * 255.0));
    cairo_surface_destroy(surface);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autofree char *path = g_strconcat("/chart/kinds/", kinds[i].name, NULL);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_kind);
    }
    g_test_add_func("/chart/kinds/axis-says", test_axis_says);
    g_test_add_func("/chart/kinds/pure", test_pure);
    g_test_add_func("/chart/kinds/locate", test_locate);
    return g_test_run();
}
