/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/purge.h"

static const char *const names[] = {
    [PLT_PURGE_AUTO] = "auto",
    [PLT_PURGE_SANITIZE] = "sanitize",
    [PLT_PURGE_FORMAT] = "format",
    [PLT_PURGE_DISCARD] = "discard",
};

const char *plt_purge_method_name(PltPurgeMethod method)
{
    return names[method];
}

gboolean plt_purge_method_from_name(const char *name, PltPurgeMethod *method)
{
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_strcmp0(names[i], name) == 0) {
            *method = (PltPurgeMethod)i;
            return TRUE;
        }
    }
    return FALSE;
}
