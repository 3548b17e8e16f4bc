/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/facts-private.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/size.h"
#include "drive/smart-private.h"

static void fact_free(gpointer data)
{
    PltFact *fact = data;

    g_free(fact->title);
    g_free(fact->value);
    g_free(fact);
}

static void strv_free(gpointer data)
{
    g_strfreev(data);
}

PltFactGroup *plt_fact_group_new(const char *id, const char *title, const PltAnswer *source)
{
    PltFactGroup *group = g_new0(PltFactGroup, 1);

    group->id = id;
    group->title = g_strdup(title);
    group->source = g_strdup(plt_source_id(&(PltAnswer){.source = source->source}));
    group->replayed = source->replayed;
    group->facts = g_ptr_array_new_with_free_func(fact_free);
    group->rows = g_ptr_array_new_with_free_func(strv_free);
    group->notes = g_ptr_array_new_with_free_func(g_free);
    return group;
}

void plt_fact_group_free(PltFactGroup *group)
{
    g_free(group->title);
    g_free(group->source);
    g_free(group->align);
    g_ptr_array_unref(group->facts);
    g_ptr_array_unref(group->rows);
    g_ptr_array_unref(group->notes);
    g_free(group);
}

void plt_fact_add(PltFactGroup *group, const char *title, char *value)
{
    PltFact *fact;

    if (value == NULL || value[0] == '\0') {
        g_free(value);
        return;
    }
    fact = g_new0(PltFact, 1);
    fact->title = g_strdup(title);
    fact->value = value;
    g_ptr_array_add(group->facts, fact);
}

void plt_fact_add_flag(PltFactGroup *group, const char *title, gboolean value)
{
    plt_fact_add(group, title, g_strdup(value ? _("yes") : _("no")));
}

static void add_row(PltFactGroup *group, va_list args)
{
    gsize n = strlen(group->align);
    GStrv row = g_new0(char *, n + 1);

    for (gsize i = 0; i < n; i++) {
        const char *text = va_arg(args, const char *);

        row[i] = g_strdup(text != NULL ? text : "");
    }
    g_ptr_array_add(group->rows, row);
}

void plt_fact_add_heading(PltFactGroup *group, const char *align, ...)
{
    va_list args;

    group->align = g_strdup(align);
    va_start(args, align);
    add_row(group, args);
    va_end(args);
}

void plt_fact_add_row(PltFactGroup *group, ...)
{
    va_list args;

    va_start(args, group);
    add_row(group, args);
    va_end(args);
}

void plt_fact_add_note(PltFactGroup *group, char *note)
{
    g_ptr_array_add(group->notes, note);
}

char *plt_fact_capacity_text(guint64 bytes)
{
    g_autofree char *size = plt_size_amount_text((double)bytes);
    g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, bytes);
    g_autoptr(GString) grouped = g_string_new(NULL);
    gsize length = strlen(digits);

    for (gsize i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            g_string_append_c(grouped, ',');
        g_string_append_c(grouped, digits[i]);
    }
    return g_strdup_printf(_("%s (%s bytes)"), size, grouped->str);
}

gboolean plt_fact_controller(PltInquiry *inquiry, PltNvmeController *controller)
{
    return plt_nvme_controller_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_CONTROLLER), controller);
}

GPtrArray *plt_drive_facts_of(PltInquiry *inquiry)
{
    static PltFactGroup *(*const makers[])(PltInquiry *) = {
        plt_drive_facts_drive,     plt_drive_facts_link,       plt_drive_facts_formats,
        plt_drive_facts_abilities, plt_drive_facts_power,      plt_drive_facts_temperature,
        plt_drive_facts_health,    plt_drive_facts_smart,      plt_drive_facts_ocp,
        plt_drive_facts_firmware,  plt_drive_facts_self_tests, plt_drive_facts_sanitize,
        plt_drive_facts_errors,
    };
    GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify)plt_fact_group_free);

    for (gsize i = 0; i < G_N_ELEMENTS(makers); i++) {
        PltFactGroup *group = makers[i](inquiry);

        if (group == NULL)
            continue;
        if (group->facts->len == 0 && group->rows->len < 2 && group->notes->len == 0)
            plt_fact_group_free(group);
        else
            g_ptr_array_add(groups, group);
    }
    return groups;
}

void plt_missing_free(PltMissing *missing)
{
    g_free(missing->reason);
    g_free(missing->titles);
    g_free(missing);
}

static void add_missing(GPtrArray *list, char *reason, const char *title)
{
    PltMissing *missing;

    for (guint i = 0; i < list->len; i++) {
        missing = list->pdata[i];
        if (g_str_equal(missing->reason, reason)) {
            char *titles = g_strconcat(missing->titles, ", ", title, NULL);

            g_free(missing->titles);
            missing->titles = titles;
            g_free(reason);
            return;
        }
    }
    missing = g_new0(PltMissing, 1);
    missing->reason = reason;
    missing->titles = g_strdup(title);
    g_ptr_array_add(list, missing);
}

/* What is only a way to other things is not missed by itself. */
static gboolean is_missed(PltInquiry *inquiry, PltTopic topic)
{
    switch (topic) {
    case PLT_TOPIC_UDISKS:
    case PLT_TOPIC_SMARTCTL:
    case PLT_TOPIC_LOG_PAGES:
    case PLT_TOPIC_NAMESPACES:
    case PLT_TOPIC_ATA_IDENTIFY:
        return FALSE;
    case PLT_TOPIC_NAMESPACE:
        /* UDisks2 passes on what most people want of it. */
        if (plt_json_object_member(plt_inquiry_object(inquiry, PLT_TOPIC_UDISKS), "namespace") != NULL)
            return FALSE;
        break;
    default:
        break;
    }
    return plt_inquiry_ask(inquiry, topic)->lack != PLT_LACK_DRIVE;
}

GPtrArray *plt_drive_facts_missing(PltInquiry *inquiry)
{
    GPtrArray *list = g_ptr_array_new_with_free_func((GDestroyNotify)plt_missing_free);
    g_autofree char *no_health = NULL;
    g_autoptr(PltSmart) smart = plt_smart_read(inquiry, &no_health);

    if (smart == NULL && no_health != NULL)
        add_missing(list, g_steal_pointer(&no_health), _("health"));
    for (guint i = 0; i < PLT_N_TOPICS; i++) {
        char *reason;

        if (!is_missed(inquiry, (PltTopic)i))
            continue;
        reason = plt_answer_reason(plt_inquiry_ask(inquiry, (PltTopic)i));
        if (reason != NULL)
            add_missing(list, reason, plt_topic_title((PltTopic)i));
    }
    return list;
}
