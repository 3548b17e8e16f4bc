/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/power-state.h"

#include <math.h>
#include <string.h>

/* Two bits beside idle and active power: 1 = units of 0.0001 W, 2 = of 0.01 W; 0 and 3 say nothing. */
static double scaled_watt(guint16 value, guint scale)
{
    if (value == 0 || (scale != 1 && scale != 2))
        return NAN;
    return value * (scale == 1 ? 0.0001 : 0.01);
}

PltPowerState plt_power_state_decode(PltBytes bytes, guint index)
{
    guint16 max = plt_bytes_u16(bytes, 0);
    guint8 flags = plt_bytes_u8(bytes, 3);

    return (PltPowerState){
        .index = index,
        /* Max Power Scale is one bit, with the units the other way round. */
        .max_watt = max != 0 ? max * (flags & 1 ? 0.0001 : 0.01) : NAN,
        .operational = (flags & 2) == 0,
        .entry_us = plt_bytes_u32(bytes, 4),
        .exit_us = plt_bytes_u32(bytes, 8),
        .read_throughput = plt_bytes_u8(bytes, 12) & 31,
        .read_latency = plt_bytes_u8(bytes, 13) & 31,
        .write_throughput = plt_bytes_u8(bytes, 14) & 31,
        .write_latency = plt_bytes_u8(bytes, 15) & 31,
        .idle_watt = scaled_watt(plt_bytes_u16(bytes, 16), plt_bytes_u8(bytes, 18) >> 6),
        .active_watt = scaled_watt(plt_bytes_u16(bytes, 20), plt_bytes_u8(bytes, 22) >> 6),
        .active_workload = plt_bytes_u8(bytes, 22) & 7,
    };
}

gboolean plt_power_transitions_decode(PltBytes bytes, PltPowerTransition transitions[PLT_POWER_STATES_MAX])
{
    memset(transitions, 0, sizeof *transitions * PLT_POWER_STATES_MAX);
    if (bytes.size < 8 * PLT_POWER_STATES_MAX)
        return FALSE;
    for (guint i = 0; i < PLT_POWER_STATES_MAX; i++) {
        guint32 word = plt_bytes_u32(bytes, i * 8);

        transitions[i] = (PltPowerTransition){.target = word >> 3 & 31, .idle_ms = word >> 8};
    }
    return TRUE;
}

char *plt_power_text(double watt)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];

    if (isnan(watt))
        return NULL;
    g_ascii_formatd(number, sizeof number, "%.4g", watt < 1 ? watt * 1000 : watt);
    return g_strdup_printf("%s %s", number, watt < 1 ? "mW" : "W");
}

char *plt_power_latency_text(guint32 us)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    double value = us;
    const char *unit = "µs";

    if (us == 0)
        return NULL;
    if (us >= 1000000) {
        value /= 1000000;
        unit = "s";
    } else if (us >= 10000) {
        value /= 1000;
        unit = "ms";
    }
    g_ascii_formatd(number, sizeof number, "%.4g", value);
    return g_strdup_printf("%s %s", number, unit);
}
