/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <errno.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

Fixture *fixture_new(void)
{
    Fixture *fixture = g_new0(Fixture, 1);

    fixture->root = g_dir_make_tmp("plateau-fixture-XXXXXX", NULL);
    g_assert_nonnull(fixture->root);
    fixture->mountinfo = g_string_new(NULL);
    return fixture;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    return remove(path);
}

void fixture_free(Fixture *fixture)
{
    g_assert_cmpint(nftw(fixture->root, remove_one, 16, FTW_DEPTH | FTW_PHYS), ==, 0);
    g_free(fixture->root);
    g_string_free(fixture->mountinfo, TRUE);
    g_free(fixture);
}

static char *path_in(Fixture *fixture, const char *path)
{
    g_autofree char *full = g_strconcat(fixture->root, path, NULL);
    g_autofree char *folder = g_path_get_dirname(full);

    g_assert_cmpint(g_mkdir_with_parents(folder, 0700), ==, 0);
    return g_steal_pointer(&full);
}

void fixture_write_bytes(Fixture *fixture, const char *path, const void *data, gsize size)
{
    g_autofree char *full = path_in(fixture, path);
    g_autoptr(GError) error = NULL;

    g_file_set_contents_full(full, data, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0600, &error);
    g_assert_no_error(error);
}

void fixture_write(Fixture *fixture, const char *path, const char *text)
{
    fixture_write_bytes(fixture, path, text, strlen(text));
}

void fixture_mkdir(Fixture *fixture, const char *path)
{
    g_autofree char *full = path_in(fixture, path);

    g_assert_cmpint(g_mkdir_with_parents(full, 0700), ==, 0);
}

void fixture_link(Fixture *fixture, const char *path, const char *target)
{
    g_autofree char *full = path_in(fixture, path);
    GString *text = g_string_new(NULL);

    for (const char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/'))
        g_string_append(text, "../");
    g_string_append(text, target + 1);
    g_assert_true(symlink(text->str, full) == 0 || errno == EEXIST);
    g_string_free(text, TRUE);
}

static void write_in(Fixture *fixture, const char *folder, const char *name, const char *text)
{
    g_autofree char *path = g_strdup_printf("%s/%s", folder, name);

    fixture_write(fixture, path, text);
}

void fixture_block(Fixture *fixture, const char *device, const char *number)
{
    g_autofree char *name = g_path_get_basename(device);
    g_autofree char *class = g_strconcat("/sys/class/block/", name, NULL);
    g_autofree char *dev = g_strconcat("/sys/dev/block/", number, NULL);

    fixture_mkdir(fixture, device);
    write_in(fixture, device, "dev", number);
    fixture_link(fixture, class, device);
    fixture_link(fixture, dev, device);
}

void fixture_partition(Fixture *fixture, const char *device, const char *name, const char *number)
{
    g_autofree char *path = g_strdup_printf("%s/%s", device, name);

    fixture_block(fixture, path, number);
    write_in(fixture, path, "partition", "1\n");
}

void fixture_virtual(Fixture *fixture, const char *name, const char *number, const char *slaves)
{
    g_autofree char *device = g_strconcat("/sys/devices/virtual/block/", name, NULL);
    g_auto(GStrv) names = g_strsplit(slaves, " ", -1);

    fixture_block(fixture, device, number);
    for (guint i = 0; names[i] != NULL && names[i][0] != '\0'; i++) {
        g_autofree char *link = g_strdup_printf("%s/slaves/%s", device, names[i]);
        g_autofree char *class = g_strconcat("/sys/class/block/", names[i], NULL);

        fixture_link(fixture, link, class);
    }
}

char *fixture_nvme_device(guint n)
{
    return g_strdup_printf("/sys/devices/pci0000:00/0000:00:%02x.0/0000:%02x:00.0/nvme/nvme%u/nvme%un1",
                           n + 1, n + 1, n, n);
}

void fixture_nvme(Fixture *fixture, guint n)
{
    g_autofree char *device = fixture_nvme_device(n);
    g_autofree char *controller = g_path_get_dirname(device);
    g_autofree char *group = g_path_get_dirname(controller);
    g_autofree char *pci = g_path_get_dirname(group);
    g_autofree char *port = g_path_get_dirname(pci);
    g_autofree char *class = g_strdup_printf("/sys/class/nvme/nvme%u", n);
    g_autofree char *to_pci = g_strconcat(controller, "/device", NULL);
    g_autofree char *to_controller = g_strconcat(device, "/device", NULL);
    g_autofree char *number = g_strdup_printf("259:%u", n * 10);

    fixture_block(fixture, device, number);
    fixture_link(fixture, class, controller);
    fixture_link(fixture, to_pci, pci);
    fixture_link(fixture, to_controller, controller);
    write_in(fixture, port, "max_link_speed", "16.0 GT/s PCIe\n");
    write_in(fixture, port, "max_link_width", "4\n");
    write_in(fixture, pci, "max_link_speed", "16.0 GT/s PCIe\n");
    write_in(fixture, pci, "max_link_width", "4\n");
    write_in(fixture, pci, "current_link_speed", "16.0 GT/s PCIe\n");
    write_in(fixture, pci, "current_link_width", "4\n");
    write_in(fixture, pci, "numa_node", "0\n");
    write_in(fixture, controller, "model", "Samsung SSD 990 PRO 2TB                 \n");
    write_in(fixture, controller, "serial", "S7KHNJ0W000001      \n");
    write_in(fixture, controller, "firmware_rev", "4B2QJXD7\n");
    write_in(fixture, controller, "transport", "pcie\n");
    write_in(fixture, controller, "queue_count", "17\n");
    write_in(fixture, controller, "sqsize", "1023\n");
    write_in(fixture, controller, "hwmon3/name", "nvme\n");
    write_in(fixture, controller, "hwmon3/temp1_input", "41850\n");
    write_in(fixture, controller, "hwmon3/temp1_max", "81850\n");
    write_in(fixture, controller, "hwmon3/temp1_crit", "84850\n");
    write_in(fixture, device, "size", "3907029168\n");
    write_in(fixture, device, "nsid", "1\n");
    write_in(fixture, device, "removable", "0\n");
    write_in(fixture, device, "queue/scheduler", "[none] mq-deadline kyber bfq \n");
    write_in(fixture, device, "queue/nr_requests", "1023\n");
    write_in(fixture, device, "queue/write_cache", "write back\n");
    write_in(fixture, device, "queue/rotational", "0\n");
    write_in(fixture, device, "queue/logical_block_size", "512\n");
    write_in(fixture, device, "queue/physical_block_size", "512\n");
    write_in(fixture, device, "queue/discard_max_bytes", "2199023255040\n");
    write_in(fixture, device, "queue/fua", "1\n");
}

void fixture_sata(Fixture *fixture, const char *name, const char *number, guint ata)
{
    g_autofree char *port = g_strdup_printf("/sys/devices/pci0000:00/0000:00:17.0/ata%u", ata);
    g_autofree char *scsi =
        g_strdup_printf("%s/host%u/target%u:0:0/%u:0:0:0", port, ata - 1, ata - 1, ata - 1);
    g_autofree char *device = g_strdup_printf("%s/block/%s", scsi, name);
    g_autofree char *to_scsi = g_strconcat(device, "/device", NULL);
    g_autofree char *speed = g_strdup_printf("link%u/ata_link/link%u/sata_spd", ata, ata);

    fixture_block(fixture, device, number);
    fixture_link(fixture, to_scsi, scsi);
    write_in(fixture, port, speed, "6.0 Gbps\n");
    write_in(fixture, scsi, "vendor", "ATA     \n");
    write_in(fixture, scsi, "model", "Samsung SSD 870 \n");
    write_in(fixture, scsi, "rev", "1B6Q\n");
    write_in(fixture, scsi, "queue_depth", "32\n");
    write_in(fixture, device, "size", "1953525168\n");
    write_in(fixture, device, "removable", "0\n");
    write_in(fixture, device, "queue/scheduler", "none [mq-deadline] \n");
    write_in(fixture, device, "queue/write_cache", "write back\n");
    write_in(fixture, device, "queue/rotational", "0\n");
    write_in(fixture, device, "queue/logical_block_size", "512\n");
}

void fixture_mount(Fixture *fixture, const char *line)
{
    g_string_append_printf(fixture->mountinfo, "%s\n", line);
    fixture_write(fixture, "/proc/self/mountinfo", fixture->mountinfo->str);
}

PltFolder *fixture_folder(Fixture *fixture, const char *path)
{
    return plt_folder_new(fixture->root, plt_place_locate(fixture->root, path), -1, FALSE);
}

GPtrArray *fixture_warnings_new(void)
{
    return g_ptr_array_new_with_free_func((GDestroyNotify)plt_warning_free);
}

gboolean fixture_has_warning(GPtrArray *warnings, const char *id, const char *detail)
{
    for (guint i = 0; i < warnings->len; i++) {
        const PltWarning *warning = g_ptr_array_index(warnings, i);

        if (g_str_equal(warning->id, id) && (detail == NULL || g_strcmp0(warning->detail, detail) == 0))
            return TRUE;
    }
    return FALSE;
}
