# SPDX-License-Identifier: GPL-3.0-or-later
"""kill -9 at any moment of a run: no file stays, the library is whole, a second at most is missing."""

import contextlib
import datetime
import json
import os
import random
import signal
import sqlite3
import time

from harness import Case, main, samples

KILLS = 50
# The library is committed once a second; a busy machine may be late for it, but not always and not by much.
PROMISED_US = 1_000_000
GRACE_US = 500_000
LATEST_US = 5_000_000


class Kill(Case):
    def setUp(self):
        self.random = random.Random(20261201)
        self.missing = []

    def library(self):
        return os.path.join(self.home, "plateau/library.db")

    def check_integrity(self):
        if not os.path.exists(self.library()):
            return
        with contextlib.closing(sqlite3.connect(self.library())) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            self.assertEqual(database.execute("PRAGMA foreign_key_check").fetchall(), [])

    def kill_one(self, args, delay):
        """Kills a run after DELAY; the moment of it, in µs since 1970."""
        process = self.begin("run", "quick", self.target, *args)
        time.sleep(delay)
        killed_us = time.time_ns() // 1000
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        self.assertIn(process.returncode, (-signal.SIGKILL, 0))
        return killed_us

    def check_samples(self, killed_us):
        """What was measured until KILLED_US in the window that was cut is there but for the last second."""
        done = self.check(self.cli("export", "last", "--format", "json"))
        cells = json.loads(done.stdout)["cells"]
        if not cells or not cells[-1]["runs"]:
            return
        run = cells[-1]["runs"][-1]
        if run["complete"]:
            return
        there = samples(run)
        started_us = int(datetime.datetime.fromisoformat(run["started"]).timestamp() * 1e6)
        missing = killed_us - started_us - sum(sample["duration_ns"] for sample in there) // 1000
        self.missing.append(missing)
        self.assertLess(missing, LATEST_US)
        # What the figures say is what the samples say.
        self.assertEqual(run["ios"], sum(sample["read_ios"] + sample["write_ios"] for sample in there))

    def check_after(self, known, killed_us):
        self.assert_empty(self.target)
        self.check_integrity()
        done = self.check(self.cli("results", "--json"))
        runs = json.loads(done.stdout)["results"]
        new = [run for run in runs if run["id"] not in known]
        self.assertLessEqual(len(new), 1)
        for run in new:
            self.assertIn(run["status"], ("interrupted", "complete"))
            if run["status"] == "interrupted":
                self.assertIn("Recovered 1 run", done.stderr)
                self.check_samples(killed_us)
            known.add(run["id"])
        self.assertNotIn("Recovered", self.check(self.cli("results")).stderr)

    def test_at_random_moments(self):
        # Half of the kills fall into short windows and what is between them, half into a long one.
        short = ("--set", "size=16MiB", "seconds=0.1", "interval=0.1")
        long = ("--set", "size=16MiB", "seconds=30", "only=rnd4k-q1t1-write")
        known = set()
        for number in range(KILLS):
            delay = self.random.uniform(0.01, 1.8 if number % 2 else 0.9)
            self.check_after(known, self.kill_one(long if number % 2 else short, delay))
        self.assertGreater(len(known), KILLS // 2)
        self.assertGreater(len(self.missing), 5)
        late = [missing for missing in self.missing if missing > PROMISED_US + GRACE_US]
        self.assertLessEqual(len(late), len(self.missing) // 5, self.missing)
        # After all that a run is still a run.
        run = self.measure("quick", self.target, *short, "only=rnd4k-q1t1-read")
        self.assertEqual(run["status"], "complete")


if __name__ == "__main__":
    main()
