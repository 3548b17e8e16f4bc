/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "suite/link-limit.h"
#include "suite/runner-private.h"

static const struct {
    guint bit;
    const char *name;
} note_names[] = {
    {PLT_NOTE_THREADS_REFUSED, "threads-refused"}, {PLT_NOTE_THREADS_IOWQ, "threads-iowq"},
    {PLT_NOTE_KERNEL_WORKERS, "kernel-workers"},   {PLT_NOTE_PLAIN_BUFFERS, "plain-buffers"},
    {PLT_NOTE_HOST_LIMITED, "host-limited"},       {PLT_NOTE_CLOCK_SYSTEM, "clock-system"},
    {PLT_NOTE_TICKS_LATE, "ticks-late"},           {PLT_NOTE_SUSPENDED, "suspended"},
};

/* Notes that say something about the machine rather than about one cell: their warning names none. */
#define NOTES_WITHOUT_CELL                                                                                 \
    (PLT_NOTE_THREADS_REFUSED | PLT_NOTE_THREADS_IOWQ | PLT_NOTE_KERNEL_WORKERS | PLT_NOTE_PLAIN_BUFFERS | \
     PLT_NOTE_CLOCK_SYSTEM | PLT_NOTE_TICKS_LATE)

/* Above this share of what the machine does without any drive, the drive did not set the pace (engine.md 3).
 */
#define CEILING_SHARE 0.5

/* Mean I/Os in flight below this share of the asked depth are said: the figure is one of a shallower queue.
 */
#define SHALLOW_SHARE 0.9

static gboolean is_host_limited(const struct plt_engine_result *result, double ceiling)
{
    double ios = (double)(result->total[PLT_OP_READ].ios + result->total[PLT_OP_WRITE].ios);
    double rate = result->window_ns != 0 ? ios * 1e9 / (double)result->window_ns : 0;

    return (result->notes & PLT_NOTE_HOST_LIMITED) != 0 || (ceiling > 0 && rate > CEILING_SHARE * ceiling);
}

static void add_notes(JsonBuilder *builder, const struct plt_engine_result *result, double ceiling)
{
    guint notes = result->notes | (is_host_limited(result, ceiling) ? PLT_NOTE_HOST_LIMITED : 0);

    json_builder_set_member_name(builder, "notes");
    json_builder_begin_array(builder);
    for (guint i = 0; i < G_N_ELEMENTS(note_names); i++)
        if (notes & note_names[i].bit)
            json_builder_add_string_value(builder, note_names[i].name);
    json_builder_end_array(builder);
}

static void add_int(JsonBuilder *builder, const char *name, gint64 value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_int_value(builder, value);
}

static void add_double(JsonBuilder *builder, const char *name, double value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_double_value(builder, value);
}

static JsonNode *engine_to_json(const struct plt_workload *workload, const struct plt_engine_result *result,
                                double ceiling)
{
    g_autoptr(JsonBuilder) builder = json_builder_new();
    g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, workload->seed);
    double ios = (double)(result->total[PLT_OP_READ].ios + result->total[PLT_OP_WRITE].ios);

    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "backend");
    json_builder_add_string_value(builder, result->backend == PLT_BACKEND_RING ? "io_uring" : "threads");
    add_int(builder, "window_ns", (gint64)result->window_ns);
    add_int(builder, "ramp_ns", (gint64)workload->ramp_ns);
    add_int(builder, "submit_cap", result->submit_cap);
    add_int(builder, "nominal_queue", (gint64)workload->queue * workload->threads);
    add_double(builder, "effective_queue", result->effective_queue);
    add_double(builder, "busy", result->busy);
    if (ios > 0) {
        add_double(builder, "user_ns_per_io", (double)result->user_ns / ios);
        add_double(builder, "system_ns_per_io", (double)result->system_ns / ios);
    }
    if (ceiling > 0)
        add_double(builder, "ceiling_iops", ceiling);
    add_int(builder, "late_ios", (gint64)result->late_ios);
    add_int(builder, "late_max_ns", (gint64)result->late_max_ns);
    json_builder_set_member_name(builder, "seed"); /* as text: many readers of JSON lose the low bits of 64 */
    json_builder_add_string_value(builder, seed);
    add_notes(builder, result, ceiling);
    json_builder_end_object(builder);
    return json_builder_get_root(builder);
}

/* Reads and writes together; flushes have their own figures and are no transfer. */
static void take_total(PltCellRun *cell_run, const struct plt_engine_result *result)
{
    g_autofree struct plt_histogram *all = g_new(struct plt_histogram, 1);
    const struct plt_sample_op *read = &result->total[PLT_OP_READ];
    const struct plt_sample_op *write = &result->total[PLT_OP_WRITE];

    plt_histogram_reset(all);
    for (int op = PLT_OP_READ; op <= PLT_OP_WRITE; op++)
        if (result->histogram[op] != NULL)
            plt_histogram_merge(all, result->histogram[op]);
    cell_run->total =
        plt_analysis_measure(read->ios + write->ios, read->bytes + write->bytes, result->window_ns, all);
}

void plt_runner_take_result(PltCellRun *cell_run, const struct plt_workload *workload,
                            const struct plt_engine_result *result, gboolean complete, double ceiling)
{
    take_total(cell_run, result);
    for (int op = 0; op < PLT_N_OPS; op++) {
        const struct plt_histogram *histogram = result->histogram[op];

        if (histogram == NULL)
            continue;
        cell_run->op[op] = plt_analysis_measure(result->total[op].ios, result->total[op].bytes,
                                                result->window_ns, histogram);
        cell_run->histogram[op] = g_memdup2(histogram, sizeof *histogram);
    }
    cell_run->complete = complete;
    cell_run->tick_ns = workload->tick_ns;
    cell_run->n_samples = result->ticks;
    g_array_append_vals(cell_run->stalls, result->stalls, (guint)result->n_stalls);
    cell_run->engine = engine_to_json(workload, result, ceiling);
}

static void remark_stalls(PltRunner *runner, const struct plt_engine_result *result)
{
    for (gsize i = 0; i < result->n_stalls; i++)
        runner->longest_stall_ns = MAX(runner->longest_stall_ns, result->stalls[i].length_ns);
    runner->n_stalls += (guint)(result->n_stalls + result->n_stalls_dropped);
}

/* A link carries both directions at once, so each is held against it alone. */
static gboolean exceeds_link(const PltRun *run, const struct plt_engine_result *result)
{
    guint64 limit = plt_link_limit(run->drive);

    return plt_link_is_exceeded(limit, result->total[PLT_OP_READ].bytes, result->window_ns) ||
           plt_link_is_exceeded(limit, result->total[PLT_OP_WRITE].bytes, result->window_ns);
}

void plt_runner_remark_result(PltRunner *runner, const PltStep *step, const struct plt_engine_result *result,
                              double ceiling)
{
    for (guint i = 0; i < G_N_ELEMENTS(note_names); i++)
        if (result->notes & note_names[i].bit & NOTES_WITHOUT_CELL)
            plt_runner_remark(runner, note_names[i].name, NULL);
    if (result->notes & PLT_NOTE_SUSPENDED)
        plt_runner_remark(runner, "suspended", step->cell.label);
    if (is_host_limited(result, ceiling))
        plt_runner_remark(runner, "host-limited", step->cell.label);
    if (exceeds_link(runner->run, result))
        plt_runner_remark(runner, "too-fast", step->cell.label);
    if (result->window_ns != 0)
        runner->lowest_queue = MIN(runner->lowest_queue, result->effective_queue);
    remark_stalls(runner, result);
}

static const char *op_text(PltCellOp op)
{
    switch (op) {
    case PLT_CELL_READ:
        return _("read");
    case PLT_CELL_WRITE:
        return _("write");
    case PLT_CELL_MIX:
    default:
        return _("mix");
    }
}

void plt_runner_remark_cell(PltRunner *runner, const PltStep *step)
{
    const struct plt_workload *load = &step->workload;
    double nominal = (double)load->queue * load->threads;
    gboolean paced = load->rate_bps[0] != 0 || load->rate_bps[1] != 0 || load->think_every != 0;
    g_autofree char *detail = NULL;

    if (paced || runner->lowest_queue >= SHALLOW_SHARE * nominal)
        return;
    detail = g_strdup_printf(_("%s %s %.1f of %.0f"), step->cell.label, op_text(step->cell.op),
                             runner->lowest_queue, nominal);
    plt_runner_remark(runner, "shallow-queue", detail);
}

void plt_runner_remark(PltRunner *runner, const char *id, const char *detail)
{
    GPtrArray *details = g_hash_table_lookup(runner->remarks, id);

    if (details == NULL) {
        details = g_ptr_array_new_with_free_func(g_free);
        g_hash_table_insert(runner->remarks, g_strdup(id), details);
    }
    if (detail != NULL && !g_ptr_array_find_with_equal_func(details, detail, g_str_equal, NULL))
        g_ptr_array_add(details, g_strdup(detail));
}

static char *join(GPtrArray *details)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < details->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (char *)g_ptr_array_index(details, i));
    return details->len > 0 ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}

void plt_runner_flush_remarks(PltRunner *runner)
{
    GHashTableIter iter;
    gpointer id, details;

    if (runner->n_stalls > 0) {
        g_autofree char *detail =
            g_strdup_printf("%u, longest %.1f s", runner->n_stalls, (double)runner->longest_stall_ns / 1e9);

        plt_runner_remark(runner, "stalls", detail);
    }
    g_hash_table_iter_init(&iter, runner->remarks);
    while (g_hash_table_iter_next(&iter, &id, &details)) {
        g_autofree char *detail = join(details);

        plt_warning_add(runner->run->warnings, id, detail);
        plt_recorder_add_warning(runner->recorder, id, detail);
    }
    g_hash_table_remove_all(runner->remarks);
}
