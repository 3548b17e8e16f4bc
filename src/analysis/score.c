/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/score.h"

struct plt_score plt_analysis_as_ssd_score(const struct plt_score_input *read,
                                           const struct plt_score_input *write)
{
    struct plt_score score;

    score.read = 0.1 * read->sequential + read->random + read->random64;
    score.write = 0.1 * write->sequential + write->random + write->random64;
    /* The total is no sum of the two: reads of single blocks count twice, deep reads half more. */
    score.total = 0.1 * read->sequential + 2.0 * read->random + 1.5 * read->random64 +
                  0.15 * write->sequential + write->random + write->random64;
    return score;
}
