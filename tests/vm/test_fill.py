# SPDX-License-Identifier: GPL-3.0-or-later
"""
The free space of real file systems: they are as they were after a fill and after SIGKILL, and a drive that is smaller
than it says is found.
"""

import os
import signal
import subprocess
import time

from rig import Case, drive, free, main, slow_fill, tool

MIB = 1 << 20
LEAVE = ("--set", "leave=48MiB")
# How each file system is made, and how it is looked at without being changed.
KINDS = {
    "ext4": (("mkfs.ext4", "-q"), ("e2fsck", "-f", "-n")),
    "vfat": (("mkfs.vfat",), ("fsck.vfat", "-n")),
    "xfs": (("mkfs.xfs", "-q", "-f"), ("xfs_repair", "-n")),
    "btrfs": (("mkfs.btrfs", "-q", "-f"), ("btrfs", "check", "--readonly")),
}


class Space(Case):
    def with_each(self, check):
        for kind, (make, look) in KINDS.items():
            with self.subTest(kind):
                device = f"/dev/{drive('RIG0')}"
                folder = self.mount(device, make)
                tool("sync", "-f", folder)
                before = free(folder)
                check(folder)
                self.wait_for_space(folder, before)
                self.assert_empty(folder)
                tool("umount", folder)
                tool(*look, device)

    def wait_for_space(self, folder, before):
        """Btrfs takes and gives some of what it keeps its own records in."""
        slack = 2 * MIB if tool("stat", "-f", "-c", "%T", folder).strip() == "btrfs" else 0
        until = time.monotonic() + 40
        while free(folder) < before - slack:
            self.assertLess(time.monotonic(), until, f"{before} were free, and {free(folder)} are")
            tool("sync", "-f", folder)
            time.sleep(0.2)

    def fill(self, folder):
        run = self.measure("fill-free-space", folder, *LEAVE, "runs=2")
        self.assertEqual(run["status"], "complete")
        for figures in run["cells"][0]["runs"]:
            self.assertEqual(figures["engine"]["space"]["filled"], figures["engine"]["space"]["planned"])
            self.assertGreater(figures["bytes"], 150 * MIB)

    def kill(self, folder):
        home = self.make_home()
        process = self.begin("run", slow_fill(), folder, *LEAVE, home=home)
        self.wait_for_cell(process, home)
        time.sleep(1)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)

    def test_fill(self):
        self.with_each(self.fill)

    def test_kill(self):
        self.with_each(self.kill)

    def test_fake(self):
        """Of 256 MiB only the first 128 keep what is written: the rest reads as zeros."""
        sectors = 128 * MIB // 512
        table = f"0 {sectors} linear /dev/{drive('RIG0')} 0\n{sectors} {sectors} zero\n"
        tool("modprobe", "dm-zero")
        tool("dmsetup", "create", "fake", input=table)
        self.addCleanup(subprocess.run, ["dmsetup", "remove", "--retry", "fake"], check=False, capture_output=True)
        folder = self.mount("/dev/mapper/fake", ("mkfs.vfat", "-F", "32"))
        run = self.measure("verify-capacity", folder, "--set", "leave=32MiB")
        found = run["cells"][1]["runs"][0]["engine"]["capacity"]
        self.assertEqual(found["verdict"], "fake")
        self.assertAlmostEqual(found["good"] / MIB, 128, delta=4)
        self.assertEqual(found["empty"], found["tested"] - found["good"])
        # FAT gives out its space from the start of the drive on.
        self.assertAlmostEqual(found["first_bad"], found["good"], delta=0.01 * found["good"])
        self.assertIn("capacity-fake", self.warnings(run))


if __name__ == "__main__":
    main(["512M"])
