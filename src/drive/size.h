/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* "64 MiB", "1.5 GiB": a size as sentences name it. */
char *plt_size_text(guint64 bytes);
