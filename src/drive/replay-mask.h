/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/answer.h"

/*
 * ANSWER to TOPIC without what identifies one drive; a new answer. SECRETS (NULL-terminated) are texts that
 * are replaced wherever else they stand.
 */
PltAnswer *plt_replay_mask(const PltAnswer *answer, PltTopic topic, const char *const *secrets);
