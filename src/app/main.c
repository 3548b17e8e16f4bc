/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include <locale.h>
#include <signal.h>

#include <glib/gi18n-lib.h>

#include "app/application.h"
#include "app/graphics.h"

/* Where the translations are: PLATEAU_LOCALE_DIR for a build that is not installed. */
static const char *locale_dir(void)
{
    const char *dir = g_getenv("PLATEAU_LOCALE_DIR");

    return dir != NULL && *dir != '\0' ? dir : PLT_LOCALE_DIR;
}

int main(int argc, char **argv)
{
    g_autoptr(PltApplication) application = NULL;

    setlocale(LC_ALL, "");
    /* Figures are compared and pasted across countries: always with a decimal point. */
    setlocale(LC_NUMERIC, "C");
    bindtextdomain(GETTEXT_PACKAGE, locale_dir());
    bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
    textdomain(GETTEXT_PACKAGE);
    /* GTK would set the locale anew, with the country's comma in figures. */
    gtk_disable_setlocale();

    /* A drive that is full or gone is an error of a write, not a reason to lose a run. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    plt_graphics_choose();
    application = plt_application_new();
    return g_application_run(G_APPLICATION(application), argc, argv);
}
