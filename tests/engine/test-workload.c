/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include "engine/engine.h"

#include "tap.h"

#define GIB (UINT64_C(1) << 30)
#define DAY (UINT64_C(24) * 3600 * 1000000000)

static struct plt_workload load;
static struct plt_engine_target target;

static void reset(void)
{
    load = (struct plt_workload){
        .pattern = PLT_PATTERN_RANDOM,
        .block = 4096,
        .queue = 32,
        .threads = 2,
        .read_percent = 70,
        .duration_ns = 5000000000,
        .tick_ns = 100000000,
    };
    target = (struct plt_engine_target){.fd = 0, .offset = 0, .length = GIB, .logical_block = 512};
}

/* NULL: the load is fine. */
static void expect(const char *sentence)
{
    char text[256];
    CHECK_TEXT(plt_workload_check(&load, &target, text, sizeof text), sentence);
    if (sentence != NULL) {
        struct plt_engine_error error = {0};
        CHECK(plt_engine_new(&load, &target, &error) == NULL);
        CHECK_INT(error.phase, ==, PLT_PHASE_CHECK);
        CHECK_INT((unsigned)error.code, ==, EINVAL);
    }
    reset();
}

static void test_block(void)
{
    reset();
    expect(NULL);
    load.block = 0;
    expect("a block of 0 bytes is not between 512 and 67108864");
    load.block = 511;
    expect("a block of 511 bytes is not between 512 and 67108864");
    load.block = 1;
    target.logical_block = 1;
    expect("a block of 1 bytes is not between 512 and 67108864");
    load.block = (64 << 20) + 512;
    expect("a block of 67109376 bytes is not between 512 and 67108864");
    load.block = 64 << 20;
    load.queue = 2;
    expect(NULL);
    load.block = 512;
    expect(NULL);
}

static void test_depth(void)
{
    reset();
    load.queue = 0;
    expect("queue depth 0 is not between 1 and 4096");
    load.queue = 4097;
    expect("queue depth 4097 is not between 1 and 4096");
    load.queue = 4096;
    expect(NULL);
    load.threads = 0;
    expect("0 threads are not between 1 and 64");
    load.threads = 65;
    expect("65 threads are not between 1 and 64");
    load.threads = UINT32_MAX;
    expect("4294967295 threads are not between 1 and 64");
    load.threads = 64;
    load.queue = 256;
    expect(NULL);
    load.queue = 257;
    load.threads = 64;
    expect("queue depth 257 on 64 threads is more than 16384 in all");
    load.block = 4 << 20;
    load.queue = 1024;
    expect(NULL); /* 8 GiB, and the target is not so large: the same blocks are hit by several */
    load.block = 4 << 20;
    load.queue = 1025;
    expect("2050 blocks of 4194304 bytes in flight need more than 8 GiB of memory");
}

static void test_kind(void)
{
    reset();
    load.read_percent = 101;
    expect("a read share of 101 % is above 100 %");
    load.read_percent = 100;
    expect(NULL);
    load.data = PLT_DATA_COMPRESSIBLE;
    load.zero_percent = 101;
    expect("a compressible share of 101 % is above 100 %");
    load.zero_percent = 101; /* says nothing about random data */
    expect(NULL);
    load.sync = PLT_SYNC_FSYNC;
    expect("a flush after every 0 writes is not possible, the least is 1");
    load.sync = PLT_SYNC_FDATASYNC;
    expect("a flush after every 0 writes is not possible, the least is 1");
    load.sync = PLT_SYNC_FDATASYNC;
    load.flush_every = 1;
    expect(NULL);
    load.sync = PLT_SYNC_DSYNC;
    expect(NULL);
    load.trim = true;
    expect("trim is not possible on a file");
}

static void test_length(void)
{
    reset();
    load.tick_ns = 999999;
    expect("a sample of 999999 ns is not between 1 ms and 100 ms");
    load.tick_ns = 100000001;
    expect("a sample of 100000001 ns is not between 1 ms and 100 ms");
    load.tick_ns = 1000000;
    expect(NULL);
    load.duration_ns = 0;
    expect("the load has neither a time nor an amount to end at");
    load.duration_ns = 0;
    load.bytes = 4096;
    expect(NULL);
    load.bytes = 4096;
    load.ramp_ns = 1;
    expect("a load that ends by its amount counts from its first byte and has no ramp");
    load.bytes = 4095;
    expect("an amount of 4095 bytes is no multiple of the block of 4096");
    load.bytes = 6144;
    expect("an amount of 6144 bytes is no multiple of the block of 4096");
    load.duration_ns = 366 * DAY;
    expect(NULL);
    load.duration_ns = 366 * DAY + 1;
    expect("a time of more than 366 days is not possible");
    load.ramp_ns = UINT64_MAX;
    expect("a time of more than 366 days is not possible");
    load.think_ns = UINT64_MAX;
    expect("a time of more than 366 days is not possible");
}

static void test_target(void)
{
    reset();
    target.logical_block = 0;
    expect("the target's logical block of 0 bytes is no power of two");
    target.logical_block = 520;
    expect("the target's logical block of 520 bytes is no power of two");
    target.logical_block = 8192;
    expect("a block of 4096 bytes is no multiple of the target's logical block of 8192");
    load.block = 2560;
    target.logical_block = 4096;
    expect("a block of 2560 bytes is no multiple of the target's logical block of 4096");
    load.block = 2560; /* five logical blocks: odd, but possible */
    expect(NULL);
    target.offset = 511;
    expect("the offset 511 is no multiple of the target's logical block of 512");
    target.memory_align = 3;
    expect("a memory alignment of 3 bytes is not possible");
    target.memory_align = 4 << 20;
    expect("a memory alignment of 4194304 bytes is not possible");
    target.memory_align = 2 << 20;
    expect(NULL);
    target.length = UINT64_C(1) << 63;
    expect("the target ends behind the largest offset that there is");
    target.offset = INT64_MAX - 511;
    expect("the target ends behind the largest offset that there is");
}

static void test_room(void)
{
    reset();
    target.length = 0;
    expect("0 bytes are too few for 1 × a block of 4096");
    target.length = 4095;
    expect("4095 bytes are too few for 1 × a block of 4096");
    target.length = 4096;
    expect(NULL);
    target.length = 8191;
    load.slices = true;
    expect("8191 bytes are too few for 2 × a block of 4096");
    target.length = 8192;
    load.slices = true;
    expect(NULL);
    target.length = 8191;
    load.pattern = PLT_PATTERN_SEQUENTIAL;
    load.separate_streams = true;
    expect("8191 bytes are too few for 2 × a block of 4096");
}

static void test_small_buffer(void)
{
    char text[8] = "unused.";
    reset();
    load.queue = 0;
    CHECK_TEXT(plt_workload_check(&load, &target, text, 6), "queue");
    CHECK_INT((unsigned char)text[6], ==, '.');
}

static void test_changes_data(void)
{
    reset();
    CHECK(plt_workload_changes_data(&load));
    load.read_percent = 100;
    CHECK(!plt_workload_changes_data(&load));
    load.trim = true;
    CHECK(plt_workload_changes_data(&load));
}

static void expect_text(const struct plt_engine_error *error, const char *sentence)
{
    char text[256];
    CHECK_TEXT(plt_engine_error_text(error, text, sizeof text), sentence);
}

static void test_error_texts(void)
{
    struct plt_engine_error error = {.phase = PLT_PHASE_NONE};
    expect_text(&error, "no error");
    error.phase = PLT_PHASE_CHECK;
    expect_text(&error, "the load does not fit the target");
    error.phase = PLT_PHASE_DRAIN;
    expect_text(&error, "the drive does not respond");
    error.phase = PLT_PHASE_MEMORY;
    error.code = ENOMEM;
    expect_text(&error, "memory or threads could not be had: Cannot allocate memory");
    error.phase = PLT_PHASE_RING;
    error.code = EPERM;
    expect_text(&error, "io_uring could not be set up: Operation not permitted");
    error = (struct plt_engine_error){PLT_PHASE_IO, ENOSPC, PLT_OP_WRITE, UINT64_C(5000000000), 1250000000};
    expect_text(&error, "a write at byte 5000000000 failed after 1.2 s: the file system is full");
    error.code = EIO;
    error.op = PLT_OP_READ;
    expect_text(&error, "a read at byte 5000000000 failed after 1.2 s: the drive reported an error");
    error.code = ENODEV;
    error.op = PLT_OP_FLUSH;
    expect_text(&error, "a flush at byte 5000000000 failed after 1.2 s: the drive is gone");
    error.code = EDQUOT;
    error.op = PLT_OP_TRIM;
    expect_text(&error, "a trim at byte 5000000000 failed after 1.2 s: the disk quota is used up");
    error.code = EACCES;
    expect_text(&error, "a trim at byte 5000000000 failed after 1.2 s: Permission denied");
}

static const struct tap_case cases[] = {
    {"/engine/workload/block", test_block},
    {"/engine/workload/depth", test_depth},
    {"/engine/workload/kind", test_kind},
    {"/engine/workload/length", test_length},
    {"/engine/workload/target", test_target},
    {"/engine/workload/room", test_room},
    {"/engine/workload/small-buffer", test_small_buffer},
    {"/engine/workload/changes-data", test_changes_data},
    {"/engine/workload/error-texts", test_error_texts},
};

TAP_MAIN(cases)
