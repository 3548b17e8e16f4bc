# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of a whole run: in the document, on the terminal, as CSV and in Markdown they are the same."""

import csv
import io
import json
import os

from harness import Case, main

SUITE = """[suite]
id=roles
name=Roles
description=One cell of each kind of role.
size=16MiB

[pass]
kind=fill
block=128KiB
queue=8
rate_write=5MB/s
role=fill-pass-1

[ratio]
pattern=random
block=4KiB
queue=1,2,4
op=read,mix,write
mix=70
seconds=0.2
role=ratio

[map]
kind=read-all
block=128KiB
queue=8
"""


class Analysis(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.suite = os.path.join(cls.work, "roles.suite")
        with open(cls.suite, "w", encoding="utf-8") as file:
            file.write(SUITE)
        cls.document = json.loads(cls.cli("run", cls.suite, cls.target, "--json").stdout)

    def cells(self):
        return {cell["id"]: cell for cell in self.document["cells"]}

    def test_fill(self):
        entry, = self.document["analysis"]["fill"]
        run, = self.cells()[entry["cell"]]["runs"]
        self.assertEqual(self.cells()[entry["cell"]]["role"], "fill-pass-1")
        self.assertEqual(entry["all"]["bytes"], run["bytes"])
        self.assertAlmostEqual(entry["all"]["average_bps"] / run["bandwidth_bps"], 1, delta=1e-6)
        self.assertEqual(entry["stalls"]["count"], len(run["stalls"]))
        self.assertAlmostEqual(self.document["analysis"]["fill_average_bps"] / run["bandwidth_bps"], 1, delta=1e-6)

    def test_ratio(self):
        ratio = self.document["analysis"]["ratio"]
        self.assertEqual(ratio["read_percent"], [100, 70, 0])
        self.assertEqual([curve["queue"] for curve in ratio["curves"]], [1, 2, 4])
        for curve in ratio["curves"]:
            names = [f"rnd4k-q{curve['queue']}t1-{op}" for op in ("read", "mix", "write")]
            self.assertEqual(curve["bps"], [self.cells()[name]["score"]["bandwidth_bps"] for name in names])
        for weighted, weights in zip(ratio["weighted"], ((0.8, 0.15, 0.05), (0.7, 0.2, 0.1))):
            mixed = sum(weight * curve["bps"][1] for weight, curve in zip(weights, ratio["curves"]))
            self.assertAlmostEqual(weighted["mixed_bps"] / mixed, 1, delta=1e-9)

    def test_map(self):
        entry, = self.document["analysis"]["map"]
        self.assertEqual(len(entry["parts"]), 200)
        self.assertEqual(entry["thirds"][0]["from_bytes"], 0)

    def test_the_same_everywhere(self):
        shown = self.check(self.cli("result", "last")).stdout
        markdown = self.check(self.cli("export", "last", "--format", "markdown")).stdout
        for words in ("Filling", "Pass 1", "80/15/5", "Last third"):
            self.assertIn(words, shown)
            self.assertIn(words, markdown)
        text = self.check(self.cli("export", "last", "--format", "analysis-csv")).stdout
        figures = dict(csv.reader(io.StringIO(text)))
        self.assertEqual(int(figures["fill.0.all.bytes"]), 16 << 20)
        self.assertAlmostEqual(float(figures["ratio.curves.2.mixed_bps"]) /
                               self.document["analysis"]["ratio"]["curves"][2]["mixed_bps"], 1, delta=1e-9)

    def test_none_without_roles(self):
        document = self.measure("quick", self.target, "--set", "size=4MiB", "seconds=0.1", "only=rnd4k-q1t1-read",
                                home=self.make_home())
        self.assertIsNone(document["analysis"])


if __name__ == "__main__":
    main()
