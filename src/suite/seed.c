/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "suite/seed.h"

/* The odd number nearest to 2^64 / golden ratio: its multiples visit every 64-bit state once. */
#define GOLDEN_GAMMA G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)

guint64 plt_seed_splitmix64(guint64 seed, guint64 index)
{
    guint64 z = seed + (index + 1) * GOLDEN_GAMMA;

    z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* FNV-1a, 64 bits: stable over versions and machines, unlike g_str_hash, so a recorded seed stays valid. */
static guint64 hash_id(const char *id)
{
    guint64 hash = G_GUINT64_CONSTANT(0xcbf29ce484222325);

    for (const guchar *p = (const guchar *)id; *p != '\0'; p++)
        hash = (hash ^ *p) * G_GUINT64_CONSTANT(0x100000001b3);
    return hash;
}

guint64 plt_seed_for_cell(guint64 seed, const char *id)
{
    /* By id and not by place, so that leaving cells out (only=) does not change the others. */
    return plt_seed_splitmix64(seed ^ hash_id(id), 0);
}
