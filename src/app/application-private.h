/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/application.h"

/* Adds "app.about", "app.preferences", "app.quit" and every key of the program. */
void plt_application_add_actions(PltApplication *application);
