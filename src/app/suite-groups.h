/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/suite-item.h"

/* All suites as a list of PltSuiteItem; why a file could not be read is added to ERRORS (GPtrArray of char
 * *). */
GListStore *plt_suite_groups_load(GSettings *settings, GPtrArray *errors);

/* Fills BOX with a boxed list for each purpose of SUITES, and one for ERRORS where there are any. */
void plt_suite_groups_fill(GtkBox *box, GListStore *suites, const GPtrArray *errors);
