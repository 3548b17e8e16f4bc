/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/suite-item.h"

/*
 * The settings of a suite: size of the test file, runs, times, data, mix. They take effect at once, are kept
 * for the suite, and the plan that comes of them stands above. Signal "start": the button at the end, which
 * closes the dialog too.
 */
#define PLT_TYPE_SUITE_DIALOG (plt_suite_dialog_get_type())
G_DECLARE_FINAL_TYPE(PltSuiteDialog, plt_suite_dialog, PLT, SUITE_DIALOG, AdwDialog)

PltSuiteDialog *plt_suite_dialog_new(PltSuiteItem *item);

const char *plt_suite_dialog_get_suite_id(PltSuiteDialog *dialog);
