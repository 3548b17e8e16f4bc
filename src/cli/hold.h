/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/command.h"
#include "drive/power-control.h"

typedef enum {
    PLT_HOLD_APST_AS_IT_IS,
    PLT_HOLD_APST_ON,
    PLT_HOLD_APST_OFF,
} PltHoldApst;

/* What a drive is held in, and how long. */
typedef struct {
    int state; /* -1 = as it is */
    PltHoldApst apst;
    double for_s;   /* 0 = until a signal, or the command's end */
    char **command; /* NULL: none */
} PltHold;

/*
 * Sets it, waits, and restores what was before, also when a signal ends it or something goes wrong. Says on
 * standard error what was done: standard output is the command's, whose exit status is returned.
 */
PltExit plt_hold_run(PltPowerControl *control, const PltHold *hold);
