/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/*
 * Where a file that a person named with -o really goes: a link is followed, so that it stays a link. Refuses
 * with one sentence what is no place for a file: a folder, a device node, a pipe, a link to nowhere, a folder
 * that is not there. NULL on error.
 */
char *plt_file_resolve_output(const char *path, GError **error);

/* Writes DATA to PATH (see above) so that it is whole or untouched: a new file that takes the old one's name.
 */
gboolean plt_file_write_output(const char *path, const char *data, gsize length, GError **error);

typedef gboolean (*PltFileFill)(GOutputStream *stream, gpointer user, GError **error);

/* The same for what is too long to be in memory at once: FILL writes it. FALSE of FILL leaves PATH untouched.
 */
gboolean plt_file_stream_output(const char *path, PltFileFill fill, gpointer user, GError **error);
