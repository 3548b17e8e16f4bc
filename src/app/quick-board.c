/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/quick-board.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "app/run-words.h"
#include "report/cell.h"

#define N_OPS 3

/* Five figures a second can still be read; each costs a layout of the line. */
#define FIGURE_STEP_US 190000

/* A line of the grid: the cells that share a label, one for each kind of access. */
typedef struct {
    char *label;
    GString *only; /* its cells, as “only=” takes them */
    const PltCellSpec *spec[N_OPS];
} Row;

struct plt_quick_board {
    GtkBox *headings, *rows; /* the view's */
    GtkSizeGroup *first_column;
    GHashTable *cells; /* cell id -> PltQuickCell */
    char *signature;   /* ids and mix of what is built */
    guint mix;
    PltFigureUnit unit;
    gboolean narrow;
    PltSuiteItem *item;

    PltJob *job; /* that is followed, or NULL */
    gulong progress_handler, ended_handler;
    guint step, run; /* of its last figure that was shown */
    PltRunnerPhase phase;
    gint64 shown_us; /* monotonic */
};

static void row_free(gpointer data)
{
    Row *row = data;

    g_free(row->label);
    g_string_free(row->only, TRUE);
    g_free(row);
}

/* Rows in order of measuring; a second cell of the same label and kind begins a row of its own. */
static GPtrArray *make_rows(const PltPlan *plan)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);

    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = plan->steps->pdata[i];
        guint op = MIN((guint)step->cell.op, N_OPS - 1), r = 0;
        Row *row;

        if (step->kind != PLT_STEP_MEASURE)
            continue;
        while (r < rows->len) {
            row = rows->pdata[r];
            if (g_str_equal(row->label, step->cell.label) && row->spec[op] == NULL)
                break;
            r++;
        }
        if (r == rows->len) {
            row = g_new0(Row, 1);
            row->label = g_strdup(step->cell.label);
            row->only = g_string_new(NULL);
            g_ptr_array_add(rows, row);
        }
        row = rows->pdata[r];
        row->spec[op] = &step->cell;
        g_string_append_printf(row->only, "%s%s", row->only->len > 0 ? "," : "", step->cell.id);
    }
    return rows;
}

static gboolean has_op(const GPtrArray *rows, guint op)
{
    for (guint i = 0; i < rows->len; i++)
        if (((const Row *)rows->pdata[i])->spec[op] != NULL)
            return TRUE;
    return FALSE;
}

/* "RND4K Q32T16" on two lines, as CrystalDiskMark's buttons have it. */
static GtkWidget *button_content(const char *label)
{
    const char *space = strrchr(label, ' ');
    gboolean split = space != NULL && space[1] == 'Q' && g_ascii_isdigit(space[2]);
    g_autofree char *head = split ? g_strndup(label, (gsize)(space - label)) : g_strdup(label);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *first = gtk_label_new(head);

    gtk_label_set_wrap(GTK_LABEL(first), TRUE);
    gtk_label_set_justify(GTK_LABEL(first), GTK_JUSTIFY_CENTER);
    gtk_label_set_max_width_chars(GTK_LABEL(first), 12);
    gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(box), first);
    if (split) {
        GtkWidget *second = gtk_label_new(space + 1);

        gtk_widget_add_css_class(second, "caption");
        gtk_widget_add_css_class(second, "dim-label");
        gtk_box_append(GTK_BOX(box), second);
    }
    return box;
}

static GtkWidget *row_button(PltQuickBoard *board, const Row *row)
{
    const char *label = plt_words_label(row->label);
    GtkWidget *button = gtk_button_new();
    g_autofree char *name = g_strdup_printf(_("Measure %s Alone"), label);

    gtk_button_set_child(GTK_BUTTON(button), button_content(label));
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "benchmark.run");
    gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", row->only->str);
    gtk_widget_set_tooltip_text(button, name);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    gtk_size_group_add_widget(board->first_column, button);
    return button;
}

static GtkWidget *cell_for(PltQuickBoard *board, const PltCellSpec *spec)
{
    g_autofree char *name = plt_words_cell(spec);
    PltCell asked = {.spec = {.id = spec->id}};
    GtkWidget *cell = plt_quick_cell_new(name, spec->op, plt_report_cell_is_access_time(&asked));

    plt_quick_cell_set_unit(PLT_QUICK_CELL(cell), board->unit);
    plt_quick_cell_set_narrow(PLT_QUICK_CELL(cell), board->narrow);
    g_hash_table_insert(board->cells, g_strdup(spec->id), cell);
    return cell;
}

static void add_row(PltQuickBoard *board, const Row *row, const gboolean *columns)
{
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *figures = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);

    gtk_box_set_homogeneous(GTK_BOX(figures), TRUE);
    gtk_widget_set_hexpand(figures, TRUE);
    gtk_box_append(GTK_BOX(line), row_button(board, row));
    for (guint op = 0; op < N_OPS; op++) {
        if (!columns[op])
            continue;
        /* An empty place keeps the columns in line. */
        gtk_box_append(GTK_BOX(figures), row->spec[op] != NULL ? cell_for(board, row->spec[op])
                                                               : gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0));
    }
    gtk_box_append(GTK_BOX(line), figures);
    gtk_box_append(board->rows, line);
}

static char *heading_text(const PltQuickBoard *board, guint op)
{
    const char *unit = plt_words_unit(board->unit);

    if (op != PLT_CELL_MIX)
        /* Translators: title of a column of figures: “Read (MB/s)”. */
        return g_strdup_printf(_("%s (%s)"), plt_words_op((PltCellOp)op), unit);
    /* Translators: title of a column, with the shares of reads and writes: “Mix 70/30 (MB/s)”. */
    return g_strdup_printf(_("Mix %u/%u (%s)"), board->mix, 100 - MIN(100u, board->mix), unit);
}

static void add_heading(PltQuickBoard *board, guint op)
{
    GtkWidget *label = gtk_label_new(NULL);

    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(label, "heading");
    g_object_set_data(G_OBJECT(label), "plt-op", GUINT_TO_POINTER(op));
    gtk_box_append(board->headings, label);
}

static void update_headings(PltQuickBoard *board)
{
    for (GtkWidget *label = gtk_widget_get_first_child(GTK_WIDGET(board->headings)); label != NULL;
         label = gtk_widget_get_next_sibling(label)) {
        g_autofree char *text =
            heading_text(board, GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(label), "plt-op")));

        gtk_label_set_label(GTK_LABEL(label), text);
    }
}

static void empty_box(GtkBox *box)
{
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child(GTK_WIDGET(box))) != NULL)
        gtk_box_remove(box, child);
}

static void build(PltQuickBoard *board, const PltPlan *plan)
{
    g_autoptr(GPtrArray) rows = make_rows(plan);
    gboolean columns[N_OPS];

    g_hash_table_remove_all(board->cells);
    empty_box(board->headings);
    empty_box(board->rows);
    board->mix = plan->mix_percent;
    for (guint op = 0; op < N_OPS; op++) {
        columns[op] = has_op(rows, op);
        if (columns[op])
            add_heading(board, op);
    }
    for (guint i = 0; i < rows->len; i++)
        add_row(board, rows->pdata[i], columns);
    update_headings(board);
}

static char *signature_of(const PltPlan *plan)
{
    GString *text = g_string_new(NULL);

    g_string_append_printf(text, "%s %u", plt_suite_id(plan->suite), plan->mix_percent);
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = plan->steps->pdata[i];

        if (step->kind == PLT_STEP_MEASURE)
            g_string_append_printf(text, " %s", step->cell.id);
    }
    return g_string_free_and_steal(text);
}

gboolean plt_quick_board_set_item(PltQuickBoard *board, PltSuiteItem *item)
{
    const PltPlan *plan = plt_suite_item_get_plan(item);
    g_autofree char *signature = plan != NULL ? signature_of(plan) : NULL;

    g_set_object(&board->item, item);
    /* Settings that do not go together leave the grid as it was: the sentence beside it says why. */
    if (signature == NULL || g_strcmp0(signature, board->signature) == 0)
        return FALSE;
    g_free(board->signature);
    board->signature = g_steal_pointer(&signature);
    build(board, plan);
    return TRUE;
}

static PltQuickCell *find_cell(PltQuickBoard *board, const PltStep *step)
{
    return step->kind == PLT_STEP_MEASURE ? g_hash_table_lookup(board->cells, step->cell.id) : NULL;
}

static void take_measure(PltQuickFigures *figures, const struct plt_measure *measure)
{
    figures->known = measure != NULL && measure->ios > 0;
    if (!figures->known)
        return;
    figures->bandwidth_bps = measure->bandwidth_bps;
    figures->iops = measure->iops;
    figures->mean_ns = measure->latency.mean_ns;
    if (measure->latency.reliable[PLT_P99])
        figures->p99_ns = measure->latency.percentile_ns[PLT_P99];
}

static void take_cell(PltQuickFigures *figures, const PltCell *cell, const struct plt_measure *measure)
{
    struct plt_summary summary;

    take_measure(figures, measure);
    figures->n_runs = (guint)plt_report_cell_runs(cell, &summary);
    figures->median_bps = summary.median;
    figures->spread_percent = summary.spread * 100;
}

/* The window that is measured now: its figures so far. */
static void take_live(PltQuickFigures *figures, PltJob *job, guint step)
{
    const GPtrArray *windows = plt_job_get_windows(job);
    const PltLiveWindow *window = windows->len > 0 ? windows->pdata[windows->len - 1] : NULL;
    double seconds;

    if (window == NULL || window->step != step || window->duration_ns == 0 || window->ios == 0)
        return;
    seconds = (double)window->duration_ns / 1e9;
    figures->known = TRUE;
    figures->bandwidth_bps = (double)window->bytes / seconds;
    figures->iops = (double)window->ios / seconds;
    figures->mean_ns = (double)window->lat_sum_ns / (double)window->ios;
}

/* The next cell to be measured from STEP on. */
static guint next_measured(const PltPlan *plan, guint step)
{
    while (step < plan->steps->len && ((const PltStep *)plan->steps->pdata[step])->kind != PLT_STEP_MEASURE)
        step++;
    return step;
}

static void show_running(PltQuickBoard *board, PltQuickCell *cell, PltJob *job, guint step)
{
    const PltPlan *plan = plt_job_get_plan(job);
    const PltRunnerProgress *progress = plt_job_get_progress(job);
    const PltCell *found = plt_job_get_cell(job, step);
    const struct plt_measure *score = plt_report_cell_measure(found);
    gboolean measuring = progress->phase == PLT_RUNNER_MEASURING || progress->phase == PLT_RUNNER_WARMUP;
    gboolean next = !measuring && next_measured(plan, progress->step) == step;
    PltQuickFigures figures = {0};
    g_autofree char *note = NULL;

    if (measuring && progress->step == step) {
        note = plt_words_phase(plan, progress);
        take_live(&figures, job, step);
        plt_quick_cell_set_state(cell, PLT_QUICK_ACTIVE, note);
        plt_quick_cell_set_figures(cell, &figures);
        return;
    }
    if (score != NULL) {
        take_cell(&figures, found, score);
        plt_quick_cell_set_figures(cell, &figures);
        plt_quick_cell_set_state(cell, PLT_QUICK_DONE, NULL);
        return;
    }
    note = next ? plt_words_phase(plan, progress) : g_strdup(_("Waiting"));
    plt_quick_cell_set_figures(cell, &figures);
    plt_quick_cell_set_state(cell, PLT_QUICK_WAITING, note);
}

/* What is left when the run has ended: a score, a part of one, or the reason why there is none. */
static void show_ended(PltQuickBoard *board, PltQuickCell *cell, PltJob *job, guint step)
{
    const PltRun *run = plt_job_get_run(job);
    const PltCell *found = plt_job_get_cell(job, step);
    const struct plt_measure *score = plt_report_cell_measure(found);
    const struct plt_measure *part = plt_report_cell_partial(found);
    PltQuickFigures figures = {0};
    gboolean failed = run != NULL && run->status == PLT_RUN_FAILED;
    PltQuickState state = PLT_QUICK_EMPTY;
    guint planned = ((const PltStep *)plt_job_get_plan(job)->steps->pdata[step])->runs;
    g_autofree char *runs_note = NULL;
    const char *note = NULL;

    if (score != NULL) {
        take_cell(&figures, found, score);
        state = figures.n_runs < planned ? PLT_QUICK_PARTIAL : PLT_QUICK_DONE;
        if (state == PLT_QUICK_PARTIAL)
            note = runs_note =
                g_strdup_printf(ngettext("%u of %u run", "%u of %u runs", planned), figures.n_runs, planned);
    } else if (part != NULL) {
        state = PLT_QUICK_PARTIAL;
        note = failed ? _("Failed before its end") : _("Stopped before its end");
        take_measure(&figures, part);
    } else if (failed && next_measured(plt_job_get_plan(job), plt_job_get_progress(job)->step) == step) {
        state = PLT_QUICK_FAILED;
        note = _("Failed");
    }
    plt_quick_cell_set_figures(cell, &figures);
    plt_quick_cell_set_state(cell, state, note);
}

static void show_step(PltQuickBoard *board, PltJob *job, guint index)
{
    const PltPlan *plan = plt_job_get_plan(job);
    PltQuickCell *cell = index < plan->steps->len ? find_cell(board, plan->steps->pdata[index]) : NULL;

    if (cell == NULL)
        return;
    if (plt_job_is_running(job))
        show_running(board, cell, job, index);
    else
        show_ended(board, cell, job, index);
}

static void show_all(PltQuickBoard *board, PltJob *job)
{
    for (guint i = 0; i < plt_job_get_plan(job)->steps->len; i++)
        show_step(board, job, i);
}

/* A tick changes one cell; another phase, step or run may change two. */
static void on_progress(PltJob *job, PltQuickBoard *board)
{
    const PltRunnerProgress *progress = plt_job_get_progress(job);
    gint64 now_us = g_get_monotonic_time();

    if (progress->step == board->step && progress->run == board->run && progress->phase == board->phase) {
        if (now_us - board->shown_us < FIGURE_STEP_US)
            return;
        show_step(board, job, progress->step);
    } else {
        board->step = progress->step;
        board->run = progress->run;
        board->phase = progress->phase;
        show_all(board, job);
    }
    board->shown_us = now_us;
}

static void stop_following(PltQuickBoard *board)
{
    if (board->job == NULL)
        return;
    g_clear_signal_handler(&board->progress_handler, board->job);
    g_clear_signal_handler(&board->ended_handler, board->job);
    g_clear_object(&board->job);
}

static void on_ended(PltJob *job, PltQuickBoard *board)
{
    show_all(board, job);
    stop_following(board);
}

static void follow(PltQuickBoard *board, PltJob *job)
{
    stop_following(board);
    board->job = g_object_ref(job);
    board->step = board->run = G_MAXUINT;
    board->progress_handler = g_signal_connect(job, "progress", G_CALLBACK(on_progress), board);
    board->ended_handler = g_signal_connect(job, "ended", G_CALLBACK(on_ended), board);
}

static void empty_cells(PltQuickBoard *board)
{
    GHashTableIter iter;
    gpointer cell;
    PltQuickFigures none = {0};

    g_hash_table_iter_init(&iter, board->cells);
    while (g_hash_table_iter_next(&iter, NULL, &cell)) {
        plt_quick_cell_set_figures(cell, &none);
        plt_quick_cell_set_state(cell, PLT_QUICK_EMPTY, NULL);
    }
}

static gboolean covers_all(PltQuickBoard *board, const PltPlan *plan)
{
    guint n = 0;

    for (guint i = 0; i < plan->steps->len; i++)
        n += find_cell(board, plan->steps->pdata[i]) != NULL;
    return n == g_hash_table_size(board->cells);
}

gboolean plt_quick_board_shows(PltQuickBoard *board, PltJob *job)
{
    return board->item != NULL &&
           g_strcmp0(plt_suite_id(plt_job_get_plan(job)->suite), plt_suite_item_get_id(board->item)) == 0;
}

void plt_quick_board_add_job(PltQuickBoard *board, PltJob *job)
{
    if (!plt_quick_board_shows(board, job))
        return;
    /* A run that was refused at its start has found nothing, and takes nothing away. */
    if (!plt_job_is_running(job) && plt_job_get_run(job) == NULL)
        return;
    if (covers_all(board, plt_job_get_plan(job)))
        empty_cells(board);
    show_all(board, job);
    if (plt_job_is_running(job))
        follow(board, job);
}

void plt_quick_board_clear(PltQuickBoard *board)
{
    stop_following(board);
    empty_cells(board);
}

static void for_each_cell(PltQuickBoard *board, void (*func)(PltQuickCell *cell, PltQuickBoard *board))
{
    GHashTableIter iter;
    gpointer cell;

    g_hash_table_iter_init(&iter, board->cells);
    while (g_hash_table_iter_next(&iter, NULL, &cell))
        func(cell, board);
}

static void apply_unit(PltQuickCell *cell, PltQuickBoard *board)
{
    plt_quick_cell_set_unit(cell, board->unit);
}

static void apply_narrow(PltQuickCell *cell, PltQuickBoard *board)
{
    plt_quick_cell_set_narrow(cell, board->narrow);
}

void plt_quick_board_set_unit(PltQuickBoard *board, PltFigureUnit unit)
{
    board->unit = unit;
    update_headings(board);
    for_each_cell(board, apply_unit);
}

void plt_quick_board_set_narrow(PltQuickBoard *board, gboolean narrow)
{
    board->narrow = narrow;
    for_each_cell(board, apply_narrow);
}

PltQuickBoard *plt_quick_board_new(GtkBox *headings, GtkBox *rows, GtkWidget *corner)
{
    PltQuickBoard *board = g_new0(PltQuickBoard, 1);

    board->headings = headings;
    board->rows = rows;
    board->first_column = gtk_size_group_new(GTK_SIZE_GROUP_HORIZONTAL);
    gtk_size_group_add_widget(board->first_column, corner);
    board->cells = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return board;
}

void plt_quick_board_free(PltQuickBoard *board)
{
    stop_following(board);
    g_clear_object(&board->item);
    g_object_unref(board->first_column);
    g_hash_table_unref(board->cells);
    g_free(board->signature);
    g_free(board);
}
