/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "engine/engine.h"

/* What went wrong in the engine, in the person's language: the sentence of plt_engine_error_text, which the
 * engine, having no gettext, says in English only. */
char *plt_failure_text(const struct plt_engine_error *error);
