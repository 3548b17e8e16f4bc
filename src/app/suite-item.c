/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/suite-item.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "app/run-words.h"

#define KEY "suite-settings"

/* Any share that can be set: only whether there are mixed cells is asked with it. */
#define SOME_MIX "mix=70"

struct _PltSuiteItem {
    GObject parent_instance;
    PltSuite *suite;
    GSettings *settings; /* or NULL */
    GStrv assignments;   /* "size=4GiB", what differs from the suite */
    PltPlan *plan;       /* NULL: they do not go together */
    PltPlan *full_plan;  /* with the mixed cells; NULL likewise */
    char *summary;
};

enum {
    PROP_NAME = 1,
    PROP_DESCRIPTION,
    PROP_SUMMARY,
    PROP_CHANGED,
    PROP_VALID,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltSuiteItem, plt_suite_item, G_TYPE_OBJECT)

/* The assignments of a suite in the dictionary of all: a new list, empty where there are none. */
static GStrv load_assignments(GSettings *settings, const char *id)
{
    g_autoptr(GVariant) all = g_settings_get_value(settings, KEY);
    GStrv found = NULL;

    return g_variant_lookup(all, id, "^as", &found) ? found : g_new0(char *, 1);
}

static void save_assignments(GSettings *settings, const char *id, const char *const *assignments)
{
    g_autoptr(GVariant) all = g_settings_get_value(settings, KEY);
    GVariantIter iter;
    GVariantBuilder builder;
    const char *other = NULL;
    GVariant *value = NULL;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a{sas}"));
    g_variant_iter_init(&iter, all);
    while (g_variant_iter_next(&iter, "{&s@as}", &other, &value)) {
        if (strcmp(other, id) != 0)
            g_variant_builder_add(&builder, "{s@as}", other, value);
        g_variant_unref(value);
    }
    if (assignments[0] != NULL)
        g_variant_builder_add(&builder, "{s^as}", id, assignments);
    g_settings_set_value(settings, KEY, g_variant_builder_end(&builder));
}

static PltPlan *make_plan(const PltSuiteItem *item, const char *const *assignments, const char *extra,
                          guint64 seed, GError **error)
{
    g_autoptr(PltOverrides) overrides = plt_overrides_new();

    for (guint i = 0; assignments[i] != NULL; i++)
        if (!plt_overrides_set(overrides, assignments[i], error))
            return NULL;
    if (extra != NULL && !plt_overrides_set(overrides, extra, error))
        return NULL;
    return plt_plan_new(item->suite, overrides, 0, seed, error);
}

static const char *const *assignments_of(const PltSuiteItem *item)
{
    return (const char *const *)item->assignments;
}

/* After a change of the assignments. */
static void update(PltSuiteItem *item)
{
    g_autoptr(GError) error = NULL;

    g_clear_pointer(&item->plan, plt_plan_free);
    g_clear_pointer(&item->full_plan, plt_plan_free);
    g_free(item->summary);
    item->plan = make_plan(item, assignments_of(item), NULL, 0, &error);
    item->full_plan = make_plan(item, assignments_of(item), SOME_MIX, 0, NULL);
    item->summary = item->plan != NULL ? plt_words_plan(item->plan) : g_strdup(error->message);
    g_object_notify_by_pspec(G_OBJECT(item), properties[PROP_SUMMARY]);
    g_object_notify_by_pspec(G_OBJECT(item), properties[PROP_CHANGED]);
    g_object_notify_by_pspec(G_OBJECT(item), properties[PROP_VALID]);
}

static void on_settings_changed(PltSuiteItem *item)
{
    GStrv now = load_assignments(item->settings, plt_suite_item_get_id(item));

    if (g_strv_equal((const char *const *)now, assignments_of(item))) {
        g_strfreev(now);
        return;
    }
    g_strfreev(item->assignments);
    item->assignments = now;
    update(item);
}

static void plt_suite_item_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltSuiteItem *item = PLT_SUITE_ITEM(object);

    switch (id) {
    case PROP_NAME:
        g_value_set_string(value, plt_suite_name(item->suite));
        break;
    case PROP_DESCRIPTION:
        g_value_set_string(value, plt_suite_description(item->suite));
        break;
    case PROP_SUMMARY:
        g_value_set_string(value, item->summary);
        break;
    case PROP_CHANGED:
        g_value_set_boolean(value, item->assignments[0] != NULL);
        break;
    case PROP_VALID:
        g_value_set_boolean(value, item->plan != NULL);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_suite_item_finalize(GObject *object)
{
    PltSuiteItem *item = PLT_SUITE_ITEM(object);

    g_clear_pointer(&item->plan, plt_plan_free);
    g_clear_pointer(&item->full_plan, plt_plan_free);
    g_clear_pointer(&item->suite, plt_suite_unref);
    g_clear_object(&item->settings);
    g_strfreev(item->assignments);
    g_free(item->summary);
    G_OBJECT_CLASS(plt_suite_item_parent_class)->finalize(object);
}

static void plt_suite_item_class_init(PltSuiteItemClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

    object_class->get_property = plt_suite_item_get_property;
    object_class->finalize = plt_suite_item_finalize;
    properties[PROP_NAME] = g_param_spec_string("name", NULL, NULL, NULL, flags);
    properties[PROP_DESCRIPTION] = g_param_spec_string("description", NULL, NULL, NULL, flags);
    properties[PROP_SUMMARY] = g_param_spec_string("summary", NULL, NULL, NULL, flags);
    properties[PROP_CHANGED] = g_param_spec_boolean("changed", NULL, NULL, FALSE, flags);
    properties[PROP_VALID] = g_param_spec_boolean("valid", NULL, NULL, FALSE, flags);
    g_object_class_install_properties(object_class, N_PROPS, properties);
}

static void plt_suite_item_init(PltSuiteItem *item)
{
    item->assignments = g_new0(char *, 1);
}

PltSuiteItem *plt_suite_item_new(PltSuite *suite, GSettings *settings)
{
    PltSuiteItem *item = g_object_new(PLT_TYPE_SUITE_ITEM, NULL);

    item->suite = plt_suite_ref(suite);
    if (settings != NULL) {
        item->settings = g_object_ref(settings);
        g_strfreev(item->assignments);
        item->assignments = load_assignments(settings, plt_suite_id(suite));
        g_signal_connect_object(settings, "changed::" KEY, G_CALLBACK(on_settings_changed), item,
                                G_CONNECT_SWAPPED);
    }
    update(item);
    return item;
}

PltSuite *plt_suite_item_get_suite(PltSuiteItem *item)
{
    return item->suite;
}

const char *plt_suite_item_get_id(PltSuiteItem *item)
{
    return plt_suite_id(item->suite);
}

const char *plt_suite_item_get_name(PltSuiteItem *item)
{
    return plt_suite_name(item->suite);
}

const char *plt_suite_item_get_summary(PltSuiteItem *item)
{
    return item->summary;
}

gboolean plt_suite_item_has_grid(PltSuiteItem *item)
{
    const char *chart = plt_suite_chart(item->suite);

    return g_strcmp0(chart, "quick-card") == 0 || g_strcmp0(chart, "as-ssd") == 0;
}

const PltPlan *plt_suite_item_get_plan(PltSuiteItem *item)
{
    return item->plan;
}

const PltPlan *plt_suite_item_get_full_plan(PltSuiteItem *item)
{
    return item->full_plan;
}

PltPlan *plt_suite_item_make_plan(PltSuiteItem *item, const char *only, GError **error)
{
    g_autofree char *extra = only != NULL && *only != '\0' ? g_strconcat("only=", only, NULL) : NULL;

    guint64 seed = (guint64)g_random_int() << 32 | g_random_int();

    return make_plan(item, assignments_of(item), extra, seed, error);
}

/* A new list in which KEY has VALUE, at the place where it stood or at the end; without KEY where VALUE is
 * NULL. */
static GStrv with_assignment(const char *const *from, const char *key, const char *value)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_autofree char *now = value != NULL ? g_strconcat(key, "=", value, NULL) : NULL;
    gsize length = strlen(key);
    gboolean placed = now == NULL;

    for (guint i = 0; from[i] != NULL; i++) {
        gboolean is_key = strncmp(from[i], key, length) == 0 && from[i][length] == '=';

        if (!is_key)
            g_strv_builder_add(builder, from[i]);
        else if (!placed)
            g_strv_builder_add(builder, now);
        placed |= is_key;
    }
    if (!placed)
        g_strv_builder_add(builder, now);
    return g_strv_builder_end(builder);
}

static void take_assignments(PltSuiteItem *item, GStrv assignments)
{
    g_strfreev(item->assignments);
    item->assignments = assignments;
    update(item);
    if (item->settings != NULL)
        save_assignments(item->settings, plt_suite_item_get_id(item), assignments_of(item));
}

gboolean plt_suite_item_set(PltSuiteItem *item, const char *key, const char *value, GError **error)
{
    g_auto(GStrv) assignments = with_assignment(assignments_of(item), key, value);
    g_auto(GStrv) without = with_assignment(assignments_of(item), key, NULL);
    g_autoptr(PltPlan) plan = make_plan(item, (const char *const *)assignments, NULL, 0, error);
    g_autoptr(PltPlan) plan_without = NULL;

    if (plan == NULL)
        return FALSE;
    /* What the suite has by itself is no change: a later version of the suite may have another. */
    plan_without = make_plan(item, (const char *const *)without, NULL, 0, NULL);
    if (plan_without != NULL && json_node_equal(plan->parameters, plan_without->parameters)) {
        g_strfreev(assignments);
        assignments = g_steal_pointer(&without);
    }
    if (!g_strv_equal((const char *const *)assignments, assignments_of(item)))
        take_assignments(item, g_steal_pointer(&assignments));
    return TRUE;
}

void plt_suite_item_reset(PltSuiteItem *item)
{
    take_assignments(item, g_new0(char *, 1));
}

/* What the plan really uses; NULL while the settings do not go together. */
static JsonObject *parameters(PltSuiteItem *item)
{
    return item->plan != NULL ? json_node_get_object(item->plan->parameters) : NULL;
}

guint64 plt_suite_item_get_size(PltSuiteItem *item)
{
    return item->plan != NULL ? item->plan->size : 0;
}

guint plt_suite_item_get_runs(PltSuiteItem *item)
{
    JsonObject *object = parameters(item);

    return object != NULL ? (guint)json_object_get_int_member_with_default(object, "runs", 0) : 0;
}

double plt_suite_item_get_seconds(PltSuiteItem *item)
{
    JsonObject *object = parameters(item);

    return object != NULL ? json_object_get_double_member_with_default(object, "seconds", 0) : 0;
}

double plt_suite_item_get_interval(PltSuiteItem *item)
{
    JsonObject *object = parameters(item);

    return object != NULL ? json_object_get_double_member_with_default(object, "interval", 0) : 0;
}

guint plt_suite_item_get_mix(PltSuiteItem *item)
{
    return item->plan != NULL ? item->plan->mix_percent : 0;
}

const char *plt_suite_item_get_data(PltSuiteItem *item)
{
    JsonObject *object = parameters(item);

    return object != NULL ? json_object_get_string_member_with_default(object, "data", "random") : "random";
}

gboolean plt_suite_item_has_mix(PltSuiteItem *item)
{
    return item->full_plan != NULL && item->full_plan->mix_percent > 0;
}
