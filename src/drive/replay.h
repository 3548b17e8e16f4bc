/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/inquiry.h"

/*
 * Recordings of what a drive says, as one JSON file ("plateau.replay/1", docs/drive-report.md): everything
 * that an inquiry answered, with where it came from, and for what is missing why. Whoever has the file sees
 * the drive as it was seen then.
 */

/*
 * Asks INQUIRY for every topic. MASK: serial numbers and what else tells one drive from its sisters (world
 * wide names, NQN) are replaced, wherever they stand.
 */
JsonNode *plt_replay_record(PltInquiry *inquiry, gboolean mask);

/* An inquiry that answers out of NODE. What a file says is not trusted: what is malformed is refused with
 * PLT_ERROR_FORMAT, what is only missing is a lack. */
PltInquiry *plt_replay_new(JsonNode *node, GError **error);

/* The same from the file at PATH. */
PltInquiry *plt_replay_load(const char *path, GError **error);
