/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/folder-private.h"

/*
 * A machine that is not here: a temporary folder with the parts of /sys, /proc, /run and /etc that a test
 * names, laid out with relative links as the kernel does.
 */
typedef struct {
    char *root;
    GString *mountinfo;
} Fixture;

Fixture *fixture_new(void);
void fixture_free(Fixture *fixture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Fixture, fixture_free)

void fixture_write(Fixture *fixture, const char *path, const char *text);
void fixture_write_bytes(Fixture *fixture, const char *path, const void *data, gsize size);
void fixture_mkdir(Fixture *fixture, const char *path);

/* PATH becomes a link to TARGET, both as the machine sees them. */
void fixture_link(Fixture *fixture, const char *path, const char *target);

/* Registers the block device whose folder is DEVICE ("/sys/devices/…/sda") under its last name, with "M:m".
 */
void fixture_block(Fixture *fixture, const char *device, const char *number);

/* A partition of the block device in DEVICE. */
void fixture_partition(Fixture *fixture, const char *device, const char *name, const char *number);

/* A device without hardware (dm-0, md0, loop0, zram0) that lies on SLAVES, names separated by blanks. */
void fixture_virtual(Fixture *fixture, const char *name, const char *number, const char *slaves);

/*
 * Controller nvmeN and its namespace nvmeNn1 with number 259:(10 x N), in PCIe 4.0 x4, in a slot that can as
 * much.
 */
void fixture_nvme(Fixture *fixture, guint n);
char *fixture_nvme_device(guint n);

/* SATA drive NAME on port ata ATA. */
void fixture_sata(Fixture *fixture, const char *name, const char *number, guint ata);

/* One line of the mount table, without its line feed. */
void fixture_mount(Fixture *fixture, const char *line);

/* The folder at PATH of this machine, and what is under it. */
PltFolder *fixture_folder(Fixture *fixture, const char *path);

/* TRUE when WARNINGS has ID; DETAIL is compared unless it is NULL. */
gboolean fixture_has_warning(GPtrArray *warnings, const char *id, const char *detail);
GPtrArray *fixture_warnings_new(void);
