/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/ring.h"

#include "bed.h"
#include "tap.h"

/*
 * What the system does not give. Each case is a process of its own, since none gets a limit or a filter off
 * again. Whatever is missing, there is either a result as good as any, with a note, or one error.
 */

/* Nobody's number on any system: a limit on its processes counts this one alone. */
#define STRANGER 54321

static struct plt_engine_target make_target(void)
{
    return (struct plt_engine_target){
        .fd = bed_file(NULL, 8 * BED_MIB), .length = 8 * BED_MIB, .logical_block = 512};
}

static void limit(int resource, rlim_t value)
{
    const struct rlimit both = {value, value};
    CHECK(setrlimit((__rlimit_resource_t)resource, &both) == 0);
}

/* False, with the case skipped, where this is not possible. */
static bool become_stranger(void)
{
    if (geteuid() != 0) {
        tap_skip("needs root, to become a user that no limit is lifted for");
        return false;
    }
    return CHECK(setgid(STRANGER) == 0) && CHECK(setuid(STRANGER) == 0);
}

static bool has_rings(void)
{
    if (!plt_ring_available()) {
        tap_skip("io_uring is not available here");
        return false;
    }
    return true;
}

/* A whole load by amount: the same figures whatever way they come about. */
static void check_whole_load(const struct plt_engine_target *target, enum plt_backend asked,
                             enum plt_backend used, unsigned notes, unsigned no_notes)
{
    struct bed bed;
    bed_init(&bed, target);
    bed.load.read_percent = 50;
    bed.load.threads = 2;
    bed.load.duration_ns = 0;
    bed.load.bytes = 500 * 4096;
    bed.load.backend = asked;
    bed_do(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_BYTES);
    CHECK_INT(bed_ios(&bed), ==, 500);
    CHECK_INT(bed.result.backend, ==, used);
    CHECK_INT(bed.result.notes & notes, ==, notes);
    CHECK_INT(bed.result.notes & no_notes, ==, 0);
    bed_clear(&bed);
}

/* The usual limit of a desktop is 8 MiB; below it some kernels register a part, with 64 KiB none can. */
static void child_locked_memory(void)
{
    struct plt_engine_target target = make_target();
    limit(RLIMIT_MEMLOCK, 65536);
    if ((geteuid() != 0 || become_stranger()) && has_rings()) {
        check_whole_load(&target, PLT_BACKEND_RING, PLT_BACKEND_RING, PLT_NOTE_PLAIN_BUFFERS, 0);
    }
    close(target.fd);
}

static void child_registered(void)
{
    struct plt_engine_target target = make_target();
    if (geteuid() != 0) {
        tap_skip("needs root, whose locked memory has no limit");
    } else if (has_rings()) {
        check_whole_load(&target, PLT_BACKEND_RING, PLT_BACKEND_RING, 0, PLT_NOTE_PLAIN_BUFFERS);
    }
    close(target.fd);
}

static void forbid_rings(int error)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((unsigned)error & SECCOMP_RET_DATA)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void check_refused(int error)
{
    struct plt_engine_target target = make_target();
    forbid_rings(error);
    check_whole_load(&target, PLT_BACKEND_AUTO, PLT_BACKEND_THREADS, PLT_NOTE_THREADS_REFUSED,
                     PLT_NOTE_THREADS_IOWQ);

    struct bed bed; /* whoever insists on a ring gets the reason */
    bed_init(&bed, &target);
    bed.load.backend = PLT_BACKEND_RING;
    bed.load.threads = 3;
    bed_do(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_ERROR);
    CHECK_INT(bed.result.error.phase, ==, PLT_PHASE_RING);
    CHECK_INT((unsigned)bed.result.error.code, ==, (unsigned)error);
    bed_clear(&bed);

    const struct plt_workload load = {.block = 4096, .queue = 1, .threads = 1};
    CHECK_REAL(plt_engine_ceiling(&load, BED_MS), ==, 0);
    bed_wait_alone();
    close(target.fd);
}

/* Docker's filter answers EPERM, older kernels ENOSYS. */
static void child_refused_eperm(void)
{
    check_refused(EPERM);
}

static void child_refused_enosys(void)
{
    check_refused(ENOSYS);
}

/* A memory file system never says that an I/O would block: each one goes to a kernel thread. */
static int memory_file(void)
{
    int fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
    CHECK(fd < 0 || ftruncate(fd, 8 * BED_MIB) == 0);
    return fd;
}

static void check_iowq(void)
{
    int fd = memory_file();
    if (fd < 0) {
        tap_skip("no O_DIRECT on a memory file system here: %s", strerror(errno));
        return;
    }
    const struct plt_engine_target target = {.fd = fd, .length = 8 * BED_MIB, .logical_block = 512};
    check_whole_load(&target, PLT_BACKEND_AUTO, PLT_BACKEND_THREADS, PLT_NOTE_THREADS_IOWQ,
                     PLT_NOTE_THREADS_REFUSED);
    check_whole_load(&target, PLT_BACKEND_RING, PLT_BACKEND_RING, PLT_NOTE_KERNEL_WORKERS, 0);
    close(fd);
}

static void child_iowq(void)
{
    if (has_rings()) {
        check_iowq();
    }
}

/* In a container a thread's number is not the one that the kernel names its workers by. */
static void child_iowq_in_a_container(void)
{
    if (!has_rings()) {
        return;
    }
    if (unshare(CLONE_NEWPID) != 0) {
        tap_skip("needs the right to make a process namespace: %s", strerror(errno));
        return;
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        check_iowq();
        fflush(stdout);
        _exit(tap_failures() == 0 ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    /* A leak checker cannot start its helper once the namespace's first process is gone. */
    fflush(stdout);
    _exit(tap_failures() == 0 ? 0 : 1);
}

/* A load that must end in one error of the phases that have to do with what the system gives, or go well. */
static void check_one_error(struct bed *bed, unsigned *errors)
{
    const struct plt_engine_error *error = &bed->new_error;
    if (bed_make(bed)) {
        bed_run(bed);
        error = &bed->result.error;
        CHECK_INT(bed->result.end, ==, error->phase == PLT_PHASE_NONE ? PLT_END_TIME : PLT_END_ERROR);
    }
    if (error->phase != PLT_PHASE_NONE) {
        (*errors)++;
        CHECK(error->phase == PLT_PHASE_MEMORY || error->phase == PLT_PHASE_RING);
        CHECK(error->code == ENOMEM || error->code == EAGAIN || error->code == EMFILE);
    } else {
        bed_check(bed);
    }
    bed_clear(bed);
}

/* Address space for a little more each time, until a load is possible: it fails at many places in between. */
static void child_address_space(void)
{
    unsigned errors = 0;
    struct plt_engine_target target = make_target();
    if (tap_sanitized()) {
        tap_skip("a sanitizer has taken all address space");
        return;
    }
    char text[256] = "";
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long pages = 0;
    CHECK(file != NULL && fgets(text, sizeof text, file) != NULL && sscanf(text, "%lu", &pages) == 1);
    fclose(file);
    for (unsigned step = 0; step <= 60; step++) {
        struct rlimit both;
        getrlimit(RLIMIT_AS, &both);
        both.rlim_cur = (rlim_t)pages * 4096 + step * step * (rlim_t)131072;
        CHECK(setrlimit(RLIMIT_AS, &both) == 0);
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.read_percent = 50;
        bed.load.threads = 8;
        bed.load.queue = step % 2 == 0 ? 64 : 4;
        bed.load.duration_ns = 10 * BED_MS;
        bed.load.tick_ns = 10 * BED_MS;
        bed.load.backend = step % 4 < 2 ? PLT_BACKEND_RING : PLT_BACKEND_THREADS;
        check_one_error(&bed, &errors);
    }
    tap_note("%u of 61 loads had too little memory", errors);
    CHECK_INT(errors, >, 10);
    CHECK_INT(errors, <, 61); /* 471 MB are enough for a ring */
    bed_wait_alone();
    close(target.fd);
}

/* Threads for a few, not for all: those that were started are sent home, and one more time it works. */
static void child_threads(void)
{
    unsigned errors = 0;
    struct plt_engine_target target = make_target();
    if (!become_stranger()) {
        return;
    }
    for (rlim_t threads = 2; threads <= 12; threads++) {
        struct rlimit both;
        getrlimit(RLIMIT_NPROC, &both);
        both.rlim_cur = threads;
        CHECK(setrlimit(RLIMIT_NPROC, &both) == 0);
        bed_wait_alone();
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.threads = 2;
        bed.load.queue = 4;
        bed.load.duration_ns = 10 * BED_MS;
        bed.load.tick_ns = 10 * BED_MS;
        bed.load.backend = PLT_BACKEND_THREADS;
        check_one_error(&bed, &errors);
    }
    bed_wait_alone();
    CHECK_INT(errors, >=, 7); /* 8 threads and this one */
    CHECK_INT(errors, <, 11);
    close(target.fd);
}

/* Descriptors: the engine needs two, and each ring one. */
static void child_descriptors(void)
{
    unsigned errors = 0;
    struct plt_engine_target target = make_target();
    if (!has_rings()) {
        return;
    }
    int next = dup(target.fd);
    close(next);
    for (int more = 0; more <= 16; more++) {
        struct rlimit both;
        getrlimit(RLIMIT_NOFILE, &both);
        both.rlim_cur = (rlim_t)(next + more);
        CHECK(setrlimit(RLIMIT_NOFILE, &both) == 0);
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.threads = 4;
        bed.load.duration_ns = 10 * BED_MS;
        bed.load.tick_ns = 10 * BED_MS;
        bed.load.backend = PLT_BACKEND_RING;
        check_one_error(&bed, &errors);
    }
    CHECK_INT(errors, >=, 5);
    CHECK_INT(errors, <, 17);
    close(target.fd);
}

/* Without standard input the first descriptor of all belongs to the engine, and nothing takes 0 for "none".
 */
static void child_no_input(void)
{
    struct plt_engine_target target = make_target();
    for (int b = 0; b < 2; b++) {
        close(STDIN_FILENO);
        check_whole_load(&target, b == 0 ? PLT_BACKEND_AUTO : PLT_BACKEND_THREADS,
                         b == 0 && plt_ring_available() ? PLT_BACKEND_RING : PLT_BACKEND_THREADS, 0, 0);
        errno = 0;
        CHECK(fcntl(STDIN_FILENO, F_GETFD) < 0 && errno == EBADF);
    }
    close(target.fd);
}

#define CASE(name)                \
    static void test_##name(void) \
    {                             \
        tap_child(#name);         \
    }
CASE(locked_memory)
CASE(registered)
CASE(refused_eperm)
CASE(refused_enosys)
CASE(iowq)
CASE(iowq_in_a_container)
CASE(address_space)
CASE(threads)
CASE(descriptors)
CASE(no_input)

static const struct tap_case cases[] = {
    {"/engine/limits/locked-memory", test_locked_memory},
    {"/engine/limits/registered", test_registered},
    {"/engine/limits/refused-eperm", test_refused_eperm},
    {"/engine/limits/refused-enosys", test_refused_enosys},
    {"/engine/limits/iowq", test_iowq},
    {"/engine/limits/iowq-in-a-container", test_iowq_in_a_container},
    {"/engine/limits/address-space", test_address_space},
    {"/engine/limits/threads", test_threads},
    {"/engine/limits/descriptors", test_descriptors},
    {"/engine/limits/no-input", test_no_input},
};

static const struct tap_case children[] = {
    {"locked_memory", child_locked_memory},
    {"registered", child_registered},
    {"refused_eperm", child_refused_eperm},
    {"refused_enosys", child_refused_enosys},
    {"iowq", child_iowq},
    {"iowq_in_a_container", child_iowq_in_a_container},
    {"address_space", child_address_space},
    {"threads", child_threads},
    {"descriptors", child_descriptors},
    {"no_input", child_no_input},
};

TAP_MAIN_WITH_CHILDREN(cases, children)
