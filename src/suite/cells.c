/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/cells.h"

#include <glib/gi18n-lib.h>

#include "suite/value.h"

/*
 * Buffers of all I/Os in flight: CrystalDiskMark's largest block at its deepest queue (8 MiB x 512) must fit;
 * a slip such as 64 MiB x 4096 must not take the machine down.
 */
#define INFLIGHT_MAX_BYTES (G_GUINT64_CONSTANT(4) << 30)

struct expansion {
    GPtrArray *items;
    GHashTable *by_id; /* id → PltItem; owned by items */
    GError **error;
};

static void item_free(gpointer data)
{
    PltItem *item = data;

    g_free(item->id);
    g_free(item->row);
    g_free(item);
}

static char *make_row(const PltSection *section, guint32 block, guint queue, guint threads)
{
    g_autofree char *name = plt_value_block_name(block);
    g_autofree char *low = g_ascii_strdown(name, -1);

    return g_strdup_printf("%s%s-q%ut%u%s%s", section->pattern == PLT_PATTERN_RANDOM ? "rnd" : "seq", low,
                           queue, threads, section->tag != NULL ? "-" : "",
                           section->tag != NULL ? section->tag : "");
}

char *plt_cells_label(const PltItem *item)
{
    g_autofree char *name = NULL;

    if (item->section->label != NULL)
        return g_strdup(item->section->label);
    name = plt_value_block_name(item->block);
    return g_strdup_printf("%s%s Q%uT%u", item->section->pattern == PLT_PATTERN_RANDOM ? "RND" : "SEQ", name,
                           item->queue, item->threads);
}

static gboolean check_item(struct expansion *expansion, const PltItem *item)
{
    const PltItem *twin = g_hash_table_lookup(expansion->by_id, item->id);
    guint64 inflight = (guint64)item->queue * item->threads;

    if (twin != NULL) {
        g_set_error(
            expansion->error, PLT_ERROR, PLT_ERROR_USAGE,
            _("the cell %s comes up twice, in [%s] and [%s]; give one of them a tag=, which becomes part of "
              "its name"),
            item->id, twin->section->name, item->section->name);
        return FALSE;
    }
    if (expansion->items->len >= PLT_CELLS_MAX) {
        g_set_error(expansion->error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("the suite has more than %d cells; shorten the lists"), PLT_CELLS_MAX);
        return FALSE;
    }
    if (inflight > PLT_MAX_TOTAL_QUEUE || inflight * item->block > INFLIGHT_MAX_BYTES) {
        g_autofree char *limit = plt_value_size_text(INFLIGHT_MAX_BYTES);

        g_set_error(expansion->error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("the cell %s keeps too much in flight: queue x threads may be at most %d, and times "
                      "the block at "
                      "most %s"),
                    item->id, PLT_MAX_TOTAL_QUEUE, limit);
        return FALSE;
    }
    return TRUE;
}

static gboolean add_cell(struct expansion *expansion, const PltSection *section, guint32 block, guint queue,
                         guint threads, PltCellOp op)
{
    PltItem *item = g_new0(PltItem, 1);

    item->section = section;
    item->block = block;
    item->queue = queue;
    item->threads = threads;
    item->op = op;
    item->row = make_row(section, block, queue, threads);
    item->id = g_strdup_printf("%s-%s", item->row, plt_cell_op_name(op));
    if (!check_item(expansion, item)) {
        item_free(item);
        return FALSE;
    }
    g_ptr_array_add(expansion->items, item);
    g_hash_table_insert(expansion->by_id, item->id, item);
    return TRUE;
}

/* The row's operations in the step's order, or only ONLY (NULL = all). */
static gboolean add_row(struct expansion *expansion, const PltSection *section, guint32 block, guint queue,
                        guint threads, const PltCellOp *only)
{
    for (guint i = 0; i < section->ops->len; i++) {
        PltCellOp op = g_array_index(section->ops, PltCellOp, i);

        if (only != NULL && *only != op)
            continue;
        if (!add_cell(expansion, section, block, queue, threads, op))
            return FALSE;
    }
    return TRUE;
}

static gboolean add_measure(struct expansion *expansion, const PltSection *section, const PltCellOp *only)
{
    for (guint b = 0; b < section->blocks->len; b++) {
        guint32 block = g_array_index(section->blocks, guint32, b);

        for (guint q = 0; q < section->queues->len; q++) {
            guint queue = g_array_index(section->queues, guint, q);

            for (guint t = 0; t < section->threads->len; t++) {
                if (!add_row(expansion, section, block, queue, g_array_index(section->threads, guint, t),
                             only))
                    return FALSE;
            }
        }
    }
    return TRUE;
}

/* A pass is one cell; a rest or a purge is none. */
static gboolean add_other(struct expansion *expansion, const PltSection *section)
{
    PltItem *item;

    if (plt_section_measures(section))
        return add_measure(expansion, section, NULL);
    item = g_new0(PltItem, 1);
    item->section = section;
    g_ptr_array_add(expansion->items, item);
    return TRUE;
}

/* Index behind the last measure step of the group that starts at FIRST. */
static guint measure_group_end(const PltSuite *suite, guint first)
{
    guint end = first;

    while (end < suite->sections->len &&
           ((PltSection *)g_ptr_array_index(suite->sections, end))->kind == PLT_SECTION_MEASURE)
        end++;
    return end;
}

static gboolean add_measure_group(struct expansion *expansion, const PltSuite *suite, guint first, guint end,
                                  const PltSection **culprit)
{
    static const PltCellOp ops[] = {PLT_CELL_READ, PLT_CELL_WRITE, PLT_CELL_MIX};
    guint passes = suite->order == PLT_ORDER_OPERATION ? G_N_ELEMENTS(ops) : 1;

    for (guint pass = 0; pass < passes; pass++) {
        for (guint i = first; i < end; i++) {
            *culprit = g_ptr_array_index(suite->sections, i);
            if (!add_measure(expansion, *culprit, passes > 1 ? &ops[pass] : NULL))
                return FALSE;
        }
    }
    return TRUE;
}

GPtrArray *plt_cells_expand(const PltSuite *suite, const PltSection **culprit, GError **error)
{
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(item_free);
    g_autoptr(GHashTable) by_id = g_hash_table_new(g_str_hash, g_str_equal);
    struct expansion expansion = {.items = items, .by_id = by_id, .error = error};
    const PltSection *current = NULL;

    for (guint i = 0; i < suite->sections->len;) {
        const PltSection *section = g_ptr_array_index(suite->sections, i);
        guint end = measure_group_end(suite, i);

        current = section;
        if (end == i) {
            if (!add_other(&expansion, section)) {
                if (culprit != NULL)
                    *culprit = current;
                return NULL;
            }
            i++;
            continue;
        }
        if (!add_measure_group(&expansion, suite, i, end, &current)) {
            if (culprit != NULL)
                *culprit = current;
            return NULL;
        }
        i = end;
    }
    return g_steal_pointer(&items);
}
