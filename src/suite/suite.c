/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/suite.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "suite/cells.h"
#include "suite/content.h"
#include "suite/keyfile.h"
#include "suite/check.h"
#include "suite/value.h"

#define ID_MAX_LENGTH 64
#define NAME_MAX_CHARACTERS 80
#define DESCRIPTION_MAX_CHARACTERS 400
#define VERSION_MAX 1000000
#define PLACE_MAX 9999
#define PLACE_DEFAULT 5000

/* One more than any suite needs, one less than a list that no window can show. */
#define SECTIONS_MAX 512

static const char *const group_names[] = {"quick", "fill", "client", "steady", "tools", NULL};
static const char *const chart_names[] = {"quick-card", "blocksize", "as-ssd",  "fill",
                                          "ratio",      "reclaim",   "thermal", NULL};
static const char *const order_names[] = {
    [PLT_ORDER_STEP] = "step", [PLT_ORDER_OPERATION] = "operation", NULL};

const char *plt_order_name(PltOrder order)
{
    return order_names[order];
}

guint plt_suite_group_rank(const PltSuite *suite)
{
    guint rank = 0;

    while (group_names[rank] != NULL && strcmp(group_names[rank], suite->group) != 0)
        rank++;
    return rank;
}

static gboolean read_id(PltSuite *suite, const char *value, GError **error)
{
    gsize length = strlen(value);
    gboolean good = length > 0 && length <= ID_MAX_LENGTH && value[0] != '-' && value[length - 1] != '-';

    for (gsize i = 0; good && i < length; i++)
        good = g_ascii_islower(value[i]) || g_ascii_isdigit(value[i]) || value[i] == '-';
    if (!good) {
        g_autofree char *quoted = plt_value_quote(value);

        g_set_error(
            error, PLT_ERROR, PLT_ERROR_USAGE,
            _("%s is not allowed: small letters, digits and hyphens inside, at most %d, as in cdm-nvme"),
            quoted, ID_MAX_LENGTH);
        return FALSE;
    }
    suite->id = g_strdup(value);
    return TRUE;
}

static gboolean read_version(PltSuite *suite, const char *value, GError **error)
{
    return plt_value_count(value, 1, VERSION_MAX, &suite->version, error);
}

static gboolean read_place(PltSuite *suite, const char *value, GError **error)
{
    return plt_value_count(value, 0, PLACE_MAX, &suite->place, error);
}

static gboolean read_name(PltSuite *suite, const char *value, GError **error)
{
    return plt_value_text(value, NAME_MAX_CHARACTERS, &suite->name, error);
}

static gboolean read_description(PltSuite *suite, const char *value, GError **error)
{
    return plt_value_text(value, DESCRIPTION_MAX_CHARACTERS, &suite->description, error);
}

static gboolean read_word(const char *const *names, const char *value, char **word, GError **error)
{
    guint index = 0;

    if (!plt_value_choice(value, names, &index, error))
        return FALSE;
    g_free(*word);
    *word = g_strdup(names[index]);
    return TRUE;
}

static gboolean read_group(PltSuite *suite, const char *value, GError **error)
{
    return read_word(group_names, value, &suite->group, error);
}

static gboolean read_chart(PltSuite *suite, const char *value, GError **error)
{
    return read_word(chart_names, value, &suite->chart, error);
}

static gboolean read_order(PltSuite *suite, const char *value, GError **error)
{
    guint index = 0;

    if (!plt_value_choice(value, order_names, &index, error))
        return FALSE;
    suite->order = (PltOrder)index;
    return TRUE;
}

static const struct {
    const char *name;
    gboolean (*read)(PltSuite *suite, const char *value, GError **error);
    gboolean required;
    gboolean localised;
} keys[] = {
    {"id", read_id, TRUE, FALSE},        {"version", read_version, FALSE, FALSE},
    {"name", read_name, TRUE, TRUE},     {"description", read_description, TRUE, TRUE},
    {"group", read_group, FALSE, FALSE}, {"place", read_place, FALSE, FALSE},
    {"chart", read_chart, FALSE, FALSE}, {"order", read_order, FALSE, FALSE},
};

/* How much the program's language likes LOCALE: 0 best, G_MAXUINT not at all; the plain key comes last. */
static guint locale_rank(const char *locale)
{
    const char *const *languages = g_get_language_names();
    guint n = g_strv_length((char **)languages);

    if (locale == NULL)
        return n;
    for (guint i = 0; i < n; i++) {
        if (strcmp(languages[i], locale) == 0)
            return i;
    }
    return G_MAXUINT;
}

/* TRUE when ENTRY is the one among its translations that the program's language wants. */
static gboolean is_best_translation(const PltKeyfileGroup *group, const PltKeyfileEntry *entry)
{
    guint rank = locale_rank(entry->locale);

    for (guint i = 0; i < group->entries->len; i++) {
        const PltKeyfileEntry *other = &g_array_index(group->entries, PltKeyfileEntry, i);

        if (strcmp(other->key, entry->key) == 0 && locale_rank(other->locale) < rank)
            return FALSE;
    }
    return rank != G_MAXUINT;
}

static gboolean refuse_key(const PltKeyfile *file, const PltKeyfileEntry *entry, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *all = NULL;

    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
        g_ptr_array_add(names, (gpointer)keys[i].name);
    plt_settings_add_keys(names, PLT_SETTINGS_ALL);
    g_ptr_array_add(names, NULL);
    all = g_strjoinv(", ", (char **)names->pdata);

    if (entry->locale != NULL)
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT,
                    _("“%s[%s]” is not allowed: only name and description of [suite] have languages"),
                    entry->key, entry->locale);
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, _("“%s” is not a key of [suite], which has: %s"),
                    entry->key, all);
    plt_keyfile_locate(file, entry->line, error);
    return FALSE;
}

static gboolean read_entry(const PltKeyfile *file, const PltKeyfileGroup *group, const PltKeyfileEntry *entry,
                           PltSuite *suite, GError **error)
{
    g_autofree char *value = NULL;
    gsize k = 0;
    gboolean ok;

    while (k < G_N_ELEMENTS(keys) && strcmp(keys[k].name, entry->key) != 0)
        k++;
    if (k == G_N_ELEMENTS(keys)
            ? (entry->locale != NULL || !plt_settings_has_key(entry->key, PLT_SETTINGS_ALL))
            : (entry->locale != NULL && !keys[k].localised))
        return refuse_key(file, entry, error);

    value = plt_keyfile_value(file, group, entry, error);
    if (value == NULL)
        return FALSE;
    if (k == G_N_ELEMENTS(keys)) {
        ok = plt_settings_read(&suite->settings, entry->key, value, error);
    } else if (keys[k].localised && !is_best_translation(group, entry)) {
        /* Not shown to this reader, but an error in it must not wait for the one who reads that language. */
        g_autoptr(PltSuite) scratch = g_new0(PltSuite, 1);

        g_atomic_ref_count_init(&scratch->references);
        ok = keys[k].read(scratch, value, error);
    } else {
        ok = keys[k].read(suite, value, error);
    }
    if (ok && entry->locale == NULL && strcmp(entry->key, "name") == 0)
        g_set_str(&suite->original_name, value);
    if (!ok) {
        g_prefix_error(error, "%s: ", entry->key);
        plt_keyfile_locate(file, entry->line, error);
    }
    return ok;
}

static gboolean check_required(const PltKeyfile *file, const PltKeyfileGroup *group, const PltSuite *suite,
                               GError **error)
{
    const char *missing = NULL;

    for (gsize k = 0; k < G_N_ELEMENTS(keys) && missing == NULL; k++) {
        gboolean found = !keys[k].required;

        for (guint i = 0; i < group->entries->len && !found; i++) {
            const PltKeyfileEntry *entry = &g_array_index(group->entries, PltKeyfileEntry, i);

            found = entry->locale == NULL && strcmp(entry->key, keys[k].name) == 0;
        }
        if (!found)
            missing = keys[k].name;
    }
    if (missing == NULL && (suite->settings.set & PLT_SETTING_SIZE) == 0)
        missing = "size";
    if (missing == NULL)
        return TRUE;
    g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, _("[suite] lacks the key “%s”"), missing);
    plt_keyfile_locate(file, group->line, error);
    return FALSE;
}

static gboolean parse_head(const PltKeyfile *file, PltSuite *suite, GError **error)
{
    const PltKeyfileGroup *group = plt_keyfile_group(file, 0);

    if (strcmp(group->name, "suite") != 0) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, _("the first group is [%s]; it must be [suite]"),
                    group->name);
        plt_keyfile_locate(file, group->line, error);
        return FALSE;
    }
    for (guint i = 0; i < group->entries->len; i++) {
        if (!read_entry(file, group, &g_array_index(group->entries, PltKeyfileEntry, i), suite, error))
            return FALSE;
    }
    return check_required(file, group, suite, error);
}

static gboolean parse_sections(const PltKeyfile *file, PltSuite *suite, GError **error)
{
    guint n = plt_keyfile_n_groups(file);

    if (n > SECTIONS_MAX) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, _("a suite has at most %d groups"), SECTIONS_MAX);
        plt_keyfile_locate(file, plt_keyfile_group(file, SECTIONS_MAX)->line, error);
        return FALSE;
    }
    for (guint i = 1; i < n; i++) {
        PltSection *section = plt_section_parse(file, plt_keyfile_group(file, i), error);

        if (section == NULL)
            return FALSE;
        g_ptr_array_add(suite->sections, section);
    }
    return TRUE;
}

/* What only the whole can show: cells that clash, and a plan that cannot be made without any override. */
static gboolean check_whole(const PltKeyfile *file, PltSuite *suite, GError **error)
{
    const PltSection *culprit = NULL;
    g_autoptr(GPtrArray) items = plt_cells_expand(suite, &culprit, error);
    g_autoptr(PltPlan) plan = NULL;
    guint line = plt_keyfile_group(file, 0)->line;

    if (items != NULL)
        plan = plt_plan_make(suite, NULL, 0, 0, &culprit, error);
    if (plan != NULL)
        return TRUE;
    plt_keyfile_locate(file, culprit != NULL ? culprit->line : line, error);
    return FALSE;
}

static PltSuite *suite_new(void)
{
    PltSuite *suite = g_new0(PltSuite, 1);

    g_atomic_ref_count_init(&suite->references);
    suite->version = 1;
    suite->group = g_strdup(group_names[0]);
    suite->place = PLACE_DEFAULT;
    suite->chart = g_strdup(chart_names[0]);
    suite->settings = plt_settings_defaults();
    suite->sections = g_ptr_array_new_with_free_func((GDestroyNotify)plt_section_free);
    return suite;
}

PltSuite *plt_suite_parse(const char *data, gssize length, const char *name_for_errors, GError **error)
{
    g_autoptr(PltKeyfile) file =
        plt_keyfile_new(data, length < 0 ? strlen(data) : (gsize)length, name_for_errors, error);
    g_autoptr(PltSuite) suite = NULL;

    if (file == NULL)
        return NULL;
    suite = suite_new();
    if (!parse_head(file, suite, error) || !parse_sections(file, suite, error) ||
        !check_whole(file, suite, error))
        return NULL;
    return g_steal_pointer(&suite);
}

PltSuite *plt_suite_ref(PltSuite *suite)
{
    g_atomic_ref_count_inc(&suite->references);
    return suite;
}

void plt_suite_unref(PltSuite *suite)
{
    if (suite == NULL || !g_atomic_ref_count_dec(&suite->references))
        return;
    g_free(suite->id);
    g_free(suite->name);
    g_free(suite->original_name);
    g_free(suite->description);
    g_free(suite->group);
    g_free(suite->chart);
    g_clear_pointer(&suite->sections, g_ptr_array_unref);
    g_free(suite);
}

const char *plt_suite_id(const PltSuite *suite)
{
    return suite->id;
}

guint plt_suite_version(const PltSuite *suite)
{
    return suite->version;
}

const char *plt_suite_name(const PltSuite *suite)
{
    return suite->name;
}

const char *plt_suite_original_name(const PltSuite *suite)
{
    return suite->original_name;
}

const char *plt_suite_description(const PltSuite *suite)
{
    return suite->description;
}

const char *plt_suite_group(const PltSuite *suite)
{
    return suite->group;
}

const char *plt_suite_chart(const PltSuite *suite)
{
    return suite->chart;
}

gboolean plt_suite_erases(const PltSuite *suite)
{
    for (guint i = 0; i < suite->sections->len; i++) {
        if (plt_section_erases(g_ptr_array_index(suite->sections, i)))
            return TRUE;
    }
    return FALSE;
}
