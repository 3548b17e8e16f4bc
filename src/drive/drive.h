/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

/*
 * A drive of this machine: a whole physical device, as sysfs and the mount table know it without any
 * privilege. Its properties notify when they change: a list or a page binds to them.
 *
 * Properties (read-only): "name" s (kernel name, "nvme0n1"), "title" s (model, or the name), "model" s or
 * NULL, "serial" s or NULL, "capacity" t bytes, "bus" s ("nvme", "sata", "usb", "virtio", "mmc", "md", …),
 * "bus-title" s in the program's language ("NVMe", "PCIe 4.0 ×4", "USB 10 Gbit/s"), "temperature" d °C (NAN
 * where there is no sensor), "temperature-warning" d °C from which the drive calls itself too warm (NAN where
 * it names none), "sensors" GPtrArray of PltSensor (drive/sensor.h), "removable" b, "mounted" b, "folders"
 * GListModel of PltMount. The signal "changed" tells that anything else of plt_drive_to_json did.
 */
#define PLT_TYPE_DRIVE (plt_drive_get_type())
G_DECLARE_FINAL_TYPE(PltDrive, plt_drive, PLT, DRIVE, GObject)

/*
 * A place on a drive where this user could measure: a mounted file system. Properties (read-only): "path",
 * "point", "fstype", "source" s, "layers" as, "free", "size" t, "writable" b.
 */
#define PLT_TYPE_MOUNT (plt_mount_get_type())
G_DECLARE_FINAL_TYPE(PltMount, plt_mount, PLT, MOUNT, GObject)

const char *plt_drive_get_name(PltDrive *drive);
const char *plt_drive_get_title(PltDrive *drive);
const char *plt_drive_get_model(PltDrive *drive);
const char *plt_drive_get_serial(PltDrive *drive);
guint64 plt_drive_get_capacity(PltDrive *drive);
const char *plt_drive_get_bus(PltDrive *drive);
const char *plt_drive_get_bus_title(PltDrive *drive);
const char *plt_drive_get_file(PltDrive *drive);   /* what a loop device shows; else NULL */
gboolean plt_drive_is_rotational(PltDrive *drive); /* FALSE where the kernel does not say so */
double plt_drive_get_temperature(PltDrive *drive);
GPtrArray *plt_drive_get_sensors(PltDrive *drive);  /* PltSensor, the main one first */
GListModel *plt_drive_get_folders(PltDrive *drive); /* PltMount, most free space first */

/* The same object that plt_folder_drives_to_json has an entry of. */
JsonNode *plt_drive_to_json(PltDrive *drive);

/* °C now of the kernel's device NAME ("nvme0n1"), from its hwmon or drivetemp sensor; NAN where there is
 * none. Does not block long. */
double plt_drive_read_temperature(const char *name);

/* Where this user may write: the mount point, or a folder of the user's below it. */
const char *plt_mount_get_path(PltMount *mount);
const char *plt_mount_get_point(PltMount *mount);
const char *plt_mount_get_source(PltMount *mount);
const char *const *plt_mount_get_layers(PltMount *mount); /* top first: "ext4", "LUKS", "partition" */
const char *plt_mount_get_fstype(PltMount *mount);
guint64 plt_mount_get_free_bytes(PltMount *mount);
guint64 plt_mount_get_size_bytes(PltMount *mount);
gboolean plt_mount_is_writable(PltMount *mount);
