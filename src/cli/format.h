/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* Figures and moments as text, newly allocated. */

/* "0:05", "3:20", "1:02:03". */
char *plt_cli_format_clock(guint64 ms);

/* "5 s", "3 min 20 s", "1 h 2 min": for a sentence. */
char *plt_cli_format_duration(guint64 ms);

/* "3504 MB/s", "35.0 MB/s", "0.35 MB/s": three figures where there are, MB = 10^6 bytes. */
char *plt_cli_format_speed(double bytes_per_second);

/* "24.1 GB" (10^9 bytes), "0 B". */
char *plt_cli_format_bytes(guint64 bytes);

/* "1 GiB", "256 MiB", "1.5 GiB": a size that a person sets. */
char *plt_cli_format_size(guint64 bytes);

/* "2026-12-01 09:05" in local time; "" for 0. */
char *plt_cli_format_date(gint64 unix_us);

/* "2026-12-01T08:05:03.250000Z"; NULL for 0. */
char *plt_cli_format_iso8601(gint64 unix_us);
