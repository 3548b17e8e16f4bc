/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../drive/fixture.h"

/*
 * A machine as a reviewer of drives has one: two NVMe drives of which one has no file system, a SATA SSD, a
 * USB stick. Its file systems are on those drives; what is measured "on" one of them is really measured in a
 * folder of this machine.
 */

/* MEASURE_FOLDER: where runs on its file systems really happen. One machine a program. */
Fixture *machine_new(const char *measure_folder);

/* From now on programs see a machine without any drive. */
void machine_unplug_all(void);

/* Where its mounts are and how full, in bytes. FALSE when POINT is none of them. */
gboolean machine_space(const char *point, guint64 *size, guint64 *free_bytes);

/* The functions of drive/folder.h themselves: those that the program calls know the machine. */
JsonNode *__real_plt_folder_to_json(PltFolder *folder);
JsonNode *__real_plt_folder_drives_to_json(PltFolder *folder);
