/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/facts.h"

/*
 * The drive that a command is about: NAME of this computer (a name, a path, a serial number), or the
 * recording in the file REPLAY; one of the two, the other is NULL. NULL and an error when there is none.
 */
PltInquiry *plt_cli_open_drive(const char *name, const char *replay, GError **error);

/* Prints one group of facts: heading, facts, table, notes. WIDTH as in plt_cli_table_format. */
void plt_cli_print_group(const PltFactGroup *group, guint width);

/* Prints what is missing and why, a line for each reason; nothing when nothing is. */
void plt_cli_print_missing(PltInquiry *inquiry);

/* "1 December 2026, Linux 6.12, as root, Plateau 0.1.0": under what a report was made. */
void plt_cli_print_circumstances(PltInquiry *inquiry);
