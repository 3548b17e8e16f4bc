/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/purge-nvme.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/nvme-log.h"

/* Format NVM, dword 10: LBAF in bits 3:0 and 13:12, Secure Erase Settings in 11:9 (1 = user data). */
#define FORMAT_USER_DATA (1u << 9)

/* Sanitize, dword 10: action in bits 2:0; No-Deallocate (bit 9) stays 0, so that the drive is left empty. */
#define SANITIZE_BLOCK_ERASE 2u

#define SANITIZE_LOG 0x81
#define SANITIZE_LOG_SIZE 512

/* States of the log's Sanitize Operation Status. */
#define STATE_DONE 1
#define STATE_RUNNING 2
#define STATE_DONE_ALLOCATED 4

/* A controller that is busy with the sanitize may leave some questions unanswered, but not for an hour. */
#define MOST_SILENT_POLLS 3600

static gboolean fail(GError **error, const char *what, int status)
{
    g_autofree char *text = status > 0 ? plt_nvme_status_text(status) : g_strdup(g_strerror(-status));

    g_set_error(error, PLT_ERROR, status == -ENODEV || status == -ENXIO ? PLT_ERROR_GONE : PLT_ERROR_DEVICE,
                _("the drive refused the command %s: %s"), what, text);
    return FALSE;
}

static int ask(PltNvmeSubmit submit, gpointer user, PltTopic topic, guint32 nsid, guint8 *data)
{
    PltNvmeCommand command;
    guint32 result = 0;

    g_return_val_if_fail(plt_nvme_command_for(topic, nsid, &command), -EINVAL);
    command.data = data;
    return submit(user, &command, &result);
}

gboolean plt_purge_nvme_look(PltNvmeSubmit submit, gpointer user, guint32 nsid, PltPurgeNvme *nvme,
                             GError **error)
{
    g_autofree guint8 *data = g_malloc0(4096);
    int status = ask(submit, user, PLT_TOPIC_CONTROLLER, nsid, data);

    *nvme = (PltPurgeNvme){.nsid = nsid};
    if (status != 0 || !plt_nvme_controller_decode((PltBytes){data, 4096}, &nvme->controller))
        return fail(error, "Identify", status);
    memset(data, 0, 4096);
    status = ask(submit, user, PLT_TOPIC_NAMESPACE, nsid, data);
    if (status != 0 || !plt_nvme_namespace_decode((PltBytes){data, 4096}, &nvme->ns))
        return fail(error, "Identify", status);
    return TRUE;
}

gboolean plt_purge_nvme_can_sanitize(const PltPurgeNvme *nvme)
{
    return (nvme->controller.sanicap & PLT_NVME_SANICAP_BLOCK) != 0;
}

gboolean plt_purge_nvme_can_format(const PltPurgeNvme *nvme)
{
    return (nvme->controller.oacs & PLT_NVME_OACS_FORMAT) != 0;
}

gboolean plt_purge_nvme_formats_all(const PltPurgeNvme *nvme)
{
    return (nvme->controller.fna & (PLT_NVME_FNA_FORMATS_ALL | PLT_NVME_FNA_ERASES_ALL)) != 0;
}

/* The best format of LBA_SIZE without metadata; the number of formats when there is none. */
static guint choose_format(const PltNvmeNamespace *ns, guint32 lba_size)
{
    guint best = ns->n_formats;

    if (lba_size == 0)
        return ns->active;
    for (guint i = 0; i < ns->n_formats; i++) {
        const PltLbaFormat *format = &ns->formats[i];

        if (format->data_size == lba_size && format->metadata_size == 0 &&
            (best == ns->n_formats || format->performance < ns->formats[best].performance))
            best = i;
    }
    return best;
}

gboolean plt_purge_nvme_format(PltNvmeSubmit submit, gpointer user, const PltPurgeNvme *nvme,
                               guint32 lba_size, GError **error)
{
    guint format = choose_format(&nvme->ns, lba_size);
    PltNvmeCommand command = {.opcode = PLT_NVME_FORMAT, .nsid = nvme->nsid};
    guint32 result = 0;
    int status;

    if (format >= nvme->ns.n_formats) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
                    _("the drive has no format of %u bytes a block without metadata"), lba_size);
        return FALSE;
    }
    command.cdw10 = (format & 0xf) | (format >> 4) << 12 | FORMAT_USER_DATA;
    status = submit(user, &command, &result);
    return status == 0 ? TRUE : fail(error, "Format", status);
}

/* TRUE once it has ended: *OK says how. */
static gboolean is_over(const PltNvmeSanitize *sanitize, gboolean *ok)
{
    *ok = sanitize->state == STATE_DONE || sanitize->state == STATE_DONE_ALLOCATED;
    return sanitize->state != STATE_RUNNING;
}

static gboolean wait_for_sanitize(PltNvmeSubmit submit, gpointer user, guint poll_ms, PltPurgeFunc func,
                                  gpointer func_user, GError **error)
{
    guint8 data[SANITIZE_LOG_SIZE];

    for (guint silent = 0; silent < MOST_SILENT_POLLS;) {
        PltNvmeCommand command = {
            .opcode = PLT_NVME_GET_LOG_PAGE, .nsid = PLT_NVME_BROADCAST, .cdw10 = SANITIZE_LOG, .data = data};
        PltNvmeSanitize sanitize;
        guint32 result = 0;
        gboolean ok;
        int status;

        g_usleep((gulong)poll_ms * 1000);
        memset(data, 0, sizeof data);
        plt_nvme_command_set_log_size(&command, sizeof data);
        status = submit(user, &command, &result);
        if (status == -ENODEV || status == -ENXIO)
            return fail(error, "Sanitize", status);
        if (status != 0 || !plt_nvme_sanitize_decode((PltBytes){data, sizeof data}, &sanitize)) {
            silent++;
            continue;
        }
        silent = 0;
        if (func != NULL)
            func(sanitize.state == STATE_RUNNING ? sanitize.progress : 1, func_user);
        if (!is_over(&sanitize, &ok))
            continue;
        if (ok)
            return TRUE;
        g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE,
                    _("the drive says that the sanitize failed: only another one makes it usable again"));
        return FALSE;
    }
    g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE,
                _("the drive does not say how far the sanitize is; it goes on in the drive"));
    return FALSE;
}

gboolean plt_purge_nvme_sanitize(PltNvmeSubmit submit, gpointer user, guint poll_ms, PltPurgeFunc func,
                                 gpointer func_user, GError **error)
{
    PltNvmeCommand command = {.opcode = PLT_NVME_SANITIZE, .cdw10 = SANITIZE_BLOCK_ERASE};
    guint32 result = 0;
    int status = submit(user, &command, &result);

    return status == 0 ? wait_for_sanitize(submit, user, poll_ms, func, func_user, error)
                       : fail(error, "Sanitize", status);
}
