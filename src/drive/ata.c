/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/ata.h"

#include <string.h>

static guint word(PltBytes bytes, guint index)
{
    return plt_bytes_u16(bytes, index * 2);
}

static gboolean bit(PltBytes bytes, guint index, guint number)
{
    return (word(bytes, index) >> number & 1) != 0;
}

/* Words 82 to 87 and 119 to 120 count only with 01b in their upper bits; so does word 106. */
static gboolean is_valid(PltBytes bytes, guint index)
{
    return word(bytes, index) >> 14 == 1;
}

static void read_sectors(PltBytes bytes, PltAta *ata)
{
    ata->logical = ata->physical = 512;
    if (!is_valid(bytes, 106))
        return;
    /* A size in words. */
    if (bit(bytes, 106, 12))
        ata->logical = (guint)MIN((guint64)(word(bytes, 118) << 16 | word(bytes, 117)) * 2, 65536);
    ata->physical = ata->logical;
    if (bit(bytes, 106, 13))
        ata->physical = ata->logical << (word(bytes, 106) & 15);
}

gboolean plt_ata_decode(PltBytes bytes, PltAta *ata)
{
    guint major;

    memset(ata, 0, sizeof *ata);
    /* Bit 15 of word 0 is set by devices that are none of ATA. */
    if (bytes.size < 512 || plt_bytes_are_zero(bytes) || bit(bytes, 0, 15))
        return FALSE;
    if (is_valid(bytes, 83)) {
        ata->smart = bit(bytes, 82, 0);
        ata->write_cache = bit(bytes, 82, 5);
        ata->security = bit(bytes, 82, 1);
        ata->smart_enabled = ata->smart && bit(bytes, 85, 0);
        ata->write_cache_enabled = ata->write_cache && bit(bytes, 85, 5);
        ata->self_tests = is_valid(bytes, 84) && bit(bytes, 84, 1);
    }
    ata->trim = bit(bytes, 169, 0);
    ata->trim_deterministic = ata->trim && bit(bytes, 69, 14);
    ata->trim_zeroes = ata->trim && bit(bytes, 69, 5);
    if (bit(bytes, 59, 12)) {
        ata->sanitize_crypto = bit(bytes, 59, 13);
        ata->sanitize_overwrite = bit(bytes, 59, 14);
        ata->sanitize_block = bit(bytes, 59, 15);
    }
    ata->security_frozen = ata->security && bit(bytes, 128, 3);
    ata->queue_depth = bit(bytes, 76, 8) ? (word(bytes, 75) & 31) + 1 : 1;
    ata->rotation = word(bytes, 217) == 1 || (word(bytes, 217) >= 0x401 && word(bytes, 217) != 0xffff)
                        ? word(bytes, 217)
                        : 0;
    if (word(bytes, 76) != 0xffff)
        ata->speed_max = bit(bytes, 76, 3) ? 3 : bit(bytes, 76, 2) ? 2 : bit(bytes, 76, 1) ? 1 : 0;
    ata->speed = MIN(word(bytes, 77) >> 1 & 7, 3);
    major = word(bytes, 80);
    /* Bits 9 to 12 stand for ACS-2 to ACS-5. */
    for (guint n = 5; n >= 2 && major != 0xffff && ata->standard == 0; n--) {
        if (major >> (n + 7) & 1)
            ata->standard = n;
    }
    read_sectors(bytes, ata);
    return TRUE;
}
