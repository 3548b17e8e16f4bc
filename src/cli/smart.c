/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/drive.h"
#include "cli/output.h"
#include "cli/table.h"
#include "drive/health.h"

static PltHealth *judge(PltInquiry *inquiry, const PltSmart *smart)
{
    JsonObject *device = plt_inquiry_object(inquiry, PLT_TOPIC_DEVICE);

    return plt_health_judge(smart, plt_inquiry_get_model(inquiry),
                            device != NULL &&
                                json_object_get_boolean_member_with_default(device, "rotational", FALSE));
}

static void print_verdict(PltInquiry *inquiry, const PltSmart *smart, const PltHealth *health)
{
    PltAnswer from = {.source = smart->source, .replayed = smart->replayed};
    const char *model = plt_inquiry_get_model(inquiry);

    plt_output_printf(_("%s: %s\n"), model != NULL ? model : plt_inquiry_get_name(inquiry),
                      plt_verdict_text(health->verdict));
    for (guint i = 0; i < health->reasons->len; i++)
        plt_output_printf("* %s\n", (const char *)health->reasons->pdata[i]);
    if (health->life_percent >= 0)
        plt_output_printf(_("Rated endurance left: %d %%\n"), health->life_percent);
    plt_output_printf(_("Health attributes %s.\n\n"), plt_source_text(plt_source_id(&from)));
}

/* "! warmer than 50 °C": what stands out, and the attribute's normalized values where it has some. */
static char *value_text(const PltSmart *smart, const PltSmartAttribute *attribute)
{
    const char *note = NULL;
    PltLevel level = plt_health_level(smart, attribute, &note);
    g_autofree char *text = plt_smart_text(attribute);
    g_autoptr(GString) value = g_string_new(text);

    if (attribute->value >= 0 && attribute->threshold >= 0)
        g_string_append_printf(value, _(", now %d, worst %d, limit %d"), attribute->value, attribute->worst,
                               attribute->threshold);
    if (level != PLT_LEVEL_NONE)
        g_string_append_printf(value, " (%s%s)", level >= PLT_LEVEL_WARNING ? "! " : "", note);
    return g_string_free_and_steal(g_steal_pointer(&value));
}

static void print_attributes(const PltSmart *smart)
{
    for (guint i = 0; i < smart->attributes->len; i++) {
        const PltSmartAttribute *attribute = smart->attributes->pdata[i];
        g_autofree char *value = value_text(smart, attribute);
        const char *explanation = plt_smart_explanation(attribute);

        plt_output_printf("%s: %s\n", plt_smart_title(attribute), value);
        if (explanation != NULL)
            plt_output_printf("    %s\n", explanation);
    }
}

static void print_json(PltInquiry *inquiry, const PltSmart *smart, const PltHealth *health)
{
    g_autoptr(JsonNode) node = plt_smart_to_json(smart);
    JsonObject *object = json_node_get_object(node);

    json_object_set_string_member(object, "drive", plt_inquiry_get_name(inquiry));
    plt_health_add_to_json(health, object);
    plt_output_json(node);
}

static PltExit show_smart(const char *name, const char *replay, gboolean json)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *reason = NULL;
    g_autoptr(PltInquiry) inquiry = plt_cli_open_drive(name, replay, &error);
    g_autoptr(PltSmart) smart = inquiry != NULL ? plt_smart_read(inquiry, &reason) : NULL;
    g_autoptr(PltHealth) health = NULL;

    if (inquiry == NULL)
        return plt_output_fail(error);
    if (smart == NULL) {
        plt_output_error(_("the health of %s is not known. %s."), plt_inquiry_get_name(inquiry),
                         reason != NULL ? reason : _("Drives of this kind report none"));
        return PLT_EXIT_FAILED;
    }
    health = judge(inquiry, smart);
    if (json) {
        print_json(inquiry, smart, health);
        return PLT_EXIT_DONE;
    }
    print_verdict(inquiry, smart, health);
    print_attributes(smart);
    plt_cli_print_circumstances(inquiry);
    return PLT_EXIT_DONE;
}

static PltExit run_smart(char **argv)
{
    gboolean json = FALSE;
    g_autofree char *replay = NULL;
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &json, N_("Print the plateau.smart/1 document"),
         NULL},
        {"replay", 'r', G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &replay,
         N_("Show the drive that FILE is a recording of"), N_("FILE")},
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_smart, entries, argv, 0, 1, &words, &status))
        return status;
    return show_smart(words[0], replay, json);
}

const PltCommand plt_command_smart = {
    .name = "smart",
    .arguments = "[DRIVE]",
    .summary = N_("Show the health of a drive, every attribute explained"),
    .details = N_("DRIVE as in “plateau-cli help show”. The verdict follows the rules of CrystalDiskInfo.\n"
                  "Nothing is written to the drive."),
    .run = run_smart,
};
