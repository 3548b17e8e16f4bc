/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct refusal {
    char *reason;
    size_t size;
};

static bool __attribute__((format(printf, 2, 3))) refuse(struct refusal *refusal, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(refusal->reason, refusal->size, format, args);
    va_end(args);
    return false;
}

/* True for a whole loop or zram device: memory or a file, never a drive that somebody needs. */
static bool is_scratch_device(dev_t rdev)
{
    char link[64], path[PATH_MAX];
    const char *name;
    size_t skip;

    snprintf(link, sizeof link, "/sys/dev/block/%u:%u", major(rdev), minor(rdev));
    if (!realpath(link, path))
        return false;
    name = strrchr(path, '/') + 1;
    skip = !strncmp(name, "loop", 4) || !strncmp(name, "zram", 4) ? 4 : 0;
    return skip && name[skip] && strspn(name + skip, "0123456789") == strlen(name + skip);
}

static bool open_path(struct load_target *target, const struct load_options *options, const struct stat *st,
                      struct refusal *refusal)
{
    bool changes = plt_workload_changes_data(&options->workload);
    int flags = O_CLOEXEC | (changes ? O_RDWR : O_RDONLY) | (options->buffered ? 0 : O_DIRECT);
    struct stat now;

    if (changes && !options->overwrite)
        return refuse(refusal, "this load destroys the contents of %s: say --overwrite if that is meant",
                      options->path);
    if (changes && S_ISBLK(st->st_mode)) {
        if (!is_scratch_device(st->st_rdev))
            return refuse(refusal, "%s is not a loop or zram device: it can only be read", options->path);
        /* The kernel then answers EBUSY for a device that is mounted in any namespace, swap, or a member. */
        flags |= O_EXCL;
    }
    target->engine.fd = open(options->path, flags);
    if (target->engine.fd < 0 && errno == EBUSY)
        return refuse(refusal, "%s is in use (mounted, or part of something): unmount it first",
                      options->path);
    if (target->engine.fd < 0 && errno == EINVAL && !options->buffered)
        return refuse(refusal, "%s cannot be opened for direct I/O: choose a file system that has it",
                      options->path);
    if (target->engine.fd < 0)
        return refuse(refusal, "cannot open %s: %s", options->path, strerror(errno));
    if (fstat(target->engine.fd, &now) || now.st_dev != st->st_dev || now.st_ino != st->st_ino ||
        now.st_rdev != st->st_rdev)
        return refuse(refusal, "%s was replaced while it was opened: try again", options->path);
    return true;
}

/* Alignment as the file system or the device states it; 4096 suits any file system that does not say. */
static bool find_geometry(struct load_target *target, const struct stat *st, struct refusal *refusal)
{
    struct statx stx = {0};
    int sector;

    target->engine.logical_block = 4096;
    target->engine.memory_align = 4096;
    if (S_ISBLK(st->st_mode)) {
        if (ioctl(target->engine.fd, BLKGETSIZE64, &target->engine.length) ||
            ioctl(target->engine.fd, BLKSSZGET, &sector))
            return refuse(refusal, "the size of the device cannot be read: %s", strerror(errno));
        target->engine.logical_block = (uint32_t)sector;
        return true;
    }
    target->engine.length = (uint64_t)st->st_size;
    if (!statx(target->engine.fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) && stx.stx_mask & STATX_DIOALIGN &&
        stx.stx_dio_offset_align) {
        target->engine.logical_block = stx.stx_dio_offset_align;
        target->engine.memory_align = stx.stx_dio_mem_align;
    }
    return true;
}

static bool cut_range(struct load_target *target, const struct load_options *options, struct refusal *refusal)
{
    uint64_t all = target->engine.length;
    if (options->offset >= all || options->length > all - options->offset)
        return refuse(refusal, "the range lies outside the target, which has %llu bytes",
                      (unsigned long long)all);
    target->engine.offset = options->offset;
    target->engine.length = options->length ? options->length : all - options->offset;
    /* A tail that is shorter than a block can never be addressed. */
    if (options->workload.block)
        target->engine.length -= target->engine.length % options->workload.block;
    return true;
}

static bool open_nop(struct load_target *target, const struct load_options *options, struct refusal *refusal)
{
    target->kind = "nop";
    target->engine.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (target->engine.fd < 0)
        return refuse(refusal, "cannot open /dev/null: %s", strerror(errno));
    target->engine.length = options->length ? options->length : UINT64_C(1) << 30;
    target->engine.logical_block = 512;
    return true;
}

static bool open_real(struct load_target *target, const struct load_options *options, struct refusal *refusal)
{
    struct stat st;
    if (stat(options->path, &st))
        return refuse(refusal, "cannot open %s: %s", options->path, strerror(errno));
    if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
        return refuse(refusal, "%s is neither a file nor a block device", options->path);
    target->kind = S_ISBLK(st.st_mode) ? "block" : "file";
    return open_path(target, options, &st, refusal) && find_geometry(target, &st, refusal) &&
           cut_range(target, options, refusal);
}

bool load_target_open(struct load_target *target, const struct load_options *options, char *reason,
                      size_t size)
{
    struct refusal refusal = {reason, size};
    *target = (struct load_target){.engine.fd = -1};
    if (options->workload.nop ? open_nop(target, options, &refusal) : open_real(target, options, &refusal))
        return true;
    load_target_close(target);
    return false;
}

void load_target_close(struct load_target *target)
{
    if (target->engine.fd >= 0)
        close(target->engine.fd);
    target->engine.fd = -1;
}
