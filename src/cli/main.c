/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <locale.h>
#include <signal.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/output.h"

/* Where the translations are: PLATEAU_LOCALE_DIR for a build that is not installed. */
static const char *locale_dir(void)
{
    const char *dir = g_getenv("PLATEAU_LOCALE_DIR");

    return dir != NULL && *dir != '\0' ? dir : PLT_LOCALE_DIR;
}

int main(int argc, char **argv)
{
    PltExit status;

    setlocale(LC_ALL, "");
    /* Figures are compared and pasted across countries: always with a decimal point. */
    setlocale(LC_NUMERIC, "C");
    bindtextdomain(GETTEXT_PACKAGE, locale_dir());
    bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
    textdomain(GETTEXT_PACKAGE);

    /* A reader that goes away and a file size limit are errors of a write, not a reason to lose a run. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    status = plt_command_dispatch(argv);
    if (!plt_output_finish() && status == PLT_EXIT_DONE)
        status = PLT_EXIT_FAILED;
    return status;
}
