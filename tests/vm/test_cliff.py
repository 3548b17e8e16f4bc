# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive whose speed falls for good in the middle of a fill: found at the place where it was made to fall."""

import json
import os
import time

from rig import Case, drive, main, read
from qmp import Qmp
from test_pace import MB, TICK, Act, wall_ns

FAST = 100 * MB
SLOW = 20 * MB
SUITE = """[suite]
id=one-pass
name=One pass
description=Writes all of the drive once.
size=all

[pass]
kind=fill
block=128KiB
queue=32
role=fill-pass-1
"""


class Cliff(Case):
    def setUp(self):
        self.path = os.path.join(self.work, "one-pass.suite")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(SUITE)

    def throttle(self, bps):
        return Act(lambda: self.qmp.throttle("c0n1", write=bps))

    def wait_for_writes(self, process):
        """Until PROCESS has written the first MiB: the fill is on its way."""
        stat = f"/sys/class/block/{drive('RIG0')}/stat"
        before = int(read(stat).split()[6])
        while process.poll() is None and int(read(stat).split()[6]) < before + 2048:
            time.sleep(0.01)

    def fill_and(self, acts):
        """A fill at FAST while ACTS (seconds into it, new limit) happen: its home, its window, when they were done."""
        home, self.qmp = self.make_home(), Qmp()
        self.addCleanup(self.qmp.close)
        self.throttle(FAST)
        process = self.begin("run", self.path, f"/dev/{drive('RIG0')}", "--erase", "RIG0", "--json", home=home)
        self.addCleanup(process.kill)
        self.wait_for_writes(process)
        began, done = time.monotonic(), []
        for at, bps in acts:
            time.sleep(max(0, began + at - time.monotonic()))
            done.append(self.throttle(bps))
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        document = json.loads(output)
        run, = document["cells"][0]["runs"]
        start = wall_ns(run["started"])
        return home, document, [act.since(start) for act in done]

    def check_found(self):
        home, document, (fall,) = self.fill_and([(2, SLOW)])
        entry, = document["analysis"]["fill"]
        cliff = entry["cliff"]
        self.assertEqual(entry["verdict"], "found", entry)
        # Two ticks each way: how far the emulated drive takes a new limit late.
        self.assertGreaterEqual(cliff["seconds"] * 1e9, fall[0] - 2 * TICK)
        self.assertLessEqual(cliff["seconds"] * 1e9, fall[1] + 2 * TICK)
        self.assertAlmostEqual(entry["cache"]["bytes"] + entry["after"]["bytes"], document["cells"][0]["runs"][0]["bytes"],
                               delta=1)
        self.assertAlmostEqual(entry["cache"]["average_bps"] / FAST, 1, delta=0.15)
        self.assertAlmostEqual(entry["after"]["average_bps"] / SLOW, 1, delta=0.15)
        # The emulated drive says 50 °C all the time; it is read once a second.
        self.assertGreater(len(document["temperatures"]), 5)
        self.assertAlmostEqual(entry["thermal"]["max_c"], 49.85, delta=1)
        self.assertEqual(entry["thermal"]["n_events"], 0)
        shown = self.check(self.cli("result", "last", home=home)).stdout
        self.assertIn("SLC cache", shown)
        stored = json.loads(self.check(self.cli("result", "last", "--json", home=home)).stdout)
        self.assertEqual(stored["analysis"], document["analysis"])

    def check_dips(self):
        home, document, _ = self.fill_and([(1, SLOW), (1.8, FAST), (3, SLOW), (3.8, FAST)])
        entry, = document["analysis"]["fill"]
        self.assertEqual(entry["verdict"], "none", entry)
        self.assertIsNone(entry["cache"])
        shown = self.check(self.cli("result", "last", home=home)).stdout
        self.assertIn("no cliff found", shown)
        self.assertNotIn("SLC cache", shown)

    def test_found(self):
        self.in_one_of_three(self.check_found)

    def test_dips_are_none(self):
        self.in_one_of_three(self.check_dips)


if __name__ == "__main__":
    main(["512M"])
