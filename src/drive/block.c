/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/block-private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "drive/device-warnings.h"
#include "drive/device.h"
#include "drive/sysfs.h"
#include "drive/udisks.h"

/* udev looks at a drive for a moment whenever somebody has closed it; it holds a shared lock meanwhile. */
#define LOCK_PATIENCE_MS 5000

struct plt_block {
    PltDriveSeal *seal;
    PltDriveUse use;
    int fd;
    GArray *claims;  /* int: other namespaces that are held */
    gboolean udisks; /* the descriptor came from the service */
    gboolean in_use; /* something was mounted when it was opened for reading */
};

static gboolean fail(GError **error, const char *name, int code)
{
    g_autofree char *shown = plt_device_display_name(name);

    switch (code) {
    case EBUSY:
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("%s is claimed by the system or another program; stop what uses it, or choose another "
                      "drive"),
                    shown);
        break;
    case EACCES:
    case EPERM:
        g_set_error(error, PLT_ERROR, PLT_ERROR_PERMISSION,
                    _("you may not open %s; try again as root, or where UDisks2 runs"), shown);
        break;
    case EROFS:
        g_set_error(error, PLT_ERROR, PLT_ERROR_READ_ONLY, _("%s is read-only"), shown);
        break;
    case ENOENT:
    case ENXIO:
    case ENODEV:
        g_set_error(error, PLT_ERROR, PLT_ERROR_GONE, _("%s is no longer there; choose the drive again"),
                    shown);
        break;
    case ENOMEDIUM:
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED, _("there is no medium in %s; insert one"), shown);
        break;
    default:
        g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED, _("%s could not be opened: %s"), shown,
                    g_strerror(code));
    }
    return FALSE;
}

static char *node_path(const char *name)
{
    return g_strdelimit(g_strconcat("/dev/", name, NULL), "!", '/');
}

/* A node of /dev may have any name: what counts is the number behind it. */
static gboolean is_node_of(int fd, const char *name)
{
    g_autofree char *number = NULL, *own = NULL;
    struct stat status;

    if (fstat(fd, &status) != 0 || !S_ISBLK(status.st_mode))
        return FALSE;
    number = g_strdup_printf("%u:%u", major(status.st_rdev), minor(status.st_rdev));
    own = plt_sysfs_read("", "/sys/class/block/%s/dev", name);
    return g_strcmp0(own, number) == 0;
}

static gboolean check_node(int fd, const char *name, GError **error)
{
    g_autofree char *shown = plt_device_display_name(name);

    if (is_node_of(fd, name))
        return TRUE;
    g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                _("what was opened is not the drive %s; look at it and choose again"), shown);
    return FALSE;
}

static int flags_of(PltDriveUse use)
{
    return use == PLT_USE_READ ? O_RDONLY | O_DIRECT | O_CLOEXEC : O_RDWR | O_EXCL | O_DIRECT | O_CLOEXEC;
}

/* The descriptor, or -1: directly where this user may, else by the service. */
static int open_drive(PltBlock *block, PltBlockFlags flags, GCancellable *cancellable, GError **error)
{
    g_autofree char *path = node_path(block->seal->name);
    int fd = open(path, flags_of(block->use));
    int code = errno;

    if (fd >= 0)
        return fd;
    if (code != EACCES && code != EPERM) {
        fail(error, block->seal->name, code);
        return -1;
    }
    fd = plt_udisks_open_device(NULL, path, block->use != PLT_USE_READ, (flags & PLT_BLOCK_MAY_ASK) != 0,
                                cancellable, error);
    block->udisks = fd >= 0;
    return fd;
}

/* Sanitize and Format may hit other namespaces: while they are held, nothing can be mounted on them. */
static gboolean claim_siblings(PltBlock *block, const PltGuardFacts *facts, GError **error)
{
    for (guint i = 0; i < facts->siblings->len; i++) {
        const char *name = g_ptr_array_index(facts->siblings, i);
        g_autofree char *path = node_path(name);
        int fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);

        if (fd < 0)
            return fail(error, name, errno);
        g_array_append_val(block->claims, fd);
        if (!check_node(fd, name, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean lock(const PltBlock *block, GError **error)
{
    gint64 until = g_get_monotonic_time() + LOCK_PATIENCE_MS * 1000;
    g_autofree char *shown = plt_device_display_name(block->seal->name);

    while (flock(block->fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK || g_get_monotonic_time() > until) {
            g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                        _("another program is at work on %s; wait until it has ended"), shown);
            return FALSE;
        }
        g_usleep(20000);
    }
    return TRUE;
}

static gboolean has_mount(const PltGuardFacts *facts)
{
    for (guint i = 0; i < facts->devices->len; i++)
        if (((const PltGuardDevice *)g_ptr_array_index(facts->devices, i))->mounts->len > 0)
            return TRUE;
    return FALSE;
}

static gboolean take(PltBlock *block, const PltGuardFacts *facts, PltBlockFlags flags,
                     GCancellable *cancellable, GError **error)
{
    block->fd = open_drive(block, flags, cancellable, error);
    if (block->fd < 0 || !check_node(block->fd, block->seal->name, error))
        return FALSE;
    if (block->use == PLT_USE_ERASE && !claim_siblings(block, facts, error))
        return FALSE;
    if (block->use != PLT_USE_READ && !lock(block, error))
        return FALSE;
    /* Between the first look and the claim anything may have happened; now it cannot any more. */
    return plt_block_check(block, error);
}

PltBlock *plt_block_open(const PltDriveSeal *seal, PltDriveUse use, PltBlockFlags flags,
                         GCancellable *cancellable, GError **error)
{
    g_autoptr(PltGuardFacts) facts = plt_guard_look("", seal->name, use);
    g_autoptr(PltBlock) block = NULL;

    if (!plt_guard_check(facts, seal, use, error))
        return NULL;
    block = g_new0(PltBlock, 1);
    block->seal = plt_drive_seal_copy(seal);
    block->use = use;
    block->fd = -1;
    block->claims = g_array_new(FALSE, FALSE, sizeof(int));
    block->in_use = has_mount(facts);
    return take(block, facts, flags, cancellable, error) ? g_steal_pointer(&block) : NULL;
}

void plt_block_close(PltBlock *block)
{
    if (block == NULL)
        return;
    for (guint i = 0; i < block->claims->len; i++)
        close(g_array_index(block->claims, int, i));
    g_array_unref(block->claims);
    g_clear_fd(&block->fd, NULL);
    plt_drive_seal_free(block->seal);
    g_free(block);
}

gboolean plt_block_check(PltBlock *block, GError **error)
{
    g_autoptr(PltGuardFacts) facts = plt_guard_look("", block->seal->name, block->use);

    return check_node(block->fd, block->seal->name, error) &&
           plt_guard_check(facts, block->seal, block->use, error);
}

gboolean plt_block_reseal(PltBlock *block, GError **error)
{
    g_autoptr(PltGuardFacts) facts = plt_guard_look("", block->seal->name, block->use);
    g_autoptr(PltDriveSeal) seal = plt_drive_seal_copy(block->seal);

    seal->size = facts->seal.size;
    seal->logical_block = facts->seal.logical_block;
    if (!check_node(block->fd, seal->name, error) || !plt_guard_check(facts, seal, block->use, error))
        return FALSE;
    plt_drive_seal_free(block->seal);
    block->seal = g_steal_pointer(&seal);
    return TRUE;
}

int plt_block_fd(PltBlock *block)
{
    return block->fd;
}

PltDriveUse plt_block_use(PltBlock *block)
{
    return block->use;
}

const PltDriveSeal *plt_block_seal(PltBlock *block)
{
    return block->seal;
}

guint64 plt_block_size(PltBlock *block)
{
    guint64 size = 0;

    return ioctl(block->fd, BLKGETSIZE64, &size) == 0 ? size : block->seal->size;
}

guint32 plt_block_logical_block(PltBlock *block)
{
    int size = 0;

    return ioctl(block->fd, BLKSSZGET, &size) == 0 && size > 0 ? (guint32)size : block->seal->logical_block;
}

guint32 plt_block_memory_align(PltBlock *block)
{
    guint64 mask;

    /* The kernel's mask of address bits that must be zero: 3 for NVMe, 511 by default. */
    if (!plt_sysfs_read_number(&mask, "", "/sys/class/block/%s/queue/dma_alignment", block->seal->name) ||
        mask >= plt_block_logical_block(block))
        return 0;
    return (guint32)mask + 1;
}

gboolean plt_block_is_gone(PltBlock *block)
{
    return !is_node_of(block->fd, block->seal->name) || plt_device_is_gone("", block->seal->name);
}

JsonNode *plt_block_to_json(PltBlock *block)
{
    g_autofree char *name = plt_device_display_name(block->seal->name);
    JsonObject *object = json_object_new();
    JsonArray *drives = json_array_new();
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    guint64 physical;

    json_object_set_string_member(object, "kind", "drive");
    json_object_set_string_member(object, "name", name);
    json_object_set_int_member(object, "size", (gint64)plt_block_size(block));
    json_object_set_int_member(object, "logical_block", plt_block_logical_block(block));
    if (plt_sysfs_read_number(&physical, "", "/sys/class/block/%s/queue/physical_block_size",
                              block->seal->name))
        json_object_set_int_member(object, "physical_block", (gint64)physical);
    json_object_set_string_member(object, "access", block->udisks ? "udisks" : "direct");
    json_object_set_boolean_member(object, "exclusive", block->use != PLT_USE_READ);
    json_object_set_boolean_member(object, "in_use", block->in_use);
    json_array_add_string_element(drives, block->seal->name);
    json_object_set_array_member(object, "drives", drives);
    json_node_take_object(node, object);
    return node;
}

void plt_block_add_warnings(PltBlock *block, GPtrArray *warnings)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    double busy;

    g_ptr_array_add(names, block->seal->name);
    busy = plt_device_busy("", names);
    if (busy > PLT_DEVICE_BUSY) {
        g_autofree char *share = g_strdup_printf("%.0f %%", busy * 100);

        plt_warning_add(warnings, "drive-busy", share);
    }
    plt_device_add_warnings("", names, warnings);
}
