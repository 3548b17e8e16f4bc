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

struct probe {
    const struct plt_engine_target *target;
    bool falls;
};

/*
 * One block is read twice: plainly, so that what the file system must look up first is in memory, then
 * through a ring. A target that can be asked without blocking answers the second without a kernel worker
 * thread.
 */
static void read_and_count(struct probe *probe, struct io_uring *ring, unsigned char *buffer)
{
    const struct plt_engine_target *t = probe->target;
    struct io_uring_cqe *cqe;
    struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
    if (sqe == NULL || pread(t->fd, buffer, t->logical_block, (off_t)t->offset) < 0) {
        return;
    }
    unsigned before = plt_engine_count_kernel_workers();
    io_uring_prep_read(sqe, t->fd, buffer, t->logical_block, t->offset);
    if (io_uring_submit_and_wait(ring, 1) < 0 || io_uring_wait_cqe(ring, &cqe) != 0) {
        return;
    }
    probe->falls = cqe->res > 0 && plt_engine_count_kernel_workers() > before;
    io_uring_cqe_seen(ring, cqe);
}

static void *probe_thread(void *data)
{
    struct probe *probe = data;
    struct io_uring ring;
    size_t length = probe->target->logical_block;
    unsigned char *buffer = plt_memory_alloc(&length);
    if (buffer != NULL && io_uring_queue_init(2, &ring, 0) == 0) {
        read_and_count(probe, &ring, buffer);
        io_uring_queue_exit(&ring);
    }
    plt_memory_free(buffer, length);
    return NULL;
}

bool plt_engine_falls_into_iowq(const struct plt_engine_target *target)
{
    /* On a thread of its own: kernel workers live on for seconds and would answer for the next target too. */
    struct probe probe = {.target = target};
    pthread_t thread;
    if (pthread_create(&thread, NULL, probe_thread, &probe) != 0) {
        return false;
    }
    pthread_join(thread, NULL);
    return probe.falls;
}
