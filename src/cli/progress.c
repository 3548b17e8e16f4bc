/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/progress.h"

#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/output.h"
#include "cli/plan.h"
#include "cli/table.h"

/* The speed shown is of the last half second: a figure of one tick changes too fast to be read. */
#define SPEED_TICKS 5

struct plt_progress {
    const PltPlan *plan;
    int fd;
    PltLineStyle style;
    gboolean plain;    /* the terminal cannot redraw a line */
    GPtrArray *labels; /* one per step; NULL for a rest */
    guint label_width, n_cells;
    gboolean drawn;
    guint plain_step; /* the last step with a plain line, + 1 */

    GMutex mutex; /* what follows is written by the runner's thread */
    PltRunnerProgress now;
    gint64 updated_us;
    gboolean started;
    double history[PLT_LINE_HISTORY];
    guint n_history;
};

static gboolean is_set(const char *variable)
{
    const char *value = g_getenv(variable);

    return value != NULL && *value != '\0';
}

PltProgress *plt_progress_new(const PltPlan *plan, int fd)
{
    PltProgress *progress = g_new0(PltProgress, 1);
    const char *term = g_getenv("TERM");

    progress->plan = plan;
    progress->fd = fd;
    progress->plain = !is_set("TERM") || g_str_equal(term, "dumb");
    progress->style.color = !is_set("NO_COLOR");
    progress->style.unicode = plt_output_is_unicode();
    progress->labels = g_ptr_array_new_with_free_func(g_free);
    g_mutex_init(&progress->mutex);
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);
        char *label = step->kind == PLT_STEP_MEASURE ? plt_plan_cell_label(&step->cell) : NULL;

        g_ptr_array_add(progress->labels, label);
        if (label == NULL)
            continue;
        progress->n_cells++;
        progress->label_width = MAX(progress->label_width, plt_cli_text_width(label));
    }
    return progress;
}

void plt_progress_free(PltProgress *progress)
{
    g_ptr_array_unref(progress->labels);
    g_mutex_clear(&progress->mutex);
    g_free(progress);
}

static double sample_bandwidth(const struct plt_sample *sample)
{
    guint64 bytes = 0;

    for (int op = 0; op < PLT_N_OPS; op++)
        bytes += sample->op[op].bytes;
    return sample->duration_ns > 0 ? (double)bytes * 1e9 / (double)sample->duration_ns : 0;
}

void plt_progress_update(const PltRunnerProgress *now, const struct plt_sample *sample, gpointer user)
{
    PltProgress *progress = user;

    g_mutex_lock(&progress->mutex);
    if (now->step != progress->now.step || now->phase != progress->now.phase || now->run != progress->now.run)
        progress->n_history = 0;
    progress->now = *now;
    progress->updated_us = g_get_monotonic_time();
    progress->started = TRUE;
    if (sample != NULL) {
        if (progress->n_history == PLT_LINE_HISTORY)
            memmove(progress->history, progress->history + 1,
                    (--progress->n_history) * sizeof progress->history[0]);
        progress->history[progress->n_history++] = sample_bandwidth(sample);
    }
    g_mutex_unlock(&progress->mutex);
}

static const PltStep *get_step(const PltProgress *progress, guint index)
{
    return index < progress->plan->steps->len ? g_ptr_array_index(progress->plan->steps, index) : NULL;
}

static char *stage_text(const PltProgress *progress, const PltRunnerProgress *now)
{
    const PltStep *step = get_step(progress, now->step);
    guint run;

    if (now->phase == PLT_RUNNER_RESTING || step == NULL || step->kind != PLT_STEP_MEASURE)
        return g_strdup(now->phase == PLT_RUNNER_RESTING ? _("rest") : "");
    if (now->phase == PLT_RUNNER_WARMUP)
        return g_strdup(_("warm-up"));
    if (now->phase != PLT_RUNNER_MEASURING)
        return g_strdup("");
    run = now->run >= step->warmup_runs ? now->run - step->warmup_runs + 1 : 1;
    return g_strdup_printf(_("run %u/%u"), run, step->runs);
}

/* The cell that is measured, or the next one while the drive rests. */
static guint shown_step(const PltProgress *progress, guint step)
{
    while (step + 1 < progress->labels->len && g_ptr_array_index(progress->labels, step) == NULL)
        step++;
    return step;
}

static const char *label_text(const PltProgress *progress, const PltRunnerProgress *now)
{
    guint step = shown_step(progress, now->step);
    const char *label = step < progress->labels->len ? g_ptr_array_index(progress->labels, step) : NULL;

    if (now->phase == PLT_RUNNER_PREPARING)
        return _("Writing the test file");
    if (now->phase == PLT_RUNNER_PURGING)
        return _("Erasing the drive");
    return label != NULL ? label : "";
}

static guint cell_number(const PltProgress *progress, const PltRunnerProgress *now)
{
    guint last = shown_step(progress, now->step);
    guint cell = 0;

    if (now->phase == PLT_RUNNER_PREPARING)
        return 0;
    for (guint i = 0; i <= last && i < progress->labels->len; i++)
        cell += g_ptr_array_index(progress->labels, i) != NULL;
    return cell;
}

static double shown_bandwidth(const PltLineView *view, const PltRunnerProgress *now)
{
    guint n = MIN(view->n_history, SPEED_TICKS);
    double sum = 0;

    if (now->phase == PLT_RUNNER_RESTING || now->phase == PLT_RUNNER_PURGING ||
        now->phase == PLT_RUNNER_ENDED)
        return -1;
    for (guint i = view->n_history - n; i < view->n_history; i++)
        sum += view->history[i];
    return n > 0 ? sum / n : now->bandwidth_bps > 0 ? now->bandwidth_bps : -1;
}

static void write_text(PltProgress *progress, const char *text)
{
    if (write(progress->fd, text, strlen(text)) < 0)
        progress->drawn = FALSE;
}

static void draw_plain(PltProgress *progress, const PltRunnerProgress *now)
{
    guint number = cell_number(progress, now);

    if (number == progress->plain_step)
        return;
    progress->plain_step = number;
    plt_output_note("%u/%u %s", number, progress->n_cells, label_text(progress, now));
}

void plt_progress_draw(PltProgress *progress)
{
    PltLineView view = {.label_width = progress->label_width, .n_cells = progress->n_cells};
    g_autofree char *stage = NULL, *line = NULL, *text = NULL;
    PltRunnerProgress now;
    guint64 since_ms;
    guint width = plt_terminal_width(progress->fd);

    g_mutex_lock(&progress->mutex);
    now = progress->now;
    since_ms = (guint64)(g_get_monotonic_time() - progress->updated_us) / 1000;
    memcpy(view.history, progress->history, sizeof view.history);
    view.n_history = progress->n_history;
    g_mutex_unlock(&progress->mutex);

    /* Not ours to write on while another job has the terminal. */
    if (!progress->started || now.phase == PLT_RUNNER_ENDED || tcgetpgrp(progress->fd) != getpgrp())
        return;
    if (progress->plain) {
        draw_plain(progress, &now);
        return;
    }
    stage = stage_text(progress, &now);
    view.cell = cell_number(progress, &now);
    view.label = label_text(progress, &now);
    view.label_width = MAX(view.label_width, plt_cli_text_width(view.label));
    view.stage = stage;
    view.bandwidth_bps = shown_bandwidth(&view, &now);
    view.fraction = now.fraction;
    view.elapsed_ms = now.elapsed_ms + since_ms;
    view.left_ms = now.left_ms > since_ms ? now.left_ms - since_ms : 0;
    /* The last column stays free: some terminals wrap as soon as it is written. */
    line = plt_line_format(&view, (width > 0 ? width : 80) - 1, progress->style);
    text = g_strconcat("\r", line, "\033[K", NULL);
    progress->drawn = TRUE;
    write_text(progress, text);
}

void plt_progress_clear(PltProgress *progress)
{
    if (!progress->drawn)
        return;
    write_text(progress, "\r\033[K");
    progress->drawn = FALSE;
}
