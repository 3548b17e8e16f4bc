/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/engine.h"

/*
 * What runs an engine on a real file and keeps all that it says. Files lie in PLATEAU_SCRATCH, which the
 * build sets to a folder of its own, so that they are on a disk.
 */
#define BED_KIB UINT64_C(1024)
#define BED_MIB (UINT64_C(1) << 20)
#define BED_MS UINT64_C(1000000)
#define BED_FILLING 0xa5

struct bed {
    struct plt_workload load;
    struct plt_engine_target target;

    struct plt_engine *engine;
    struct plt_engine_error new_error; /* when there is no engine */
    struct plt_engine_result result;

    struct plt_sample *samples;
    uint64_t *delivered_ns; /* engine clock, per sample */
    size_t n_samples, room;
    bool (*on_sample)(struct bed *bed, const struct plt_sample *sample); /* NULL: go on */
    void *user;
};

/* A load that ends after 150 ms: random reads of 4 KiB, queue depth 4, one thread. BED must be zero or given
 * back. */
void bed_init(struct bed *bed, const struct plt_engine_target *target);

/* Makes the engine, runs it, keeps the engine for looking at it. False when it could not be made. */
bool bed_make(struct bed *bed);
void bed_run(struct bed *bed);

/* All that must hold whatever the load was, unless it was abandoned. */
void bed_check(const struct bed *bed);

/* Frees the engine, and forgets the samples. */
void bed_clear(struct bed *bed);

/* bed_make, bed_run, bed_check. */
void bed_do(struct bed *bed);

/* I/Os of all kinds but flushes. */
uint64_t bed_ios(const struct bed *bed);

/* A file of SIZE bytes of BED_FILLING that has no name, on the folder FOLDER, NULL: PLATEAU_SCRATCH. Opened
 * with O_DIRECT where the file system has it. The test ends the descriptor by close. */
int bed_file(const char *folder, uint64_t size);

/* A range between two guards that no load may touch: FILE, made at the first call, and the range as a target.
 */
#define BED_GUARD BED_MIB
#define BED_RANGE (16 * BED_MIB)
struct plt_engine_target bed_guarded_target(int *file);
void bed_check_guards(int file);

/* The same file, opened once more with FLAGS. */
int bed_reopen(int fd, int flags);

/* All SIZE bytes of FD from OFFSET, read through the page cache; to be freed. */
unsigned char *bed_read(int fd, uint64_t offset, uint64_t size);

/*
 * A file system of TYPE on SOURCE, or of SIZE in memory, that is mounted nowhere: a descriptor of its root,
 * which /proc/self/fd leads into, and which takes it away when it is closed. -1 with errno where that is not
 * allowed.
 */
int bed_mount(const char *type, const char *source, const char *size);

/* Waits until this process has only this one thread, at most 20 s. */
void bed_wait_alone(void);
