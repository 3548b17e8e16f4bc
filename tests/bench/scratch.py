# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets that cannot outlive the bench: a file without a name, a loop device that detaches itself."""

import ctypes
import errno
import fcntl
import mmap
import os
import shutil
import tempfile
import time
from contextlib import contextmanager

from common import Problem, Unavailable

CHUNK = 1 << 20

# <linux/loop.h>
LOOP_CONFIGURE, LOOP_CLR_FD, LOOP_CTL_GET_FREE = 0x4C0A, 0x4C01, 0x4C82
LO_FLAGS_AUTOCLEAR, LO_FLAGS_DIRECT_IO = 4, 16


class LoopInfo64(ctypes.Structure):
    _fields_ = [
        ('device', ctypes.c_uint64), ('inode', ctypes.c_uint64), ('rdevice', ctypes.c_uint64),
        ('offset', ctypes.c_uint64), ('sizelimit', ctypes.c_uint64), ('number', ctypes.c_uint32),
        ('encrypt_type', ctypes.c_uint32), ('encrypt_key_size', ctypes.c_uint32), ('flags', ctypes.c_uint32),
        ('file_name', ctypes.c_uint8 * 64), ('crypt_name', ctypes.c_uint8 * 64),
        ('encrypt_key', ctypes.c_uint8 * 32), ('init', ctypes.c_uint64 * 2),
    ]


class LoopConfig(ctypes.Structure):
    _fields_ = [('fd', ctypes.c_uint32), ('block_size', ctypes.c_uint32), ('info', LoopInfo64),
                ('reserved', ctypes.c_uint64 * 8)]


def fill(fd, size):
    """Writes all SIZE bytes, so that no later read meets a hole; random, so that nothing compresses."""
    buffer = mmap.mmap(-1, CHUNK)
    for offset in range(0, size, CHUNK):
        buffer[:] = os.urandom(CHUNK)
        part = memoryview(buffer)[:min(CHUNK, size - offset)]
        try:
            written = os.pwrite(fd, part, offset)
        finally:
            length = len(part)
            part.release()
        if written != length:
            raise Problem('the scratch file cannot be written fully: is there space left?')
    buffer.close()
    os.fsync(fd)


def open_unnamed(folder):
    """A file that is gone with the last process that has it open, however that one ends."""
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_DIRECT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
            raise Problem(f'no file can be made in {folder}: {error.strerror}') from None
    fd, path = tempfile.mkstemp(prefix='plateau-bench-', dir=folder)
    os.unlink(path)
    try:
        fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_DIRECT)
    except OSError:
        os.close(fd)
        raise Unavailable(f'the file system of {folder} has no direct I/O: give another one with --folder') from None
    return fd


def by_descriptor(fd):
    """A path by which other programs of this user reach the open file."""
    return f'/proc/{os.getpid()}/fd/{fd}'


@contextmanager
def scratch_file(folder, size):
    free = shutil.disk_usage(folder).free
    if free < size + size // 4:
        raise Problem(f'{folder} has {free >> 20} MiB free: a file of {size >> 20} MiB and a quarter more are needed')
    fd = open_unnamed(folder)
    try:
        fill(fd, size)
        yield by_descriptor(fd)
    finally:
        os.close(fd)


def attach(backing):
    """The next free loop device over the open file BACKING, with direct I/O. Returns its path and descriptor."""
    control = os.open('/dev/loop-control', os.O_RDWR | os.O_CLOEXEC)
    try:
        for _ in range(32):
            path = f'/dev/loop{fcntl.ioctl(control, LOOP_CTL_GET_FREE)}'
            config = LoopConfig(fd=backing)
            config.info.flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_DIRECT_IO
            fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.ioctl(fd, LOOP_CONFIGURE, bytes(config))
                return path, fd
            except OSError as error:
                os.close(fd)
                if error.errno != errno.EBUSY:  # somebody else was faster
                    raise
        raise Unavailable('no loop device is free')
    finally:
        os.close(control)


def direct_io_on(path):
    try:
        with open(f'/sys/block/{os.path.basename(path)}/loop/dio', encoding='ascii') as file:
            return file.read().strip() == '1'
    except OSError:
        return False


def wait_detached(path):
    """A program that was stopped with us may hold the device a moment longer; the last one to close it detaches it."""
    for _ in range(50):
        if not os.path.exists(f'/sys/block/{os.path.basename(path)}/loop/backing_file'):
            return
        time.sleep(0.1)


@contextmanager
def memory_loop(size):
    """
    A loop device with direct I/O over a file in tmpfs. The file is a memfd and the device detaches with its last
    user, so the kernel itself takes both down when this process ends in any way.
    """
    if os.geteuid():
        raise Unavailable('a loop device needs root')
    if not os.path.exists('/dev/loop-control'):
        raise Unavailable('this kernel has no loop devices')
    if os.sysconf('SC_AVPHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') < 2 * size:
        raise Unavailable(f'less than {2 * size >> 20} MiB of memory are free')
    memory = os.memfd_create('plateau-bench', os.MFD_CLOEXEC)
    # Direct I/O is a property of an opened file, and a memfd is not opened: open it once more.
    backing = os.open(by_descriptor(memory), os.O_RDWR | os.O_CLOEXEC)
    device = -1
    try:
        fill(backing, size)
        path, device = attach(backing)
        if not direct_io_on(path):
            raise Unavailable('this kernel has no direct I/O on loop devices over tmpfs')
        yield path
    finally:
        if device >= 0:
            fcntl.ioctl(device, LOOP_CLR_FD)
            os.close(device)
            wait_detached(path)
        os.close(backing)
        os.close(memory)
