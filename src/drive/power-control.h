/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/inquiry.h"
#include "drive/nvme-command.h"

/*
 * The power state of an NVMe drive, and whether it changes it by itself (APST), set for a while: what was
 * before is kept and comes back. Nothing is saved in the drive; a reset or a cold start undoes it all. Needs
 * root. Used by one thread at a time.
 */
typedef struct plt_power_control PltPowerControl;

/* NULL with one sentence where there is no NVMe drive, or this user may not. */
PltPowerControl *plt_power_control_open(PltInquiry *inquiry, GError **error);

/*
 * The same through SUBMIT. Takes USER, which FREE (may be NULL) frees. TOLERANCE: the path of the kernel's
 * pm_qos_latency_tolerance_us of the controller, by which it programs APST again after each reset; NULL or a
 * path of nothing where there is none.
 */
PltPowerControl *plt_power_control_new(PltNvmeSubmit submit, gpointer user, GDestroyNotify free,
                                       const char *tolerance, GError **error);

/* What is still changed is restored first. */
void plt_power_control_close(PltPowerControl *control);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltPowerControl, plt_power_control_close)

guint plt_power_control_n_states(PltPowerControl *control);
gboolean plt_power_control_is_operational(PltPowerControl *control, guint state);
gboolean plt_power_control_has_apst(PltPowerControl *control);

/* What the drive says now. FALSE with a sentence when it does not answer. */
gboolean plt_power_control_get_state(PltPowerControl *control, guint *state, GError **error);
gboolean plt_power_control_get_apst(PltPowerControl *control, gboolean *on, GError **error);

/*
 * Puts the drive into STATE. From one that is not operational it wakes by itself with the first request. With
 * APST on it may go on to another one when it is idle.
 */
gboolean plt_power_control_set_state(PltPowerControl *control, guint state, GError **error);

gboolean plt_power_control_set_apst(PltPowerControl *control, gboolean on, GError **error);

/* Everything as it was before the first change. FALSE with a sentence that says what could not be. */
gboolean plt_power_control_restore(PltPowerControl *control, GError **error);
