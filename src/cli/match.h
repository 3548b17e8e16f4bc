/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * How many single letters must be put in, taken out or replaced, or neighbours swapped, to make B out of A
 * (optimal string alignment). Bytes, not characters; the first 64 only.
 */
guint plt_match_distance(const char *a, const char *b);

/*
 * Those of NAMES that a person who typed TEXT may have meant, nearest first, joined by ", "; NULL when none
 * is near.
 */
char *plt_match_close(const char *text, const char *const *names);
