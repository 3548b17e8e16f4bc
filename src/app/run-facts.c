/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/run-facts.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "chart/format.h"
#include "drive/platform.h"
#include "report/facts.h"

/* How a number is shown. */
typedef enum {
    AS_NUMBER,
    AS_SIZE,     /* bytes, in powers of two */
    AS_CAPACITY, /* bytes, decimal */
    AS_SECONDS,
    AS_PERCENT,
    AS_MHZ,
    AS_KIB,
    AS_MS,
} Form;

/* The members that documents of runs are known to have, and what a person calls them. */
/* clang-format off */
static const struct {
    const char *name, *title;
    Form form;
} words[] = {
    { "aspm_policy", N_("Link power saving (ASPM)"), AS_NUMBER },
    { "battery_percent", N_("Battery"), AS_PERCENT },
    { "board", N_("Mainboard"), AS_NUMBER },
    { "bus", N_("Bus"), AS_NUMBER },
    { "capacity", N_("Capacity"), AS_CAPACITY },
    { "clocksource", N_("Clock"), AS_NUMBER },
    { "compression", N_("Compression"), AS_NUMBER },
    { "container", N_("Container"), AS_NUMBER },
    { "cores", N_("Cores"), AS_NUMBER },
    { "cpu", N_("Processor"), AS_NUMBER },
    { "data", N_("Data"), AS_NUMBER },
    { "device_block", N_("Block of the device"), AS_SIZE },
    { "direct_io", N_("Direct I/O"), AS_NUMBER },
    { "discard", N_("TRIM"), AS_NUMBER },
    { "discard_granularity", N_("TRIM granularity"), AS_SIZE },
    { "distribution", N_("Distribution"), AS_NUMBER },
    { "drives", N_("Drives"), AS_NUMBER },
    { "energy_preference", N_("Energy preference"), AS_NUMBER },
    { "filesystem", N_("File system"), AS_NUMBER },
    { "filesystem_block", N_("Block of the file system"), AS_SIZE },
    { "firmware", N_("Firmware"), AS_NUMBER },
    { "free", N_("Free space"), AS_CAPACITY },
    { "frequency_driver", N_("Frequency driver"), AS_NUMBER },
    { "fua", N_("Forced unit access"), AS_NUMBER },
    { "governor", N_("Frequency governor"), AS_NUMBER },
    { "in_memory", N_("In memory"), AS_NUMBER },
    { "interval", N_("Rest between cells"), AS_SECONDS },
    { "io_poll", N_("Polled I/O"), AS_NUMBER },
    { "io_uring_disabled", N_("io_uring disabled"), AS_NUMBER },
    { "kernel", N_("Kernel"), AS_NUMBER },
    { "kind", N_("Kind"), AS_NUMBER },
    { "layers", N_("Layers"), AS_NUMBER },
    { "link", N_("Link"), AS_NUMBER },
    { "link_max", N_("Link possible"), AS_NUMBER },
    { "load_1min", N_("Load of the last minute"), AS_NUMBER },
    { "logical_block", N_("Logical block"), AS_SIZE },
    { "max_hw_sectors_kb", N_("Largest I/O of the device"), AS_KIB },
    { "max_mhz", N_("Highest frequency"), AS_MHZ },
    { "max_sectors_kb", N_("Largest I/O"), AS_KIB },
    { "memory", N_("Memory"), AS_SIZE },
    { "mix_percent", N_("Reads in mixed cells"), AS_PERCENT },
    { "model", N_("Model"), AS_NUMBER },
    { "mount_options", N_("Mount options"), AS_NUMBER },
    { "mount_point", N_("Mount point"), AS_NUMBER },
    { "name", N_("Name"), AS_NUMBER },
    { "nr_requests", N_("Requests of the block layer"), AS_NUMBER },
    { "numa_node", N_("NUMA node"), AS_NUMBER },
    { "nvme_max_power_latency_us", N_("NVMe power state latency limit (µs)"), AS_NUMBER },
    { "nvme_poll_queues", N_("NVMe poll queues"), AS_NUMBER },
    { "nvme_version", N_("NVMe version"), AS_NUMBER },
    { "order", N_("Order"), AS_NUMBER },
    { "path", N_("Folder"), AS_NUMBER },
    { "physical_block", N_("Physical block"), AS_SIZE },
    { "power", N_("Power"), AS_NUMBER },
    { "power_profile", N_("Power profile"), AS_NUMBER },
    { "program", N_("Program"), AS_NUMBER },
    { "removable", N_("Removable"), AS_NUMBER },
    { "rotational", N_("Rotating disks"), AS_NUMBER },
    { "runs", N_("Runs"), AS_NUMBER },
    { "scheduler", N_("I/O scheduler"), AS_NUMBER },
    { "score", N_("Score"), AS_NUMBER },
    { "seconds", N_("Length of a run"), AS_SECONDS },
    { "seed", N_("Seed"), AS_NUMBER },
    { "serial", N_("Serial number"), AS_NUMBER },
    { "size", N_("Size"), AS_SIZE },
    { "sockets", N_("Sockets"), AS_NUMBER },
    { "source", N_("Device"), AS_NUMBER },
    { "temperature", N_("Temperature"), AS_NUMBER },
    { "threads", N_("Threads"), AS_NUMBER },
    { "tick_ms", N_("Sample interval"), AS_MS },
    { "vendor", N_("Vendor"), AS_NUMBER },
    { "virtual_machine", N_("Virtual machine"), AS_NUMBER },
    { "warmup", N_("Warm-up runs"), AS_NUMBER },
    { "write_cache", N_("Write cache"), AS_NUMBER },
    { "zoned", N_("Zones"), AS_NUMBER },
};
/* clang-format on */

/* Said once more in a form for captions, or one entry for each cell, which the table of figures has. */
static const char *const left_out[] = {"distribution_short", "cells"};

static void free_fact(gpointer data)
{
    PltRunFact *fact = data;

    g_free(fact->title);
    g_free(fact->value);
    g_free(fact);
}

void plt_run_fact_group_free(PltRunFactGroup *group)
{
    g_free(group->title);
    g_free(group->summary);
    g_ptr_array_unref(group->facts);
    g_free(group);
}

static PltRunFactGroup *new_group(const char *title)
{
    PltRunFactGroup *group = g_new0(PltRunFactGroup, 1);

    group->title = g_strdup(title);
    group->summary = g_strdup("");
    group->facts = g_ptr_array_new_with_free_func(free_fact);
    return group;
}

/* Takes TITLE and VALUE. */
static void add_fact(PltRunFactGroup *group, char *title, char *value)
{
    PltRunFact *fact = g_new(PltRunFact, 1);

    fact->title = title;
    fact->value = value;
    g_ptr_array_add(group->facts, fact);
}

static Form find_form(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        if (g_str_equal(words[i].name, name))
            return words[i].form;
    }
    return AS_NUMBER;
}

/* "link_width" becomes "Link width". */
static char *title_of(const char *name)
{
    char *title = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        if (g_str_equal(words[i].name, name))
            return g_strdup(_(words[i].title));
    }
    title = g_strdelimit(g_utf8_make_valid(name, -1), "_", ' ');
    *title = g_ascii_toupper(*title);
    return title;
}

static char *format_number(double value, Form form)
{
    PltQuantity quantity;
    g_autofree char *number = NULL;

    switch (form) {
    case AS_SIZE:
        quantity = plt_format_size(value > 0.0 ? (guint64)value : 0);
        return plt_quantity_join(&quantity);
    case AS_KIB:
        quantity = plt_format_size(value > 0.0 ? (guint64)value * 1024 : 0);
        return plt_quantity_join(&quantity);
    case AS_CAPACITY:
        quantity = plt_format_capacity(value);
        return plt_quantity_join(&quantity);
    case AS_SECONDS:
        quantity = plt_format_duration(value);
        return plt_quantity_join(&quantity);
    case AS_PERCENT:
        return g_strdup_printf("%.0f %%", value);
    case AS_MHZ:
        number = plt_format_number(value, 0);
        return g_strdup_printf("%s MHz", number);
    case AS_MS:
        return g_strdup_printf("%.0f ms", value);
    case AS_NUMBER:
    default:
        return plt_format_number(value, value == (double)(gint64)value ? 0 : 2);
    }
}

/* What the documents say in one English word, which is also shown. */
static const char *translate_value(const char *text)
{
    static const char *const values[] = {
        N_("random"),  N_("zero"),  N_("best"), N_("median"),    N_("folder"), N_("yes"),       N_("no"),
        N_("battery"), N_("mains"), N_("none"), N_("operation"), N_("row"),    N_("hypervisor")};

    for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
        if (g_str_equal(text, values[i]))
            return _(values[i]);
    }
    return text;
}

/* A simple value as text; NULL for what is none. */
static char *format_value(JsonNode *node, Form form)
{
    GType type;

    if (!JSON_NODE_HOLDS_VALUE(node))
        return NULL;
    type = json_node_get_value_type(node);
    if (type == G_TYPE_STRING) {
        g_autofree char *valid = g_utf8_make_valid(json_node_get_string(node), -1);

        return *valid ? g_strdup(translate_value(valid)) : NULL;
    }
    if (type == G_TYPE_BOOLEAN)
        return g_strdup(json_node_get_boolean(node) ? _("yes") : _("no"));
    return format_number(json_node_get_double(node), form);
}

/* Simple values of an array side by side; NULL if there is none. */
static char *format_list(JsonNode *node, Form form)
{
    JsonArray *array = json_node_get_array(node);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < json_array_get_length(array); i++) {
        g_autofree char *value = format_value(json_array_get_element(array, i), form);

        if (value)
            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", value);
    }
    return text->len > 0 ? g_strdup(text->str) : NULL;
}

static void add_members(PltRunFactGroup *group, JsonNode *node, const char *prefix, guint depth);

static void add_member(PltRunFactGroup *group, const char *name, JsonNode *node, const char *prefix,
                       guint depth)
{
    g_autofree char *own = title_of(name);
    g_autofree char *title = prefix ? g_strdup_printf("%s: %s", prefix, own) : g_strdup(own);
    char *value = NULL;

    if (g_strv_contains((const char *const[]){left_out[0], left_out[1], NULL}, name))
        return;
    if (JSON_NODE_HOLDS_OBJECT(node)) {
        add_members(group, node, title, depth + 1);
        return;
    }
    value = JSON_NODE_HOLDS_ARRAY(node) ? format_list(node, find_form(name))
                                        : format_value(node, find_form(name));
    if (value)
        add_fact(group, g_steal_pointer(&title), value);
}

/* Documents are two deep; an imported one may be anything. */
static void add_members(PltRunFactGroup *group, JsonNode *node, const char *prefix, guint depth)
{
    JsonObjectIter iter;
    const char *name = NULL;
    JsonNode *member = NULL;

    if (!node || !JSON_NODE_HOLDS_OBJECT(node) || depth > 4)
        return;
    json_object_iter_init_ordered(&iter, json_node_get_object(node));
    while (json_object_iter_next_ordered(&iter, &name, &member))
        add_member(group, name, member, prefix, depth);
}

static void take_group(GPtrArray *groups, PltRunFactGroup *group, char *summary)
{
    g_free(group->summary);
    group->summary = summary ? summary : g_strdup("");
    if (group->facts->len > 0)
        g_ptr_array_add(groups, group);
    else
        plt_run_fact_group_free(group);
}

static void add_document(GPtrArray *groups, const char *title, JsonNode *node, char *summary)
{
    PltRunFactGroup *group = new_group(title);

    add_members(group, node, NULL, 0);
    take_group(groups, group, summary);
}

static void add_drives(GPtrArray *groups, const PltRun *run)
{
    JsonArray *array =
        run->drive && JSON_NODE_HOLDS_ARRAY(run->drive) ? json_node_get_array(run->drive) : NULL;

    if (!array) {
        add_document(groups, _("Drive"), run->drive, plt_facts_drive(run));
        return;
    }
    for (guint i = 0; i < json_array_get_length(array); i++) {
        JsonNode *drive = json_array_get_element(array, i);
        JsonObject *object = JSON_NODE_HOLDS_OBJECT(drive) ? json_node_get_object(drive) : NULL;
        const char *model = object ? json_object_get_string_member_with_default(object, "model", NULL) : NULL;
        const char *name = object ? json_object_get_string_member_with_default(object, "name", NULL) : NULL;

        add_document(groups, _("Drive"), drive, g_strdup(model ? model : name));
    }
}

static char *target_summary(const PltRun *run)
{
    JsonObject *target =
        run->target && JSON_NODE_HOLDS_OBJECT(run->target) ? json_node_get_object(run->target) : NULL;

    return g_strdup(target ? json_object_get_string_member_with_default(target, "path", NULL) : NULL);
}

static char *parameters_summary(const PltRun *run)
{
    g_autofree char *size = NULL;
    guint runs = plt_facts_runs(run);
    PltQuantity quantity;

    if (plt_facts_size(run) == 0)
        return NULL;
    quantity = plt_format_size(plt_facts_size(run));
    size = plt_quantity_join(&quantity);
    if (runs == 0)
        return g_steal_pointer(&size);
    return g_strdup_printf(ngettext("%s, %u run", "%s, %u runs", runs), size, runs);
}

static const char *event_title(const char *kind)
{
    if (g_strcmp0(kind, "recovered") == 0)
        return _("Recovered");
    if (g_strcmp0(kind, "samples-merged") == 0)
        return _("Samples merged");
    return kind ? kind : "";
}

static void add_events(GPtrArray *groups, const PltRun *run)
{
    PltRunFactGroup *group = new_group(_("Events"));
    guint n = run->events->len;

    for (guint i = 0; i < n; i++) {
        const PltEvent *event = run->events->pdata[i];
        g_autoptr(GDateTime) at = g_date_time_new_from_unix_local_usec(event->at_us);
        g_autofree char *time = at ? g_date_time_format(at, "%H:%M:%S") : g_strdup("");

        add_fact(group, g_strdup(event_title(event->kind)),
                 g_strjoin(" · ", time, event->detail ? event->detail : NULL, NULL));
    }
    take_group(groups, group, g_strdup_printf("%u", n));
}

GPtrArray *plt_run_facts(const PltRun *run)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify)plt_run_fact_group_free);

    add_document(groups, _("Parameters"), run->parameters, parameters_summary(run));
    add_document(groups, _("Target"), run->target, target_summary(run));
    add_drives(groups, run);
    add_document(groups, _("Platform"), run->platform, plt_platform_summary(run->platform));
    add_events(groups, run);
    return groups;
}
