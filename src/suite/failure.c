/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/failure.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>

static const char *io_reason(int code)
{
    switch (code) {
    case ENOSPC:
        return _("the file system is full");
    case EDQUOT:
        return _("the disk quota is used up");
    case ENODEV:
    case ENXIO:
    case ESHUTDOWN:
        return _("the drive is gone");
    case EIO:
    case EREMOTEIO:
    case EILSEQ:
    case ENODATA:
        return _("the drive reported an error");
    default:
        return g_strerror(code);
    }
}

static char *io_text(const struct plt_engine_error *error)
{
    const char *reason = io_reason(error->code);
    double seconds = (double)error->at_ns / 1e9;

    switch (error->op) {
    case PLT_OP_READ:
        return g_strdup_printf(_("a read at byte %" PRIu64 " failed after %.1f s: %s"), error->offset,
                               seconds, reason);
    case PLT_OP_WRITE:
        return g_strdup_printf(_("a write at byte %" PRIu64 " failed after %.1f s: %s"), error->offset,
                               seconds, reason);
    case PLT_OP_TRIM:
        return g_strdup_printf(_("a trim at byte %" PRIu64 " failed after %.1f s: %s"), error->offset,
                               seconds, reason);
    default:
        return g_strdup_printf(_("a flush at byte %" PRIu64 " failed after %.1f s: %s"), error->offset,
                               seconds, reason);
    }
}

char *plt_failure_text(const struct plt_engine_error *error)
{
    switch (error->phase) {
    case PLT_PHASE_CHECK:
        return g_strdup(_("the load does not fit the target"));
    case PLT_PHASE_MEMORY:
        return g_strdup_printf(_("memory or threads could not be had: %s"), g_strerror(error->code));
    case PLT_PHASE_RING:
        return g_strdup_printf(_("io_uring could not be set up: %s"), g_strerror(error->code));
    case PLT_PHASE_DRAIN:
        return g_strdup(_("the drive does not respond"));
    case PLT_PHASE_IO:
        return io_text(error);
    case PLT_PHASE_NONE:
    default:
        return g_strdup(_("no error"));
    }
}
