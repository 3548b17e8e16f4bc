/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/export-facts.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "drive/platform.h"
#include "library/document.h"
#include "library/export-rows.h"

static void fact_free(PltExportFact *fact)
{
    g_free(fact->label);
    g_free(fact->text);
    g_free(fact);
}

/* Takes TEXT; NULL adds nothing. */
static void add(GPtrArray *facts, const char *label, char *text)
{
    if (!text)
        return;
    PltExportFact *fact = g_new0(PltExportFact, 1);
    fact->label = g_strdup(label);
    fact->text = text;
    g_ptr_array_add(facts, fact);
}

char *plt_export_drive(const PltRun *run)
{
    g_autofree char *model = plt_document_drive(run->drive);
    if (!model)
        return NULL;
    /* Of several drives only the models are named: their firmware and size would not say whose they are. */
    gboolean several =
        JSON_NODE_HOLDS_ARRAY(run->drive) && json_array_get_length(json_node_get_array(run->drive)) > 1;
    const char *firmware = several ? NULL : plt_document_string(run->drive, "firmware");
    gint64 capacity = several ? 0 : plt_document_int(run->drive, "capacity");

    GString *text = g_string_new(model);
    if (firmware)
        g_string_append_printf(text, _(" (firmware %s)"), firmware);
    if (capacity > 0) {
        double tb = (double)capacity / 1e12;
        g_autofree char *size =
            tb >= 1 ? plt_export_number(tb, 2, FALSE) : plt_export_number(tb * 1000, 0, FALSE);
        g_string_append_printf(text, ", %s %s", size, tb >= 1 ? "TB" : "GB");
    }
    return g_string_free(text, FALSE);
}

static char *target_text(const PltRun *run)
{
    g_autofree char *path = plt_document_target(run->target);
    const char *filesystem = plt_document_string(run->target, "filesystem");
    if (!path || !filesystem)
        return g_steal_pointer(&path);
    return g_strdup_printf("%s (%s)", path, filesystem);
}

const char *plt_export_suite_name(const PltRun *run)
{
    /* The names of Plateau's own suites are in the catalog; the empty string there is its head. */
    return run->suite_name && *run->suite_name ? g_dgettext(GETTEXT_PACKAGE, run->suite_name) : "";
}

char *plt_export_suite(const PltRun *run)
{
    return g_strdup_printf(_("%s (%s, version %u)"), plt_export_suite_name(run), run->suite_id,
                           run->suite_version);
}

double plt_export_parameter(const PltRun *run, const char *name)
{
    if (!run->parameters || !JSON_NODE_HOLDS_OBJECT(run->parameters))
        return NAN;
    JsonNode *value = json_object_get_member(json_node_get_object(run->parameters), name);
    if (!value || !JSON_NODE_HOLDS_VALUE(value) || json_node_get_value_type(value) == G_TYPE_STRING)
        return NAN;
    return json_node_get_double(value);
}

char *plt_export_seconds(double seconds)
{
    return plt_export_number(seconds, seconds == floor(seconds) ? 0 : 1, FALSE);
}

static void append(GString *text, const char *separator, char *part)
{
    g_string_append_printf(text, "%s%s", text->len > 0 ? separator : "", part);
    g_free(part);
}

char *plt_export_parameters(const PltRun *run)
{
    g_autoptr(GString) text = g_string_new(NULL);
    double size = plt_export_parameter(run, "size"), runs = plt_export_parameter(run, "runs");
    double seconds = plt_export_parameter(run, "seconds"), interval = plt_export_parameter(run, "interval");
    const char *data = plt_document_string(run->parameters, "data");
    if (size > 0)
        append(text, ", ", plt_document_size((guint64)size));
    if (runs > 0 && seconds > 0) {
        g_autofree char *length = plt_export_seconds(seconds);
        append(text, ", ",
               g_strdup_printf(ngettext("%u run of %s s", "%u runs of %s s", (gulong)runs), (guint)runs,
                               length));
    }
    if (interval > 0) {
        g_autofree char *length = plt_export_seconds(interval);
        append(text, ", ", g_strdup_printf(_("%s s apart"), length));
    }
    if (data)
        append(text, ", ",
               g_str_equal(data, "random") ? g_strdup(_("random data"))
               : g_str_equal(data, "zero") ? g_strdup(_("all data zero"))
                                           : g_strdup_printf(_("data compressible by %s"), data));
    return text->len > 0 ? g_strdup(text->str) : NULL;
}

static char *date_text(const PltRun *run)
{
    g_autoptr(GDateTime) utc = g_date_time_new_from_unix_utc(run->started_us / G_USEC_PER_SEC);
    g_autoptr(GDateTime) start = utc ? g_date_time_to_local(utc) : NULL;
    if (!start)
        return NULL;
    g_autofree char *date = g_date_time_format(start, "%Y-%m-%d %H:%M:%S");
    gint64 seconds = (run->ended_us - run->started_us) / G_USEC_PER_SEC;
    if (run->ended_us == 0 || seconds < 0)
        return g_steal_pointer(&date);
    if (seconds < 60)
        return g_strdup_printf(_("%s, took %d s"), date, (int)seconds);
    if (seconds < 3600)
        return g_strdup_printf(_("%s, took %d min %d s"), date, (int)(seconds / 60), (int)(seconds % 60));
    return g_strdup_printf(_("%s, took %d h %d min"), date, (int)(seconds / 3600), (int)(seconds / 60 % 60));
}

char *plt_export_status(const PltRun *run)
{
    const char *word = NULL;
    switch (run->status) {
    case PLT_RUN_COMPLETE:
        return NULL;
    case PLT_RUN_RUNNING:
        word = _("still running");
        break;
    case PLT_RUN_STOPPED:
        word = _("stopped before the end");
        break;
    case PLT_RUN_FAILED:
        word = _("failed");
        break;
    case PLT_RUN_INTERRUPTED:
        word = _("interrupted: the program or the machine went away");
        break;
    }
    return run->status_detail ? g_strdup_printf("%s: %s", word, run->status_detail) : g_strdup(word);
}

/* A verdict on a drive is a warning by the way it is kept, and a result for the reader. */
static void add_warning(GPtrArray *facts, const PltWarning *warning)
{
    gboolean is_verdict = g_str_has_prefix(warning->id, "capacity-");
    add(facts, is_verdict ? _("Verdict") : _("Warning"), plt_warning_text(warning));
}

GPtrArray *plt_export_facts(const PltRun *run)
{
    GPtrArray *facts = g_ptr_array_new_with_free_func((GDestroyNotify)fact_free);
    add(facts, _("Status"), plt_export_status(run));
    add(facts, _("Drive"), plt_export_drive(run));
    add(facts, _("Target"), target_text(run));
    add(facts, _("Suite"), plt_export_suite(run));
    add(facts, _("Settings"), plt_export_parameters(run));
    add(facts, _("Machine"), run->platform ? plt_platform_summary(run->platform) : NULL);
    add(facts, _("Date"), date_text(run));
    add(facts, _("Program"), g_strdup(run->program));
    add(facts, _("Note"), g_strdup(run->note));
    for (guint i = 0; i < run->warnings->len; i++)
        add_warning(facts, g_ptr_array_index(run->warnings, i));
    return facts;
}
