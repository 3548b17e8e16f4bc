/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/memory.h"
#include "engine/private.h"

static uint64_t timeval_ns(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

void plt_engine_thread_time(uint64_t *user_ns, uint64_t *system_ns)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    *user_ns = timeval_ns(usage.ru_utime);
    *system_ns = timeval_ns(usage.ru_stime);
}

/* The beginning of a small file of /proc as a string; false where it cannot be read. */
static bool read_small(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t n = read(fd, text, size - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

uint64_t plt_engine_thread_busy_ns(void)
{
    char text[96] = "";
    unsigned long long running = 0, waiting = 0;
    if (read_small("/proc/thread-self/schedstat", text, sizeof text) &&
        sscanf(text, "%llu %llu", &running, &waiting) == 2) {
        return running + waiting;
    }
    uint64_t user, system;
    plt_engine_thread_time(&user, &system);
    return user + system;
}

#define KERNEL_WORKER "iou-wrk-"

bool plt_engine_is_runnable(int thread)
{
    char path[64], text[128] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    if (!read_small(path, text, sizeof text)) {
        return false;
    }
    const char *name_end = strrchr(text, ')'); /* the name before it may hold anything */
    return name_end != NULL && strncmp(name_end, ") R", 3) == 0;
}

/* The inode of the first process namespace (PROC_PID_INIT_INO of <linux/proc_ns.h>). */
#define FIRST_PID_NAMESPACE 0xeffffffcu

/* In a container our numbers are not the kernel's, by which it names its threads. */
static bool knows_own_number(void)
{
    struct stat info;
    return stat("/proc/self/ns/pid", &info) == 0 && info.st_ino == FIRST_PID_NAMESPACE;
}

/* TASK's name begins with NAME; with EXACT it is NAME. */
static bool is_named(const char *task, const char *name, bool exact)
{
    char path[64], text[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", task);
    if (!read_small(path, text, sizeof text)) {
        return false;
    }
    text[strcspn(text, "\n")] = '\0';
    return exact ? strcmp(text, name) == 0 : strncmp(text, name, strlen(name)) == 0;
}

/* They are named after the thread that they work for. Where that name cannot be known, all of the process
 * count. */
unsigned plt_engine_count_kernel_workers(void)
{
    char name[32] = KERNEL_WORKER;
    unsigned count = 0;
    bool exact = knows_own_number();
    if (exact) {
        snprintf(name, sizeof name, KERNEL_WORKER "%d", (int)gettid());
    }
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        return 0;
    }
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) {
        count += isdigit((unsigned char)entry->d_name[0]) && is_named(entry->d_name, name, exact);
    }
    closedir(tasks);
    return count;
}

/* A drive that sleeps may take longer, but one that was just prepared for a run does not sleep. */
#define LIMIT_S 1

/* Shared by the thread that reads and the one that waits for it; the last of the two frees it. */
struct probe {
    struct plt_engine_target target; /* with a descriptor of its own */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done, falls;    /* under lock */
    unsigned references; /* under lock */
};

/*
 * One block is read twice: plainly, so that what the file system must look up first is in memory, then
 * through a ring. A target that can be asked without blocking answers the second without a kernel worker
 * thread.
 */
static bool read_and_count(const struct plt_engine_target *t, struct io_uring *ring, unsigned char *buffer)
{
    struct io_uring_cqe *cqe;
    struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
    if (sqe == NULL || pread(t->fd, buffer, t->logical_block, (off_t)t->offset) < 0) {
        return false;
    }
    unsigned before = plt_engine_count_kernel_workers();
    io_uring_prep_read(sqe, t->fd, buffer, t->logical_block, t->offset);
    if (io_uring_submit_and_wait(ring, 1) < 0 || io_uring_wait_cqe(ring, &cqe) != 0) {
        return false;
    }
    bool falls = cqe->res > 0 && plt_engine_count_kernel_workers() > before;
    io_uring_cqe_seen(ring, cqe);
    return falls;
}

static void unref_probe(struct probe *probe)
{
    pthread_mutex_lock(&probe->lock);
    bool last = --probe->references == 0;
    pthread_mutex_unlock(&probe->lock);
    if (last) {
        close(probe->target.fd);
        pthread_cond_destroy(&probe->changed);
        pthread_mutex_destroy(&probe->lock);
        free(probe);
    }
}

static void *probe_thread(void *data)
{
    struct probe *probe = data;
    struct io_uring ring;
    size_t length = probe->target.logical_block;
    unsigned char *buffer = plt_memory_alloc(&length);
    bool falls = false;
    if (buffer != NULL && io_uring_queue_init(2, &ring, 0) == 0) {
        falls = read_and_count(&probe->target, &ring, buffer);
        io_uring_queue_exit(&ring);
    }
    plt_memory_free(buffer, length);
    pthread_mutex_lock(&probe->lock);
    probe->done = true;
    probe->falls = falls;
    pthread_cond_signal(&probe->changed);
    pthread_mutex_unlock(&probe->lock);
    unref_probe(probe);
    return NULL;
}

static struct probe *make_probe(const struct plt_engine_target *target)
{
    int fd = fcntl(target->fd, F_DUPFD_CLOEXEC, 0);
    struct probe *probe = fd < 0 ? NULL : calloc(1, sizeof *probe);
    if (probe == NULL) {
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    probe->target = *target;
    probe->target.fd = fd;
    probe->references = 1;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&probe->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&probe->lock, NULL);
    return probe;
}

/* What the probe found, or false when it has found nothing yet after LIMIT_S. */
static bool wait_for_probe(struct probe *probe)
{
    struct timespec until;
    int error = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += LIMIT_S;
    pthread_mutex_lock(&probe->lock);
    while (!probe->done && error == 0) {
        error = pthread_cond_timedwait(&probe->changed, &probe->lock, &until);
    }
    bool falls = probe->falls;
    pthread_mutex_unlock(&probe->lock);
    return falls;
}

bool plt_engine_falls_into_iowq(const struct plt_engine_target *target)
{
    /*
     * On a thread of its own: kernel workers live on for seconds and would answer for the next target too,
     * and a target that has stopped answering would hold up whoever waits to stop it.
     */
    struct probe *probe = make_probe(target);
    pthread_t thread;
    if (probe == NULL) {
        return false;
    }
    probe->references++;
    if (pthread_create(&thread, NULL, probe_thread, probe) == 0) {
        pthread_detach(thread);
    } else {
        probe->done = true;
        unref_probe(probe);
    }
    bool falls = wait_for_probe(probe);
    unref_probe(probe);
    return falls;
}
