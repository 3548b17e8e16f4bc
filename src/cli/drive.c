/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/drive.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/format.h"
#include "cli/output.h"
#include "cli/table.h"
#include "drive/facts.h"
#include "drive/replay.h"

PltInquiry *plt_cli_open_drive(const char *name, const char *replay, GError **error)
{
    g_autofree char *found = NULL, *shown = NULL;

    if (replay != NULL && name != NULL) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("name a drive or a recording, not both: --replay has “%s”"), replay);
        return NULL;
    }
    if (replay != NULL)
        return plt_replay_load(replay, error);
    if (name == NULL) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("which drive? “plateau-cli list” shows those that are there"));
        return NULL;
    }
    shown = g_utf8_make_valid(name, -1);
    found = plt_inquiry_find_name("", shown, error);
    return found != NULL ? plt_inquiry_new(NULL, found, NULL, error) : NULL;
}

static void print_facts(GPtrArray *facts, guint width)
{
    g_autoptr(PltTable) table = plt_cli_table_new("lf");
    g_autofree char *text = NULL;

    for (guint i = 0; i < facts->len; i++) {
        const PltFact *fact = facts->pdata[i];

        plt_cli_table_add(table, fact->title, fact->value);
    }
    text = plt_cli_table_format(table, width);
    plt_output_print(text);
}

static void print_rows(const PltFactGroup *group, guint width)
{
    g_autoptr(PltTable) table = plt_cli_table_new(group->align);
    g_autofree char *text = NULL;

    for (guint i = 0; i < group->rows->len; i++)
        plt_cli_table_add_strv(table, group->rows->pdata[i]);
    text = plt_cli_table_format(table, width);
    plt_output_print(text);
}

void plt_cli_print_group(const PltFactGroup *group, guint width)
{
    plt_output_printf("\n%s (%s)\n", group->title, plt_source_text(group->source));
    if (group->facts->len > 0)
        print_facts(group->facts, width);
    if (group->rows->len > 1) {
        if (group->facts->len > 0)
            plt_output_print("\n");
        print_rows(group, width);
    }
    for (guint i = 0; i < group->notes->len; i++)
        plt_output_printf("* %s\n", (const char *)group->notes->pdata[i]);
}

void plt_cli_print_missing(PltInquiry *inquiry)
{
    g_autoptr(GPtrArray) missing = plt_drive_facts_missing(inquiry);

    if (missing->len > 0)
        plt_output_printf("\n%s\n", _("Not known"));
    for (guint i = 0; i < missing->len; i++) {
        const PltMissing *item = missing->pdata[i];

        plt_output_printf("%s.\n    %s\n", item->reason, item->titles);
    }
}

void plt_cli_print_circumstances(PltInquiry *inquiry)
{
    g_autofree char *date = plt_cli_format_date(plt_inquiry_get_time(inquiry));
    struct utsname system;

    if (plt_inquiry_is_replay(inquiry)) {
        plt_output_printf(_("\nRecorded %s. Shown by Plateau %s.\n"), date, PLT_VERSION);
        return;
    }
    uname(&system);
    plt_output_printf(geteuid() == 0 ? _("\nRead %s as root, %s %s. Plateau %s.\n")
                                     : _("\nRead %s as an ordinary user, %s %s. Plateau %s.\n"),
                      date, system.sysname, system.release, PLT_VERSION);
}
