/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* "64 MiB", "1.5 GiB": a size as sentences name it. */
char *plt_size_text(guint64 bytes);

/* "2 TB", "512.3 GB", "12.07 MB": an amount of data, four figures, units of 1000. */
char *plt_size_amount_text(double bytes);
