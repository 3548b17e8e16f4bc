/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "drive/error.h"
#include "drive/warning.h"
#include "engine/workload.h"

/* A folder on a mounted file system, as a place to measure. */
typedef struct plt_folder PltFolder;

/*
 * Resolves PATH (followed to its real path) and reads what lies under it. Refuses with one sentence and what
 * to do: what does not exist or is no folder; FUSE and network file systems; tmpfs, ramfs and an overlay
 * whose upper layer is one, unless ALLOW_MEMORY; read-only mounts; folders without write permission; anything
 * under /dev, /proc or /sys, also through a link.
 */
PltFolder *plt_folder_open(const char *path, gboolean allow_memory, GError **error);
void plt_folder_free(PltFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltFolder, plt_folder_free)

const char *plt_folder_path(PltFolder *folder);   /* real path */
const char *plt_folder_fstype(PltFolder *folder); /* "ext4", "btrfs", … */
guint64 plt_folder_free_bytes(PltFolder *folder); /* for this user, now */

/* Block device names of the drives underneath ("nvme0n1", "sda"); empty where none can be told. */
GStrv plt_folder_drives(PltFolder *folder);

/* What is between the folder and the drives, top first: "ext4", "LUKS", "LVM", "md raid0", "partition". */
GStrv plt_folder_layers(PltFolder *folder);

/* TRUE when OTHER_PATH lies on one of the same drives: the library, say. */
gboolean plt_folder_shares_drive(PltFolder *folder, const char *other_path);

/* TRUE when a drive underneath is no longer there: unplugged, or given up by the kernel. */
gboolean plt_folder_is_gone(PltFolder *folder);

/*
 * Adds the warnings that the place itself deserves, for a test file of SIZE bytes. What others do with the
 * drives (watched for 100 ms) and how much is free is taken as it was before the last test file was made
 * here, or now; without one, a throw-away file shows whether direct I/O works.
 */
void plt_folder_add_warnings(PltFolder *folder, guint64 size, GPtrArray *warnings);

/*
 * An object: "kind" ("folder"), "path", "filesystem", "mount_point", "source", "mount_options", "size" and
 * "free" (bytes, before the test file), "filesystem_block", "device_block", "in_memory", "layers" (array, top
 * first), "drives" (array of names); once a test file was made: "direct_io" ("yes", "emulated": goes through
 * the page cache, "no") and, where the file system copies on write, "copy_on_write" (FALSE when the file
 * could be marked NOCOW).
 */
JsonNode *plt_folder_to_json(PltFolder *folder);

/*
 * An array of objects, one for each drive underneath. Members, each only where it can be read:
 *   name ("nvme0n1"), vendor, model, serial, firmware; capacity (bytes); removable
 *   bus ("nvme", "sata", "usb", "virtio", "mmc", "scsi", "sas", "ufs", "xen", "hyperv", "nvdimm", "network"
 * …) link ("PCIe 4.0 x4", "SATA 6.0 Gbps", "USB 10000 Mb/s") and link_bandwidth_bps (bytes per second each
 * way, line code taken off); link_max and link_slot_max with _bandwidth_bps: what drive and port above it can
 *   usb_speed_mbps, usb_id ("152d:0583"), usb_driver ("uas", "usb-storage")
 *   controller ("nvme0"), nvme_transport, nsid, nvme_queues, nvme_queue_size, numa_node
 *   scheduler, nr_requests, device_queue_depth, write_cache ("write back", "write through"), fua, rotational,
 *     logical_block, physical_block, max_sectors_kb, max_hw_sectors_kb, discard, discard_granularity,
 * io_poll, zoned temperature_c, temperature_warning_c, temperature_critical_c
 */
JsonNode *plt_folder_drives_to_json(PltFolder *folder);

/* A test file in a folder that nothing can find or leave behind: closed, it is gone. */
typedef struct {
    int fd;
    guint64 size;
    guint32 logical_block; /* blocks and offsets are multiples of it */
    guint32 memory_align;  /* as in struct plt_engine_target: a power of two, or 0 */
    gboolean
        direct; /* O_DIRECT is on, a block was written and read with it, and the page cache stayed empty */
} PltTestFile;

/* Could a test file of SIZE bytes, used in blocks of BLOCK, be made now? One sentence says why not; nothing
 * is written. */
gboolean plt_folder_check_size(PltFolder *folder, guint64 size, guint32 block, GError **error);

/*
 * Makes a file of SIZE bytes: O_TMPFILE, or created with a random name and unlinked at once where the file
 * system has no O_TMPFILE; NOCOW set where the file system has it; free space checked first; O_DIRECT or
 * refused. BLOCK is the smallest block that will be used: refused when it is no multiple of what the file
 * system asks. The content is undefined (holes, unwritten extents) until it is written: see the runner's
 * prepare step. On FAT the file is empty and grows with that step. file->direct is FALSE, with no error,
 * where O_DIRECT is accepted but not honoured (plt_folder_add_warnings says it), and in memory where that was
 * allowed.
 */
gboolean plt_folder_make_test_file(PltFolder *folder, guint64 size, guint32 block, PltTestFile *file,
                                   GError **error);
void plt_test_file_close(PltTestFile *file);

/*
 * TRUE when the first SIZE bytes of FD are all written extents: no holes, no unwritten or delayed ones
 * (FIEMAP, else SEEK_HOLE). FALSE is certain; file systems with neither (exFAT, FAT) answer TRUE up to the
 * file's size.
 */
gboolean plt_test_file_is_written(int fd, guint64 size);
