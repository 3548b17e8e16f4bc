/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

const char *plt_op_name(enum plt_op op)
{
    static const char *const names[PLT_N_OPS] = {"read", "write", "trim", "flush"};
    return op < PLT_N_OPS ? names[op] : "?";
}

static const char *io_reason(int code)
{
    switch (code) {
    case ENOSPC:
        return "the file system is full";
    case EDQUOT:
        return "the disk quota is used up";
    case ENODEV:
    case ENXIO:
    case ESHUTDOWN:
        return "the drive is gone";
    case EIO:
    case EREMOTEIO:
    case EILSEQ:
    case ENODATA:
        return "the drive reported an error";
    default:
        return strerror(code);
    }
}

const char *plt_engine_error_text(const struct plt_engine_error *error, char *buffer, size_t size)
{
    switch (error->phase) {
    case PLT_PHASE_NONE:
        snprintf(buffer, size, "no error");
        break;
    case PLT_PHASE_CHECK:
        snprintf(buffer, size, "the load does not fit the target");
        break;
    case PLT_PHASE_MEMORY:
        snprintf(buffer, size, "memory or threads could not be had: %s", strerror(error->code));
        break;
    case PLT_PHASE_RING:
        snprintf(buffer, size, "io_uring could not be set up: %s", strerror(error->code));
        break;
    case PLT_PHASE_DRAIN:
        snprintf(buffer, size, "the drive does not respond");
        break;
    case PLT_PHASE_IO:
        snprintf(buffer, size, "a %s at byte %" PRIu64 " failed after %.1f s: %s", plt_op_name(error->op),
                 error->offset, (double)error->at_ns / 1e9, io_reason(error->code));
        break;
    }
    return buffer;
}
