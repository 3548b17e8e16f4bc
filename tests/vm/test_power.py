# SPDX-License-Identifier: GPL-3.0-or-later
"""
Power cuts in the middle of a run: after the next boot the library is whole, the run is there as an interrupted
one, and a second at most is missing. QEMU is ended without a word to the guest, so what the guest had only in
its memory is lost; what it had given to a drive is there.
"""

import contextlib
import datetime
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from rig import boot, drive, INSIDE, need_machine, new_machine, tool
import harness

LIBRARY, TESTED = "/run/library", "/run/tested"
# The library is committed once a second, which on a busy machine may come a little late.
PROMISED_US = 1_000_000
GRACE_US = 1_000_000


class Guest:
    """What happens inside, one part a boot; a line of JSON is all that comes out."""

    def __init__(self):
        for folder, serial in ((LIBRARY, "RIG1"), (TESTED, "RIG0")):
            os.makedirs(folder)
            path = f"/dev/{drive(serial)}"
            if not self.is_made(path):
                tool("mkfs.ext4", "-q", path)
            tool("mount", path, folder)

    @staticmethod
    def is_made(path):
        """Whether there is a file system on it."""
        return subprocess.run(["blkid", "--probe", path], check=False, capture_output=True).returncode == 0

    @staticmethod
    def env():
        return {"XDG_DATA_HOME": LIBRARY}

    def look(self):
        """After a cut: whether all is whole, and what of the run is there."""
        path = f"{LIBRARY}/plateau/library.db"
        first = harness.run("results", "--json", env=self.env())
        with contextlib.closing(sqlite3.connect(path)) as database:
            integrity = database.execute("PRAGMA integrity_check").fetchall()
            integrity += database.execute("PRAGMA foreign_key_check").fetchall()
        run = json.loads(harness.run("export", "last", "--format", "json", env=self.env()).stdout)
        cell = run["cells"][-1]["runs"][-1]
        ticks = harness.samples(cell)
        start = int(datetime.datetime.fromisoformat(cell["started"]).timestamp() * 1e6)
        return {"runs": json.loads(first.stdout)["results"], "said": first.stderr, "integrity": integrity,
                "status": run["status"], "complete": cell["complete"], "ios": cell["ios"], "p50": cell["latency_ns"]["p50"],
                "sum": sum(tick["write_ios"] for tick in ticks), "ticks": len(ticks),
                "end_us": start + sum(tick["duration_ns"] for tick in ticks) // 1000,
                "left": [name for name in os.listdir(TESTED) if name != "lost+found"]}

    def begin_and_cut(self, seconds):
        """Begins a long run and, SECONDS after its first window has begun, ends the machine."""
        from qmp import Qmp  # pylint: disable=import-outside-toplevel
        process = harness.start("run", "quick", TESTED, "--set", "size=32MiB", "seconds=60", "only=rnd4k-q1t1-write",
                                env=self.env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            listed = json.loads(harness.run("results", "--json", env=self.env()).stdout)["results"]
            if any(run["status"] == "running" and run["cells"] > 0 for run in listed):
                break
            time.sleep(0.1)
        time.sleep(seconds)
        qmp = Qmp()
        print(json.dumps({"cut_us": time.time_ns() // 1000}), flush=True)
        qmp.send("quit")
        time.sleep(60)


class Power(unittest.TestCase):
    def boot(self, *parts):
        """The lines of JSON that a boot brings forth, and how it ended."""
        lines = []
        vm = new_machine([f"512M,image={self.folder}/tested", f"256M,image={self.folder}/library"])
        vm.is_sudden_end_wanted = "cut" in parts
        status = boot(vm, ["python3", os.path.realpath(__file__), *map(str, parts)], sink=lines.append)
        return [json.loads(line) for line in b"".join(lines).splitlines()], status

    def check(self, found, cut_us, number):
        """FOUND after cut NUMBER."""
        self.assertEqual(found["integrity"], [["ok"]])
        self.assertEqual([run["status"] for run in found["runs"]], ["interrupted"] * number)
        self.assertIn("Recovered 1 run", found["said"])
        self.assertEqual((found["status"], found["complete"]), ("interrupted", False))
        self.assertGreater(found["ticks"], 10)
        self.assertEqual(found["ios"], found["sum"])
        self.assertLess(cut_us - found["end_us"], PROMISED_US + GRACE_US)
        self.assertEqual(found["left"], [])
        print(f"# {(cut_us - found['end_us']) / 1e6:.2f} s were lost")

    def test_cuts(self):
        moments = random.Random(20261201)
        folder = tempfile.TemporaryDirectory(dir=harness.WORK, prefix="vm-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        lines, status = self.boot("cut", f"{moments.uniform(2, 5):.2f}")
        self.assertEqual(status, 125)
        for number, parts in ((1, ("look", "cut", f"{moments.uniform(2, 5):.2f}")), (2, ("look",))):
            cut_us = lines[-1]["cut_us"]
            lines, status = self.boot(*parts)
            self.check(lines[0], cut_us, number)
        self.assertEqual(status, 0)


def main():
    if not INSIDE:
        need_machine()
        harness.main()
    guest = Guest()
    parts = sys.argv[1:]
    if "look" in parts:
        print(json.dumps(guest.look()), flush=True)
    if "cut" in parts:
        guest.begin_and_cut(float(parts[-1]))


if __name__ == "__main__":
    main()
