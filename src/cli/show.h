/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"

/* The table of RUN and what belongs to it (status, note), on standard output. */
void plt_show_run(const PltRun *run);

/* What a reader of the figures must know, a line each, on standard error. */
void plt_show_warnings(const PltRun *run);
