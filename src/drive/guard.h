/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "drive/error.h"

/*
 * May a drive be used so? The one place that decides it. The facts are gathered by plt_guard_look, the
 * decision is a pure function of them, and whoever is about to write asks again each time: the window and the
 * command line before they ask the person, plt_block_open before it opens, the runner before every step that
 * changes data.
 */

/* What will be done to a drive. */
typedef enum {
    PLT_USE_READ,  /* raw reads: harmless, also while the drive is in use */
    PLT_USE_WRITE, /* writes and discards within this drive (an NVMe namespace) */
    PLT_USE_ERASE, /* Format or Sanitize: may hit every namespace of the controller or subsystem */
} PltDriveUse;

/*
 * Which drive the person was shown: taken when the plan is shown, compared when it is carried out. Anything
 * that differs, or can no longer be read, refuses.
 */
typedef struct {
    char *name;      /* sysfs name, "nvme0n1" */
    char *model;     /* or NULL */
    char *serial;    /* or NULL; what the person types */
    char *wwid;      /* or NULL */
    guint64 diskseq; /* 0 = the kernel has none */
    guint64 size;    /* bytes */
    guint32 logical_block;
} PltDriveSeal;

/* One device that the use would hit, or that stands on one: a namespace, a partition, a holder. */
typedef struct {
    char *name;   /* sysfs name */
    char *parent; /* sysfs name of what it is part of or stands on; NULL for a whole drive */
    guint64 size; /* bytes */
    gboolean read_only;
    char *content;      /* what was found on it: "ext4", "crypto_LUKS", "linux_raid_member", … or NULL */
    char *label;        /* of the file system or partition, or NULL */
    GPtrArray *mounts;  /* char *, mount points, also those of other mount namespaces that can be seen */
    gboolean swap;      /* active swap, or the place that the system resumes from */
    GPtrArray *holders; /* char *, sysfs names of devices that stand on it: dm-0, md127, bcache0 */
    char *member_of;    /* "md", "LVM", "dm", "bcache", "ZFS", … when it belongs to one in use; or NULL */
    GPtrArray *users;   /* char *, programs that have it open for writing, as far as they can be seen */
} PltGuardDevice;

/* All that the decision needs to know, at one moment. */
typedef struct {
    PltDriveSeal seal;   /* as it is now */
    GPtrArray *devices;  /* PltGuardDevice: the drive first, then all below and above it */
    GPtrArray *siblings; /* char *, other namespaces that PLT_USE_ERASE would hit; their devices are in
                            DEVICES too */
    gboolean gone;       /* the drive is no longer there */
    gboolean unsure;     /* something that had to be known could not be read: writing is refused */
    char *unsure_detail;
} PltGuardFacts;

/* Looks at the drive NAME (sysfs name) below ROOT ("" = this machine) for USE. Never NULL. */
PltGuardFacts *plt_guard_look(const char *root, const char *name, PltDriveUse use);
void plt_guard_facts_free(PltGuardFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltGuardFacts, plt_guard_facts_free)

/*
 * The decision, pure. EXPECTED is what the person was shown; NULL only when nothing has been shown yet.
 * PLT_USE_READ passes unless the drive is gone or another one. A refusal is one sentence that says what is in
 * the way and what to do.
 */
gboolean plt_guard_check(const PltGuardFacts *facts, const PltDriveSeal *expected, PltDriveUse use,
                         GError **error);

/*
 * TRUE when TYPED is what confirms an erase of the sealed drive: the last four characters of its serial
 * number (all of a shorter one) or the whole of it; for a drive without one, its name ("sdb"). Case does not
 * matter, blanks around do not count.
 */
gboolean plt_guard_confirms(const PltDriveSeal *seal, const char *typed);
/* What the person must type, to be shown; newly allocated. */
char *plt_guard_confirmation(const PltDriveSeal *seal);

/*
 * What is lost, for people: an array of objects, one for each device that has content or is a partition, with
 * "name", "size", "content", "label", in the order of DEVICES. An empty array for a blank drive.
 */
JsonNode *plt_guard_losses_to_json(const PltGuardFacts *facts);

PltDriveSeal *plt_drive_seal_copy(const PltDriveSeal *seal);
void plt_drive_seal_free(PltDriveSeal *seal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltDriveSeal, plt_drive_seal_free)
