/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/pool.h"

#include "bed.h"
#include "frozen.h"
#include "tap.h"

/* What loads leave on the target: what they wrote, where, how often, and that nothing else has changed. */

static int file = -1;
static struct plt_engine_target target;

static void prepare(void)
{
    target = bed_guarded_target(&file);
}

static const enum plt_backend backends[] = {PLT_BACKEND_RING, PLT_BACKEND_THREADS};

/* Where in the pool each block of it begins: what stands at every step is unlike all others by its 8 bytes.
 */
struct place {
    uint64_t word;
    uint32_t at;
};

static int by_word(const void *a, const void *b)
{
    uint64_t left = ((const struct place *)a)->word, right = ((const struct place *)b)->word;
    return (left > right) - (left < right);
}

static struct place *index_pool(const struct plt_pool *pool, size_t *n)
{
    *n = PLT_POOL_SIZE / pool->step;
    struct place *places = malloc(*n * sizeof *places);
    for (size_t i = 0; i < *n; i++) {
        places[i].at = (uint32_t)(i * pool->step);
        memcpy(&places[i].word, pool->data + places[i].at, sizeof places[i].word);
    }
    qsort(places, *n, sizeof *places, by_word);
    return places;
}

/* How many blocks of the range hold pool data, each of another place; the others must be untouched. */
static unsigned count_written(const struct plt_workload *load)
{
    struct plt_pool pool = {0};
    size_t n;
    unsigned written = 0;
    CHECK(plt_pool_init(&pool, load, 0) == 0);
    struct place *places = index_pool(&pool, &n);
    bool *used = calloc(n, sizeof *used);
    unsigned char *data = bed_read(file, BED_GUARD, BED_RANGE);
    unsigned char *untouched = malloc(load->block);
    memset(untouched, BED_FILLING, load->block);
    for (uint64_t at = 0; at < BED_RANGE; at += load->block) {
        struct place wanted;
        memcpy(&wanted.word, data + at, sizeof wanted.word);
        const struct place *found = bsearch(&wanted, places, n, sizeof *places, by_word);
        if (found != NULL && memcmp(data + at, pool.data + found->at, load->block) == 0) {
            written++;
            CHECK(!used[found - places]);
            used[found - places] = true;
        } else {
            CHECK(memcmp(data + at, untouched, load->block) == 0);
        }
    }
    free(untouched);
    free(used);
    free(data);
    free(places);
    plt_pool_clear(&pool);
    return written;
}

static void refill(void)
{
    close(file);
    file = -1;
    prepare();
}

/* The amount exactly, by as many I/Os, each block once; the window ends with the last of them. */
static void run_bytes(enum plt_backend backend, unsigned queue, unsigned threads, uint32_t block,
                      uint64_t bytes)
{
    struct bed bed;
    refill();
    bed_init(&bed, &target);
    bed.load.pattern = PLT_PATTERN_SEQUENTIAL;
    bed.load.block = block;
    bed.load.queue = queue;
    bed.load.threads = threads;
    bed.load.read_percent = 0;
    bed.load.duration_ns = 0;
    bed.load.bytes = bytes;
    bed.load.backend = backend;
    bed_do(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_BYTES);
    CHECK_INT(bed.result.total[PLT_OP_WRITE].bytes, ==, bytes);
    CHECK_INT(bed.result.total[PLT_OP_WRITE].ios, ==, bytes / block);
    CHECK_INT(bed.result.late_ios, ==, 0);
    if (CHECK(bed.n_samples > 0)) {
        CHECK_INT(bed.result.window_ns, ==, bed.samples[bed.n_samples - 1].last_ns);
    }
    CHECK_INT(count_written(&bed.load), ==, (bytes < BED_RANGE ? bytes : BED_RANGE) / block);
    bed_check_guards(file);
    bed_clear(&bed);
}

static void test_bytes(void)
{
    for (size_t b = 0; b < 2; b++) {
        run_bytes(backends[b], 1, 1, 65536, 4 * BED_MIB);
        run_bytes(backends[b], 4, 4, 4096, 4095 * UINT64_C(4096));
        run_bytes(backends[b], 8, 8, 1 << 20, 3 * BED_MIB);  /* fewer I/Os than would fit in flight */
        run_bytes(backends[b], 8, 2, 131072, 2 * BED_RANGE); /* twice round */
        run_bytes(backends[b], 1, 8, 512, 512);              /* seven of eight have nothing to do */
    }
}

/* Random writes leave pool data in blocks of the range, and all else as it was. */
static void test_written_data(void)
{
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        refill();
        bed_init(&bed, &target);
        bed.load.read_percent = 50;
        bed.load.duration_ns = 0;
        bed.load.queue = 16;
        bed.load.bytes = 2000 * UINT64_C(4096);
        bed.load.backend = backends[b];
        bed_do(&bed);
        CHECK_INT(bed_ios(&bed), ==, 2000);
        unsigned written = count_written(&bed.load);
        CHECK_INT(written, <=, bed.result.total[PLT_OP_WRITE].ios);
        /* 1000 of 4096 places, some of them twice: about 886 different ones. */
        CHECK_INT(written, >, 700);
        bed_check_guards(file);
        bed_clear(&bed);
    }
}

/* A load by time has loops of its own for one I/O in flight and for several. What a block holds in the end is
 * of the last two rounds over the range, so no two are the same however fast the target is. */
static void test_written_data_by_time(void)
{
    for (unsigned i = 0; i < 4; i++) {
        struct bed bed;
        refill();
        bed_init(&bed, &target);
        bed.load.pattern = PLT_PATTERN_SEQUENTIAL;
        bed.load.read_percent = 0;
        bed.load.queue = i < 2 ? 1 : 8;
        bed.load.backend = backends[i % 2];
        bed_do(&bed);
        uint64_t issued = bed_ios(&bed) + bed.result.late_ios;
        CHECK_INT(count_written(&bed.load), ==, issued < BED_RANGE / 4096 ? issued : BED_RANGE / 4096);
        bed_check_guards(file);
        bed_clear(&bed);
    }
}

static void run_sync(enum plt_backend backend, enum plt_sync sync, unsigned every, uint64_t flushes)
{
    struct bed bed;
    bed_init(&bed, &target);
    bed.load.read_percent = 0;
    bed.load.sync = sync;
    bed.load.flush_every = every;
    bed.load.queue = 1;
    bed.load.duration_ns = 0;
    bed.load.bytes = 40 * 4096;
    bed.load.backend = backend;
    bed_do(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_BYTES);
    CHECK_INT(bed.result.total[PLT_OP_WRITE].ios, ==, 40);
    CHECK_INT(bed.result.total[PLT_OP_FLUSH].ios, ==, flushes);
    CHECK_INT(bed.result.total[PLT_OP_FLUSH].bytes, ==, 0);
    bed_clear(&bed);
}

static void test_sync(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        run_sync(backends[b], PLT_SYNC_DSYNC, 0, 0);
        run_sync(backends[b], PLT_SYNC_SYNC, 0, 0);
        run_sync(backends[b], PLT_SYNC_FSYNC, 8, 5);
        run_sync(backends[b], PLT_SYNC_FDATASYNC, 1, 40);
        run_sync(backends[b], PLT_SYNC_FDATASYNC, 41, 0);
    }
}

/* Flushes that DEVICE has done, the 16th number of its statistics; false before Linux 5.5. */
static bool count_flushes(const char *device, uint64_t *flushes)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/sys/block/%s/stat", strrchr(device, '/') + 1);
    FILE *statistics = fopen(path, "re");
    bool read = statistics != NULL && fgets(line, sizeof line, statistics) != NULL;
    if (statistics != NULL) {
        fclose(statistics);
    }
    char *rest = NULL;
    const char *word = strtok_r(line, " \n", &rest);
    for (int i = 1; word != NULL && i < 16; i++) {
        word = strtok_r(NULL, " \n", &rest);
    }
    *flushes = word != NULL ? strtoull(word, NULL, 10) : 0;
    return read && word != NULL;
}

/* How many flushes the device has done for 40 writes. */
static uint64_t flushes_of(const struct frozen *drive, enum plt_backend backend, enum plt_sync sync)
{
    struct bed bed;
    uint64_t before, after;
    int fd = bed_file(drive->folder, BED_MIB);
    const struct plt_engine_target there = {.fd = fd, .length = BED_MIB, .logical_block = 512};
    bed_init(&bed, &there);
    bed.load.read_percent = 0;
    bed.load.queue = 1;
    bed.load.sync = sync;
    bed.load.flush_every = 4;
    bed.load.duration_ns = 0;
    bed.load.bytes = 40 * 4096;
    bed.load.backend = backend;
    CHECK(count_flushes(drive->device, &before));
    bed_do(&bed);
    CHECK(count_flushes(drive->device, &after));
    bed_clear(&bed);
    close(fd);
    return after - before;
}

/* What the figures cannot show: that a flush is one. A journal's own, every few seconds, may come on top. */
static void test_sync_reaches_the_drive(void)
{
    struct frozen drive;
    uint64_t flushes;
    if (!frozen_make(&drive)) {
        return;
    }
    if (!count_flushes(drive.device, &flushes)) {
        tap_skip("the kernel does not count flushes");
        frozen_clear(&drive);
        return;
    }
    for (size_t b = 0; b < 2; b++) {
        CHECK_INT(flushes_of(&drive, backends[b], PLT_SYNC_NONE), <, 10);
        CHECK_INT(flushes_of(&drive, backends[b], PLT_SYNC_DSYNC), >=, 40);
        CHECK_INT(flushes_of(&drive, backends[b], PLT_SYNC_SYNC), >=, 40);
        CHECK_INT(flushes_of(&drive, backends[b], PLT_SYNC_FSYNC), >=, 10);
        CHECK_INT(flushes_of(&drive, backends[b], PLT_SYNC_FDATASYNC), >=, 10);
    }
    frozen_clear(&drive);
}

/* io_uring would hand every flush to a kernel thread, so the choice is plain threads, without a warning. */
static void test_flushes_choose_threads(void)
{
    prepare();
    run_sync(PLT_BACKEND_AUTO, PLT_SYNC_FDATASYNC, 4, 10);
    struct bed bed;
    bed_init(&bed, &target);
    bed.load.read_percent = 0;
    bed.load.sync = PLT_SYNC_FSYNC;
    bed.load.flush_every = 4;
    bed_do(&bed);
    CHECK_INT(bed.result.backend, ==, PLT_BACKEND_THREADS);
    CHECK((bed.result.notes & (PLT_NOTE_THREADS_IOWQ | PLT_NOTE_THREADS_REFUSED)) == 0);
    bed_clear(&bed);
}

static void test_data_kinds(void)
{
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        uint64_t zeros = 0;
        refill();
        bed_init(&bed, &target);
        bed.load.pattern = PLT_PATTERN_SEQUENTIAL;
        bed.load.read_percent = 0;
        bed.load.data = b == 0 ? PLT_DATA_ZERO : PLT_DATA_COMPRESSIBLE;
        bed.load.zero_percent = 75;
        bed.load.duration_ns = 0;
        bed.load.bytes = BED_RANGE;
        bed.load.backend = backends[b];
        bed_do(&bed);
        unsigned char *data = bed_read(file, BED_GUARD, BED_RANGE);
        for (uint64_t i = 0; i < BED_RANGE; i++) {
            zeros += data[i] == 0;
        }
        double expected = b == 0 ? 1 : 0.75 + 0.25 / 256;
        CHECK_REAL((double)zeros / BED_RANGE, >=, expected - 0.001);
        CHECK_REAL((double)zeros / BED_RANGE, <=, expected + 0.001);
        free(data);
        bed_clear(&bed);
    }
}

static const struct tap_case cases[] = {
    {"/engine/written/bytes", test_bytes},
    {"/engine/written/written-data", test_written_data},
    {"/engine/written/written-data-by-time", test_written_data_by_time},
    {"/engine/written/sync", test_sync},
    {"/engine/written/sync-reaches-the-drive", test_sync_reaches_the_drive},
    {"/engine/written/flushes-choose-threads", test_flushes_choose_threads},
    {"/engine/written/data-kinds", test_data_kinds},
};

TAP_MAIN(cases)
