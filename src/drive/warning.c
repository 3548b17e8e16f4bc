/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/warning.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/*
 * Every id that any module raises. A sentence says what is so and what that does to the figures; %s is the
 * detail. Ids are stored in libraries for ever: a sentence may be bettered, an id may not be given away.
 */
/* clang-format off */
static const struct {
    const char *id;
    const char *format;
} sentences[] = {
    /* The file system and what lies between it and the drive. */
    {"compression",
     N_("The file system compresses data (%s): figures may be higher than the drive's.")},
    {"copy-on-write",
     N_("The file system writes every block to a new place (%s copy-on-write): random writes behave "
        "otherwise than on the drive itself.")},
    {"zfs",
     N_("ZFS caches, checks and may compress data by its own settings: the figures are those of the "
        "pool (%s), not of a drive.")},
    {"encryption",
     N_("The folder is encrypted (%s): the processor takes part in every transfer.")},
    {"lvm",
     N_("The folder is on a logical volume (LVM).")},
    {"raid",
     N_("The folder is on a software RAID (%s): several drives work together.")},
    {"bcache",
     N_("The folder is on bcache: part of the data may be served by a caching drive.")},
    {"device-mapper",
     N_("A mapped device is underneath (%s): it takes part in every transfer.")},
    {"multipath",
     N_("The drive is reached over several paths (multipath).")},
    {"loop",
     N_("The folder is in a file of another file system (loop device): both file systems are "
        "measured.")},
    {"overlay",
     N_("The folder is on an overlay over %s: the figures include it.")},
    {"memory",
     N_("The data are kept in memory (%s): no drive is measured.")},
    {"several-drives",
     N_("The folder is spread over several drives (%s): the figures are not those of one.")},
    {"drive-unknown",
     N_("Which drive is under the folder cannot be told here (%s).")},
    {"nearly-full",
     N_("The file system is %s full with the test file: drives and file systems slow down when "
        "little space is free.")},
    {"space-taken",
     N_("Another program needed space that was to be left free, so the fill gave way and ended at %s of "
        "what was planned.")},
    {"capacity-genuine",
     N_("The size is genuine as far as it was tested: %s.")},
    {"capacity-fake",
     N_("The drive is not as large as it says: %s.")},
    {"capacity-damaged",
     N_("The drive has lost data: %s.")},
    {"small-test-file",
     N_("The test file is small (%s, less than 1 GiB): the drive's cache may hold all of it.")},
    {"direct-not-honoured",
     N_("The file system (%s) accepts direct I/O but goes through the page cache: reads may come "
        "from memory, not from the drive.")},
    {"direct-refused",
     N_("Direct I/O is not possible here (%s): figures include the page cache.")},
    {"data-journal",
     N_("The file system writes all data twice (data=journal), and not directly.")},
    {"sync-mount",
     N_("The file system is mounted with “sync”: every write waits until it is on the drive.")},
    /* The drive and its link. */
    {"usb-bridge",
     N_("The drive is behind a USB bridge (%s), which may be slower than the drive.")},
    {"virtual-drive",
     N_("The drive is virtual (%s): the host's caches and load are part of the figures.")},
    {"network-drive",
     N_("The block device is reached over a network (%s).")},
    {"rotational",
     N_("The drive is a hard disk (%s): it is faster at its beginning than at its end.")},
    {"scheduler",
     N_("The I/O scheduler of an NVMe drive is %s instead of “none”: it costs processor time and "
        "limits small random I/O.")},
    {"write-cache-off",
     N_("The drive's write cache is off (%s): writes are slower than usual.")},
    {"link-below",
     N_("The link is slower than the drive and the slot allow (%s).")},
    {"link-slot",
     N_("The slot is slower than the drive (%s).")},
    {"usb-slow",
     N_("The USB link is slow (%s): a faster port or cable may be needed.")},
    {"sata-link",
     N_("The SATA link runs at %s only.")},
    {"drive-busy",
     N_("Something else is using the drive (busy %s of the time before the start).")},
    {"drive-hot",
     N_("The drive was already at %s before the start: it may slow down to cool.")},
    {"writeback",
     N_("%s of written data was still waiting in memory to be stored when the run began.")},
    {"library-shares-drive",
     N_("Results are stored on the drive that is measured: these small writes are part of the load.")},
    /* The machine. */
    {"battery",
     N_("The machine runs on battery (%s): power saving may slow it down.")},
    {"powersave",
     N_("The processor is set to save power (%s): latency and small I/O may be slower.")},
    {"power-profile",
     N_("The power profile is “%s”: the machine may be slowed down.")},
    {"load",
     N_("The machine was busy with other work (load %s).")},
    {"io-pressure",
     N_("Programs were waiting for storage %s of the time before the start: something else is using "
        "a drive.")},
    {"memory-pressure",
     N_("Memory is short (%s): swapping may disturb the figures.")},
    {"virtual-machine",
     N_("This is a virtual machine (%s): its host takes part in every transfer.")},
    {"container",
     N_("Plateau runs in a container (%s).")},
    /* The run. */
    {"threads-refused",
     N_("io_uring is refused on this system, so plain threads were used: figures at high queue "
        "depths are lower.")},
    {"threads-iowq",
     N_("This target sends io_uring I/O through kernel threads, so plain threads were used.")},
    {"kernel-workers",
     N_("Part of the I/O went through kernel worker threads: latencies include their hand-over.")},
    {"host-limited",
     N_("The processor, not the drive, set the pace (%s).")},
    {"plain-buffers",
     N_("The limit on locked memory is low, so buffers were not registered: each I/O costs slightly "
        "more processor time.")},
    {"clock-system",
     N_("The processor has no usable cycle counter: times come from the system clock and cost more.")},
    {"ticks-late",
     N_("Live samples were handed over late: the machine was very busy.")},
    {"raw-content",
     N_("The drive was read as it is: parts that were never written, or were trimmed, are answered without the "
        "flash.")},
    {"suspended",
     N_("The computer was suspended while it measured (%s): the drive rested meanwhile, so measure again.")},
    {"shallow-queue",
     N_("The queue was not kept full (I/Os in flight on average: %s).")},
    {"queue-beyond-tags",
     N_("The queue is deeper than the device queue takes (%s): the rest waits in the kernel.")},
    {"too-fast",
     N_("The figures exceed what the link can carry (%s): a cache answered.")},
    {"stalls",
     N_("The drive stopped answering for a while (stalls: %s).")},
    {"not-written-extents",
     N_("Part of the test file was never really written (%s): reading it needs no drive.")},
    {"cells-skipped",
     N_("Cells with blocks smaller than the drive's own were left out: %s.")},
    {"no-response",
     N_("The drive does not answer any more (%s).")},
    {"test-file-not-removed",
     N_("The test file could not be removed (%s): delete it yourself.")},
};
/* clang-format on */

PltWarning *plt_warning_new(const char *id, const char *detail)
{
    PltWarning *warning = g_new0(PltWarning, 1);

    warning->id = g_strdup(id);
    warning->detail = g_strdup(detail);
    return warning;
}

void plt_warning_free(PltWarning *warning)
{
    if (warning == NULL)
        return;
    g_free(warning->id);
    g_free(warning->detail);
    g_free(warning);
}

void plt_warning_add(GPtrArray *list, const char *id, const char *detail)
{
    for (guint i = 0; i < list->len; i++) {
        const PltWarning *warning = g_ptr_array_index(list, i);

        if (g_str_equal(warning->id, id) && g_strcmp0(warning->detail, detail) == 0)
            return;
    }
    g_ptr_array_add(list, plt_warning_new(id, detail));
}

const char *plt_warning_format(const char *id)
{
    for (gsize i = 0; i < G_N_ELEMENTS(sentences); i++) {
        if (g_str_equal(sentences[i].id, id))
            return sentences[i].format;
    }
    return NULL;
}

/* A translation cannot be trusted with printf: only the one "%s" is replaced, by hand. */
char *plt_warning_text(const PltWarning *warning)
{
    const char *format = plt_warning_format(warning->id);
    const char *text, *place;

    if (format == NULL)
        return g_strdup_printf("%s: %s", warning->id, warning->detail != NULL ? warning->detail : "–");
    text = _(format);
    place = strstr(text, "%s");
    if (place == NULL)
        return g_strdup(text);
    return g_strdup_printf("%.*s%s%s", (int)(place - text), text,
                           warning->detail != NULL ? warning->detail : "?", place + 2);
}
