/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * ARGV with every KEY=VALUE that follows a --set turned into a --set of its own, so that `--set size=1GiB
 * runs=5` is what it looks like. A word counts as KEY=VALUE when letters, "-" and "_" stand before its first
 * "=": a folder with such a name is written with "./" in front, or before the --set.
 */
GStrv plt_arguments_expand(char **argv);
