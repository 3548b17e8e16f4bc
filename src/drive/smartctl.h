/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/answer.h"

/* Runs PROGRAM as smartctl on DEVICE; waits for it, at most a minute. Never NULL. */
PltAnswer *plt_smartctl_run(const char *program, const char *device);

/* The same with ARGUMENTS, NULL at the end, instead of those that ask for everything. */
PltAnswer *plt_smartctl_run_with(const char *program, const char *const *arguments);

/* The path of the program; newly allocated, NULL when it is not installed. */
char *plt_smartctl_find(void);

/* The answer that LENGTH bytes of TEXT and the EXIT_STATUS are. */
PltAnswer *plt_smartctl_parse(const char *text, gsize length, int exit_status);
