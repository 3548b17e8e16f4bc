/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/wide.h"

/* Log pages of an NVMe drive besides SMART (drive/smart.h). Pure functions over the bytes. */

/* One entry of the Error Information log, 64 bytes; the newest comes first. */
typedef struct {
    guint64 count; /* number of this error over the drive's life */
    guint16 queue, command;
    guint16 status;    /* status code type and code with the bits above, phase bit taken off */
    guint16 parameter; /* byte and bit of the command that was wrong */
    guint64 lba;
    guint32 nsid;
    guint8 vendor; /* a log page with more about it; 0 = none */
    guint64 specific;
} PltNvmeError;

/* Entries in use; PltNvmeError. */
GArray *plt_nvme_errors_decode(PltBytes bytes);

typedef struct {
    guint active;     /* slot 1 to 7; 0 = not said */
    guint next;       /* slot after the next reset; 0 = the same */
    char slots[7][9]; /* "" = empty */
} PltNvmeFirmware;

gboolean plt_nvme_firmware_decode(PltBytes bytes, PltNvmeFirmware *firmware);

typedef struct {
    guint result;  /* 0 passed, 1 to 9 see plt_nvme_self_test_result_text */
    guint kind;    /* 1 short, 2 extended, 14 vendor's */
    guint segment; /* that failed; 0 where it says nothing */
    guint64 hours; /* power-on hours at its end */
    gboolean has_lba, has_nsid, has_status;
    guint64 lba;
    guint32 nsid;
    guint16 status;
} PltNvmeSelfTest;

typedef struct {
    guint running;      /* kind of the test that runs now; 0 = none */
    guint done_percent; /* of it */
    guint n_results;    /* at most 20, the newest first */
    PltNvmeSelfTest results[20];
} PltNvmeSelfTests;

gboolean plt_nvme_self_tests_decode(PltBytes bytes, PltNvmeSelfTests *tests);

/* In the program's language; borrowed. */
const char *plt_nvme_self_test_kind_text(guint kind);
const char *plt_nvme_self_test_result_text(guint result);

typedef struct {
    guint state;                    /* 0 never, 1 done, 2 under way, 3 failed, 4 done without deallocating */
    double progress;                /* 0 to 1 */
    guint passes;                   /* overwrite passes that are done */
    gboolean nothing_written_since; /* Global Data Erased */
    /* Seconds that the drive expects; G_MAXUINT32 = it does not say. */
    guint32 overwrite_s, block_erase_s, crypto_erase_s;
} PltNvmeSanitize;

gboolean plt_nvme_sanitize_decode(PltBytes bytes, PltNvmeSanitize *sanitize);
const char *plt_nvme_sanitize_state_text(guint state);

/* The Supported Log Pages log: 1024 bytes, four for each log. */
gboolean plt_nvme_log_page_is_supported(PltBytes bytes, guint8 log);

/*
 * SMART / Health Information Extended of the Open Compute Project's Datacenter NVMe SSD Specification, log
 * C0h. FALSE unless the log's own GUID stands at its end: C0h is a number that every vendor uses for
 * something.
 */
typedef struct {
    PltWide written, read; /* bytes to and from the flash memory */
    guint64 bad_user_blocks, bad_system_blocks;
    guint16 bad_user_normalized, bad_system_normalized;
    guint64 xor_recoveries, uncorrectable_reads, soft_ecc_errors;
    guint32 end_to_end_detected, end_to_end_corrected;
    guint8 system_data_used_percent;
    guint64 refreshes;
    guint32 erase_count_max, erase_count_min;
    guint8 throttle_events, throttle_status;
    guint64 pcie_correctable_errors, incomplete_shutdowns;
    guint8 free_blocks_percent;
    guint16 capacitor_health_percent; /* 0xffff = it has none */
    guint64 unaligned_ios, link_retrainings, power_state_changes;
    PltWide plp_starts, endurance_estimate; /* the latter in bytes */
    guint16 version;
} PltNvmeOcp;

gboolean plt_nvme_ocp_decode(PltBytes bytes, PltNvmeOcp *ocp);
