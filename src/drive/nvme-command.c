/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/nvme-command.h"

#include <errno.h>
#include <linux/nvme_ioctl.h>
#include <sys/ioctl.h>

#include <glib/gi18n-lib.h>

/* Get Features 04h, dword 11: Threshold Type Select = under temperature. */
#define UNDER_TEMPERATURE (1u << 20)

typedef enum {
    NSID_NONE,
    NSID_OWN,
    NSID_ALL,
} NsidKind;

/* CDW10 is the CNS, the log identifier or the feature identifier. */
static const struct {
    PltTopic topic;
    guint8 opcode;
    NsidKind nsid;
    guint32 cdw10, cdw11, size;
} commands[] = {
    {PLT_TOPIC_NAMESPACE, PLT_NVME_IDENTIFY, NSID_OWN, 0x00, 0, 4096},
    {PLT_TOPIC_CONTROLLER, PLT_NVME_IDENTIFY, NSID_NONE, 0x01, 0, 4096},
    {PLT_TOPIC_NAMESPACES, PLT_NVME_IDENTIFY, NSID_NONE, 0x02, 0, 4096},
    {PLT_TOPIC_LOG_PAGES, PLT_NVME_GET_LOG_PAGE, NSID_NONE, 0x00, 0, 1024},
    {PLT_TOPIC_ERROR_LOG, PLT_NVME_GET_LOG_PAGE, NSID_ALL, 0x01, 0, 64},
    {PLT_TOPIC_SMART_LOG, PLT_NVME_GET_LOG_PAGE, NSID_ALL, 0x02, 0, 512},
    {PLT_TOPIC_FIRMWARE_LOG, PLT_NVME_GET_LOG_PAGE, NSID_ALL, 0x03, 0, 512},
    {PLT_TOPIC_SELF_TEST_LOG, PLT_NVME_GET_LOG_PAGE, NSID_ALL, 0x06, 0, 564},
    {PLT_TOPIC_SANITIZE_LOG, PLT_NVME_GET_LOG_PAGE, NSID_ALL, 0x81, 0, 512},
    {PLT_TOPIC_OCP_LOG, PLT_NVME_GET_LOG_PAGE, NSID_ALL, 0xc0, 0, 512},
    {PLT_TOPIC_POWER_STATE, PLT_NVME_GET_FEATURES, NSID_NONE, 0x02, 0, 0},
    {PLT_TOPIC_TEMPERATURE_MAX, PLT_NVME_GET_FEATURES, NSID_NONE, 0x04, 0, 0},
    {PLT_TOPIC_TEMPERATURE_MIN, PLT_NVME_GET_FEATURES, NSID_NONE, 0x04, UNDER_TEMPERATURE, 0},
    {PLT_TOPIC_WRITE_CACHE, PLT_NVME_GET_FEATURES, NSID_NONE, 0x06, 0, 0},
    {PLT_TOPIC_APST, PLT_NVME_GET_FEATURES, NSID_NONE, 0x0c, 0, 256},
    {PLT_TOPIC_HOST_MEMORY, PLT_NVME_GET_FEATURES, NSID_NONE, 0x0d, 0, 4096},
    {PLT_TOPIC_THERMAL, PLT_NVME_GET_FEATURES, NSID_NONE, 0x10, 0, 0},
};

/* The number of dwords, less one, stands above the identifier; no log here needs its upper half (dword 11).
 */
void plt_nvme_command_set_log_size(PltNvmeCommand *command, guint32 size)
{
    command->size = size;
    command->cdw10 = (command->cdw10 & 0xffff) | (size / 4 - 1) << 16;
}

gboolean plt_nvme_command_for(PltTopic topic, guint32 nsid, PltNvmeCommand *command)
{
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (commands[i].topic != topic)
            continue;
        *command = (PltNvmeCommand){
            .opcode = commands[i].opcode,
            .cdw10 = commands[i].cdw10,
            .cdw11 = commands[i].cdw11,
            .size = commands[i].size,
        };
        if (commands[i].nsid != NSID_NONE)
            command->nsid = commands[i].nsid == NSID_OWN ? nsid : PLT_NVME_BROADCAST;
        if (command->opcode == PLT_NVME_GET_LOG_PAGE)
            plt_nvme_command_set_log_size(command, command->size);
        return TRUE;
    }
    return FALSE;
}

static int submit(int fd, const PltNvmeCommand *command, guint32 timeout_ms, guint32 *result)
{
    struct nvme_passthru_cmd passthru = {
        .opcode = command->opcode,
        .nsid = command->nsid,
        .addr = (guintptr)command->data,
        .data_len = command->size,
        .cdw10 = command->cdw10,
        .cdw11 = command->cdw11,
        .cdw14 = command->cdw14,
        .timeout_ms = timeout_ms,
    };
    int status = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &passthru);

    if (status < 0)
        return -errno;
    *result = passthru.result;
    return status;
}

static gboolean is_reading(const PltNvmeCommand *command)
{
    return command->opcode == PLT_NVME_IDENTIFY || command->opcode == PLT_NVME_GET_LOG_PAGE ||
           command->opcode == PLT_NVME_GET_FEATURES;
}

int plt_nvme_submit_ioctl(gpointer fd, const PltNvmeCommand *command, guint32 *result)
{
    /* This transport is for looking: whatever is asked of it, nothing else can leave it. */
    if (!is_reading(command))
        return -EPERM;
    /* No time-out of our own: the kernel resets a controller whose command ran out of time, and with it
     * everything else that uses the drive. Its own (60 s) is long for that reason. */
    return submit(GPOINTER_TO_INT(fd), command, 0, result);
}

#define PURGE_TIMEOUT_MS 600000

int plt_nvme_submit_purge(gpointer fd, const PltNvmeCommand *command, guint32 *result)
{
    gboolean purges = command->opcode == PLT_NVME_FORMAT || command->opcode == PLT_NVME_SANITIZE;

    if (!purges && !is_reading(command))
        return -EPERM;
    return submit(GPOINTER_TO_INT(fd), command, purges ? PURGE_TIMEOUT_MS : 0, result);
}

static gboolean is_setting(const PltNvmeCommand *command)
{
    /* The whole of dword 10: above the identifier there is the Save bit, which must be 0. */
    return command->opcode == PLT_NVME_SELF_TEST ||
           (command->opcode == PLT_NVME_SET_FEATURES &&
            (command->cdw10 == PLT_NVME_FEATURE_POWER || command->cdw10 == PLT_NVME_FEATURE_APST));
}

int plt_nvme_submit_setting(gpointer fd, const PltNvmeCommand *command, guint32 *result)
{
    if (!is_setting(command) && !is_reading(command))
        return -EPERM;
    return submit(GPOINTER_TO_INT(fd), command, 0, result);
}

char *plt_nvme_status_text(int status)
{
    /* NVM Express Base Specification, status code type and code; the words that its own tools use. */
    static const struct {
        int code;
        const char *text;
    } texts[] = {
        {0x001, N_("invalid command opcode")},
        {0x002, N_("invalid field in command")},
        {0x004, N_("data transfer error")},
        {0x005, N_("aborted, power is being lost")},
        {0x006, N_("internal error")},
        {0x007, N_("aborted on request")},
        {0x00b, N_("invalid namespace or format")},
        {0x00c, N_("command sequence error")},
        {0x01c, N_("sanitize failed")},
        {0x01d, N_("sanitize in progress")},
        {0x082, N_("namespace not ready")},
        {0x084, N_("format in progress")},
        {0x080, N_("block out of range")},
        {0x109, N_("invalid log page")},
        {0x10d, N_("feature cannot be saved")},
        {0x10e, N_("feature cannot be changed")},
        {0x11d, N_("self-test in progress")},
        {0x280, N_("write fault")},
        {0x281, N_("unrecovered read error")},
        {0x282, N_("guard check error")},
        {0x283, N_("application tag check error")},
        {0x284, N_("reference tag check error")},
        {0x285, N_("compare failure")},
        {0x286, N_("access denied")},
        {0x287, N_("deallocated or unwritten block")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        if ((status & 0x7ff) == texts[i].code)
            return g_strdup_printf("%s (%04Xh)", _(texts[i].text), (unsigned)status);
    }
    return g_strdup_printf(_("NVMe status %04Xh"), (unsigned)status);
}
