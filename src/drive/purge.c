/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/purge.h"

#include <errno.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#include <glib/gi18n-lib.h>

#include "drive/device.h"

/* A discard takes effect in steps, between which it can be stopped: no drive takes long for 1 GiB. */
#define DISCARD_STEP (G_GUINT64_CONSTANT(1) << 30)

PltDriveUse plt_purge_use(const char *root, const char *name, PltPurgeMethod method)
{
    return method == PLT_PURGE_DISCARD || method == PLT_PURGE_AUTO ? PLT_USE_WRITE : PLT_USE_ERASE;
}

static gboolean discard_step(PltBlock *block, guint64 offset, guint64 length, GError **error)
{
    guint64 range[2] = {offset, length};
    g_autofree char *name = NULL;

    if (ioctl(plt_block_fd(block), BLKDISCARD, range) == 0)
        return TRUE;
    name = plt_device_display_name(plt_block_seal(block)->name);
    if (errno == EOPNOTSUPP)
        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
                    _("%s has no TRIM, so it cannot be emptied by it"), name);
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE, _("the TRIM of %s failed: %s"), name,
                    g_strerror(errno));
    return FALSE;
}

static gboolean discard(PltBlock *block, PltPurgeFunc func, gpointer user, GCancellable *cancellable,
                        GError **error)
{
    guint64 size = plt_block_size(block);

    for (guint64 offset = 0; offset < size; offset += DISCARD_STEP) {
        if (g_cancellable_set_error_if_cancelled(cancellable, error))
            return FALSE;
        if (!discard_step(block, offset, MIN(DISCARD_STEP, size - offset), error))
            return FALSE;
        if (func != NULL)
            func((double)MIN(offset + DISCARD_STEP, size) / (double)size, user);
    }
    return TRUE;
}

static JsonNode *make_record(const char *method, guint32 lba_size, gint64 started_us)
{
    JsonObject *object = json_object_new();
    JsonArray *passes = json_array_new();
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);

    json_array_add_string_element(passes, method);
    json_object_set_string_member(object, "method", method);
    json_object_set_array_member(object, "passes", passes);
    json_object_set_int_member(object, "lba_size", lba_size);
    json_object_set_double_member(object, "seconds", (double)(g_get_monotonic_time() - started_us) / 1e6);
    json_node_take_object(node, object);
    return node;
}

gboolean plt_purge(PltBlock *block, PltPurgeMethod method, guint32 lba_size, PltPurgeFunc func, gpointer user,
                   GCancellable *cancellable, JsonNode **record, GError **error)
{
    gint64 started_us = g_get_monotonic_time();

    if (method == PLT_PURGE_SANITIZE || method == PLT_PURGE_FORMAT) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
                    _("a purge by %s is not possible here; “discard” is"), plt_purge_method_name(method));
        return FALSE;
    }
    if (!plt_block_check(block, error) || !discard(block, func, user, cancellable, error))
        return FALSE;
    if (record != NULL)
        *record = make_record("discard", plt_block_logical_block(block), started_us);
    return TRUE;
}
