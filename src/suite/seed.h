/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* splitmix64 (Steele, Lea, Flood 2014): the INDEX-th output, from 0, of the generator seeded with SEED. */
guint64 plt_seed_splitmix64(guint64 seed, guint64 index);

/* A seed of its own for the cell ID of a run seeded with SEED. */
guint64 plt_seed_for_cell(guint64 seed, const char *id);
