/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/backend.h"

/*
 * NVMe drives that are not here: answers as QEMU 10.0's drive gave them to nvme-cli, and those of a drive
 * with everything, laid out by hand from the NVM Express Base Specification; and a drive that answers with
 * them.
 */
void put_number(guint8 *data, gsize offset, guint size, guint64 value);
void put_text(guint8 *data, gsize offset, gsize size, const char *text);

void make_qemu_controller(guint8 data[4096]);
void make_qemu_namespace(guint8 data[4096]); /* 1 GiB in blocks of 4096 bytes */

/* Five power states, APST, sanitize, self-test, host memory, thermal management, NVMe 2.0. */
void make_full_controller(guint8 data[4096]);
void make_full_namespace(guint8 data[4096]); /* 2 TB, 512 in use of 512 and 4096 */
void make_full_smart(guint8 data[512]);
void make_full_apst(guint8 data[256]);
void make_full_errors(guint8 data[4096]); /* two entries */
void make_full_firmware(guint8 data[512]);
void make_full_self_tests(guint8 data[564]);
void make_full_sanitize(guint8 data[512]);
void make_full_ocp(guint8 data[512]);

/* A drive that answers; what it has no answer for is an invalid field (4002h) or log page (4109h). */
typedef struct {
    GHashTable *answers; /* key_of → GBytes */
    GHashTable *results; /* key_of → guint32 */
    guint n_commands;
    guint n_refused;
    guint n_retained; /* Get Log Page with Retain Asynchronous Event */
    int fail;         /* what every command returns, when it is not 0 */
} MockDrive;

MockDrive *mock_drive_new(void);
void mock_drive_free(gpointer drive);
void mock_drive_answer(MockDrive *drive, guint8 opcode, guint8 which, const void *data, gsize size,
                       guint32 result);

/* All answers of the drive with everything. */
MockDrive *mock_drive_new_full(void);

/* The transport. */
int mock_drive_submit(gpointer drive, const PltNvmeCommand *command, guint32 *result);

/* An inquiry of "nvme0n1" that asks DRIVE (taken) and has a device document with a model and a serial number.
 */
PltInquiry *mock_drive_inquiry(MockDrive *drive);
