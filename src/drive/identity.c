/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/identity.h"

#include <string.h>

#include "drive/sysfs.h"

/* SAT-4, VPD page 89h "ATA Information": IDENTIFY DEVICE data begins at byte 60. */
#define VPD_ATA_IDENTIFY 60
#define ATA_IDENTIFY_SIZE 512

struct identity {
    char *vendor, *model, *serial, *firmware;
};

static void take(char **field, char *text)
{
    if (*field == NULL && text != NULL && g_strstrip(text)[0] != '\0')
        *field = text;
    else
        g_free(text);
}

/* Drives answer with anything: what is not text would end up in JSON and captions. */
static void take_checked(char **field, char *text)
{
    if (text != NULL && !g_utf8_validate(text, -1, NULL)) {
        g_free(text);
        return;
    }
    take(field, text);
}

char *plt_identity_ata_text(const guint8 *data, guint word, guint count)
{
    g_autofree char *text = g_new0(char, count * 2 + 1);

    for (guint i = 0; i < count; i++) {
        text[2 * i] = (char)data[(word + i) * 2 + 1];
        text[2 * i + 1] = (char)data[(word + i) * 2];
    }
    for (guint i = 0; i < count * 2; i++) {
        if (!g_ascii_isprint(text[i]))
            text[i] = text[i] == '\0' ? ' ' : '?';
    }
    g_strstrip(text);
    return text[0] != '\0' ? g_steal_pointer(&text) : NULL;
}

char *plt_identity_controller(const char *root, const char *name)
{
    g_autofree char *path = NULL, *last = NULL;
    g_auto(GStrv) members = NULL;

    if (!g_str_has_prefix(name, "nvme"))
        return NULL;
    path = plt_sysfs_resolve(root, "/sys/class/block/%s/device", name);
    if (path == NULL)
        return NULL;
    last = g_path_get_basename(path);
    if (!g_str_has_prefix(last, "nvme-subsys"))
        return g_steal_pointer(&last);
    /* With native multipath the namespace hangs on the subsystem, which links to its controllers. */
    members = plt_sysfs_list(root, "%s", path);
    for (guint i = 0; members[i] != NULL; i++) {
        if (g_str_has_prefix(members[i], "nvme") && g_ascii_isdigit(members[i][4]) &&
            strchr(members[i] + 4, 'n') == NULL)
            return g_strdup(members[i]);
    }
    return NULL;
}

static void read_nvme(struct identity *identity, const char *root, const char *name)
{
    g_autofree char *controller = plt_identity_controller(root, name);

    if (controller == NULL)
        return;
    take_checked(&identity->model, plt_sysfs_read(root, "/sys/class/nvme/%s/model", controller));
    take_checked(&identity->serial, plt_sysfs_read(root, "/sys/class/nvme/%s/serial", controller));
    take_checked(&identity->firmware, plt_sysfs_read(root, "/sys/class/nvme/%s/firmware_rev", controller));
}

/* The SCSI model is cut at 16 characters; libata keeps the whole IDENTIFY page beside it. */
static void read_ata(struct identity *identity, const char *root, const char *name)
{
    g_autoptr(GBytes) page = plt_sysfs_read_bytes(root, "/sys/class/block/%s/device/vpd_pg89", name);
    gsize size = 0;
    const guint8 *data = page != NULL ? g_bytes_get_data(page, &size) : NULL;

    if (size < VPD_ATA_IDENTIFY + ATA_IDENTIFY_SIZE)
        return;
    data += VPD_ATA_IDENTIFY;
    take(&identity->serial, plt_identity_ata_text(data, 10, 10));
    take(&identity->firmware, plt_identity_ata_text(data, 23, 4));
    take(&identity->model, plt_identity_ata_text(data, 27, 20));
}

/* udev writes every byte that is no plain character as "\\x20". */
static char *udev_decode(const char *text)
{
    GString *plain = g_string_new(NULL);

    while (*text != '\0') {
        if (text[0] == '\\' && text[1] == 'x' && g_ascii_isxdigit(text[2]) && g_ascii_isxdigit(text[3])) {
            int byte = g_ascii_xdigit_value(text[2]) * 16 + g_ascii_xdigit_value(text[3]);

            g_string_append_c(plain, byte != 0 ? (char)byte : ' ');
            text += 4;
        } else {
            g_string_append_c(plain, *text++);
        }
    }
    return g_string_free(plain, FALSE);
}

/* What udev found out for USB and other SCSI drives: the file is readable for everybody. */
static void read_udev(struct identity *identity, const char *root, const char *name)
{
    g_autofree char *dev = plt_sysfs_read(root, "/sys/class/block/%s/dev", name);
    g_autofree char *text = dev != NULL ? plt_sysfs_read(root, "/run/udev/data/b%s", dev) : NULL;
    g_auto(GStrv) lines = text != NULL ? g_strsplit(text, "\n", -1) : NULL;

    for (guint i = 0; lines != NULL && lines[i] != NULL; i++) {
        if (g_str_has_prefix(lines[i], "E:ID_SERIAL_SHORT="))
            take_checked(&identity->serial, g_strdup(strchr(lines[i], '=') + 1));
        else if (g_str_has_prefix(lines[i], "E:ID_REVISION="))
            take_checked(&identity->firmware, g_strdup(strchr(lines[i], '=') + 1));
        else if (g_str_has_prefix(lines[i], "E:ID_MODEL_ENC="))
            take_checked(&identity->model, udev_decode(strchr(lines[i], '=') + 1));
    }
}

/* SPC-5, VPD page 80h "Unit Serial Number": four bytes of header, then ASCII. */
static void read_serial_page(struct identity *identity, const char *root, const char *name)
{
    g_autoptr(GBytes) page = plt_sysfs_read_bytes(root, "/sys/class/block/%s/device/vpd_pg80", name);
    gsize size = 0;
    const char *data = page != NULL ? g_bytes_get_data(page, &size) : NULL;

    if (size > 4)
        take_checked(&identity->serial, g_strndup(data + 4, size - 4));
}

static void read_plain(struct identity *identity, const char *root, const char *name)
{
    static const char *const models[] = {"device/model", "device/name"};
    static const char *const serials[] = {"device/serial", "serial"};
    static const char *const firmwares[] = {"device/rev", "device/fwrev", "device/firmware_rev"};

    take_checked(&identity->vendor, plt_sysfs_read(root, "/sys/class/block/%s/device/vendor", name));
    for (gsize i = 0; i < G_N_ELEMENTS(models); i++)
        take_checked(&identity->model, plt_sysfs_read(root, "/sys/class/block/%s/%s", name, models[i]));
    for (gsize i = 0; i < G_N_ELEMENTS(serials); i++)
        take_checked(&identity->serial, plt_sysfs_read(root, "/sys/class/block/%s/%s", name, serials[i]));
    for (gsize i = 0; i < G_N_ELEMENTS(firmwares); i++)
        take_checked(&identity->firmware, plt_sysfs_read(root, "/sys/class/block/%s/%s", name, firmwares[i]));
}

void plt_identity_add_members(const char *root, const char *name, JsonObject *object)
{
    struct identity identity = {0};
    const struct {
        const char *member;
        char **text;
    } fields[] = {
        {"vendor", &identity.vendor},
        {"model", &identity.model},
        {"serial", &identity.serial},
        {"firmware", &identity.firmware},
    };

    read_nvme(&identity, root, name);
    read_ata(&identity, root, name);
    read_serial_page(&identity, root, name);
    read_udev(&identity, root, name);
    read_plain(&identity, root, name);
    /* libata's SCSI vendor is "ATA" for every maker; PCI and virtio give numbers, which name nobody. */
    if (g_strcmp0(identity.vendor, "ATA") == 0 ||
        (identity.vendor != NULL && g_str_has_prefix(identity.vendor, "0x")))
        g_clear_pointer(&identity.vendor, g_free);
    for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
        if (*fields[i].text != NULL)
            json_object_set_string_member(object, fields[i].member, *fields[i].text);
        g_free(*fields[i].text);
    }
}
