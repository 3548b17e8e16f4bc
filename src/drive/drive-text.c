/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/drive-text.h"

#include <glib/gi18n-lib.h>

char *plt_drive_bus_name(const char *bus)
{
    static const struct {
        const char *bus, *name;
    } names[] = {
        {"nvme", "NVMe"},
        {"sata", "SATA"},
        {"usb", "USB"},
        {"virtio", "VirtIO"},
        /* Translators: memory cards and soldered flash memory share one bus. */
        {"mmc", N_("SD/eMMC")},
        {"scsi", "SCSI"},
        {"sas", "SAS"},
        {"ufs", "UFS"},
        {"xen", "Xen"},
        {"hyperv", "Hyper-V"},
        {"nvdimm", "NVDIMM"},
        {"network", N_("Network drive")},
        {"iscsi", "iSCSI"},
        {"fc", "Fibre Channel"},
        {"firewire", "FireWire"},
        /* Translators: a file that is used as if it were a drive. */
        {"loop", N_("Loop device")},
        /* Translators: zram, a drive that is kept compressed in main memory. */
        {"zram", N_("Compressed memory")},
    };

    for (gsize i = 0; bus != NULL && i < G_N_ELEMENTS(names); i++) {
        if (g_str_equal(bus, names[i].bus))
            return g_strdup(_(names[i].name));
    }
    return NULL;
}

/* Megabits per second as "480 Mbit/s" or "10 Gbit/s". */
static char *rate_text(const char *bus, double mbps)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    gboolean giga = mbps >= 1000;

    g_ascii_formatd(number, sizeof number, "%.4g", giga ? mbps / 1000 : mbps);
    return g_strdup_printf("%s %s %s", bus, number, giga ? "Gbit/s" : "Mbit/s");
}

char *plt_drive_link_text(const char *link)
{
    g_auto(GStrv) words = g_strsplit(link, " ", 3);

    if (g_strv_length(words) != 3)
        return g_strdup(link);
    if (g_str_equal(words[0], "PCIe") && words[2][0] == 'x')
        return g_strdup_printf("PCIe %s ×%s", words[1], words[2] + 1);
    if (g_str_equal(words[2], "Gbps"))
        return rate_text(words[0], g_ascii_strtod(words[1], NULL) * 1000);
    if (g_str_equal(words[2], "Mb/s"))
        return rate_text(words[0], g_ascii_strtod(words[1], NULL));
    return g_strdup(link);
}

char *plt_drive_bus_text(JsonObject *device)
{
    const char *link = json_object_get_string_member_with_default(device, "link", NULL);
    char *name;

    if (link != NULL)
        return plt_drive_link_text(link);
    name = plt_drive_bus_name(json_object_get_string_member_with_default(device, "bus", NULL));
    return name != NULL ? name : g_strdup("");
}

char *plt_drive_title_text(JsonObject *device)
{
    const char *vendor = json_object_get_string_member_with_default(device, "vendor", NULL);
    const char *model = json_object_get_string_member_with_default(device, "model", NULL);
    g_autofree char *folded_vendor = NULL, *folded_model = NULL;

    if (model == NULL)
        return g_strdup(json_object_get_string_member(device, "name"));
    if (vendor == NULL)
        return g_strdup(model);
    folded_vendor = g_utf8_casefold(vendor, -1);
    folded_model = g_utf8_casefold(model, -1);
    /* "Generic" is what makers of bridges write who name nobody. */
    if (g_str_has_prefix(folded_model, folded_vendor) || g_str_has_prefix(folded_vendor, "generic"))
        return g_strdup(model);
    return g_strdup_printf("%s %s", vendor, model);
}
