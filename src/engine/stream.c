/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/stream.h"

static uint64_t read_threshold(unsigned percent)
{
    if (percent >= 100) {
        return UINT64_MAX;
    }
    return (uint64_t)(((unsigned __int128)percent << 64) / 100);
}

void plt_stream_init(struct plt_stream *s, const struct plt_workload *w, const struct plt_engine_target *t,
                     unsigned stream_index, unsigned worker_index, struct plt_shared_counts *shared)
{
    bool own = w->threads > 1 && (w->pattern == PLT_PATTERN_SEQUENTIAL ? w->separate_streams : w->slices);
    uint64_t blocks = t->length / w->block;
    s->pattern = w->pattern;
    s->generator = w->generator;
    s->block = w->block;
    s->blocks = own ? blocks / w->threads : blocks;
    s->base = t->offset + (own ? stream_index * s->blocks * w->block : 0);
    s->read_threshold = read_threshold(w->read_percent);
    s->limit = w->bytes == 0 ? UINT64_MAX : w->bytes / w->block;
    s->cursor = own ? &shared[1 + stream_index].cursor : &shared[0].cursor;
    s->issued = &shared[0].issued;

    /* The generator's output, not its advanced state: states of neighbours would share three words of four.
     */
    uint64_t state = w->seed, seed = 0;
    for (unsigned i = 0; i <= worker_index; i++) {
        seed = plt_splitmix64(&state);
    }
    plt_xoshiro_seed(&s->rng, seed);
    plt_tausworthe64_seed(&s->tausworthe, ~seed);
}
