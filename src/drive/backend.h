/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/inquiry.h"
#include "drive/nvme-command.h"

/* The ways to ask that drive/inquiry.h puts together; each new one is freed by the inquiry that gets it. */

/* Files of the kernel below the inquiry's root. */
PltInquiryBackend *plt_sysfs_backend_new(void);

/* NVMe commands to the controller of INQUIRY, or to its block device where only that may be opened. */
PltInquiryBackend *plt_nvme_backend_new(PltInquiry *inquiry);

/* The same through SUBMIT: for tests, and for a descriptor that somebody else opened. Takes USER. */
PltInquiryBackend *plt_nvme_backend_new_full(PltNvmeSubmit submit, gpointer user, GDestroyNotify free,
                                             guint32 nsid);

/*
 * A descriptor of the NVMe controller NAME ("nvme0"), when what /dev has is the device that sysfs means; the
 * caller closes it. -errno.
 */
int plt_nvme_open_controller(const char *root, const char *name);

/* UDISKS may be NULL: a snapshot is taken when it is first needed. */
PltInquiryBackend *plt_udisks_backend_new(PltUdisks *udisks);

/* The program smartctl, for drives that are not NVMe and for root. */
PltInquiryBackend *plt_smartctl_backend_new(void);
