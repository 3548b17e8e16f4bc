/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/queue.h"

#include "library/document.h"

PltEntry *plt_entry_new(PltEntryKind kind)
{
    PltEntry *entry = g_new0(PltEntry, 1);
    entry->kind = kind;
    return entry;
}

void plt_entry_free(PltEntry *entry)
{
    if (!entry)
        return;
    plt_cell_spec_clear(&entry->spec);
    g_clear_pointer(&entry->samples, g_array_unref);
    g_clear_pointer(&entry->histogram, g_byte_array_unref);
    plt_cell_run_free(entry->figures);
    g_free(entry->engine);
    g_free(entry->name);
    g_free(entry->detail);
    g_free(entry);
}

PltEntry *plt_entry_new_end(const PltCellRun *run)
{
    PltEntry *entry = plt_entry_new(PLT_ENTRY_END);
    PltCellRun *figures = plt_cell_run_new();
    figures->complete = run->complete;
    figures->total = run->total;
    memcpy(figures->op, run->op, sizeof(figures->op));
    g_array_append_vals(figures->stalls, run->stalls->data, run->stalls->len);
    entry->figures = figures;
    entry->engine = plt_document_text(run->engine);
    return entry;
}

static void merge_op(struct plt_sample_op *into, const struct plt_sample_op *from)
{
    if (from->ios == 0)
        return;
    into->lat_min_ns = into->ios == 0 ? from->lat_min_ns : MIN(into->lat_min_ns, from->lat_min_ns);
    into->lat_max_ns = MAX(into->lat_max_ns, from->lat_max_ns);
    into->lat_sum_ns += from->lat_sum_ns;
    into->bytes += from->bytes;
    into->ios += from->ios;
}

static gboolean has_completions(const struct plt_sample *sample)
{
    for (int op = 0; op < PLT_N_OPS; op++) {
        if (sample->op[op].ios > 0)
            return TRUE;
    }
    return FALSE;
}

/* NEXT follows INTO: the state at the tick's end is NEXT's. */
static void merge(struct plt_sample *into, const struct plt_sample *next)
{
    if (has_completions(next)) {
        if (!has_completions(into))
            into->first_ns = next->first_ns;
        into->last_ns = next->last_ns;
    }
    into->duration_ns += next->duration_ns;
    into->oldest_ns = next->oldest_ns;
    into->inflight = next->inflight;
    for (int op = 0; op < PLT_N_OPS; op++)
        merge_op(&into->op[op], &next->op[op]);
}

void plt_entry_merge_samples(GArray *samples)
{
    struct plt_sample *sample = (struct plt_sample *)(void *)samples->data;
    guint n = 0;
    for (guint i = 0; i < samples->len; i += 2) {
        sample[n] = sample[i];
        if (i + 1 < samples->len)
            merge(&sample[n], &sample[i + 1]);
        n++;
    }
    g_array_set_size(samples, n);
}
