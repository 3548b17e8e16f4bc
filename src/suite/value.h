/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * The values of suite files and overrides, read strictly: nothing before, behind or in between that does not
 * belong there. Every failure is one PLT_ERROR_USAGE sentence without a full stop that repeats the value
 * (shortened, made printable) and says what is allowed; the caller puts place and key in front of it.
 */

/* "4K", "128KiB", "1MiB", "2G", "512": bytes, binary units; MIN..MAX inclusive. */
gboolean plt_value_size(const char *text, guint64 min, guint64 max, guint64 *bytes, GError **error);

/* "5", "0.25", "5s", "500ms", "2min", "1h": to milliseconds; a bare number is seconds. */
gboolean plt_value_time(const char *text, guint64 min_ms, guint64 max_ms, guint64 *ms, GError **error);

/* "500MB/s", "1.5GB/s": decimal units, to bytes per second. */
gboolean plt_value_rate(const char *text, guint64 min, guint64 max, guint64 *bytes_per_second,
                        GError **error);

/* A whole number. */
gboolean plt_value_count(const char *text, guint min, guint max, guint *count, GError **error);

/* "70" or "70%". */
gboolean plt_value_percent(const char *text, guint min, guint max, guint *percent, GError **error);

/* "42", "0x2a": any 64-bit number. */
gboolean plt_value_seed(const char *text, guint64 *seed, GError **error);

/* One word of NAMES (NULL-terminated): its index. */
gboolean plt_value_choice(const char *text, const char *const *names, guint *index, GError **error);

/* "yes" or "no". */
gboolean plt_value_boolean(const char *text, gboolean *value, GError **error);

/* One line of 1 to MAX characters, all of them printable; *VALUE, an owned string, is replaced by it. */
gboolean plt_value_text(const char *text, guint max, char **value, GError **error);

/*
 * Splits "a, b,c" at commas, spaces around the items dropped: 1 to MAX items, none empty. NULL on error.
 */
GStrv plt_value_list(const char *text, guint max, GError **error);

/* Shortest exact form: 4096 → "4K", 1048576 → "1M", 512 → "512B". Newly allocated. */
char *plt_value_block_name(guint64 bytes);

/* For sentences: 1073741824 → "1 GiB". Newly allocated. */
char *plt_value_size_text(guint64 bytes);

/* For sentences: 1500 → "1.5 s", 120000 → "2 min". Newly allocated. */
char *plt_value_time_text(guint64 ms);

/* TEXT within quotes, at most 40 characters, control characters and bad UTF-8 replaced. */
char *plt_value_quote(const char *text);
