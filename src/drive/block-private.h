/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/block.h"

/*
 * After a Format with other blocks: BLOCK's seal takes over size and logical block as they are now, all else
 * must be as it was. FALSE with a sentence when it is not.
 */
gboolean plt_block_reseal(PltBlock *block, GError **error);
