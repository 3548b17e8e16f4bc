/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/answer.h"

/* Runs PROGRAM as smartctl on DEVICE; waits for it, at most a minute. Never NULL. */
PltAnswer *plt_smartctl_run(const char *program, const char *device);

/* The answer that LENGTH bytes of TEXT and the EXIT_STATUS are. */
PltAnswer *plt_smartctl_parse(const char *text, gsize length, int exit_status);
