/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frozen.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bed.h"
#include "tap.h"

#define LONGEST_FREEZE_MS 25000
#define SIZE (64 * BED_MIB)

/* Commands are f, freeze, and t, thaw; each is answered when it is done. */
static void guard(int folder, int from, int to)
{
    bool is_frozen = false;
    for (;;) {
        char command = 0;
        struct pollfd wait = {.fd = from, .events = POLLIN};
        if (poll(&wait, 1, is_frozen ? LONGEST_FREEZE_MS : -1) > 0 && read(from, &command, 1) == 1) {
            char answer = ioctl(folder, command == 'f' ? FIFREEZE : FITHAW, 0) == 0 ? 'y' : 'n';
            is_frozen = command == 'f' && answer == 'y';
            if (write(to, &answer, 1) != 1) {
                command = 0;
            }
        }
        if (command == 0) {
            if (is_frozen) {
                ioctl(folder, FITHAW, 0);
            }
            _exit(0);
        }
    }
}

static void start_guard(struct frozen *f, int folder)
{
    int there[2], back[2];
    CHECK(pipe2(there, O_CLOEXEC) == 0 && pipe2(back, O_CLOEXEC) == 0);
    fflush(stdout);
    f->guard = fork();
    if (f->guard == 0) {
        close(there[1]);
        close(back[0]);
        setsid();
        guard(folder, there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    f->to_guard = there[1];
    f->from_guard = back[0];
}

static void tell_guard(struct frozen *f, char command)
{
    char answer = 0;
    CHECK(write(f->to_guard, &command, 1) == 1);
    CHECK(read(f->from_guard, &answer, 1) == 1 && answer == 'y');
}

/* The path of a loop device on BACKING, which goes away when nothing has it open; -1 or its descriptor. */
static int make_loop(int backing, char *path, size_t size)
{
    int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    int loop = -1;
    for (int attempt = 0; control >= 0 && loop < 0 && attempt < 20; attempt++) {
        struct loop_config config = {.fd = (unsigned)backing, .info.lo_flags = LO_FLAGS_AUTOCLEAR};
        snprintf(path, size, "/dev/loop%d", ioctl(control, LOOP_CTL_GET_FREE));
        loop = open(path, O_RDWR | O_CLOEXEC);
        if (loop >= 0 && ioctl(loop, LOOP_CONFIGURE, &config) != 0) { /* somebody was faster */
            close(loop);
            loop = -1;
        }
    }
    if (control >= 0) {
        close(control);
    }
    return loop;
}

static bool make_file_system(const char *path)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execlp("mkfs.ext4", "mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard",
               path, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static bool mount_it(struct frozen *f)
{
    if (!make_file_system(f->device)) {
        tap_skip("needs mkfs.ext4");
        return false;
    }
    f->mount = bed_mount("ext4", f->device, NULL);
    if (f->mount < 0) {
        tap_skip("an ext4 file system cannot be mounted here: %s", strerror(errno));
        return false;
    }
    snprintf(f->folder, sizeof f->folder, "/proc/self/fd/%d", f->mount);
    return true;
}

bool frozen_make(struct frozen *f)
{
    const char *scratch = getenv("PLATEAU_SCRATCH");
    memset(f, 0, sizeof *f);
    if (geteuid() != 0) {
        tap_skip("needs root, for a file system that can be frozen");
        return false;
    }
    f->backing = open(scratch != NULL ? scratch : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (f->backing < 0 || ftruncate(f->backing, (off_t)SIZE) != 0) {
        tap_skip("no nameless file of 64 MiB in %s", scratch != NULL ? scratch : "this folder");
        return false;
    }
    int loop = make_loop(f->backing, f->device, sizeof f->device);
    if (loop < 0) {
        tap_skip("no loop device can be had here");
        close(f->backing);
        return false;
    }
    bool mounted = mount_it(f);
    close(loop);
    if (!mounted) {
        close(f->backing);
        return false;
    }
    int folder = open(f->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    start_guard(f, folder);
    close(folder);
    return true;
}

void frozen_clear(struct frozen *f)
{
    close(f->to_guard);
    close(f->from_guard);
    CHECK(waitpid(f->guard, NULL, 0) == f->guard);
    close(f->mount);
    close(f->backing);
}

void frozen_freeze(struct frozen *f)
{
    tell_guard(f, 'f');
}

void frozen_thaw(struct frozen *f)
{
    tell_guard(f, 't');
}
