/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Numbers with units, the same in every language and locale: "," groups thousands, "." is the decimal point,
 * as reviewers on both sides write them. All return newly allocated text; a value that is not finite is "—".
 */

/* Grouped, with DECIMALS places; a value that rounds to zero has no sign. */
char *plt_format_number(double value, int decimals);

/* With at least FIGURES significant figures (1..6), and never fewer than the digits before the point. */
char *plt_format_figures(double value, int figures);

/* The number and its unit apart: a picture sets them in different type. */
typedef struct {
    char *number;
    const char *unit; /* static */
} PltQuantity;

void plt_quantity_clear(PltQuantity *quantity);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PltQuantity, plt_quantity_clear)

/* "number unit", and clears QUANTITY. */
char *plt_quantity_join(PltQuantity *quantity);

/* Bytes per second as MB/s: "7,012", "87.4", "0.62". Below 100 three figures, so that a slow QD1 is told. */
PltQuantity plt_format_bandwidth(double bytes_per_second);

/* I/Os per second: "21,340 IOPS"; from a million on "1.23 M IOPS". */
PltQuantity plt_format_iops(double iops);

/* Nanoseconds as ns, µs, ms or s, three figures: "45.3 µs", "1,195 µs" up to 10 ms, then "12.4 ms". */
PltQuantity plt_format_latency(double ns);

/* Seconds as a clock shows them, with DECIMALS of a second: "12:30", "3:05:00.5". */
char *plt_format_clock(double seconds, int decimals);

/* Seconds as "350 ms", "4.5 s", "12:30 min" or "3:05:00 h". */
PltQuantity plt_format_duration(double seconds);

/* A size that is counted in powers of two: "1 GiB", "512 B", "1.5 MiB". */
PltQuantity plt_format_size(guint64 bytes);

/* A drive's capacity or an amount written, decimal: "4 TB", "250 GB". */
PltQuantity plt_format_capacity(double bytes);

/* "0.4 %" */
PltQuantity plt_format_percent(double percent);

/* The name of a block size: "512B", "4K", "1M"; 1024 B to the K. */
char *plt_format_block(guint64 bytes);
