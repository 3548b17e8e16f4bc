/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/application.h"
#include "machine.h"

/*
 * What a widget's test has around it: the program without a window, on a machine that is not here, with a
 * library of its own.
 */
typedef struct {
    Fixture *machine;
    char *folder; /* the program's data */
    PltApplication *application;
    GtkWindow *window; /* of bed_show */
} Bed;

/* Once a program, before GTK is used otherwise. WITH_RESULTS: the library has some weeks of runs. */
Bed *bed_new(gboolean with_results);
void bed_free(Bed *bed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Bed, bed_free)

/* The machine's drive NAME. */
PltDrive *bed_drive(Bed *bed, const char *name);

/* Runs the main loop until CHECK(DATA), or fails the test after a time that is long enough for any machine.
 */
void bed_wait(gboolean (*check)(gpointer data), gpointer data);

/* Shows WIDGET in a window, or as a dialog or page of one, and waits until it was drawn. */
void bed_show(Bed *bed, GtkWidget *widget);

/* Takes away what bed_show showed, and its window. */
void bed_hide(Bed *bed, GtkWidget *widget);

/* The first widget of the type named TYPE at or below FROM, whether it can be seen or not; never NULL. */
GtkWidget *bed_find(GtkWidget *from, const char *type);
