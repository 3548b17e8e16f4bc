/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/application.h"
#include "app/window.h"

/* The program with its window, steered from a test instead of by a person. */
typedef struct {
    PltApplication *application;
    PltWindow *window;
    double scale; /* pixels per point of pictures */
} Stage;

/* Starts the program and shows its window; returns when drives and results are there. */
Stage *stage_new(int width, int height);
void stage_free(Stage *stage);

/* Runs the main loop until CHECK(DATA), at most SECONDS; what CHECK said last. */
gboolean stage_wait(gboolean (*check)(gpointer data), gpointer data, double seconds);

/* Runs the main loop until nothing has been drawn for a while. */
void stage_settle(Stage *stage);

/* Other size of the window; its content has the new one when this returns. */
void stage_resize(Stage *stage, int width, int height);

/* The first visible widget of the type named TYPE below FROM (NULL = the window); NULL if there is none. */
GtkWidget *stage_find(Stage *stage, GtkWidget *from, const char *type);

/* Activates the action NAME where the window's focus does not matter; FORMAT as g_variant_new's, or NULL. */
void stage_activate(Stage *stage, const char *name, const char *format, ...);

/* As stage_activate, from the first visible widget of the type named TYPE. FALSE where there is none. */
gboolean stage_activate_in(Stage *stage, const char *type, const char *name, GVariant *argument);

/* The visible page of the first view stack in the window. FALSE when there is no such page. */
gboolean stage_show_tab(Stage *stage, const char *name);

/* Closes the dialog on top of the window, if there is one. */
void stage_close_dialog(Stage *stage);

/* The window as a picture at PATH. */
void stage_snap(Stage *stage, const char *path);
