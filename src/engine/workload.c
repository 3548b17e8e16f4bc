/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/workload.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Buffers for reads that a run may hold; above it the machine would swap rather than measure. */
#define MAX_BUFFER_BYTES (UINT64_C(8) << 30)

/* A buffered file takes less, but no drive does, and the engine's buffers and data pool are cut at this size.
 */
#define MIN_BLOCK 512

/* Nobody measures for longer; a sum of two such times is far from the end of 64 bits. */
#define MAX_TIME_NS (UINT64_C(366) * 24 * 3600 * 1000000000)

struct complaint {
    char *text;
    size_t size;
};

static const char *complain(const struct complaint *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *complain(const struct complaint *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->text, c->size, format, args);
    va_end(args);
    return c->text;
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static const char *check_depth(const struct plt_workload *w, const struct complaint *c)
{
    if (w->queue < 1 || w->queue > PLT_MAX_QUEUE) {
        return complain(c, "queue depth %u is not between 1 and %d", w->queue, PLT_MAX_QUEUE);
    }
    if (w->threads < 1 || w->threads > PLT_MAX_THREADS) {
        return complain(c, "%u threads are not between 1 and %d", w->threads, PLT_MAX_THREADS);
    }
    if ((uint64_t)w->queue * w->threads > PLT_MAX_TOTAL_QUEUE) {
        return complain(c, "queue depth %u on %u threads is more than %d in all", w->queue, w->threads,
                        PLT_MAX_TOTAL_QUEUE);
    }
    if ((uint64_t)w->queue * w->threads * w->block > MAX_BUFFER_BYTES) {
        return complain(c,
                        "%u blocks of %" PRIu32 " bytes in flight need more than %" PRIu64 " GiB of memory",
                        w->queue * w->threads, w->block, MAX_BUFFER_BYTES >> 30);
    }
    return NULL;
}

static const char *check_kind(const struct plt_workload *w, const struct complaint *c)
{
    if (w->read_percent > 100) {
        return complain(c, "a read share of %u %% is above 100 %%", w->read_percent);
    }
    if (w->data == PLT_DATA_COMPRESSIBLE && w->zero_percent > 100) {
        return complain(c, "a compressible share of %u %% is above 100 %%", w->zero_percent);
    }
    if ((w->sync == PLT_SYNC_FSYNC || w->sync == PLT_SYNC_FDATASYNC) && w->flush_every == 0) {
        return complain(c, "a flush after every 0 writes is not possible, the least is 1");
    }
    if (w->trim) {
        return complain(c, "trim is not possible on a file");
    }
    return NULL;
}

static const char *check_length(const struct plt_workload *w, const struct complaint *c)
{
    if (w->tick_ns < 1000000 || w->tick_ns > UINT64_C(100000000)) {
        return complain(c, "a sample of %" PRIu64 " ns is not between 1 ms and 100 ms", w->tick_ns);
    }
    if (w->duration_ns > MAX_TIME_NS || w->ramp_ns > MAX_TIME_NS || w->think_ns > MAX_TIME_NS ||
        w->patience_ns > MAX_TIME_NS) {
        return complain(c, "a time of more than 366 days is not possible");
    }
    if (w->duration_ns == 0 && w->bytes == 0) {
        return complain(c, "the load has neither a time nor an amount to end at");
    }
    if (w->bytes != 0 && w->ramp_ns != 0) {
        return complain(c, "a load that ends by its amount counts from its first byte and has no ramp");
    }
    if (w->bytes != 0 && (w->bytes < w->block || w->bytes % w->block != 0)) {
        return complain(c, "an amount of %" PRIu64 " bytes is no multiple of the block of %" PRIu32, w->bytes,
                        w->block);
    }
    return NULL;
}

static const char *check_target(const struct plt_workload *w, const struct plt_engine_target *t,
                                const struct complaint *c)
{
    if (!is_power_of_two(t->logical_block)) {
        return complain(c, "the target's logical block of %" PRIu32 " bytes is no power of two",
                        t->logical_block);
    }
    if (w->block % t->logical_block != 0) {
        return complain(
            c, "a block of %" PRIu32 " bytes is no multiple of the target's logical block of %" PRIu32,
            w->block, t->logical_block);
    }
    if (t->offset % t->logical_block != 0) {
        return complain(c, "the offset %" PRIu64 " is no multiple of the target's logical block of %" PRIu32,
                        t->offset, t->logical_block);
    }
    if (t->length > INT64_MAX || t->offset > INT64_MAX - t->length) {
        return complain(c, "the target ends behind the largest offset that there is");
    }
    if (t->memory_align != 0 && (!is_power_of_two(t->memory_align) || t->memory_align > (2u << 20))) {
        return complain(c, "a memory alignment of %" PRIu32 " bytes is not possible", t->memory_align);
    }
    uint64_t parts = (w->slices || w->separate_streams) ? w->threads : 1;
    if (t->length / parts < w->block) {
        return complain(c, "%" PRIu64 " bytes are too few for %" PRIu64 " × a block of %" PRIu32, t->length,
                        parts, w->block);
    }
    return NULL;
}

const char *plt_workload_check(const struct plt_workload *w, const struct plt_engine_target *t, char *buffer,
                               size_t size)
{
    const struct complaint c = {buffer, size};
    if (w->block < MIN_BLOCK || w->block > PLT_MAX_BLOCK) {
        return complain(&c, "a block of %" PRIu32 " bytes is not between %d and %" PRIu32, w->block,
                        MIN_BLOCK, PLT_MAX_BLOCK);
    }
    const char *wrong = check_depth(w, &c);
    wrong = wrong != NULL ? wrong : check_kind(w, &c);
    wrong = wrong != NULL ? wrong : check_length(w, &c);
    return wrong != NULL ? wrong : check_target(w, t, &c);
}

bool plt_workload_changes_data(const struct plt_workload *w)
{
    return w->read_percent < 100 || w->trim;
}
