/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* One domain for everything above the engine. A code names what a person can do about it. */
#define PLT_ERROR (plt_error_quark())

typedef enum {
    PLT_ERROR_USAGE,       /* a value or a name is wrong: correct it */
    PLT_ERROR_REFUSED,     /* this target must not or cannot be measured: choose another */
    PLT_ERROR_READ_ONLY,   /* nothing can be written there */
    PLT_ERROR_NO_SPACE,    /* free some space, or choose a smaller size */
    PLT_ERROR_PERMISSION,  /* not allowed to this user */
    PLT_ERROR_GONE,        /* the drive was removed or does not answer */
    PLT_ERROR_DEVICE,      /* the drive reported an error */
    PLT_ERROR_UNSUPPORTED, /* this system lacks something */
    PLT_ERROR_FORMAT,      /* a file is not what it should be */
    PLT_ERROR_FAILED,      /* anything else */
} PltError;

GQuark plt_error_quark(void);
