/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "drive/nvme-identify.h"
#include "drive/nvme-log.h"
#include "drive/sysfs.h"

/* Error Information holds up to 256 entries of 64 bytes: what fits in one page is enough to show. */
#define ERROR_ENTRIES_MAX 64

typedef struct {
    PltInquiryBackend base;
    PltNvmeSubmit submit;
    gpointer user;
    GDestroyNotify user_free;
    guint32 nsid;
    int open_errno;      /* why there is no descriptor; 0 when there is one */
    gboolean block_node; /* only the namespace's block device could be opened */
} NvmeBackend;

static PltAnswer *answer_for_errno(NvmeBackend *nvme, const PltNvmeCommand *command, int code)
{
    switch (code) {
    case EACCES:
    case EPERM:
        /* Linux 6.2 lets Identify through to whoever may open the namespace; logs and features never. */
        return plt_answer_new_lack(nvme->block_node && command->opcode == PLT_NVME_IDENTIFY &&
                                           command->cdw10 != 0x02
                                       ? PLT_LACK_KERNEL
                                       : PLT_LACK_PERMISSION);
    case ENODEV:
    case ENXIO:
    case ENOENT:
        return plt_answer_new_failure(_("The drive has been removed or does not answer"));
    default:
        return plt_answer_new_failure(_("The drive does not answer: %s"), g_strerror(code));
    }
}

/* Invalid opcode, field or log page: the drive has no such thing. */
static gboolean is_unsupported(int status)
{
    int code = status & 0x7ff;

    return code == 0x001 || code == 0x002 || code == 0x109;
}

static PltAnswer *send(NvmeBackend *nvme, PltNvmeCommand *command)
{
    g_autofree guint8 *data = command->size > 0 ? g_malloc0(command->size) : NULL;
    guint32 result = 0, size = command->size;
    int status;

    if (nvme->open_errno != 0)
        return answer_for_errno(nvme, command, nvme->open_errno);
    command->data = data;
    status = nvme->submit(nvme->user, command, &result);
    if (status < 0)
        return answer_for_errno(nvme, command, -status);
    if (is_unsupported(status))
        return plt_answer_new_lack(PLT_LACK_DRIVE);
    if (status > 0) {
        g_autofree char *text = plt_nvme_status_text(status);

        return plt_answer_new_failure(_("The drive refused: %s"), text);
    }
    return plt_answer_new_bytes(PLT_SOURCE_DIRECT,
                                data != NULL ? g_bytes_new_take(g_steal_pointer(&data), size) : NULL, result);
}

/*
 * A log that a drive does not have may cost an entry in its error log, which people watch; a vendor's log
 * means something else on every other drive. So C0h is asked for only where the drive lists it, and of QEMU's
 * drive (PCI vendor 1B36h), which has it when it is made with "ocp=on" and lists nothing.
 */
static gboolean may_have_ocp(PltInquiry *inquiry, const PltNvmeController *controller)
{
    if (controller->lpa & PLT_NVME_LPA_LOG_PAGES)
        return plt_nvme_log_page_is_supported(plt_inquiry_bytes(inquiry, PLT_TOPIC_LOG_PAGES), 0xc0);
    return controller->vendor_id == 0x1b36;
}

/* Whether the controller says that it has TOPIC: what it has not is not asked for. */
static gboolean is_offered(PltInquiry *inquiry, const PltNvmeController *controller, PltTopic topic)
{
    switch (topic) {
    case PLT_TOPIC_LOG_PAGES:
        return (controller->lpa & PLT_NVME_LPA_LOG_PAGES) != 0;
    case PLT_TOPIC_SELF_TEST_LOG:
        return (controller->oacs & PLT_NVME_OACS_SELF_TEST) != 0;
    case PLT_TOPIC_SANITIZE_LOG:
        return (controller->sanicap & PLT_NVME_SANICAP_ANY) != 0;
    case PLT_TOPIC_OCP_LOG:
        return may_have_ocp(inquiry, controller);
    case PLT_TOPIC_APST:
        return (controller->apsta & 1) != 0;
    case PLT_TOPIC_TEMPERATURE_MAX:
    case PLT_TOPIC_TEMPERATURE_MIN:
        return controller->warning_k != 0;
    case PLT_TOPIC_WRITE_CACHE:
        return (controller->vwc & 1) != 0;
    case PLT_TOPIC_HOST_MEMORY:
        return controller->hmb_preferred != 0;
    case PLT_TOPIC_THERMAL:
        return (controller->hctma & 1) != 0;
    default:
        return TRUE;
    }
}

static PltAnswer *nvme_ask(PltInquiryBackend *backend, PltInquiry *inquiry, PltTopic topic)
{
    NvmeBackend *nvme = (NvmeBackend *)backend;
    PltNvmeCommand command;
    PltNvmeController controller;

    if (!plt_nvme_command_for(topic, nvme->nsid, &command))
        return NULL;
    if (command.opcode == PLT_NVME_IDENTIFY)
        return send(nvme, &command);
    if (plt_nvme_controller_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_CONTROLLER), &controller)) {
        if (!is_offered(inquiry, &controller, topic))
            return plt_answer_new_lack(PLT_LACK_DRIVE);
        if (topic == PLT_TOPIC_ERROR_LOG)
            plt_nvme_command_set_log_size(&command, 64 * MIN(controller.error_entries, ERROR_ENTRIES_MAX));
        if (command.opcode == PLT_NVME_GET_LOG_PAGE && controller.version >= PLT_NVME_VERSION(1, 3))
            command.cdw10 |= PLT_NVME_RETAIN_EVENT;
    }
    return send(nvme, &command);
}

static void nvme_free(PltInquiryBackend *backend)
{
    NvmeBackend *nvme = (NvmeBackend *)backend;

    if (nvme->user_free != NULL)
        nvme->user_free(nvme->user);
    g_free(nvme);
}

PltInquiryBackend *plt_nvme_backend_new_full(PltNvmeSubmit submit, gpointer user, GDestroyNotify free,
                                             guint32 nsid)
{
    NvmeBackend *nvme = g_new0(NvmeBackend, 1);

    nvme->base.ask = nvme_ask;
    nvme->base.free = nvme_free;
    nvme->submit = submit;
    nvme->user = user;
    nvme->user_free = free;
    nvme->nsid = nsid;
    return &nvme->base;
}

/*
 * Opens PATH when it is the device that sysfs numbers "M:m" in DEV: a name below /dev may belong to another
 * one by now. -errno.
 */
static int open_checked(const char *path, const char *dev, mode_t type)
{
    g_autofree char *number = NULL;
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW), code;

    if (fd < 0)
        return -errno;
    if (fstat(fd, &status) != 0) {
        code = errno;
        close(fd);
        return -code;
    }
    number = g_strdup_printf("%u:%u", major(status.st_rdev), minor(status.st_rdev));
    if ((status.st_mode & S_IFMT) != type || g_strcmp0(number, dev) != 0) {
        close(fd);
        return -ENODEV;
    }
    return fd;
}

int plt_nvme_open_controller(const char *root, const char *name)
{
    g_autofree char *path = g_strdup_printf("/dev/%s", name);
    g_autofree char *dev = plt_sysfs_read(root, "/sys/class/nvme/%s/dev", name);

    return open_checked(path, dev, S_IFCHR);
}

static void close_descriptor(gpointer fd)
{
    close(GPOINTER_TO_INT(fd));
}

PltInquiryBackend *plt_nvme_backend_new(PltInquiry *inquiry)
{
    const char *root = plt_inquiry_get_root(inquiry), *name = plt_inquiry_get_name(inquiry);
    const char *controller = plt_inquiry_get_controller(inquiry);
    g_autofree char *block = g_strdup_printf("/dev/%s", name);
    g_autofree char *block_dev = plt_sysfs_read(root, "/sys/class/block/%s/dev", name);
    guint64 nsid = 1;
    gboolean block_node = FALSE;
    int fd = plt_nvme_open_controller(root, controller), code = fd < 0 ? -fd : 0;
    NvmeBackend *nvme;

    if (fd < 0) {
        fd = open_checked(block, block_dev, S_IFBLK);
        block_node = fd >= 0;
    }
    plt_sysfs_read_number(&nsid, root, "/sys/class/block/%s/nsid", name);
    nvme = (NvmeBackend *)plt_nvme_backend_new_full(plt_nvme_submit_ioctl, GINT_TO_POINTER(fd),
                                                    fd >= 0 ? close_descriptor : NULL, (guint32)nsid);
    nvme->open_errno = fd < 0 ? code : 0;
    nvme->block_node = block_node;
    return &nvme->base;
}
