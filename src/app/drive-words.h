/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* How the window writes what a drive says. */

/* Name of the icon for a drive of BUS (may be NULL), with disks that turn or without. */
const char *plt_words_drive_icon(const char *bus, gboolean rotational);

/* "2.0 TB · PCIe 4.0 ×4". */
char *plt_words_drive_subtitle(guint64 capacity, const char *bus_title);

/* A sensor by the kernel's LABEL (or NULL), in the reader's language: "Whole drive" is the one value that the
 * drive itself acts on. */
char *plt_words_sensor(const char *label);

/* "41 °C"; "" for NAN. */
char *plt_words_temperature(double celsius);
