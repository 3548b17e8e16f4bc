/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/pcie.h"

#include <string.h>

#include "drive/device.h"

/* PCI Local Bus and PCI Express Base Specifications: where the list of capabilities starts, and their ids. */
#define STATUS 0x06
#define STATUS_HAS_LIST (1u << 4)
#define CAPABILITIES 0x34
#define PCI_EXPRESS 0x10

/* Bytes around the payload of a memory packet. */
#define PACKET_OVERHEAD 24.0

/* Each capability takes at least four bytes of the 192 behind the header: more hops than 48 go in a circle.
 */
#define HOPS_MAX 48

static gsize find_capability(PltBytes bytes, guint8 id)
{
    gsize at = plt_bytes_u8(bytes, CAPABILITIES) & 0xfcu;

    if ((plt_bytes_u16(bytes, STATUS) & STATUS_HAS_LIST) == 0)
        return 0;
    for (guint hop = 0; hop < HOPS_MAX && at >= 64; hop++) {
        if (plt_bytes_u8(bytes, at) == id)
            return at;
        at = plt_bytes_u8(bytes, at + 1) & 0xfcu;
    }
    return 0;
}

/* 0 = 128 bytes to 5 = 4096 bytes; 6 and 7 are reserved. */
static guint decode_size(guint code)
{
    return code <= 5 ? 128u << code : 0;
}

gboolean plt_pcie_decode(PltBytes bytes, PltPcie *pcie)
{
    gsize at = find_capability(bytes, PCI_EXPRESS);
    guint control, link, status;

    memset(pcie, 0, sizeof *pcie);
    if (at == 0 || at + 20 > bytes.size)
        return FALSE;
    control = plt_bytes_u16(bytes, at + 8);
    link = plt_bytes_u32(bytes, at + 12);
    status = plt_bytes_u16(bytes, at + 18);
    *pcie = (PltPcie){
        .payload = decode_size(control >> 5 & 7),
        .payload_max = decode_size(plt_bytes_u32(bytes, at + 4) & 7),
        .request = decode_size(control >> 12 & 7),
        .speed = status & 15,
        .width = status >> 4 & 63,
        .speed_max = link & 15,
        .width_max = link >> 4 & 63,
        .aspm_l0s = (plt_bytes_u16(bytes, at + 16) & 1) != 0,
        .aspm_l1 = (plt_bytes_u16(bytes, at + 16) & 2) != 0,
    };
    return TRUE;
}

double plt_pcie_ceiling(double bytes_per_second, guint payload)
{
    if (payload == 0)
        return 0;
    return bytes_per_second * payload / (payload + PACKET_OVERHEAD);
}

char *plt_pcie_text(guint generation, guint width, guint64 *bytes_per_second)
{
    static const char *const speeds[] = {NULL,        "2.5 GT/s",  "5.0 GT/s", "8.0 GT/s",
                                         "16.0 GT/s", "32.0 GT/s", "64.0 GT/s"};

    if (generation >= G_N_ELEMENTS(speeds))
        return NULL;
    return plt_link_text(speeds[generation], width, bytes_per_second);
}
