/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/purge.h"

#include <errno.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "drive/block-private.h"
#include "drive/device.h"
#include "drive/purge-nvme.h"
#include "drive/sysfs.h"

/* A discard takes effect in steps, between which it can be stopped: no drive takes long for 1 GiB. */
#define DISCARD_STEP (G_GUINT64_CONSTANT(1) << 30)

#define SANITIZE_POLL_MS 1000

#define MIB ((gsize)1 << 20)

/* DLFEAT bits 2:0. */
#define DEALLOCATED_ZEROS 1

/* Commands to the controller are root's. */
static gboolean may_command(const char *root, const char *name)
{
    return root[0] == '\0' && geteuid() == 0 && g_str_has_prefix(name, "nvme");
}

/* Where other namespaces could be hit, only a method that was named does so: nobody chose them. */
static gboolean has_siblings(const char *root, const char *name)
{
    g_autoptr(PltGuardFacts) facts = plt_guard_look(root, name, PLT_USE_ERASE);

    return facts->siblings->len > 0;
}

PltDriveUse plt_purge_use(const char *root, const char *name, PltPurgeMethod method)
{
    if (method == PLT_PURGE_SANITIZE || method == PLT_PURGE_FORMAT)
        return PLT_USE_ERASE;
    if (method == PLT_PURGE_AUTO && may_command(root, name) && !has_siblings(root, name))
        return PLT_USE_ERASE;
    return PLT_USE_WRITE;
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

/* TRUE when the MiB at OFFSET could be read; *ZERO then says whether all of it is zero. */
static gboolean read_mib(PltBlock *block, guint64 offset, gboolean *zero)
{
    g_autofree guint8 *room = g_malloc(2 * MIB);
    /* O_DIRECT wants an address that is a multiple of a block, and no block is larger than this. */
    guint8 *data = (guint8 *)(((guintptr)room + MIB - 1) / MIB * MIB);
    gsize length = (gsize)MIN(MIB, plt_block_size(block));

    if (pread(plt_block_fd(block), data, length, (off_t)offset) != (ssize_t)length)
        return FALSE;
    *zero = data[0] == 0 && memcmp(data, data + 1, length - 1) == 0;
    return TRUE;
}

/* Where the drive says that empty blocks read as zeros (DLFEAT), its ends are looked at. FALSE = not known.
 */
static gboolean look_at_ends(PltBlock *block, const PltPurgeNvme *nvme, gboolean *zero)
{
    guint64 size = plt_block_size(block);
    gboolean first = FALSE, last = FALSE;

    if (nvme == NULL || (nvme->ns.deallocated & 7) != DEALLOCATED_ZEROS || !read_mib(block, 0, &first) ||
        !read_mib(block, size > MIB ? size - MIB : 0, &last))
        return FALSE;
    *zero = first && last;
    return TRUE;
}

static JsonNode *make_record(const char *method, guint32 lba_size, gint64 started_us, const char *why)
{
    JsonObject *object = json_object_new();
    JsonArray *passes = json_array_new();
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);

    json_array_add_string_element(passes, method);
    json_object_set_string_member(object, "method", method);
    json_object_set_array_member(object, "passes", passes);
    json_object_set_int_member(object, "lba_size", lba_size);
    json_object_set_double_member(object, "seconds", (double)(g_get_monotonic_time() - started_us) / 1e6);
    if (why != NULL)
        json_object_set_string_member(object, "why", why);
    json_node_take_object(node, object);
    return node;
}

/* The best that the drive can; *WHY gets why not a better one. */
static PltPurgeMethod choose(PltBlock *block, const PltPurgeNvme *nvme, const char **why)
{
    if (nvme == NULL) {
        *why = plt_block_use(block) == PLT_USE_ERASE
                   ? N_("the drive is no NVMe drive, or does not answer")
                   : N_("commands to the drive need root, and no other namespace");
        return PLT_PURGE_DISCARD;
    }
    if (plt_purge_nvme_can_sanitize(nvme))
        return PLT_PURGE_SANITIZE;
    *why = N_("the drive has no sanitize by block erase");
    if (plt_purge_nvme_can_format(nvme))
        return PLT_PURGE_FORMAT;
    *why = N_("the drive has neither sanitize nor format");
    return PLT_PURGE_DISCARD;
}

static gboolean command_purge(PltBlock *block, const PltPurgeNvme *nvme, PltPurgeMethod method,
                              guint32 lba_size, PltPurgeFunc func, gpointer user, GError **error)
{
    gpointer fd = GINT_TO_POINTER(plt_block_fd(block));
    gboolean done =
        method == PLT_PURGE_SANITIZE
            ? plt_purge_nvme_sanitize(plt_nvme_submit_purge, fd, SANITIZE_POLL_MS, func, user, error)
            : plt_purge_nvme_format(plt_nvme_submit_purge, fd, nvme, lba_size, error);

    /* The kernel reads the drive anew by itself; partitions that are no longer there are its business too. */
    if (done && ioctl(plt_block_fd(block), BLKRRPART) != 0)
        g_debug("the partitions were not read again: %s", g_strerror(errno));
    return done && plt_block_reseal(block, error);
}

/* Asks the drive what it can, where it can be asked. NULL where it cannot. */
static PltPurgeNvme *look(PltBlock *block)
{
    g_autofree PltPurgeNvme *nvme = g_new0(PltPurgeNvme, 1);
    const char *name = plt_block_seal(block)->name;
    guint64 nsid = 0;

    if (plt_block_use(block) != PLT_USE_ERASE || !may_command("", name) ||
        !plt_sysfs_read_number(&nsid, "", "/sys/class/block/%s/nsid", name) ||
        !plt_purge_nvme_look(plt_nvme_submit_purge, GINT_TO_POINTER(plt_block_fd(block)), (guint32)nsid, nvme,
                             NULL))
        return NULL;
    return g_steal_pointer(&nvme);
}

static gboolean can_method(const PltPurgeNvme *nvme, PltPurgeMethod method, GError **error)
{
    gboolean can = method == PLT_PURGE_DISCARD ||
                   (nvme != NULL && (method == PLT_PURGE_SANITIZE ? plt_purge_nvme_can_sanitize(nvme)
                                                                  : plt_purge_nvme_can_format(nvme)));

    if (!can)
        g_set_error(
            error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
            _("a purge by %s is not possible here: the drive does not have it, or you are not root; try "
              "“discard”"),
            plt_purge_method_name(method));
    return can;
}

gboolean plt_purge(PltBlock *block, PltPurgeMethod method, guint32 lba_size, PltPurgeFunc func, gpointer user,
                   GCancellable *cancellable, JsonNode **record, GError **error)
{
    gint64 started_us = g_get_monotonic_time();
    g_autofree PltPurgeNvme *nvme = look(block);
    const char *why = NULL;
    gboolean done;

    if (method == PLT_PURGE_AUTO)
        method = choose(block, nvme, &why);
    if (!can_method(nvme, method, error) || g_cancellable_set_error_if_cancelled(cancellable, error) ||
        !plt_block_check(block, error))
        return FALSE;
    done = method == PLT_PURGE_DISCARD ? discard(block, func, user, cancellable, error)
                                       : command_purge(block, nvme, method, lba_size, func, user, error);
    if (done && record != NULL) {
        gboolean zero;

        *record = make_record(plt_purge_method_name(method), plt_block_logical_block(block), started_us, why);
        if (look_at_ends(block, nvme, &zero))
            json_object_set_boolean_member(json_node_get_object(*record), "ends_read_zero", zero);
    }
    return done;
}
