/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/about.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Asked for one ring, which is given back at once: a sysctl or a sandbox may refuse it. */
static char *io_uring_state(void)
{
    struct io_uring_params params = {0};
    int fd = (int)syscall(SYS_io_uring_setup, 1, &params);
    int code = errno;

    if (fd < 0)
        return g_strdup_printf("refused (%s)", g_strerror(code));
    close(fd);
    return g_strdup("available");
}

static const char *renderer_name(GtkWidget *parent)
{
    GtkNative *native = parent != NULL ? gtk_widget_get_native(parent) : NULL;
    GskRenderer *renderer = native != NULL ? gtk_native_get_renderer(native) : NULL;

    return renderer != NULL ? G_OBJECT_TYPE_NAME(renderer) : "none";
}

static char *debug_info(GtkWidget *parent)
{
    GString *text = g_string_new(NULL);
    GdkDisplay *display = gdk_display_get_default();
    g_autofree char *distribution = g_get_os_info(G_OS_INFO_KEY_PRETTY_NAME);
    g_autofree char *io_uring = io_uring_state();
    struct utsname kernel = {0};

    uname(&kernel);
    g_string_append_printf(text, "Plateau: %s (%s)\n", PLT_VERSION, PLT_APPLICATION_ID);
    g_string_append_printf(text, "GTK: %u.%u.%u\n", gtk_get_major_version(), gtk_get_minor_version(),
                           gtk_get_micro_version());
    g_string_append_printf(text, "libadwaita: %u.%u.%u\n", adw_get_major_version(), adw_get_minor_version(),
                           adw_get_micro_version());
    g_string_append_printf(text, "GLib: %u.%u.%u\n", glib_major_version, glib_minor_version,
                           glib_micro_version);
    g_string_append_printf(text, "Display: %s, %s\n", display != NULL ? G_OBJECT_TYPE_NAME(display) : "none",
                           renderer_name(parent));
    g_string_append_printf(text, "Kernel: %s %s %s\n", kernel.sysname, kernel.release, kernel.machine);
    g_string_append_printf(text, "System: %s\n", distribution != NULL ? distribution : "unknown");
    g_string_append_printf(text, "Flatpak: %s\n",
                           g_file_test("/.flatpak-info", G_FILE_TEST_EXISTS) ? "yes" : "no");
    g_string_append_printf(text, "io_uring: %s\n", io_uring);
    return g_string_free(text, FALSE);
}

char *plt_about_debug_info(void)
{
    return debug_info(NULL);
}

void plt_about_present(GtkWidget *parent)
{
    g_autofree char *info = debug_info(parent);
    AdwAboutDialog *about = ADW_ABOUT_DIALOG(adw_about_dialog_new());

    g_object_set(about, "application-name", "Plateau", "application-icon", PLT_APPLICATION_ID, "version",
                 PLT_VERSION, "developer-name", _("The Plateau contributors"), "license-type",
                 GTK_LICENSE_GPL_3_0, "comments",
                 _("Measures how fast a drive is, and where its speed settles."),
                 /* Translators: your name, one translator a line. */
                 "translator-credits", _("translator-credits"), "debug-info", info, "debug-info-filename",
                 "plateau-debug-info.txt", NULL);
    adw_dialog_present(ADW_DIALOG(about), parent);
}
