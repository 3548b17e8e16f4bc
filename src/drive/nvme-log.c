/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/nvme-log.h"

#include <string.h>

#include <glib/gi18n-lib.h>

GArray *plt_nvme_errors_decode(PltBytes bytes)
{
    GArray *errors = g_array_new(FALSE, FALSE, sizeof(PltNvmeError));

    for (gsize offset = 0; offset + 64 <= bytes.size; offset += 64) {
        PltBytes entry = plt_bytes_part(bytes, offset, 64);
        PltNvmeError error = {
            .count = plt_bytes_number(entry, 0, 8),
            .queue = plt_bytes_u16(entry, 8),
            .command = plt_bytes_u16(entry, 10),
            .status = plt_bytes_u16(entry, 12) >> 1,
            .parameter = plt_bytes_u16(entry, 14),
            .lba = plt_bytes_number(entry, 16, 8),
            .nsid = plt_bytes_u32(entry, 24),
            .vendor = plt_bytes_u8(entry, 28),
            .specific = plt_bytes_number(entry, 32, 8),
        };

        /* An entry that was never used has the number 0. */
        if (error.count != 0)
            g_array_append_val(errors, error);
    }
    return errors;
}

gboolean plt_nvme_firmware_decode(PltBytes bytes, PltNvmeFirmware *firmware)
{
    memset(firmware, 0, sizeof *firmware);
    if (bytes.size < 64)
        return FALSE;
    firmware->active = plt_bytes_u8(bytes, 0) & 7;
    firmware->next = plt_bytes_u8(bytes, 0) >> 4 & 7;
    for (guint i = 0; i < 7; i++) {
        g_autofree char *text = plt_bytes_text(bytes, 8 + i * 8, 8);

        g_strlcpy(firmware->slots[i], text, sizeof firmware->slots[i]);
    }
    return TRUE;
}

static PltNvmeSelfTest read_self_test(PltBytes entry)
{
    guint8 valid = plt_bytes_u8(entry, 2);

    return (PltNvmeSelfTest){
        .result = plt_bytes_u8(entry, 0) & 15,
        .kind = plt_bytes_u8(entry, 0) >> 4,
        .segment = plt_bytes_u8(entry, 1),
        .hours = plt_bytes_number(entry, 4, 8),
        .has_nsid = (valid & 1) != 0,
        .has_lba = (valid & 2) != 0,
        .has_status = (valid & 12) == 12,
        .nsid = plt_bytes_u32(entry, 12),
        .lba = plt_bytes_number(entry, 16, 8),
        .status = (guint16)((plt_bytes_u8(entry, 24) & 7u) << 8 | plt_bytes_u8(entry, 25)),
    };
}

gboolean plt_nvme_self_tests_decode(PltBytes bytes, PltNvmeSelfTests *tests)
{
    memset(tests, 0, sizeof *tests);
    if (bytes.size < 564)
        return FALSE;
    tests->running = plt_bytes_u8(bytes, 0) & 15;
    tests->done_percent = MIN(plt_bytes_u8(bytes, 1) & 127u, 100);
    for (guint i = 0; i < G_N_ELEMENTS(tests->results); i++) {
        PltNvmeSelfTest test = read_self_test(plt_bytes_part(bytes, 4 + i * 28, 28));

        /* 15: this place was never used. 0 with no kind is a log of zeros. */
        if (test.result != 15 && test.kind != 0)
            tests->results[tests->n_results++] = test;
    }
    return TRUE;
}

const char *plt_nvme_self_test_kind_text(guint kind)
{
    switch (kind) {
    case 1:
        return _("short");
    case 2:
        return _("extended");
    case 3:
        return _("refresh");
    case 14:
        return _("vendor's own");
    default:
        return _("unknown");
    }
}

const char *plt_nvme_self_test_result_text(guint result)
{
    static const char *const texts[] = {
        N_("passed"),
        N_("aborted by a command"),
        N_("aborted by a reset of the controller"),
        N_("aborted because a namespace was removed"),
        N_("aborted by a format"),
        N_("could not be completed: fatal error"),
        N_("failed, part of the drive unknown"),
        N_("failed"),
        N_("aborted, reason unknown"),
        N_("aborted by sanitize"),
    };

    return result < G_N_ELEMENTS(texts) ? _(texts[result]) : _("unknown");
}

gboolean plt_nvme_sanitize_decode(PltBytes bytes, PltNvmeSanitize *sanitize)
{
    guint16 status = plt_bytes_u16(bytes, 2);

    memset(sanitize, 0, sizeof *sanitize);
    if (bytes.size < 20)
        return FALSE;
    sanitize->state = status & 7;
    sanitize->passes = status >> 3 & 31;
    sanitize->nothing_written_since = (status & 0x100) != 0;
    sanitize->progress = sanitize->state == 2 ? plt_bytes_u16(bytes, 0) / 65536.0 : 1;
    sanitize->overwrite_s = plt_bytes_u32(bytes, 8);
    sanitize->block_erase_s = plt_bytes_u32(bytes, 12);
    sanitize->crypto_erase_s = plt_bytes_u32(bytes, 16);
    return TRUE;
}

const char *plt_nvme_sanitize_state_text(guint state)
{
    static const char *const texts[] = {
        N_("never"), N_("completed"), N_("under way"), N_("failed"), N_("completed, blocks kept allocated"),
    };

    return state < G_N_ELEMENTS(texts) ? _(texts[state]) : _("unknown");
}

gboolean plt_nvme_log_page_is_supported(PltBytes bytes, guint8 log)
{
    return (plt_bytes_u32(bytes, log * 4u) & 1) != 0;
}

gboolean plt_nvme_ocp_decode(PltBytes bytes, PltNvmeOcp *ocp)
{
    static const guint8 guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
                                    0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};

    memset(ocp, 0, sizeof *ocp);
    if (bytes.size < 512 || memcmp(bytes.data + 496, guid, sizeof guid) != 0)
        return FALSE;
    ocp->written = plt_wide_read(bytes, 0);
    ocp->read = plt_wide_read(bytes, 16);
    ocp->bad_user_blocks = plt_bytes_number(bytes, 32, 6);
    ocp->bad_user_normalized = plt_bytes_u16(bytes, 38);
    ocp->bad_system_blocks = plt_bytes_number(bytes, 40, 6);
    ocp->bad_system_normalized = plt_bytes_u16(bytes, 46);
    ocp->xor_recoveries = plt_bytes_number(bytes, 48, 8);
    ocp->uncorrectable_reads = plt_bytes_number(bytes, 56, 8);
    ocp->soft_ecc_errors = plt_bytes_number(bytes, 64, 8);
    ocp->end_to_end_detected = plt_bytes_u32(bytes, 72);
    ocp->end_to_end_corrected = plt_bytes_u32(bytes, 76);
    ocp->system_data_used_percent = plt_bytes_u8(bytes, 80);
    ocp->refreshes = plt_bytes_number(bytes, 81, 7);
    ocp->erase_count_max = plt_bytes_u32(bytes, 88);
    ocp->erase_count_min = plt_bytes_u32(bytes, 92);
    ocp->throttle_events = plt_bytes_u8(bytes, 96);
    ocp->throttle_status = plt_bytes_u8(bytes, 97);
    ocp->pcie_correctable_errors = plt_bytes_number(bytes, 104, 8);
    ocp->incomplete_shutdowns = plt_bytes_u32(bytes, 112);
    ocp->free_blocks_percent = plt_bytes_u8(bytes, 120);
    ocp->capacitor_health_percent = plt_bytes_u16(bytes, 128);
    ocp->unaligned_ios = plt_bytes_number(bytes, 136, 8);
    ocp->plp_starts = plt_wide_read(bytes, 160);
    ocp->endurance_estimate = plt_wide_read(bytes, 176);
    ocp->link_retrainings = plt_bytes_number(bytes, 192, 8);
    ocp->power_state_changes = plt_bytes_number(bytes, 200, 8);
    ocp->version = plt_bytes_u16(bytes, 494);
    return TRUE;
}
