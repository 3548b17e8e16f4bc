/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/nvme-identify.h"

#include <string.h>

/* Identify data are 4096 bytes; the power states end at 3072, the rest belongs to the vendor. */
#define CONTROLLER_SIZE 3072
#define POWER_STATES 2048
#define NAMESPACE_SIZE 384

/* Host memory sizes are counted in units of 4 KiB. */
#define HOST_MEMORY_UNIT 4096

/* The largest block that could be meant: a shift beyond it is nonsense and must not be shifted by. */
#define LBA_SHIFT_MAX 24

static void read_text(char *text, gsize text_size, PltBytes bytes, gsize offset)
{
    g_autofree char *read = plt_bytes_text(bytes, offset, text_size - 1);

    g_strlcpy(text, read, text_size);
}

static void read_abilities(PltBytes bytes, PltNvmeController *controller)
{
    controller->oacs = plt_bytes_u16(bytes, 256);
    controller->firmware_updates = plt_bytes_u8(bytes, 260);
    controller->lpa = plt_bytes_u8(bytes, 261);
    controller->error_entries = plt_bytes_u8(bytes, 262) + 1u;
    controller->apsta = plt_bytes_u8(bytes, 265);
    controller->warning_k = plt_bytes_u16(bytes, 266);
    controller->critical_k = plt_bytes_u16(bytes, 268);
    controller->hmb_preferred = (guint64)plt_bytes_u32(bytes, 272) * HOST_MEMORY_UNIT;
    controller->hmb_min = (guint64)plt_bytes_u32(bytes, 276) * HOST_MEMORY_UNIT;
    controller->capacity = plt_wide_read(bytes, 280);
    controller->unallocated = plt_wide_read(bytes, 296);
    controller->self_test_minutes = plt_bytes_u16(bytes, 316);
    controller->hctma = plt_bytes_u16(bytes, 322);
    controller->thermal_min_k = plt_bytes_u16(bytes, 324);
    controller->thermal_max_k = plt_bytes_u16(bytes, 326);
    controller->sanicap = plt_bytes_u32(bytes, 328);
    controller->n_namespaces = plt_bytes_u32(bytes, 516);
    controller->oncs = plt_bytes_u16(bytes, 520);
    controller->fna = plt_bytes_u8(bytes, 524);
    controller->vwc = plt_bytes_u8(bytes, 525);
}

gboolean plt_nvme_controller_decode(PltBytes bytes, PltNvmeController *controller)
{
    memset(controller, 0, sizeof *controller);
    if (bytes.size < CONTROLLER_SIZE || plt_bytes_are_zero(bytes))
        return FALSE;
    controller->vendor_id = plt_bytes_u16(bytes, 0);
    controller->subsystem_vendor_id = plt_bytes_u16(bytes, 2);
    read_text(controller->serial, sizeof controller->serial, bytes, 4);
    read_text(controller->model, sizeof controller->model, bytes, 24);
    read_text(controller->firmware, sizeof controller->firmware, bytes, 64);
    controller->ieee_oui = (guint32)plt_bytes_number(bytes, 73, 3);
    controller->multipath = plt_bytes_u8(bytes, 76);
    controller->mdts = plt_bytes_u8(bytes, 77);
    controller->controller_id = plt_bytes_u16(bytes, 78);
    controller->version = plt_bytes_u32(bytes, 80);
    controller->resume_us = plt_bytes_u32(bytes, 84);
    controller->shutdown_us = plt_bytes_u32(bytes, 88);
    controller->attributes = plt_bytes_u32(bytes, 96);
    read_abilities(bytes, controller);
    read_text(controller->subnqn, sizeof controller->subnqn, bytes, 768);
    controller->n_power_states = MIN(plt_bytes_u8(bytes, 263) + 1u, PLT_POWER_STATES_MAX);
    for (guint i = 0; i < controller->n_power_states; i++)
        controller->power_states[i] =
            plt_power_state_decode(plt_bytes_part(bytes, POWER_STATES + i * 32, 32), i);
    return TRUE;
}

static PltLbaFormat read_format(PltBytes bytes, guint index)
{
    guint32 word = plt_bytes_u32(bytes, 128 + index * 4);
    guint shift = word >> 16 & 0xff;

    return (PltLbaFormat){
        .data_size = shift >= 9 && shift <= LBA_SHIFT_MAX ? 1u << shift : 0,
        .metadata_size = (guint16)word,
        .performance = word >> 24 & 3,
    };
}

static void read_identifier(char *text, gsize text_size, PltBytes bytes, gsize offset)
{
    PltBytes part = plt_bytes_part(bytes, offset, (text_size - 1) / 2);
    g_autofree char *hex = plt_bytes_are_zero(part) ? g_strdup("") : plt_bytes_hex(part);

    g_strlcpy(text, hex, text_size);
}

/* NPWG and its like are counted from zero, and valid when OPTPERF says so. */
static guint read_granularity(PltBytes bytes, gsize offset, guint8 features)
{
    return features & (1u << 4) ? plt_bytes_u16(bytes, offset) + 1u : 0;
}

gboolean plt_nvme_namespace_decode(PltBytes bytes, PltNvmeNamespace *ns)
{
    guint8 flbas;

    memset(ns, 0, sizeof *ns);
    /* A namespace that is not active answers with zeros. */
    if (bytes.size < NAMESPACE_SIZE || plt_bytes_are_zero(bytes))
        return FALSE;
    ns->size = plt_bytes_number(bytes, 0, 8);
    ns->capacity = plt_bytes_number(bytes, 8, 8);
    ns->used = plt_bytes_number(bytes, 16, 8);
    ns->features = plt_bytes_u8(bytes, 24);
    ns->n_formats = MIN(plt_bytes_u8(bytes, 25) + 1u + plt_bytes_u8(bytes, 82), PLT_LBA_FORMATS_MAX);
    flbas = plt_bytes_u8(bytes, 26);
    /* Bits 6:5 are the upper ones of an index that outgrew its four bits; they count from 17 formats on. */
    ns->active = (flbas & 15u) | (ns->n_formats > 16 ? (flbas >> 5 & 3u) << 4 : 0);
    if (ns->active >= ns->n_formats)
        ns->active = ns->n_formats;
    ns->metadata_inline = (flbas & 16) != 0;
    for (guint i = 0; i < ns->n_formats; i++)
        ns->formats[i] = read_format(bytes, i);
    ns->protection = plt_bytes_u8(bytes, 29) & 7;
    ns->shared = (plt_bytes_u8(bytes, 30) & 1) != 0;
    ns->deallocated = plt_bytes_u8(bytes, 33);
    ns->optimal_boundary_blocks = plt_bytes_u16(bytes, 46);
    ns->nvm_bytes = plt_wide_read(bytes, 48);
    ns->optimal_write_blocks = read_granularity(bytes, 64, ns->features);
    ns->optimal_trim_blocks = read_granularity(bytes, 68, ns->features);
    read_identifier(ns->nguid, sizeof ns->nguid, bytes, 104);
    read_identifier(ns->eui64, sizeof ns->eui64, bytes, 120);
    return TRUE;
}

GArray *plt_nvme_namespaces_decode(PltBytes bytes)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 last = 0;

    /* Ascending, ended by 0. */
    for (gsize i = 0; i + 4 <= bytes.size; i += 4) {
        guint32 nsid = plt_bytes_u32(bytes, i);

        if (nsid <= last)
            break;
        g_array_append_val(list, nsid);
        last = nsid;
    }
    return list;
}

char *plt_nvme_version_text(guint32 version)
{
    guint major = version >> 16, minor = version >> 8 & 0xff, tertiary = version & 0xff;

    if (version == 0)
        return NULL;
    if (tertiary != 0)
        return g_strdup_printf("%u.%u.%u", major, minor, tertiary);
    return g_strdup_printf("%u.%u", major, minor);
}
