/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "engine/issuer.h"
#include "engine/private.h"

#include "tap.h"

/* The issuer alone, on a clock that the tests turn. */
static struct plt_engine *engine;
static struct plt_worker *worker;
static struct plt_shared_counts shared[2];

#define MS UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)

static struct plt_workload *reset(unsigned read_percent)
{
    static _Alignas(64) struct plt_worker the_worker;
    static struct plt_engine the_engine;
    engine = &the_engine;
    worker = &the_worker;
    memset(engine, 0, sizeof *engine);
    memset(worker, 0, sizeof *worker);
    memset(shared, 0, sizeof shared);
    engine->workload = (struct plt_workload){.pattern = PLT_PATTERN_SEQUENTIAL,
                                             .block = 4096,
                                             .queue = 8,
                                             .threads = 1,
                                             .read_percent = read_percent,
                                             .tick_ns = 100 * MS};
    worker->engine = engine;
    return &engine->workload;
}

static struct plt_issuer make(unsigned n_shares, uint64_t now)
{
    const struct plt_engine_target target = {.length = 1 << 20, .logical_block = 512};
    struct plt_issuer issuer;
    plt_stream_init(&worker->stream, &engine->workload, &target, 0, 0, shared);
    plt_issuer_init(&issuer, worker, n_shares, now);
    return issuer;
}

/* Issues all that may be issued at NOW; *UNTIL is when to ask again. */
static unsigned issue_due(struct plt_issuer *issuer, uint64_t now, uint64_t *until)
{
    enum plt_op op;
    unsigned n = 0;
    while (n < 1000000 && plt_issuer_next(issuer, now, 0, &op, until) == PLT_NEXT_ISSUE) {
        n++;
    }
    return n;
}

/* 4096 bytes at 4096000 B/s are 1 per ms. Nobody asks for 700 ms, then all of them come at once. */
static void test_rate_keeps_its_schedule(void)
{
    reset(0)->rate_bps[PLT_OP_WRITE] = 4096000;
    const uint64_t start = 5 * SECOND;
    struct plt_issuer issuer = make(1, start);
    uint64_t until = 0;
    CHECK_INT(issue_due(&issuer, start, &until), ==, 1);
    CHECK_INT(until, ==, start + MS);
    for (uint64_t ms = 1; ms < 100; ms++) {
        CHECK_INT(issue_due(&issuer, start + ms * MS - 1, &until), ==, 0);
        CHECK_INT(until, ==, start + ms * MS);
        CHECK_INT(issue_due(&issuer, start + ms * MS, &until), ==, 1);
    }
    CHECK_INT(issue_due(&issuer, start + 799 * MS, &until), ==, 700);
    CHECK_INT(until, ==, start + 800 * MS);
    CHECK_INT(issue_due(&issuer, start + 999 * MS, &until), ==, 200);
}

static void test_rate_is_shared(void)
{
    reset(0)->rate_bps[PLT_OP_WRITE] = 4096000;
    struct plt_issuer issuer = make(4, 0);
    uint64_t until;
    CHECK_INT(issue_due(&issuer, 10 * SECOND - 1, &until), ==, 2500);
}

/* Only writes are held back; a read that follows one waits with it, which keeps the shares of the mix. */
static void test_rate_of_one_direction(void)
{
    reset(50)->rate_bps[PLT_OP_WRITE] = 4096000;
    struct plt_issuer issuer = make(1, 0);
    unsigned count[PLT_N_OPS] = {0};
    for (uint64_t now = 0; now < 2 * SECOND; now += MS) {
        enum plt_op op;
        uint64_t until;
        while (plt_issuer_next(&issuer, now, 0, &op, &until) == PLT_NEXT_ISSUE) {
            count[op]++;
        }
        CHECK_INT(until, >, now);
    }
    CHECK_INT(count[PLT_OP_WRITE], ==, 2000);
    /* As many reads as heads before 2000 tails: 2000 with a deviation of 63; the seed is fixed. */
    CHECK_INT(count[PLT_OP_READ], >, 1750);
    CHECK_INT(count[PLT_OP_READ], <, 2250);
}

static void test_think(void)
{
    struct plt_workload *load = reset(100);
    load->think_every = 4;
    load->think_ns = 3 * MS;
    struct plt_issuer issuer = make(1, 0);
    enum plt_op op;
    uint64_t now = 10 * MS, until;
    for (int round = 0; round < 5; round++) {
        for (unsigned i = 0; i < 4; i++) {
            CHECK(plt_issuer_next(&issuer, now, i, &op, &until) == PLT_NEXT_ISSUE);
        }
        /* The pause begins when all have come back, not when the last was issued. */
        CHECK(plt_issuer_next(&issuer, now, 4, &op, &until) == PLT_NEXT_WAIT);
        CHECK_INT(until, ==, UINT64_MAX);
        now += 2 * MS;
        CHECK(plt_issuer_next(&issuer, now, 1, &op, &until) == PLT_NEXT_WAIT);
        CHECK_INT(until, ==, UINT64_MAX);
        CHECK(plt_issuer_next(&issuer, now, 0, &op, &until) == PLT_NEXT_WAIT);
        CHECK_INT(until, ==, now + 3 * MS);
        CHECK(plt_issuer_next(&issuer, now + 3 * MS - 1, 0, &op, &until) == PLT_NEXT_WAIT);
        now += 3 * MS;
    }
}

/* A load that ends by its amount must not end with a pause: nothing is timed in it. */
static void test_no_pause_at_the_end(void)
{
    struct plt_workload *load = reset(100);
    load->think_every = 4;
    load->think_ns = SECOND;
    load->bytes = 8 * 4096;
    struct plt_issuer issuer = make(1, 0);
    enum plt_op op;
    uint64_t until;
    CHECK_INT(issue_due(&issuer, 0, &until), ==, 4);
    CHECK_INT(until, ==, SECOND);
    CHECK_INT(issue_due(&issuer, SECOND, &until), ==, 4);
    CHECK(plt_issuer_next(&issuer, SECOND, 0, &op, &until) == PLT_NEXT_END);
    CHECK(plt_issuer_next(&issuer, SECOND, 0, &op, &until) == PLT_NEXT_END);
}

static void check_flushes(enum plt_sync sync, unsigned every, unsigned read_percent)
{
    struct plt_workload *load = reset(read_percent);
    load->sync = sync;
    load->flush_every = every;
    load->bytes = 300 * 4096;
    struct plt_issuer issuer = make(1, 0);
    enum plt_op op;
    uint64_t until;
    unsigned since = 0, ios = 0, flushes = 0, writes = 0;
    while (plt_issuer_next(&issuer, 0, 0, &op, &until) == PLT_NEXT_ISSUE && ios + flushes < 1000) {
        if (op == PLT_OP_FLUSH) {
            CHECK_INT(since, ==, every);
            since = 0;
            flushes++;
        } else {
            ios++;
            writes += op == PLT_OP_WRITE;
            since += op == PLT_OP_WRITE;
            CHECK_INT(since, <=, every);
        }
    }
    CHECK_INT(ios, ==, 300);
    CHECK_INT(flushes, ==, writes / every); /* the last one too, though no I/O follows it */
}

static void test_flush(void)
{
    check_flushes(PLT_SYNC_FSYNC, 1, 0);
    check_flushes(PLT_SYNC_FSYNC, 10, 0);
    check_flushes(PLT_SYNC_FDATASYNC, 7, 0);
    check_flushes(PLT_SYNC_FDATASYNC, 3, 50);
    check_flushes(PLT_SYNC_FSYNC, 1000, 0);
    check_flushes(PLT_SYNC_FSYNC, 1, 100);
}

static void test_limit(void)
{
    reset(70)->bytes = 100 * 4096;
    struct plt_issuer a = make(2, 0), b = make(2, 0);
    enum plt_op op;
    uint64_t until;
    unsigned n = 0;
    for (bool more = true; more;) {
        bool one = plt_issuer_next(&a, 0, 0, &op, &until) == PLT_NEXT_ISSUE;
        bool two = plt_issuer_next(&b, 0, 0, &op, &until) == PLT_NEXT_ISSUE;
        n += one + two;
        more = one || two;
    }
    CHECK_INT(n, ==, 100);
}

/* What a rate holds back counts as issued, and is issued when its time comes. */
static void test_limit_with_rate(void)
{
    struct plt_workload *load = reset(0);
    load->bytes = 3 * 4096;
    load->rate_bps[PLT_OP_WRITE] = 4096;
    struct plt_issuer issuer = make(1, 0);
    enum plt_op op;
    uint64_t until;
    CHECK_INT(issue_due(&issuer, 0, &until), ==, 1);
    CHECK_INT(issue_due(&issuer, SECOND, &until), ==, 1);
    CHECK(plt_issuer_next(&issuer, SECOND, 0, &op, &until) == PLT_NEXT_WAIT);
    CHECK_INT(until, ==, 2 * SECOND);
    CHECK_INT(issue_due(&issuer, 2 * SECOND, &until), ==, 1);
    CHECK(plt_issuer_next(&issuer, 2 * SECOND, 0, &op, &until) == PLT_NEXT_END);
}

static const struct tap_case cases[] = {
    {"/engine/issuer/rate-keeps-its-schedule", test_rate_keeps_its_schedule},
    {"/engine/issuer/rate-is-shared", test_rate_is_shared},
    {"/engine/issuer/rate-of-one-direction", test_rate_of_one_direction},
    {"/engine/issuer/think", test_think},
    {"/engine/issuer/no-pause-at-the-end", test_no_pause_at_the_end},
    {"/engine/issuer/flush", test_flush},
    {"/engine/issuer/limit", test_limit},
    {"/engine/issuer/limit-with-rate", test_limit_with_rate},
};

TAP_MAIN(cases)
