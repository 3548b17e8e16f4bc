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

/* A file at PATH that is no library. */
void records_damage(const char *path);
