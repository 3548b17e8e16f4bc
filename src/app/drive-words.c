/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/drive-words.h"

#include <math.h>

#include <glib/gi18n-lib.h>

const char *plt_words_drive_icon(const char *bus, gboolean rotational)
{
    static const struct {
        const char *bus, *icon;
    } icons[] = {
        {"usb", "drive-harddisk-usb-symbolic"}, {"mmc", "media-flash-symbolic"},
        {"network", "network-server-symbolic"}, {"iscsi", "network-server-symbolic"},
        {"loop", "text-x-generic-symbolic"},    {"firewire", "drive-harddisk-ieee1394-symbolic"},
    };

    for (gsize i = 0; bus != NULL && i < G_N_ELEMENTS(icons); i++) {
        if (g_str_equal(bus, icons[i].bus))
            return icons[i].icon;
    }
    return rotational ? "drive-harddisk-symbolic" : "drive-harddisk-solidstate-symbolic";
}

char *plt_words_drive_subtitle(guint64 capacity, const char *bus_title)
{
    g_autofree char *size = g_format_size(capacity);

    if (bus_title == NULL || bus_title[0] == '\0')
        return g_steal_pointer(&size);
    /* Translators: capacity and connection of a drive, "2.0 TB · PCIe 4.0 ×4". */
    return g_strdup_printf(_("%s · %s"), size, bus_title);
}

char *plt_words_sensor(const char *label)
{
    char *end = NULL;
    guint64 number;

    if (label == NULL)
        return g_strdup(_("Drive"));
    if (g_str_equal(label, "Composite"))
        return g_strdup(_("Whole drive"));
    if (!g_str_has_prefix(label, "Sensor "))
        return g_strdup(label);
    number = g_ascii_strtoull(label + strlen("Sensor "), &end, 10);
    /* Translators: one of the temperature sensors of a drive. */
    return *end == '\0' && number > 0 ? g_strdup_printf(_("Sensor %u"), (guint)number) : g_strdup(label);
}

char *plt_words_temperature(double celsius)
{
    if (isnan(celsius))
        return g_strdup("");
    /* Translators: a temperature in degrees Celsius. */
    return g_strdup_printf(_("%.0f °C"), celsius);
}
