/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/*
 * What stands on the drive NAME (sysfs name) of this computer, and whether a suite may write to all of it.
 * Printed as an indented tree and a sentence; WIDTH as in plt_cli_table_format.
 */
void plt_cli_print_stack(const char *name, guint width);

/* The same as the members "stack" and "whole_drive" of DOCUMENT, an object. */
void plt_cli_add_stack(const char *name, JsonNode *document);
