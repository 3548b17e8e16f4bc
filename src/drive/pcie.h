/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/bytes.h"

/* The PCI Express capability of one end of a link, out of its configuration space. Pure functions. */
typedef struct {
    guint payload;              /* Max Payload Size in force, bytes; 0 = a reserved value */
    guint payload_max;          /* that this end is able to */
    guint request;              /* Max Read Request Size in force, bytes */
    guint speed, width;         /* now: generation (1 = 2.5 GT/s) and lanes; 0 = down */
    guint speed_max, width_max; /* that this end is able to */
    gboolean aspm_l0s, aspm_l1; /* in force at this end */
} PltPcie;

/* FALSE when BYTES (256; 64 are what an ordinary user gets) have no such capability, or contradict
 * themselves. */
gboolean plt_pcie_decode(PltBytes bytes, PltPcie *pcie);

/*
 * What a link of BYTES_PER_SECOND (after its line code) carries of data in packets of PAYLOAD bytes: each has
 * 24 bytes around it (sequence number 2, header 16, LCRC 4, framing 2 to 4, rounded). With 128, 256 and 512
 * bytes: 84.2, 91.4 and 95.5 %. Acknowledgements and flow control are not in it: it is a ceiling.
 */
double plt_pcie_ceiling(double bytes_per_second, guint payload);

/* "PCIe 4.0 x4" for a generation and lanes, as drive/device.h writes it; NULL when the link is down. */
char *plt_pcie_text(guint generation, guint width, guint64 *bytes_per_second);
