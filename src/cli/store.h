/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/library.h"

/*
 * Opens the library at PATH (NULL = default), finds runs that a crash cut short and says so in one line on
 * standard error. With MAKE it is made where there is none; without, NULL and no ERROR mean that there is
 * none yet.
 */
PltLibrary *plt_store_open(const char *path, gboolean make, GError **error);

/* The same for a command that needs a run: that there is no library yet is an error. */
PltLibrary *plt_store_open_existing(const char *path, GError **error);

/* The whole run that TEXT names (number, start of a uuid, "last"). */
PltRun *plt_cli_store_load(PltLibrary *library, const char *text, GError **error);

/* Loads the samples of all cells of RUN, or of the one cell with id CELL. */
gboolean plt_cli_store_load_samples(PltLibrary *library, PltRun *run, const char *cell, GError **error);

/* The option that every command with a library has; LIBRARY receives the path. */
GOptionEntry plt_store_option(char **library);
