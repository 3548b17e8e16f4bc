/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

/* A folder in the list of targets. Properties (read-only): "title" s, "detail" s (may be ""), "path" s. */
#define PLT_TYPE_TARGET_ITEM (plt_target_item_get_type())
G_DECLARE_FINAL_TYPE(PltTargetItem, plt_target_item, PLT, TARGET_ITEM, GObject)

PltTargetItem *plt_target_item_new(const char *path, const char *title, const char *detail);
const char *plt_target_item_get_path(PltTargetItem *item);
