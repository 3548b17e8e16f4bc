/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/show.h"

#include <glib/gi18n-lib.h>

#include "cli/output.h"
#include "library/export.h"

void plt_show_run(const PltRun *run)
{
    g_autofree char *table = plt_export_terminal(run);

    plt_output_print(table);
}

void plt_show_warnings(const PltRun *run)
{
    for (guint i = 0; i < run->warnings->len; i++) {
        g_autofree char *text = plt_warning_text(g_ptr_array_index(run->warnings, i));

        plt_output_note(_("Note: %s"), text);
    }
}
