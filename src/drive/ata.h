/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/bytes.h"

/* What a SATA drive answers to IDENTIFY DEVICE (ACS-4, 7.13): the 512 bytes are 256 words. */
typedef struct {
    gboolean smart, smart_enabled;
    gboolean self_tests;
    gboolean write_cache, write_cache_enabled;
    gboolean trim, trim_deterministic, trim_zeroes; /* what trimmed blocks read as */
    gboolean sanitize_crypto, sanitize_block, sanitize_overwrite;
    gboolean security, security_frozen;
    guint queue_depth;       /* native command queueing; 1 = none */
    guint rotation;          /* 0 = not said, 1 = no moving parts, else per minute */
    guint speed_max, speed;  /* SATA generation: 1 = 1.5, 2 = 3, 3 = 6 Gbit/s; 0 = not said */
    guint standard;          /* ACS-n; 0 = older or not said */
    guint logical, physical; /* bytes of a sector */
} PltAta;

/* FALSE when BYTES is no answer of an ATA drive. */
gboolean plt_ata_decode(PltBytes bytes, PltAta *ata);
