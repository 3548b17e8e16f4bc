# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive that slows down, and one that stops answering, in the middle of a run: told at the right moment."""

import datetime
import json
import time

from rig import Case, drive, main
from harness import samples
from qmp import Qmp

TICK = 100_000_000
MB = 1_000_000
SLOW = 20 * MB


def wall_ns(text):
    """The document's times, in ns since 1970."""
    moment = datetime.datetime.fromisoformat(text)
    return (int(moment.timestamp()) * 1_000_000 + moment.microsecond) * 1000


class Act:
    """What was done to the drive, and between which two moments: that of asking and that of the answer."""

    def __init__(self, do):
        self.before = time.time_ns()
        do()
        self.after = time.time_ns()

    def since(self, start):
        return self.before - start, self.after - start


class Pace(Case):
    def run_and(self, cell, seconds, acts):
        """The run of CELL, its beginning on the clock, and what ACTS (seconds into the cell, function) took."""
        home, folder = self.make_home(), self.mount(drive("RIG0"))
        process = self.begin("run", "quick", folder, "--set", "size=64MiB", f"seconds={seconds}", f"only={cell}", "--json",
                             home=home)
        self.addCleanup(process.kill)
        self.wait_for_cell(process, home)
        began, done = time.monotonic(), []
        for at, do in acts:
            time.sleep(max(0, began + at - time.monotonic()))
            done.append(Act(do))
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        shown = json.loads(self.check(self.cli("export", "last", "--format", "json", home=home)).stdout)
        run, = shown["cells"][0]["runs"]
        self.assertEqual(run["engine"]["backend"], "io_uring")
        start = wall_ns(run["started"])
        return json.loads(output), run, [act.since(start) for act in done]

    def check_moment(self, ns, act, what):
        """NS, when it shows in the samples, is no more than a tick from when it was done."""
        self.assertGreaterEqual(ns, act[0] - TICK, what)
        self.assertLessEqual(ns, act[1] + TICK, what)

    def check_throttle(self):
        qmp = Qmp()
        self.addCleanup(qmp.close)
        _, run, (slow, fast) = self.run_and("seq128k-q32t1-write", 6, (
            (1.5, lambda: qmp.throttle("c0n1", write=SLOW)), (4, lambda: qmp.throttle("c0n1"))))
        ticks = samples(run)
        self.assertEqual(sum(tick["write_bytes"] for tick in ticks), run["bytes"])
        starts = [sum(tick["duration_ns"] for tick in ticks[:i]) for i in range(len(ticks) + 1)]
        rates = [tick["write_bytes"] * 1e9 / tick["duration_ns"] for tick in ticks]
        # The slow ticks around the middle of the throttled time; those of a busy machine lie elsewhere.
        first = last = next(i for i, start in enumerate(starts) if start > (slow[1] + fast[0]) / 2)
        while first > 0 and rates[first - 1] < 2 * SLOW:
            first -= 1
        while last < len(rates) and rates[last] < 2 * SLOW:
            last += 1
        seen = list(zip(starts, rates))
        # The tick before is the one in which it changed, and has something of both.
        self.check_moment(starts[first] - TICK, slow, f"slow at {slow}: {seen}")
        self.check_moment(starts[last], fast, f"fast at {fast}: {seen}")
        inside = ticks[first + 3:last - 2]
        rate = sum(tick["write_bytes"] for tick in inside) * 1e9 / sum(tick["duration_ns"] for tick in inside)
        self.assertAlmostEqual(rate / SLOW, 1, delta=0.15)
        usual = sorted(rates[:first - 1] + rates[last + 1:])
        self.assertGreater(usual[len(usual) // 2], 5 * SLOW, "too slow here to be told from a throttled drive")

    def check_stall(self):
        qmp = Qmp()
        self.addCleanup(qmp.close)
        document, run, (stop, go) = self.run_and("rnd4k-q1t1-write", 5, (
            (1.5, lambda: qmp.throttle("c0n1", write=1)), (3, lambda: qmp.throttle("c0n1"))))
        longest = max(run["stalls"], key=lambda stall: stall["length_ns"])
        self.assertEqual(longest["inflight"], 1)
        self.check_moment(longest["start_ns"], stop, run["stalls"])
        self.check_moment(longest["start_ns"] + longest["length_ns"], go, run["stalls"])
        self.assertAlmostEqual(longest["length_ns"] / 1e9, 1.5, delta=0.3)
        # That one I/O took as long as the stall, and every tick within is there and empty.
        self.assertGreaterEqual(run["latency_ns"]["max"], longest["length_ns"])
        empty = [tick for tick in samples(run) if tick["write_ios"] == 0 and tick["inflight"] == 1]
        self.assertGreaterEqual(len(empty), 12)
        self.assertGreater(max(tick["oldest_ns"] for tick in empty), 1_200_000_000)
        self.assertIn("stalls", self.warnings(document))

    def test_throttle(self):
        self.in_one_of_three(self.check_throttle)

    def test_stall(self):
        self.in_one_of_three(self.check_stall)


if __name__ == "__main__":
    main(["512M"])
