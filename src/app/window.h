/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/application.h"

/*
 * The window: drives and library at the side, what is chosen beside them. Pages reach it by actions, which
 * any widget inside can activate: "win.show-drive" (s: kernel name), "win.show-library", "win.show-run" (x:
 * run id), "win.compare-runs" (ax: run ids), "win.show-job" (s: kernel name of the drive), "win.toast" (s).
 */
#define PLT_TYPE_WINDOW (plt_window_get_type())
G_DECLARE_FINAL_TYPE(PltWindow, plt_window, PLT, WINDOW, AdwApplicationWindow)

PltWindow *plt_window_new(PltApplication *application);

void plt_window_add_toast(PltWindow *window, const char *text);
