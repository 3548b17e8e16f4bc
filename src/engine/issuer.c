/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/issuer.h"

#include "engine/private.h"

void plt_issuer_init(struct plt_issuer *i, struct plt_worker *worker, unsigned n_shares, uint64_t now)
{
    const struct plt_workload *load = &worker->engine->workload;
    *i = (struct plt_issuer){.worker = worker};
    for (int op = PLT_OP_READ; op <= PLT_OP_WRITE; op++) {
        if (load->rate_bps[op] != 0) {
            i->interval_ns[op] =
                (uint64_t)((double)load->block * 1e9 * n_shares / (double)load->rate_bps[op]);
        }
        i->due_ns[op] = now;
    }
}

static bool must_think(struct plt_issuer *i, uint64_t now, unsigned inflight, uint64_t *until)
{
    const struct plt_workload *load = &i->worker->engine->workload;
    if (load->think_every == 0 || i->since_think < load->think_every) {
        return false;
    }
    if (inflight > 0) {
        *until = UINT64_MAX;
        return true;
    }
    if (!i->thinking) {
        i->thinking = true;
        i->think_until_ns = now + load->think_ns;
    }
    *until = i->think_until_ns;
    if (now < i->think_until_ns) {
        return true;
    }
    i->thinking = false;
    i->since_think = 0;
    return false;
}

static bool must_flush(const struct plt_issuer *i)
{
    const struct plt_workload *load = &i->worker->engine->workload;
    return (load->sync == PLT_SYNC_FSYNC || load->sync == PLT_SYNC_FDATASYNC) &&
           i->writes_since_flush >= load->flush_every;
}

enum plt_next plt_issuer_next(struct plt_issuer *i, uint64_t now, unsigned inflight, enum plt_op *op,
                              uint64_t *until)
{
    if (must_flush(i)) {
        i->writes_since_flush = 0;
        *op = PLT_OP_FLUSH;
        return PLT_NEXT_ISSUE;
    }
    if (!i->held) {
        if (i->exhausted || !plt_stream_take(&i->worker->stream)) {
            i->exhausted = true;
            return PLT_NEXT_END;
        }
        i->held_op = plt_stream_op(&i->worker->stream);
        i->held = true;
    }
    /* After the limit was asked, so that a load never ends with a pause that nothing follows. */
    if (must_think(i, now, inflight, until)) {
        return PLT_NEXT_WAIT;
    }
    *op = i->held_op;
    if (i->interval_ns[*op] != 0) {
        /* What fell behind in a stall is made up for at once: the schedule is kept, not shifted. */
        if (now < i->due_ns[*op]) {
            *until = i->due_ns[*op];
            return PLT_NEXT_WAIT;
        }
        i->due_ns[*op] += i->interval_ns[*op];
    }
    i->held = false;
    i->since_think++;
    i->writes_since_flush += *op == PLT_OP_WRITE;
    return PLT_NEXT_ISSUE;
}
