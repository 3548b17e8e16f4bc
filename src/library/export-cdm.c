/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/export.h"

#include <math.h>

#include "library/document.h"
#include "library/export-facts.h"
#include "library/export-rows.h"

/*
 * The text that CrystalDiskMark 8 and 9 save: 78 columns, CR LF, English. Programs that read it look for
 * the section lines and the rows; the head says whose figures they are. A row is
 *   two blanks, SEQ|RND, %4d, KiB|MiB, (Q=%3d, T=%2d):, %9.3f MB/s, [%9.1f IOPS], <%9.2f us>
 * and every section lists every workload, one that was not measured with zeros.
 */
#define COLUMNS 78
#define LINE_END "\r\n"

static void add_rule(GString *text)
{
    for (int i = 0; i < COLUMNS; i++)
        g_string_append_c(text, '-');
    g_string_append(text, LINE_END);
}

static void add_head(GString *text, const PltRun *run)
{
    static const char origin[] = "Measured by Plateau; text layout of CrystalDiskMark";
    add_rule(text);
    g_string_append_printf(text, "%s" LINE_END, run->program ? run->program : "Plateau");
    g_string_append_printf(text, "%*s" LINE_END, COLUMNS, origin);
    add_rule(text);
    g_string_append(text, "* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]" LINE_END
                          "* KB = 1000 bytes, KiB = 1024 bytes" LINE_END);
}

/* Blocks below 1 KiB have no place in the layout: "512B  " keeps the columns, and readers skip the row. */
static void add_size(GString *text, guint32 block)
{
    if (block % (1024 * 1024) == 0)
        g_string_append_printf(text, "%4uMiB", block / (1024 * 1024));
    else if (block % 1024 == 0)
        g_string_append_printf(text, "%4uKiB", block / 1024);
    else
        g_string_append_printf(text, "%4uB  ", block);
}

static void add_row(GString *text, const PltCellSpec *spec, const PltCell *cell)
{
    const PltCellRun *score = cell ? plt_cell_score(cell) : NULL;
    const struct plt_measure nothing = {0}, *total = score ? &score->total : &nothing;
    double mean_us = plt_export_latency_known(total) ? total->latency.mean_ns / 1e3 : 0;
    g_autofree char *mbps = plt_export_number(total->bandwidth_bps / 1e6, 3, FALSE);
    g_autofree char *iops = plt_export_number(total->iops, 1, FALSE);
    g_autofree char *us = plt_export_number(mean_us, 2, FALSE);

    g_string_append_printf(text, "  %s ", spec->pattern == PLT_PATTERN_RANDOM ? "RND" : "SEQ");
    add_size(text, spec->block);
    g_string_append_printf(text, " (Q=%3u, T=%2u): %9s MB/s [%9s IOPS] <%9s us>" LINE_END, spec->queue,
                           spec->threads, mbps, iops, us);
}

static void add_section(GString *text, GPtrArray *rows, const char *title, PltCellOp op, guint read_percent)
{
    g_string_append_printf(text, LINE_END "%s" LINE_END, title);
    for (guint i = 0; i < rows->len; i++) {
        const PltExportRow *row = g_ptr_array_index(rows, i);
        add_row(text, row->spec, plt_export_row_cell(row, op, read_percent));
    }
}

static void add_sections(GString *text, const PltRun *run)
{
    g_autoptr(GPtrArray) rows = plt_export_rows(run);
    g_autoptr(GArray) mixes = plt_export_mixes(run);
    add_section(text, rows, "[Read]", PLT_CELL_READ, 100);
    add_section(text, rows, "[Write]", PLT_CELL_WRITE, 0);
    for (guint i = 0; i < mixes->len; i++) {
        guint percent = g_array_index(mixes, guint, i);
        g_autofree char *title = g_strdup_printf("[Mix] Read %u%%/Write %u%%", percent, 100 - percent);
        add_section(text, rows, title, PLT_CELL_MIX, percent);
    }
}

static void add_test(GString *text, const PltRun *run)
{
    double size = plt_export_parameter(run, "size"), runs = plt_export_parameter(run, "runs");
    g_autofree char *amount = size > 0 ? plt_document_size((guint64)size) : g_strdup("?");
    g_autofree char *count = runs > 0 ? g_strdup_printf(" (x%u)", (guint)runs) : g_strdup("");
    g_string_append_printf(text, "   Test: %s%s" LINE_END, amount, count);
}

static void add_times(GString *text, const PltRun *run)
{
    double measure = plt_export_parameter(run, "seconds"), pause = plt_export_parameter(run, "interval");
    g_autofree char *seconds = plt_export_seconds(isnan(measure) ? 0 : measure);
    g_autofree char *interval = plt_export_seconds(isnan(pause) ? 0 : pause);
    /* The blank at the end is the layout's. */
    g_string_append_printf(text, "   Time: Measure %s sec / Interval %s sec " LINE_END, seconds, interval);

    g_autoptr(GDateTime) utc = g_date_time_new_from_unix_utc(run->started_us / G_USEC_PER_SEC);
    g_autoptr(GDateTime) start = utc ? g_date_time_to_local(utc) : NULL;
    if (start)
        g_string_append_printf(text, "   Date: %04d/%02d/%02d %d:%02d:%02d" LINE_END,
                               g_date_time_get_year(start), g_date_time_get_month(start),
                               g_date_time_get_day_of_month(start), g_date_time_get_hour(start),
                               g_date_time_get_minute(start), g_date_time_get_second(start));
}

/* One line: what a person or a drive put into VALUE must not start another. NULL adds nothing. */
static void add_fact(GString *text, const char *label, const char *value)
{
    if (!value)
        return;
    g_autofree char *line = g_strdup(value);
    for (char *c = line; *c; c++) {
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    }
    g_string_append_printf(text, "%7s: %s" LINE_END, label, line);
}

static void add_foot(GString *text, const PltRun *run)
{
    const char *data = plt_document_string(run->parameters, "data");
    g_string_append_printf(text, LINE_END "Profile: %s" LINE_END, run->suite_name ? run->suite_name : "");
    add_test(text, run);
    g_string_append_printf(text, "   Mode:%s" LINE_END, g_strcmp0(data, "zero") == 0 ? " <0Fill>" : "");
    add_times(text, run);

    g_autofree char *drive = plt_export_drive(run), *target = plt_document_target(run->target);
    g_autofree char *suite = plt_export_suite(run), *status = plt_export_status(run);
    add_fact(text, "OS", plt_document_string(run->platform, "distribution"));
    add_fact(text, "Kernel", plt_document_string(run->platform, "kernel"));
    add_fact(text, "CPU", plt_document_member_string(run->platform, "cpu", "model"));
    add_fact(text, "Drive", drive);
    add_fact(text, "Target", target);
    add_fact(text, "FS", plt_document_string(run->target, "filesystem"));
    add_fact(text, "Suite", suite);
    add_fact(text, "Data", data);
    add_fact(text, "Status", status);
    for (guint i = 0; i < run->warnings->len; i++) {
        g_autofree char *warning = plt_warning_text(g_ptr_array_index(run->warnings, i));
        add_fact(text, "Warning", warning);
    }
    add_fact(text, "Comment", run->note);
}

char *plt_export_cdm_text(const PltRun *run)
{
    GString *text = g_string_new(NULL);
    add_head(text, run);
    add_sections(text, run);
    add_foot(text, run);
    return g_string_free(text, FALSE);
}
