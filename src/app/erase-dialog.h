/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "suite/target.h"

/*
 * Asks whether all on the drive of TARGET may be lost to PLAN: names the drive, lists what is on it, and
 * opens the way only when the last characters of its serial number were typed. LOSSES is as
 * plt_guard_losses_to_json makes it. The dialog's response "start" with plt_erase_dialog_get_text is the
 * answer; confirm TARGET with it.
 */
AdwAlertDialog *plt_erase_dialog_new(const PltPlan *plan, const PltDriveSeal *seal, JsonNode *losses);

/* What was typed; belongs to the dialog. */
const char *plt_erase_dialog_get_text(AdwAlertDialog *dialog);
