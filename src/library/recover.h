/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/database.h"

/* plt_library_recover on a connection. */
int plt_recover_runs(PltDatabase *database, GError **error);
