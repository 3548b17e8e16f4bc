/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bed.h"
#include "tap.h"

/* Errors of the target: each ends the load with what failed, and where, and keeps what was counted before. */

static const enum plt_backend backends[] = {PLT_BACKEND_RING, PLT_BACKEND_THREADS};

static void check_error(const struct bed *bed, int code, enum plt_op op)
{
    CHECK_INT(bed->result.end, ==, PLT_END_ERROR);
    CHECK_INT(bed->result.error.phase, ==, PLT_PHASE_IO);
    CHECK_INT((unsigned)bed->result.error.code, ==, (unsigned)code);
    CHECK_INT(bed->result.error.op, ==, op);
}

/* FD is the target's. Sequential with one I/O in flight, so that it is known which one fails. */
static void prepare(struct bed *bed, int fd, uint64_t offset, uint64_t length, enum plt_backend backend)
{
    const struct plt_engine_target target = {
        .fd = fd, .offset = offset, .length = length, .logical_block = 512};
    bed_init(bed, &target);
    bed->load.pattern = PLT_PATTERN_SEQUENTIAL;
    bed->load.queue = 1;
    bed->load.duration_ns = 20000 * BED_MS;
    bed->load.backend = backend;
}

static void test_read_only(void)
{
    int fd = bed_file(NULL, BED_MIB);
    int read_only = bed_reopen(fd, O_RDONLY);
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        prepare(&bed, read_only, 65536, BED_MIB - 65536, backends[b]);
        bed.load.read_percent = 0;
        bed_do(&bed);
        check_error(&bed, EBADF, PLT_OP_WRITE);
        CHECK_INT(bed.result.error.offset, ==, 65536);
        CHECK_INT(bed_ios(&bed), ==, 0);
        bed_clear(&bed);
    }
    close(read_only);
    close(fd);
}

static void test_write_only(void)
{
    int fd = bed_file(NULL, BED_MIB);
    int write_only = bed_reopen(fd, O_WRONLY);
    static const enum plt_backend all[] = {PLT_BACKEND_RING, PLT_BACKEND_THREADS, PLT_BACKEND_AUTO};
    for (size_t b = 0; b < 3; b++) {
        struct bed bed;
        prepare(&bed, write_only, 0, BED_MIB, all[b]);
        bed_do(&bed);
        check_error(&bed, EBADF, PLT_OP_READ);
        CHECK_INT(bed.result.error.offset, ==, 0);
        bed_clear(&bed);
    }
    close(write_only);
    close(fd);
}

static void test_bad_descriptor(void)
{
    static const int bad[] = {-1, 12345};
    for (size_t i = 0; i < 2; i++) {
        struct bed bed;
        prepare(&bed, bad[i], 0, BED_MIB, PLT_BACKEND_AUTO);
        CHECK(!bed_make(&bed));
        CHECK_INT(bed.new_error.phase, ==, PLT_PHASE_CHECK);
        CHECK_INT((unsigned)bed.new_error.code, ==, EBADF);
    }
}

/* The range is 1 MiB, the file ends in it: behind 64 blocks, and then in the middle of one. */
static void run_short(enum plt_backend backend, uint64_t size, uint32_t block, bool direct)
{
    int whole = bed_file(NULL, size);
    int fd = direct ? bed_reopen(whole, O_RDONLY | O_DIRECT) : bed_reopen(whole, O_RDONLY);
    fd = fd < 0 ? bed_reopen(whole, O_RDONLY) : fd;
    struct bed bed;
    prepare(&bed, fd, 0, BED_MIB, backend);
    bed.load.block = block;
    bed_do(&bed);
    check_error(&bed, EIO, PLT_OP_READ);
    CHECK_INT(bed.result.error.offset, ==, size);
    CHECK_INT(bed_ios(&bed), ==, size / block);
    bed_clear(&bed);
    close(fd);
    close(whole);
}

static void test_short_file(void)
{
    for (size_t b = 0; b < 2; b++) {
        for (int direct = 0; direct < 2; direct++) {
            run_short(backends[b], 64 * 4096, 4096, direct != 0);
            run_short(backends[b], 64 * 4096 + 1536, 4096, direct != 0);
            run_short(backends[b], 64 * 4096 + 100, 4096, direct != 0);
            run_short(backends[b], 3 * 65536 + 4096 + 511, 65536, direct != 0);
        }
    }
}

/* Deep and random: any of the blocks behind the end may be the first. */
static void test_short_file_deep(void)
{
    int fd = bed_file(NULL, BED_MIB);
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        prepare(&bed, fd, 0, 2 * BED_MIB, backends[b]);
        bed.load.pattern = PLT_PATTERN_RANDOM;
        bed.load.queue = 32;
        bed.load.threads = 2;
        bed_do(&bed);
        check_error(&bed, EIO, PLT_OP_READ);
        CHECK_INT(bed.result.error.offset, >=, BED_MIB);
        CHECK_INT(bed.result.error.offset, <, 2 * BED_MIB);
        CHECK_INT(bed.result.error.offset % 4096, ==, 0);
        bed_clear(&bed);
    }
    close(fd);
}

/* A pipe takes no offsets. */
static void test_no_file(void)
{
    int ends[2];
    struct bed bed;
    CHECK(pipe(ends) == 0);
    prepare(&bed, ends[0], 0, BED_MIB, PLT_BACKEND_THREADS);
    bed_do(&bed);
    check_error(&bed, ESPIPE, PLT_OP_READ);
    bed_clear(&bed);
    close(ends[0]);
    close(ends[1]);
}

/* The limit on file sizes at 256 KiB of 1 MiB; the signal that comes with it would end the program. */
static void child_file_size(void)
{
    int fd = bed_file(NULL, 4096);
    const struct rlimit limit = {256 * BED_KIB, 256 * BED_KIB};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        prepare(&bed, fd, 0, BED_MIB, backends[b]);
        bed.load.read_percent = 0;
        bed_do(&bed);
        check_error(&bed, EFBIG, PLT_OP_WRITE);
        CHECK_INT(bed.result.error.offset, ==, 256 * BED_KIB);
        CHECK_INT(bed.result.total[PLT_OP_WRITE].bytes, ==, 256 * BED_KIB);
        bed_clear(&bed);
    }
    close(fd);
}

static void test_file_size(void)
{
    tap_child("file-size");
}

/* A memory file system of 256 KiB that stands nowhere. */
static void test_no_space(void)
{
    for (size_t b = 0; b < 2; b++) {
        char folder[64];
        struct bed bed;
        int mounted = bed_mount("tmpfs", NULL, "256k");
        if (mounted < 0) {
            tap_skip("needs the right to mount: %s", strerror(errno));
            return;
        }
        snprintf(folder, sizeof folder, "/proc/self/fd/%d", mounted);
        int fd = bed_file(folder, 4096);
        prepare(&bed, fd, 0, BED_MIB, backends[b]);
        bed.load.read_percent = 0;
        bed_do(&bed);
        check_error(&bed, ENOSPC, PLT_OP_WRITE);
        CHECK_INT(bed.result.error.offset, ==, 256 * BED_KIB);
        CHECK_INT(bed.result.total[PLT_OP_WRITE].bytes, ==, 256 * BED_KIB);
        CHECK_INT(bed.result.error.at_ns, >, 0);
        bed_clear(&bed);
        close(fd);
        close(mounted);
    }
}

static const struct tap_case cases[] = {
    {"/engine/error/read-only", test_read_only},
    {"/engine/error/write-only", test_write_only},
    {"/engine/error/bad-descriptor", test_bad_descriptor},
    {"/engine/error/short-file", test_short_file},
    {"/engine/error/short-file-deep", test_short_file_deep},
    {"/engine/error/no-file", test_no_file},
    {"/engine/error/file-size", test_file_size},
    {"/engine/error/no-space", test_no_space},
};

static const struct tap_case children[] = {
    {"file-size", child_file_size},
};

TAP_MAIN_WITH_CHILDREN(cases, children)
