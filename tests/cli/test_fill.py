# SPDX-License-Identifier: GPL-3.0-or-later
"""The free space is filled and given back, whatever happens; capacity is verified; others are not starved."""

import json
import os
import signal
import subprocess
import time

import harness
from harness import DONE, REFUSED, STOPPED, main, samples

MIB = 1 << 20
SIZE = 384 * MIB
LEAVE = ("--set", "leave=48MiB")

# As fill-free-space, but slow enough that something can be done meanwhile.
SLOW = """[suite]
id=slow-fill
name=Slow
description=Slow.
size=all
[fill]
kind=fill-free-space
block=128KiB
queue=4
rate_write=40MB/s
"""


class Fill(harness.Case):
    def setUp(self):
        self.home = self.make_home()
        self.stack = harness.contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.work = self.stack.enter_context(harness.tempfile.TemporaryDirectory(dir=harness.WORK, prefix="fill-"))
        self.image = os.path.join(self.work, "image")
        self.folder = self.stack.enter_context(harness.disk_image(self.work, SIZE))
        os.sync()
        self.before = self.free()
        self.slow = os.path.join(self.work, "slow.suite")
        with open(self.slow, "w", encoding="utf-8") as file:
            file.write(SLOW)

    def free(self):
        status = os.statvfs(self.folder)
        return status.f_bavail * status.f_frsize

    def wait_until(self, what, reason):
        until = time.monotonic() + 60
        while not what():
            self.assertLess(time.monotonic(), until, reason)
            time.sleep(0.05)

    def check_as_before(self):
        """Nothing in the folder, all the space there, the file system whole."""
        self.wait_until(lambda: self.free() == self.before, f"{self.before} were free and are not again")
        self.assert_empty(self.folder)
        device = next(line.split()[0] for line in open("/proc/mounts", encoding="utf-8") if self.folder in line)
        subprocess.run(["umount", self.folder], check=True)
        done = subprocess.run(["e2fsck", "-f", "-n", device], capture_output=True, text=True, check=False)
        subprocess.run(["mount", device, self.folder], check=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def begin_slow(self):
        """A slow fill of which something is already recorded."""
        process = self.begin("run", self.slow, self.folder, *LEAVE, "--json", home=self.home)
        self.addCleanup(process.kill)
        self.wait_until(lambda: process.poll() is not None or any(run["cells"] for run in self.results(self.home)),
                        "the run never began")
        time.sleep(1)
        return process

    def test_fill(self):
        run = self.measure("fill-free-space", self.folder, *LEAVE, "runs=2", home=self.home)
        self.check_as_before()
        self.assertEqual(run["status"], "complete")
        cell, = run["cells"]
        self.assertEqual(len(cell["runs"]), 2)
        for figures in cell["runs"]:
            space = figures["engine"]["space"]
            self.assertEqual(space["filled"], space["planned"])
            self.assertEqual(figures["bytes"], space["filled"])
            self.assertFalse(space["gave_way"])
            # All but what was to be left, and the file system's own records of the file.
            self.assertLess(self.before - 48 * MIB - space["filled"], 2 * MIB)
        stored = json.loads(self.check(self.cli("export", "last", "--format", "json", home=self.home)).stdout)
        for figures in stored["cells"][0]["runs"]:
            self.assertEqual(sum(tick["write_bytes"] for tick in samples(figures)), figures["bytes"])
        lines = self.check(self.cli("export", "last", "--format", "log-csv", home=self.home)).stdout.split()
        self.assertEqual(lines[0], "cell,run,percent,seconds,bandwidth_bps")
        rows = [line.split(",") for line in lines[1:]]
        self.assertEqual([row[1:3] for row in rows], [[run, f"{i / 10:.1f}"] for run in "01" for i in range(1, 1001)])
        # The time of the last line is that of the whole pass.
        for figures, row in zip(cell["runs"], (rows[999], rows[1999])):
            self.assertAlmostEqual(float(row[3]), figures["seconds"], delta=0.11)

    def test_kill(self):
        process = self.begin_slow()
        self.assertLess(self.free(), 64 * MIB)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        self.check_as_before()
        self.assertEqual([run["status"] for run in self.results(self.home)], ["interrupted"])

    def test_stop(self):
        process = self.begin_slow()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, STOPPED, errors)
        figures, = json.loads(output)["cells"][0]["runs"]
        self.assertFalse(figures["complete"])
        self.assertGreater(figures["bytes"], 0)
        self.check_as_before()

    def test_gives_way(self):
        """Somebody writes into what was to be left: the fill ends well, and the result says so."""
        process = self.begin_slow()
        path = os.path.join(self.folder, "others")
        with open(path, "wb") as file:
            file.write(bytes(30 * MIB))
            file.flush()
            os.fsync(file.fileno())
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, DONE, errors)
        run = json.loads(output)
        self.assertEqual(os.path.getsize(path), 30 * MIB)
        self.assertTrue(run["cells"][0]["runs"][0]["engine"]["space"]["gave_way"])
        self.assertIn("space-taken", [warning["id"] for warning in run["warnings"]])
        os.unlink(path)
        self.check_as_before()

    def test_no_space(self):
        done = self.cli("run", "fill-free-space", self.folder, home=self.home)
        self.check(done, REFUSED)
        self.assertEqual(self.results(self.home), [])
        self.check_as_before()

    def test_verify(self):
        run = self.measure("verify-capacity", self.folder, home=self.home)
        self.check_as_before()
        self.assertEqual([cell["id"] for cell in run["cells"]], ["seq1m-q4t1-write", "seq1m-q4t1-read"])
        found = run["cells"][1]["runs"][0]["engine"]["capacity"]
        self.assertEqual((found["verdict"], found["good"]), ("genuine", found["tested"]))
        self.assertEqual(run["cells"][0]["runs"][0]["bytes"], found["tested"])
        self.assertIn("genuine", self.check(self.cli("result", "last", home=self.home)).stdout)


class Whole(harness.Case):
    def setUp(self):
        harness.needs_root("losetup")
        self.home = self.make_home()
        self.image = os.path.join(self.make_target(), "image")
        # Not whole MiB: the last block of a drive is often shorter.
        with open(self.image, "wb") as file:
            file.truncate(33 * MIB + 4096)
        self.addCleanup(os.unlink, self.image)

    def test_verify_drive(self):
        with harness.loop_device(self.image, "--direct-io=on") as device:
            self.check(self.cli("run", "verify-capacity", device, home=self.home), REFUSED)
            run = self.measure("verify-capacity", device, "--erase", os.path.basename(device), home=self.home)
        found = run["cells"][1]["runs"][0]["engine"]["capacity"]
        self.assertEqual((found["verdict"], found["good"]), ("genuine", 33 * MIB + 4096))


if __name__ == "__main__":
    main()
