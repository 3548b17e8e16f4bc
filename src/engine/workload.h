/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one I/O does. FLUSH is an fsync or fdatasync that the workload's sync mode asks for. */
enum plt_op {
    PLT_OP_READ,
    PLT_OP_WRITE,
    PLT_OP_TRIM,
    PLT_OP_FLUSH,
    PLT_N_OPS,
};

enum plt_pattern {
    PLT_PATTERN_SEQUENTIAL,
    PLT_PATTERN_RANDOM,
};

enum plt_sync {
    PLT_SYNC_NONE,
    PLT_SYNC_DSYNC,     /* RWF_DSYNC on every write */
    PLT_SYNC_SYNC,      /* RWF_SYNC on every write, as O_SYNC */
    PLT_SYNC_FSYNC,     /* fsync after every workload.flush_every writes */
    PLT_SYNC_FDATASYNC, /* fdatasync, likewise */
};

enum plt_data {
    PLT_DATA_RANDOM,       /* incompressible, no block repeats within the pool's period */
    PLT_DATA_ZERO,         /* all zero */
    PLT_DATA_COMPRESSIBLE, /* workload.zero_percent of every 4 KiB is zero, the rest random */
};

enum plt_generator {
    PLT_GENERATOR_XOSHIRO256PP,
    PLT_GENERATOR_TAUSWORTHE64,
};

enum plt_backend {
    PLT_BACKEND_AUTO, /* io_uring, or threads where io_uring is refused or hands the I/O to kernel threads */
    PLT_BACKEND_RING,
    PLT_BACKEND_THREADS,
};

#define PLT_MAX_BLOCK (UINT32_C(64) << 20)
#define PLT_MAX_QUEUE 4096
#define PLT_MAX_THREADS 64
#define PLT_MAX_TOTAL_QUEUE 16384

/*
 * When a target counts as gone though nobody has said so. Linux itself gives a command of a disk up to six
 * times 30 s (SCSI: the time-out, five retries) and one of an NVMe drive 30 s and a reset before it reports
 * an error, so after 5 min none will come.
 */
#define PLT_PATIENCE_NS UINT64_C(300000000000)

/* One measured load on one target. Zero-initialise, then set; plt_workload_check says what is wrong. */
struct plt_workload {
    enum plt_pattern pattern;
    uint32_t block; /* bytes per I/O */
    unsigned queue; /* I/Os kept in flight by each thread */
    unsigned threads;
    unsigned read_percent; /* 100 reads only, 0 writes only, else picked per I/O */
    bool trim;             /* discards instead of reads and writes */
    enum plt_sync sync;
    unsigned flush_every; /* writes between two flushes, for FSYNC and FDATASYNC */
    enum plt_data data;
    unsigned zero_percent; /* COMPRESSIBLE only */
    enum plt_generator generator;
    uint64_t seed;
    bool separate_streams; /* sequential, threads > 1: a stream per thread, instead of one shared cursor */
    bool slices;           /* random, threads > 1: every thread stays in its own slice of the range */
    uint64_t ramp_ns;      /* before the measured window; not counted; 0 with `bytes` */
    uint64_t duration_ns;  /* length of the measured window, 0 = no limit by time */
    uint64_t bytes;        /* I/O to issue in all, 0 = no limit by bytes */
    uint64_t tick_ns;      /* length of a sample: 100 ms, or 10 ms */
    uint64_t rate_bps[2];  /* limit for READ and WRITE in bytes per second, 0 = none */
    uint64_t think_ns;     /* pause after every think_every I/Os of a thread */
    unsigned think_every;  /* 0 = never pause */
    uint64_t patience_ns;  /* nothing completed for so long though I/O is outstanding: the load ends with
                              PLT_PHASE_DRAIN; 0 = PLT_PATIENCE_NS */
    unsigned submit_cap;   /* most SQEs per io_uring_enter, 0 = tune it during the ramp */
    enum plt_backend backend;
    bool nop; /* no I/O at all: measures the engine itself */
};

/* What the load acts on: LENGTH bytes from OFFSET of an open descriptor. The engine never closes it. */
struct plt_engine_target {
    int fd;
    uint64_t offset;
    uint64_t length;
    uint32_t logical_block; /* block, offset and length are multiples of it */
    uint32_t memory_align;  /* alignment that the target asks of buffers, a power of two; 0 = 512 */
};

/*
 * NULL when WORKLOAD can run on TARGET, otherwise one English sentence, without a full stop, that says which
 * value is wrong and what is allowed. The text is written to BUFFER of SIZE bytes.
 */
const char *plt_workload_check(const struct plt_workload *workload, const struct plt_engine_target *target,
                               char *buffer, size_t size);

/* True when the load writes, trims or flushes: the caller must have the right to change the range. */
bool plt_workload_changes_data(const struct plt_workload *workload);
