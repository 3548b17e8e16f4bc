/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* What holds for the whole program: the unit of results, which devices count as drives. */
#define PLT_TYPE_PREFERENCES_DIALOG (plt_preferences_dialog_get_type())
G_DECLARE_FINAL_TYPE(PltPreferencesDialog, plt_preferences_dialog, PLT, PREFERENCES_DIALOG,
                     AdwPreferencesDialog)

PltPreferencesDialog *plt_preferences_dialog_new(GSettings *settings);
