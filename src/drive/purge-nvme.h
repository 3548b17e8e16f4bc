/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "drive/nvme-command.h"
#include "drive/nvme-identify.h"
#include "drive/purge.h"

/*
 * Format NVM and Sanitize (NVM Express Base Specification). They ask nobody whether they may: plt_purge does,
 * immediately before.
 */

/* What a drive says about being erased. */
typedef struct {
    PltNvmeController controller;
    PltNvmeNamespace ns;
    guint32 nsid;
} PltPurgeNvme;

/* Asks the drive behind SUBMIT for its namespace NSID. FALSE with a sentence when it does not answer. */
gboolean plt_purge_nvme_look(PltNvmeSubmit submit, gpointer user, guint32 nsid, PltPurgeNvme *nvme,
                             GError **error);

gboolean plt_purge_nvme_can_sanitize(const PltPurgeNvme *nvme); /* by block erase */
gboolean plt_purge_nvme_can_format(const PltPurgeNvme *nvme);

/* TRUE when a Format of one namespace erases all (FNA). */
gboolean plt_purge_nvme_formats_all(const PltPurgeNvme *nvme);

/*
 * Formats the namespace with user data erase, in blocks of LBA_SIZE bytes without metadata; 0 = the format
 * that is active. Waits for the drive. FALSE with a sentence, also when it has no such format.
 */
gboolean plt_purge_nvme_format(PltNvmeSubmit submit, gpointer user, const PltPurgeNvme *nvme,
                               guint32 lba_size, GError **error);

/*
 * Sanitizes by block erase, blocks deallocated, and asks every POLL_MS how far it is, until it has ended.
 * Nothing stops it once it has begun, not even the power.
 */
gboolean plt_purge_nvme_sanitize(PltNvmeSubmit submit, gpointer user, guint poll_ms, PltPurgeFunc func,
                                 gpointer func_user, GError **error);
