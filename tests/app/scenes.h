/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stage.h"

/* What the program finds when it starts. */
typedef enum {
    SITUATION_FULL,    /* drives, and results of some weeks */
    SITUATION_FIRST,   /* drives, no results: the first start */
    SITUATION_NONE,    /* neither */
    SITUATION_DAMAGED, /* drives, and a file of results that is none */
    N_SITUATIONS,
} Situation;

/* Takes a picture of the window under NAME. */
typedef void (*SceneSnap)(const char *name, gpointer data);

/* Goes through all pages of SITUATION, in the order of their names; WIDTH and HEIGHT are the window's. */
void scenes_play(Stage *stage, Situation situation, int width, int height, SceneSnap snap, gpointer data);
