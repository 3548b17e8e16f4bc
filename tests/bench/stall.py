# SPDX-License-Identifier: GPL-3.0-or-later
"""What the engine does while a target does not answer: writes to a file system that is frozen for a moment."""

import fcntl
import json
import os
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager

from common import Problem, Unavailable, call, need
from scratch import by_descriptor, fill, memory_loop

FIFREEZE, FITHAW = 0xC0045877, 0xC0045878
SIZE = 64 << 20
FREEZE_S = 0.7


def unmount(folder):
    """The kernel gives an io_uring's files back a moment after its process has ended."""
    for _ in range(50):
        if not subprocess.run([need('umount'), folder], capture_output=True, check=False).returncode:
            return
        time.sleep(0.1)
    call([need('umount'), '--lazy', folder], 30)


@contextmanager
def private_mount(device):
    """Mounted in a mount namespace of our own: gone with the bench, however it ends."""
    if not hasattr(os, 'unshare'):
        raise Unavailable('this Python has no os.unshare')
    os.unshare(os.CLONE_NEWNS)
    # Refused where / is no mount point (a chroot): the mount may then be seen outside until it is taken down.
    subprocess.run([need('mount'), '--make-rprivate', '/'], capture_output=True, check=False)
    with tempfile.TemporaryDirectory(prefix='plateau-bench-') as folder:
        call([need('mount'), '-t', 'ext4', device, folder], 30)
        try:
            yield folder
        finally:
            unmount(folder)


def freeze_for(folder, seconds):
    """A process of its own, deaf to Ctrl+C, thaws what it froze: a frozen file system would outlive us."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        fd = os.open(folder, os.O_RDONLY)
        fcntl.ioctl(fd, FIFREEZE, 0)
        try:
            time.sleep(seconds)
        finally:
            fcntl.ioctl(fd, FITHAW, 0)
        status = 0
    finally:
        os._exit(status)


def load_in_stall(ours, folder, target, frozen_s, stop_after_s):
    """Runs a write load, freezes the file system under it, and stops the load by a signal if asked to."""
    command = [ours.program, '--queue', '32', '--read', '0', '--overwrite', '--seconds', '2', '--samples', target]
    load = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    freezer = frozen = 0
    try:
        time.sleep(0.6)
        freezer = freeze_for(folder, frozen_s)
        if stop_after_s:
            time.sleep(stop_after_s)
            load.send_signal(signal.SIGINT)
        out, errors = load.communicate(timeout=30)
    finally:
        if freezer:
            frozen = os.waitstatus_to_exitcode(os.waitpid(freezer, 0)[1])
        if load.poll() is None:
            load.kill()
            load.wait()
    if frozen:
        raise Unavailable('the file system cannot be frozen')
    if load.returncode or not out:
        raise Problem(f'the load in a stall failed: {errors.strip()}')
    return json.loads(out)


def measure(ours):
    """(longest gap between live samples in ms, the stall as the engine saw it in ms, stop to return in ms)."""
    with memory_loop(4 * SIZE) as device:
        call([need('mkfs.ext4'), '-q', '-F', device], 60)
        with private_mount(device) as folder:
            fd = os.open(os.path.join(folder, 'file'), os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_DIRECT, 0o600)
            try:
                fill(fd, SIZE)
                stalled = load_in_stall(ours, folder, by_descriptor(fd), FREEZE_S, 0)
                stopped = load_in_stall(ours, folder, by_descriptor(fd), 2 * FREEZE_S, FREEZE_S)
            finally:
                os.close(fd)
    longest = max((stall['length_ns'] for stall in stalled['stalls']), default=0)
    if longest < 0.9e9 * FREEZE_S:
        raise Problem(f'the file system was frozen for {FREEZE_S} s, but the longest stall seen is {longest / 1e6:.0f} ms')
    if not stopped['stop_ns']:
        raise Problem('the load ended before it was stopped')
    return stalled['live_gap_max_ns'] / 1e6, longest / 1e6, stopped['stop_ns'] / 1e6
