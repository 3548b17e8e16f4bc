/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Tells when drives come and go or something is mounted: by the kernel's uevents and the change event of the
 * mount table. Where uevents cannot be had (a sandbox, a container) the names below /sys/class/block are
 * compared every two seconds.
 */
typedef struct plt_watch PltWatch;

/* FUNC is called from the main context of this thread, once or more for each change. */
PltWatch *plt_watch_new(GSourceOnceFunc func, gpointer user);
void plt_watch_free(PltWatch *watch);

/* TRUE when MESSAGE, as the kernel or udev sent it, is about a drive or a sensor of one. */
gboolean plt_watch_is_about_drive(const char *message, gsize size);
