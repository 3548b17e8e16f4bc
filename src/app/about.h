/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Who made the program, and what a report of a fault should say about this machine. */
void plt_about_present(GtkWidget *parent);

/* Versions, display, kernel, distribution and whether io_uring can be used, as plain text. */
char *plt_about_debug_info(void);
