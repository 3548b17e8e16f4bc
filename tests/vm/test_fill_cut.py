# SPDX-License-Identifier: GPL-3.0-or-later
"""A power cut while the free space is being filled: the file system is whole, and all of its space is free again."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

from rig import boot, drive, free, INSIDE, need_machine, new_machine, slow_fill, tool
import harness

MIB = 1 << 20
FOLDER = "/run/tested"
# How each file system is made, and how it is looked at without being changed.
KINDS = {
    "ext4": (("mkfs.ext4", "-q"), ("e2fsck", "-f", "-n")),
    "xfs": (("mkfs.xfs", "-q", "-f"), ("xfs_repair", "-n")),
}


class Cut(unittest.TestCase):
    """Machines that lose their power."""

    def boot(self, *parts):
        lines = []
        vm = new_machine([f"512M,image={self.folder}/tested"])
        vm.is_sudden_end_wanted = "cut" in parts
        status = boot(vm, ["python3", os.path.realpath(__file__), *parts], sink=lines.append)
        return [json.loads(line) for line in b"".join(lines).splitlines()], status

    def test_cut(self):
        folder = tempfile.TemporaryDirectory(dir=harness.WORK, prefix="vm-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for kind in KINDS:
            with self.subTest(kind):
                began, status = self.boot("cut", kind)
                self.assertEqual(status, 125)
                self.assertGreater(began[0]["before"] - began[1]["meanwhile"], 100 * MIB)
                found, status = self.boot("look", kind)
                self.assertEqual(status, 0)
                self.assertEqual(found[0], {"free": began[0]["before"], "left": []})


def cut(kind):
    from qmp import Qmp  # pylint: disable=import-outside-toplevel
    device = f"/dev/{drive('RIG0')}"
    os.makedirs(FOLDER)
    tool(*KINDS[kind][0], device)
    tool("mount", device, FOLDER)
    tool("sync", "-f", FOLDER)
    print(json.dumps({"before": free(FOLDER)}), flush=True)
    harness.start("run", slow_fill(), FOLDER, "--set", "leave=48MiB", env={"XDG_DATA_HOME": "/run"}, stdout=subprocess.DEVNULL,
                  stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while free(FOLDER) > 64 * MIB and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(2)
    print(json.dumps({"meanwhile": free(FOLDER)}), flush=True)
    Qmp().send("quit")
    time.sleep(60)


def look(kind):
    """What a person finds who switches on again."""
    device = f"/dev/{drive('RIG0')}"
    os.makedirs(FOLDER)
    tool("mount", device, FOLDER)
    tool("sync", "-f", FOLDER)
    # What the file system had noted to free is freed in the background.
    until = time.monotonic() + 20
    while free(FOLDER) < 400 * MIB and time.monotonic() < until:
        time.sleep(0.2)
    time.sleep(2)
    now = free(FOLDER)
    left = [name for name in os.listdir(FOLDER) if name != "lost+found"]
    tool("umount", FOLDER)
    tool(*KINDS[kind][1], device)
    print(json.dumps({"free": now, "left": left}), flush=True)


def main():
    if not INSIDE:
        need_machine()
        harness.main()
    if sys.argv[1] == "cut":
        cut(sys.argv[2])
    else:
        look(sys.argv[2])


if __name__ == "__main__":
    main()
