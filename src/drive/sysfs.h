/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Small text files of the kernel. ROOT stands before every path: "" for this machine, or the folder of a
 * recorded tree, so that everything above can be tried on machines that are not here. Paths are given as a
 * printf format and begin with "/". What cannot be read is NULL or FALSE: the callers leave it out.
 */

/* The content without white space at its ends; NULL when it cannot be read or is empty. */
char *plt_sysfs_read(const char *root, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The content as an unsigned decimal number; a unit or more text behind it is ignored. */
gboolean plt_sysfs_read_number(guint64 *value, const char *root, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The content as it is, for binary attributes. */
GBytes *plt_sysfs_read_bytes(const char *root, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The names in a folder, sorted so that "temp2" comes before "temp10"; an empty list when it is not there. */
GStrv plt_sysfs_list(const char *root, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The path with all links followed, again without ROOT; NULL when it does not exist or leads out of ROOT. */
char *plt_sysfs_resolve(const char *root, const char *format, ...) G_GNUC_PRINTF(2, 3);

gboolean plt_sysfs_exists(const char *root, const char *format, ...) G_GNUC_PRINTF(2, 3);
