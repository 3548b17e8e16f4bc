/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/suite.h"

/*
 * The suite that TEXT names: an id, or a file when TEXT holds a "/" or ends in ".suite". An unknown id is an
 * error that lists the ids close to it.
 */
PltSuite *plt_choose_suite(const char *text, GError **error);
