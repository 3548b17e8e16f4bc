/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "machine.h"

#include <math.h>

#include "drive/drive.h"
#include "drive/list.h"
#include "drive/place.h"

#define GB G_GUINT64_CONSTANT(1000000000)

#define USB "/sys/devices/pci0000:00/0000:00:14.0/usb4/4-2"
#define USB_SCSI USB "/4-2:1.0/host6/target6:0:0/6:0:0:0"
#define SATA_SCSI "/sys/devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0"

static const struct {
    const char *line, *point;
    guint64 size, free_bytes;
} mounts[] = {
    {"22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw", "/", 107 * GB, 61 * GB},
    {"30 22 259:3 / /home rw,relatime shared:2 - btrfs /dev/nvme0n1p3 rw", "/home", 1884 * GB, 1216 * GB},
    {"31 22 8:1 / /srv/archive rw,relatime shared:3 - xfs /dev/sda1 rw", "/srv/archive", 999 * GB, 284 * GB},
    {"32 22 8:17 / /run/media/mina/STICK rw,nosuid - exfat /dev/sdb1 rw", "/run/media/mina/STICK", 123 * GB,
     88 * GB},
};

static Fixture *machine;
static gboolean unplugged;
static char *measure_folder;

gboolean machine_space(const char *point, guint64 *size, guint64 *free_bytes)
{
    for (gsize i = 0; i < G_N_ELEMENTS(mounts); i++) {
        if (g_strcmp0(point, mounts[i].point) == 0) {
            *size = mounts[i].size;
            *free_bytes = mounts[i].free_bytes;
            return TRUE;
        }
    }
    return FALSE;
}

static void write_in(Fixture *fixture, const char *folder, const char *name, const char *text)
{
    g_autofree char *path = g_strdup_printf("%s/%s", folder, name);

    fixture_write(fixture, path, text);
}

static void write_sensor(Fixture *fixture, const char *hwmon, guint number, const char *label,
                         const char *degrees)
{
    g_autofree char *label_name = g_strdup_printf("temp%u_label", number);
    g_autofree char *input_name = g_strdup_printf("temp%u_input", number);

    write_in(fixture, hwmon, label_name, label);
    write_in(fixture, hwmon, input_name, degrees);
}

static void add_system_drive(Fixture *fixture)
{
    g_autofree char *device = fixture_nvme_device(0);
    g_autofree char *controller = g_path_get_dirname(device);
    g_autofree char *hwmon = g_strconcat(controller, "/hwmon3", NULL);

    fixture_nvme(fixture, 0);
    fixture_partition(fixture, device, "nvme0n1p1", "259:1");
    fixture_partition(fixture, device, "nvme0n1p2", "259:2");
    fixture_partition(fixture, device, "nvme0n1p3", "259:3");
    write_sensor(fixture, hwmon, 1, "Composite\n", "41850\n");
    write_sensor(fixture, hwmon, 2, "Sensor 1\n", "41850\n");
    write_sensor(fixture, hwmon, 3, "Sensor 2\n", "46850\n");
}

/* New from the shop: nothing on it yet. It got two lanes of the four that it could have. */
static void add_new_drive(Fixture *fixture)
{
    g_autofree char *device = fixture_nvme_device(1);
    g_autofree char *controller = g_path_get_dirname(device);
    g_autofree char *group = g_path_get_dirname(controller);
    g_autofree char *pci = g_path_get_dirname(group);

    fixture_nvme(fixture, 1);
    write_in(fixture, controller, "model", "WD_BLACK SN850X 4000GB                  \n");
    write_in(fixture, controller, "serial", "24310Q800001        \n");
    write_in(fixture, controller, "firmware_rev", "620361WD\n");
    write_in(fixture, controller, "hwmon3/temp1_input", "73850\n");
    write_in(fixture, controller, "hwmon3/temp1_max", "89850\n");
    write_in(fixture, controller, "hwmon3/temp1_crit", "93850\n");
    write_in(fixture, pci, "current_link_width", "2\n");
    write_in(fixture, device, "size", "7814037168\n");
}

static void add_sata_drive(Fixture *fixture)
{
    fixture_sata(fixture, "sda", "8:0", 3);
    fixture_partition(fixture, SATA_SCSI "/block/sda", "sda1", "8:1");
    write_in(fixture, SATA_SCSI, "model", "Samsung SSD 870 EVO 1TB\n");
    write_in(fixture, SATA_SCSI, "hwmon/hwmon5/name", "drivetemp\n");
    write_in(fixture, SATA_SCSI, "hwmon/hwmon5/temp1_input", "33000\n");
    write_in(fixture, SATA_SCSI, "hwmon/hwmon5/temp1_max", "70000\n");
}

static void add_usb_stick(Fixture *fixture)
{
    static const char disk[] = USB_SCSI "/block/sdb";

    fixture_block(fixture, disk, "8:16");
    fixture_link(fixture, USB_SCSI "/block/sdb/device", USB_SCSI);
    fixture_partition(fixture, disk, "sdb1", "8:17");
    fixture_write(fixture, USB "/idVendor", "0781\n");
    fixture_write(fixture, USB "/idProduct", "55ab\n");
    fixture_write(fixture, USB "/speed", "5000\n");
    fixture_write(fixture, USB "/4-2:1.0/bInterfaceNumber", "00\n");
    fixture_mkdir(fixture, "/sys/bus/usb/drivers/usb-storage");
    fixture_link(fixture, USB "/4-2:1.0/driver", "/sys/bus/usb/drivers/usb-storage");
    write_in(fixture, USB_SCSI, "vendor", "SanDisk \n");
    write_in(fixture, USB_SCSI, "model", "Ultra USB 3.0   \n");
    write_in(fixture, USB_SCSI, "rev", "1.00\n");
    write_in(fixture, disk, "size", "240328704\n");
    write_in(fixture, disk, "removable", "1\n");
    write_in(fixture, disk, "queue/rotational", "1\n");
    write_in(fixture, disk, "queue/logical_block_size", "512\n");
    write_in(fixture, disk, "queue/write_cache", "write through\n");
}

Fixture *machine_new(const char *folder)
{
    Fixture *fixture = fixture_new();

    add_system_drive(fixture);
    add_new_drive(fixture);
    add_sata_drive(fixture);
    add_usb_stick(fixture);
    for (gsize i = 0; i < G_N_ELEMENTS(mounts); i++)
        fixture_mount(fixture, mounts[i].line);
    measure_folder = g_strdup(folder);
    return machine = fixture;
}

void machine_unplug_all(void)
{
    unplugged = TRUE;
}

/*
 * The linker gives these in place of the functions that look at the machine (--wrap): nothing of the program
 * has to know that it is not looking at this one.
 */
PltDriveList *__wrap_plt_drive_list_new(const char *root, gboolean with_virtual);
PltDriveList *__real_plt_drive_list_new(const char *root, gboolean with_virtual);
PltPlace *__wrap_plt_place_locate(const char *root, const char *path);
PltPlace *__real_plt_place_locate(const char *root, const char *path);
double __wrap_plt_drive_read_temperature(const char *name);
PltFolder *__wrap_plt_folder_open(const char *path, gboolean allow_memory, GError **error);
PltFolder *__real_plt_folder_open(const char *path, gboolean allow_memory, GError **error);
void __wrap_plt_folder_free(PltFolder *folder);
void __real_plt_folder_free(PltFolder *folder);
const char *__wrap_plt_folder_path(PltFolder *folder);
const char *__real_plt_folder_path(PltFolder *folder);
const char *__wrap_plt_folder_fstype(PltFolder *folder);
const char *__real_plt_folder_fstype(PltFolder *folder);
GStrv __wrap_plt_folder_drives(PltFolder *folder);
GStrv __real_plt_folder_drives(PltFolder *folder);
GStrv __wrap_plt_folder_layers(PltFolder *folder);
GStrv __real_plt_folder_layers(PltFolder *folder);
JsonNode *__wrap_plt_folder_to_json(PltFolder *folder);
JsonNode *__wrap_plt_folder_drives_to_json(PltFolder *folder);
void __wrap_plt_folder_add_warnings(PltFolder *folder, guint64 size, GPtrArray *warnings);
void __real_plt_folder_add_warnings(PltFolder *folder, guint64 size, GPtrArray *warnings);

PltDriveList *__wrap_plt_drive_list_new(const char *root, gboolean with_virtual)
{
    g_autofree char *empty = g_build_filename(machine->root, "empty", NULL);

    g_assert_null(root);
    return __real_plt_drive_list_new(unplugged ? empty : machine->root, with_virtual);
}

PltPlace *__wrap_plt_place_locate(const char *root, const char *path)
{
    PltPlace *place = __real_plt_place_locate(root, path);

    if (place != NULL && root[0] != '\0')
        machine_space(place->mount_point, &place->size, &place->free);
    return place;
}

/* Warms up within a minute, as a drive without a heat sink does. */
double __wrap_plt_drive_read_temperature(const char *name)
{
    static gint64 first;
    gint64 now = g_get_monotonic_time();

    if (first == 0)
        first = now;
    return 68.0 - 27.0 * exp(-(double)(now - first) / 12e6);
}

/* Folders of this machine that stand for one of the other: PltFolder → PltFolder. Runs have threads. */
static GHashTable *stand_ins;
static GMutex stand_ins_lock;

/* What FOLDER says it is. */
static PltFolder *shown(PltFolder *folder)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&stand_ins_lock);
    PltFolder *other = stand_ins != NULL ? g_hash_table_lookup(stand_ins, folder) : NULL;

    return other != NULL ? other : folder;
}

PltFolder *__wrap_plt_folder_open(const char *path, gboolean allow_memory, GError **error)
{
    guint64 size, free_bytes;
    PltFolder *folder;

    if (!machine_space(path, &size, &free_bytes))
        return __real_plt_folder_open(path, allow_memory, error);
    folder = __real_plt_folder_open(measure_folder, TRUE, error);
    if (folder != NULL) {
        g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&stand_ins_lock);

        if (stand_ins == NULL)
            stand_ins = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)__real_plt_folder_free);
        g_hash_table_insert(stand_ins, folder, fixture_folder(machine, path));
    }
    return folder;
}

void __wrap_plt_folder_free(PltFolder *folder)
{
    g_mutex_lock(&stand_ins_lock);
    if (stand_ins != NULL)
        g_hash_table_remove(stand_ins, folder);
    g_mutex_unlock(&stand_ins_lock);
    __real_plt_folder_free(folder);
}

const char *__wrap_plt_folder_path(PltFolder *folder)
{
    return __real_plt_folder_path(shown(folder));
}

const char *__wrap_plt_folder_fstype(PltFolder *folder)
{
    return __real_plt_folder_fstype(shown(folder));
}

GStrv __wrap_plt_folder_drives(PltFolder *folder)
{
    return __real_plt_folder_drives(shown(folder));
}

GStrv __wrap_plt_folder_layers(PltFolder *folder)
{
    return __real_plt_folder_layers(shown(folder));
}

JsonNode *__wrap_plt_folder_to_json(PltFolder *folder)
{
    return __real_plt_folder_to_json(shown(folder));
}

JsonNode *__wrap_plt_folder_drives_to_json(PltFolder *folder)
{
    return __real_plt_folder_drives_to_json(shown(folder));
}

void __wrap_plt_folder_add_warnings(PltFolder *folder, guint64 size, GPtrArray *warnings)
{
    __real_plt_folder_add_warnings(shown(folder), size, warnings);
}
