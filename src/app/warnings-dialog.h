/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Shows what a reader of the figures has to know (GPtrArray of PltWarning), one sentence a line, on PARENT.
 */
void plt_warnings_dialog_present(const GPtrArray *warnings, GtkWidget *parent);
