/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/answer.h"

/*
 * NVMe admin commands that read: Identify, Get Log Page, Get Features.
 *
 * They go to the drive through a transport of our own of one ioctl, not through libnvme: the same commands
 * must run on a descriptor that UDisks2 opened, which version 3 of that library cannot take, and tests put a
 * scripted drive in the transport's place. The data are decoded from bytes in either case.
 */
typedef struct {
    guint8 opcode;
    guint32 nsid, cdw10, cdw11, cdw14;
    gpointer data; /* what the drive answers, or is given by Set Features; may be NULL */
    guint32 size;
} PltNvmeCommand;

#define PLT_NVME_GET_LOG_PAGE 0x02
#define PLT_NVME_IDENTIFY 0x06
#define PLT_NVME_SET_FEATURES 0x09
#define PLT_NVME_GET_FEATURES 0x0a
#define PLT_NVME_SELF_TEST 0x14
#define PLT_NVME_FORMAT 0x80
#define PLT_NVME_SANITIZE 0x84

#define PLT_NVME_BROADCAST 0xffffffffu

/* Features: Power Management, Autonomous Power State Transition. */
#define PLT_NVME_FEATURE_POWER 0x02
#define PLT_NVME_FEATURE_APST 0x0c

/* Get Log Page, dword 10: Retain Asynchronous Event (NVMe 1.3). The drive does not clear the event that a log
 * belongs to: whoever waits for it still gets it. */
#define PLT_NVME_RETAIN_EVENT (1u << 15)

/* 0, with *RESULT from the completion; above 0: the NVMe status; below: -errno. */
typedef int (*PltNvmeSubmit)(gpointer user, const PltNvmeCommand *command, guint32 *result);

/* The transport for a descriptor (GINT_TO_POINTER) of a controller or a whole namespace. */
int plt_nvme_submit_ioctl(gpointer fd, const PltNvmeCommand *command, guint32 *result);

/*
 * The same for a purge: lets Format and Sanitize through as well, and waits for them as long as 10 min, as
 * the drive's own tools do. Only plt_purge uses it, which asks the guard first.
 */
int plt_nvme_submit_purge(gpointer fd, const PltNvmeCommand *command, guint32 *result);

/*
 * The same for settings that last until the next reset: lets Set Features of the two above through, but not
 * their Save bit, and Device Self-test, which leaves the data alone.
 */
int plt_nvme_submit_setting(gpointer fd, const PltNvmeCommand *command, guint32 *result);

/* Fills COMMAND (not its data) for TOPIC; FALSE when TOPIC is none of NVMe. NSID is the drive's own. */
gboolean plt_nvme_command_for(PltTopic topic, guint32 nsid, PltNvmeCommand *command);

/* SIZE bytes of the log that COMMAND asks for. */
void plt_nvme_command_set_log_size(PltNvmeCommand *command, guint32 size);

/* "Invalid Field in Command" and the like for a status; newly allocated, in the program's language. */
char *plt_nvme_status_text(int status);
