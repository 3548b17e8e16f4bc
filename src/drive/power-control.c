/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/power-control.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "drive/backend.h"
#include "drive/nvme-identify.h"
#include "drive/sysfs.h"

/* Feature 02h: Power State in bits 4:0, Workload Hint above. */
#define STATE_MASK 31u
#define HINT_MASK 0xe0u

#define APST_TABLE_SIZE 256

/* The kernel's own default, nvme_core.default_ps_max_latency_us, for one that was started with APST off. */
#define DEFAULT_TOLERANCE "100000"

struct plt_power_control {
    PltNvmeSubmit submit;
    gpointer user;
    GDestroyNotify free;
    char *tolerance_path;
    PltNvmeController controller;

    gboolean state_changed, apst_changed;
    guint32 state_before; /* dword 0 of the feature */
    guint32 apst_before;
    guint8 table_before[APST_TABLE_SIZE];
    char *tolerance_before; /* NULL: the kernel has no say */
};

static gboolean fail(GError **error, int status)
{
    g_autofree char *text = status > 0 ? plt_nvme_status_text(status) : g_strdup(g_strerror(-status));

    if (status == -ENODEV || status == -ENXIO)
        g_set_error(error, PLT_ERROR, PLT_ERROR_GONE, _("the drive was removed or does not answer"));
    else if (status == -EACCES || status == -EPERM)
        g_set_error(error, PLT_ERROR, PLT_ERROR_PERMISSION,
                    _("only root can read and set power states: use sudo"));
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE, _("the drive refused: %s"), text);
    return FALSE;
}

static gboolean identify(PltPowerControl *control, GError **error)
{
    g_autofree guint8 *data = g_malloc0(4096);
    PltNvmeCommand command;
    guint32 result;
    int status;

    g_return_val_if_fail(plt_nvme_command_for(PLT_TOPIC_CONTROLLER, 0, &command), FALSE);
    command.data = data;
    status = control->submit(control->user, &command, &result);
    if (status != 0)
        return fail(error, status);
    if (plt_nvme_controller_decode((PltBytes){data, 4096}, &control->controller))
        return TRUE;
    return fail(error, -EIO);
}

PltPowerControl *plt_power_control_new(PltNvmeSubmit submit, gpointer user, GDestroyNotify free,
                                       const char *tolerance, GError **error)
{
    g_autoptr(PltPowerControl) control = g_new0(PltPowerControl, 1);

    control->submit = submit;
    control->user = user;
    control->free = free;
    control->tolerance_path = g_strdup(tolerance);
    return identify(control, error) ? g_steal_pointer(&control) : NULL;
}

static void close_descriptor(gpointer fd)
{
    close(GPOINTER_TO_INT(fd));
}

PltPowerControl *plt_power_control_open(PltInquiry *inquiry, GError **error)
{
    const char *name = plt_inquiry_get_controller(inquiry);
    g_autofree char *tolerance = NULL;
    int fd;

    if (plt_inquiry_is_replay(inquiry) || !plt_inquiry_is_nvme(inquiry) || name == NULL) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
                    _("%s is no NVMe drive of this computer: it has no power states to be set"),
                    plt_inquiry_get_name(inquiry));
        return NULL;
    }
    fd = plt_nvme_open_controller("", name);
    if (fd < 0) {
        fail(error, fd);
        return NULL;
    }
    tolerance = g_strdup_printf("/sys/class/nvme/%s/power/pm_qos_latency_tolerance_us", name);
    return plt_power_control_new(plt_nvme_submit_setting, GINT_TO_POINTER(fd), close_descriptor, tolerance,
                                 error);
}

void plt_power_control_close(PltPowerControl *control)
{
    g_autoptr(GError) error = NULL;

    if (control == NULL)
        return;
    if (!plt_power_control_restore(control, &error))
        g_warning("%s", error->message);
    if (control->free != NULL)
        control->free(control->user);
    g_free(control->tolerance_path);
    g_free(control->tolerance_before);
    g_free(control);
}

guint plt_power_control_n_states(PltPowerControl *control)
{
    return control->controller.n_power_states;
}

gboolean plt_power_control_is_operational(PltPowerControl *control, guint state)
{
    g_return_val_if_fail(state < control->controller.n_power_states, FALSE);
    return control->controller.power_states[state].operational;
}

gboolean plt_power_control_has_apst(PltPowerControl *control)
{
    return (control->controller.apsta & 1) != 0;
}

static gboolean read_state(PltPowerControl *control, guint32 *value, GError **error)
{
    PltNvmeCommand command;
    int status;

    g_return_val_if_fail(plt_nvme_command_for(PLT_TOPIC_POWER_STATE, 0, &command), FALSE);
    status = control->submit(control->user, &command, value);
    return status == 0 ? TRUE : fail(error, status);
}

static int send_state(PltPowerControl *control, guint state)
{
    PltNvmeCommand command = {.opcode = PLT_NVME_SET_FEATURES,
                              .cdw10 = PLT_NVME_FEATURE_POWER,
                              .cdw11 = (control->state_before & HINT_MASK) | state};
    guint32 result;

    return control->submit(control->user, &command, &result);
}

static gboolean write_state(PltPowerControl *control, guint state, GError **error)
{
    int status = send_state(control, state);

    return status == 0 ? TRUE : fail(error, status);
}

static gboolean read_apst(PltPowerControl *control, guint32 *value, guint8 table[APST_TABLE_SIZE],
                          GError **error)
{
    PltNvmeCommand command;
    int status;

    g_return_val_if_fail(plt_nvme_command_for(PLT_TOPIC_APST, 0, &command), FALSE);
    memset(table, 0, APST_TABLE_SIZE);
    command.data = table;
    status = control->submit(control->user, &command, value);
    return status == 0 ? TRUE : fail(error, status);
}

static gboolean write_apst(PltPowerControl *control, gboolean on, guint8 table[APST_TABLE_SIZE],
                           GError **error)
{
    PltNvmeCommand command = {.opcode = PLT_NVME_SET_FEATURES,
                              .cdw10 = PLT_NVME_FEATURE_APST,
                              .cdw11 = on,
                              .data = table,
                              .size = APST_TABLE_SIZE};
    guint32 result;
    int status = control->submit(control->user, &command, &result);

    return status == 0 ? TRUE : fail(error, status);
}

gboolean plt_power_control_get_state(PltPowerControl *control, guint *state, GError **error)
{
    guint32 value = 0;

    if (!read_state(control, &value, error))
        return FALSE;
    *state = value & STATE_MASK;
    return TRUE;
}

gboolean plt_power_control_get_apst(PltPowerControl *control, gboolean *on, GError **error)
{
    guint8 table[APST_TABLE_SIZE];
    guint32 value = 0;

    *on = FALSE;
    if (!plt_power_control_has_apst(control))
        return TRUE;
    if (!read_apst(control, &value, table, error))
        return FALSE;
    *on = (value & 1) != 0;
    return TRUE;
}

gboolean plt_power_control_set_state(PltPowerControl *control, guint state, GError **error)
{
    guint now;
    int status;

    if (state >= control->controller.n_power_states) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("the drive has no PS%u: its last one is PS%u"),
                    state, control->controller.n_power_states - 1);
        return FALSE;
    }
    if (!control->state_changed && !read_state(control, &control->state_before, error))
        return FALSE;
    status = send_state(control, state);
    /* What was refused was not done; when there was no answer, nobody knows, and it is restored. */
    control->state_changed |= status <= 0 && status != -EACCES && status != -EPERM;
    if (status != 0)
        return fail(error, status);
    if (!plt_power_control_get_state(control, &now, error))
        return FALSE;
    /* One that rests may have woken again, and one that works may rest by now. */
    if (now == state || !plt_power_control_is_operational(control, state) ||
        (now < control->controller.n_power_states && !plt_power_control_is_operational(control, now)))
        return TRUE;
    g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE,
                _("the drive took the command and is in PS%u all the same"), now);
    return FALSE;
}

/* FALSE when there is no such file, or it does not take TEXT. */
static gboolean write_tolerance(PltPowerControl *control, const char *text)
{
    g_autofd int fd =
        control->tolerance_path != NULL ? open(control->tolerance_path, O_WRONLY | O_CLOEXEC) : -1;

    return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static gboolean keep_apst(PltPowerControl *control, GError **error)
{
    if (control->apst_changed)
        return TRUE;
    if (!read_apst(control, &control->apst_before, control->table_before, error))
        return FALSE;
    if (control->tolerance_path != NULL)
        control->tolerance_before = plt_sysfs_read("", "%s", control->tolerance_path);
    control->apst_changed = TRUE;
    return TRUE;
}

/* The latency that the kernel may allow: with 0 it turns APST off, and leaves it off after a reset. */
static const char *tolerance_for(PltPowerControl *control, gboolean on, char **made)
{
    if (!on)
        return "0";
    if (g_strcmp0(control->tolerance_before, "0") != 0 && control->tolerance_before != NULL)
        return control->tolerance_before;
    *made = plt_sysfs_read("", "/sys/module/nvme_core/parameters/default_ps_max_latency_us");
    return *made != NULL && !g_str_equal(*made, "0") ? *made : DEFAULT_TOLERANCE;
}

static gboolean is_empty(const guint8 table[APST_TABLE_SIZE])
{
    static const guint8 nothing[APST_TABLE_SIZE];

    return memcmp(table, nothing, APST_TABLE_SIZE) == 0;
}

gboolean plt_power_control_set_apst(PltPowerControl *control, gboolean on, GError **error)
{
    guint8 table[APST_TABLE_SIZE];
    g_autofree char *made = NULL;
    guint32 value = 0;

    if (!plt_power_control_has_apst(control)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
                    _("the drive cannot change its power state by itself (APST)"));
        return FALSE;
    }
    if (!keep_apst(control, error))
        return FALSE;
    write_tolerance(control, tolerance_for(control, on, &made));
    if (!read_apst(control, &value, table, error))
        return FALSE;
    if ((value & 1) == (guint32)on)
        return TRUE;
    if (on && is_empty(table)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
                    _("the kernel keeps APST off for this drive, and the drive has no table for it"));
        return FALSE;
    }
    return write_apst(control, on, table, error);
}

static gboolean restore_apst(PltPowerControl *control, GError **error)
{
    guint8 table[APST_TABLE_SIZE];
    guint32 value = 0;

    if (!control->apst_changed)
        return TRUE;
    if (control->tolerance_before != NULL)
        write_tolerance(control, control->tolerance_before);
    /* Somebody may have set another table than the kernel makes for that number. */
    if (!read_apst(control, &value, table, error))
        return FALSE;
    if (((value ^ control->apst_before) & 1) != 0 || memcmp(table, control->table_before, sizeof table) != 0)
        if (!write_apst(control, control->apst_before & 1, control->table_before, error))
            return FALSE;
    control->apst_changed = FALSE;
    g_clear_pointer(&control->tolerance_before, g_free);
    return TRUE;
}

/*
 * A drive that rested comes back to the last state in which it worked, and nobody can ask which that was.
 * Nothing but a command sets another one than PS0, so it is PS0; after that it rests again as it did.
 */
static gboolean restore_state(PltPowerControl *control, GError **error)
{
    guint before = control->state_before & STATE_MASK;

    if (!control->state_changed)
        return TRUE;
    if (before < control->controller.n_power_states && !plt_power_control_is_operational(control, before) &&
        !write_state(control, 0, error))
        return FALSE;
    if (!write_state(control, before, error))
        return FALSE;
    control->state_changed = FALSE;
    return TRUE;
}

gboolean plt_power_control_restore(PltPowerControl *control, GError **error)
{
    g_autoptr(GError) first = NULL;
    gboolean apst = restore_apst(control, &first);
    gboolean state = restore_state(control, first == NULL ? &first : NULL);

    if (apst && state)
        return TRUE;
    g_set_error(error, first->domain, first->code,
                _("what was set in the drive before could not be restored, a restart does it: %s"),
                first->message);
    return FALSE;
}
