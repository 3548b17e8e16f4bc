/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"
#include "machine.h"

/*
 * Fills the library at PATH with runs as a reviewer has them after some weeks, on the drives of MACHINE:
 * complete, stopped, failed and interrupted ones, with names and notes, all with samples and histograms. They
 * end some hours before now.
 */
void records_store(const char *path, Fixture *machine);

/* One run at PATH whose single measured window has N_SAMPLES samples; its id. */
gint64 records_store_long(const char *path, guint n_samples);

/* A file at PATH that is no library. */
void records_damage(const char *path);
