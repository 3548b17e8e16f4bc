/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/guard.h"

/*
 * What stands on the drive that FACTS are about, from the drive up to its mounts, as a tree for people: an
 * object with "name" (as /dev writes it), "kind" ("drive", "partition", "LUKS", "LVM", "md raid1", "loop",
 * …), "size" (bytes), "mounts" (array), "swap" (b), "children" (array of the same); "map" (the name of a
 * device-mapper map), "content" ("ext4", "crypto_LUKS", …), "label" and "member_of" where there are. What
 * stands on two devices at once, such as an md array, is in the tree twice. ROOT is what FACTS were taken
 * from. NULL when the drive is gone.
 */
JsonNode *plt_stack_tree(const char *root, const PltGuardFacts *facts);
