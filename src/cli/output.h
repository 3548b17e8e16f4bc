/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "cli/command.h"

/*
 * Everything that plateau-cli writes. Text is UTF-8; it is turned into the locale's character set, and what
 * could steer a terminal (control characters in a drive's name, a folder, a note) is replaced.
 */

/* To standard output. */
void plt_output_print(const char *text);
void plt_output_printf(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* To standard output, byte for byte: documents. */
void plt_output_write(const char *data, gsize length);

/* A JSON document, pretty-printed, UTF-8 in every locale. */
void plt_output_json(JsonNode *node);

/* One line to standard error: "plateau-cli: …". */
void plt_output_error(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* One line to standard error, without the program's name in front. */
void plt_output_note(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Prints ERROR, which is not about a target, as one line; PLT_EXIT_USAGE or PLT_EXIT_FAILED. */
PltExit plt_output_fail(const GError *error);

/* The exit status that ERROR about a target deserves. */
PltExit plt_output_target_status(const GError *error);

/*
 * FALSE, after one line on standard error, when something that should be on standard output is not there. A
 * reader that went away early (`| head`) has had what it wanted: that is no failure.
 */
gboolean plt_output_finish(void);

/* TEXT (valid UTF-8 or not) as one that is safe to show: valid, and without control characters but \n. */
char *plt_output_clean(const char *text);

/* TRUE when the locale can show block characters and "µ". */
gboolean plt_output_is_unicode(void);
