# SPDX-License-Identifier: GPL-3.0-or-later
"""A run from the command line to the document: the figures agree with each other, the library has them."""

import csv
import io
import json
import os

from harness import Case, DONE, SHORT, main, samples

FIGURES = {"bandwidth_bps", "iops", "latency_ns", "ios", "bytes", "seconds"}
LATENCIES = ["min", "p50", "p90", "p99", "p99_9", "p99_99", "max"]

# CrystalDiskMark's NVMe rows, all reads before all writes.
QUICK_CELLS = [f"{row}-{op}" for op in ("read", "write")
               for row in ("seq1m-q8t1", "seq128k-q32t1", "rnd4k-q32t16", "rnd4k-q1t1")]


class Quick(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.done = cls.cli("run", "quick", cls.target, *SHORT, "seconds=0.2", "runs=2", "warmup=1", "interval=0", "--json")
        cls.document = json.loads(cls.done.stdout) if cls.done.returncode == DONE else None

    def setUp(self):
        self.check(self.done)

    def test_only_the_document_is_printed(self):
        self.assertEqual(self.done.stderr, "")

    def test_head(self):
        run = self.document
        self.assertEqual(run["schema"], "plateau.run/1")
        self.assertEqual(run["status"], "complete")
        self.assertEqual(run["suite"]["id"], "quick")
        self.assertGreater(run["id"], 0)
        self.assertIsInstance(run["warnings"], list)
        for key in ("target", "drive", "platform"):
            self.assertTrue(run[key], key)
        self.assertIn("small-test-file", [warning["id"] for warning in run["warnings"]])

    def test_cells(self):
        self.assertEqual([cell["id"] for cell in self.document["cells"]], QUICK_CELLS)
        cell = self.document["cells"][2]
        self.assertEqual((cell["pattern"], cell["block"], cell["queues"], cell["threads"], cell["op"]),
                         ("random", 4096, 32, 16, "read"))

    def each_figure(self):
        for cell in self.document["cells"]:
            for figures in [*cell["runs"], cell["score"]]:
                yield cell, figures

    def test_figures_agree(self):
        for cell, figures in self.each_figure():
            with self.subTest(cell["id"]):
                self.assertLessEqual(FIGURES, figures.keys())
                self.assertGreater(figures["ios"], 0)
                self.assertEqual(figures["bytes"], figures["ios"] * cell["block"])
                self.assertAlmostEqual(figures["iops"] * cell["block"] / figures["bandwidth_bps"], 1, delta=1e-6)
                self.assertAlmostEqual(figures["bytes"] / figures["seconds"] / figures["bandwidth_bps"], 1,
                                       delta=1e-6)
                self.assertAlmostEqual(figures["seconds"], 0.2, delta=0.1)

    def test_latencies_rise(self):
        for cell, figures in self.each_figure():
            with self.subTest(cell["id"]):
                # A percentile that too few I/Os stand above is null; the ends never are.
                latency = figures["latency_ns"]
                self.assertLessEqual(set(LATENCIES), latency.keys())
                values = [latency[key] for key in LATENCIES if latency[key] is not None]
                self.assertEqual(values, sorted(values))
                self.assertNotIn(None, [latency[key] for key in ("min", "max")])
                self.assertGreater(values[0], 0)
                self.assertLessEqual(values[0], figures["latency_ns"]["mean"])
                self.assertLessEqual(figures["latency_ns"]["mean"], values[-1])

    def test_score_is_the_best_run(self):
        for cell in self.document["cells"]:
            with self.subTest(cell["id"]):
                counted = [run for run in cell["runs"] if not run.get("warmup")]
                self.assertEqual((len(cell["runs"]), len(counted)), (3, 2))
                best = max(counted, key=lambda run: run["bandwidth_bps"])
                self.assertEqual({key: best[key] for key in FIGURES},
                                 {key: cell["score"][key] for key in FIGURES})

    def test_library_has_the_same(self):
        shown = json.loads(self.check(self.cli("result", str(self.document["id"]), "--json")).stdout)
        self.assertEqual(shown["cells"], self.document["cells"])
        self.assertEqual(shown["uuid"], self.document["uuid"])
        self.assertEqual(shown["suite"], self.document["suite"])
        for text in ("last", self.document["uuid"], self.document["uuid"][:8]):
            found = json.loads(self.check(self.cli("result", text, "--json")).stdout)
            self.assertEqual(found["id"], self.document["id"])

    def test_samples_sum_to_totals(self):
        text = self.check(self.cli("export", "last", "--format", "samples-csv")).stdout
        path = os.path.join(self.work, "samples.csv")
        self.check(self.cli("export", "last", "--format", "samples-csv", "-o", path))
        with open(path, encoding="utf-8", newline="") as file:
            self.assertEqual(file.read().replace("\r\n", "\n"), text)
        sums = {}
        for line in csv.DictReader(io.StringIO(text)):
            key = line["cell"], int(line["run"])
            ios, size = sums.get(key, (0, 0))
            sums[key] = (ios + sum(int(line[f"{op}_ios"]) for op in ("read", "write")),
                         size + sum(int(line[f"{op}_bytes"]) for op in ("read", "write")))
        document = json.loads(self.check(self.cli("export", "last", "--format", "json")).stdout)
        totals = {}
        for cell in document["cells"]:
            for number, run in enumerate(cell["runs"]):
                totals[cell["id"], number] = run["ios"], run["bytes"]
                self.assertEqual(sum(sample["read_ios"] + sample["write_ios"] for sample in samples(run)),
                                 run["ios"])
        self.assertEqual(sums, totals)

    def test_nothing_is_left_behind(self):
        self.assert_empty(self.target)


class Table(Case):
    def test_table(self):
        done = self.check(self.cli("run", "quick", self.target, *SHORT,
                                   "only=seq1m-q8t1-read,rnd4k-q32t16-read,rnd4k-q32t16-write"))
        for row in ("SEQ1M Q8T1", "RND4K Q32T16"):
            self.assertIn(row, done.stdout)
        self.assertNotIn("\033", done.stdout + done.stderr)
        self.assertNotIn("\r", done.stderr)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        # What a reader must know belongs to the result: it stays with the table wherever that goes.
        self.assertRegex(done.stdout, r"(?m)^Warning +The test file is small")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.check(self.cli("result", "last")).stdout, done.stdout)

    def test_quiet(self):
        done = self.check(self.cli("run", "quick", self.target, *SHORT, "only=rnd4k-q1t1-read", "--quiet"))
        self.assertEqual(done.stderr, "")
        self.assertIn("RND4K Q1T1", done.stdout)

    def test_own_library(self):
        home, library = self.make_home(), f"{self.work}/own.db"
        self.measure("quick", self.target, *SHORT, "only=rnd4k-q1t1-read", "--library", library, home=home)
        self.assertEqual(self.results(home), [])
        listed = json.loads(self.check(self.cli("results", "--json", "--library", library, home=home)).stdout)
        self.assertEqual(len(listed["results"]), 1)


class Overrides(Case):
    def test_only(self):
        run = self.measure("quick", self.target, *SHORT, "only=rnd4k-q1t1-write,seq1m-q8t1-read")
        self.assertEqual([cell["id"] for cell in run["cells"]], ["seq1m-q8t1-read", "rnd4k-q1t1-write"])

    def test_mix(self):
        run = self.measure("quick", self.target, *SHORT, "mix=70", "only=rnd4k-q32t16-mix")
        cell, = run["cells"]
        self.assertEqual((cell["op"], cell["read_percent"]), ("mix", 70))
        figures = cell["score"]
        read, write = figures["ops"]["read"]["ios"], figures["ops"]["write"]["ios"]
        share = read / figures["ios"]
        self.assertEqual(read + write, figures["ios"])
        # Each direction is drawn: 4 standard deviations around the mean.
        self.assertAlmostEqual(share, 0.7, delta=4 * (0.7 * 0.3 / figures["ios"]) ** 0.5)

    def test_data_and_size(self):
        run = self.measure("quick", self.target, "--set", "size=8MiB", "--set", "seconds=0.2", "data=zero",
                           "only=seq1m-q8t1-write")
        self.assertEqual(run["parameters"]["data"], "zero")
        self.assertEqual(run["parameters"]["size"], 8 << 20)

    def test_the_plan_is_what_runs(self):
        args = ("quick", self.target, *SHORT, "runs=3", "only=rnd4k-q1t1-read")
        plan = json.loads(self.check(self.cli("run", *args, "--dry-run", "--json")).stdout)
        self.assertEqual(plan["schema"], "plateau.plan/1")
        self.assertEqual([step["id"] for step in plan["steps"] if step["kind"] == "measure"],
                         ["rnd4k-q1t1-read"])
        run = self.measure(*args)
        self.assertEqual(len(run["cells"][0]["runs"]), 3)
        for parameters in (plan["parameters"], run["parameters"]):
            parameters.pop("seed")
            for cell in parameters["cells"]:
                cell.pop("seed")
        self.assertEqual(plan["parameters"], run["parameters"])

    def test_dry_run_does_nothing(self):
        home = self.make_home()
        done = self.check(self.cli("run", "cdm-nvme", self.target, "--dry-run", home=home))
        for text in ("RND4K Q32T16 read", "rnd4k-q32t16-read", self.target, "rest"):
            self.assertIn(text, done.stdout)
        self.assert_empty(self.target)
        self.assert_empty(home)


class Suites(Case):
    def test_list(self):
        done = self.check(self.cli("suites"))
        document = json.loads(self.check(self.cli("suites", "--json")).stdout)
        self.assertEqual(document["schema"], "plateau.suites/1")
        ids = [suite["id"] for suite in document["suites"]]
        for suite in ("quick", "cdm-default", "cdm-nvme", "cdm-flash", "cdm-peak", "cdm-peak-nvme",
                      "cdm-real-world", "cdm-demo", "blocksize-sweep", "as-ssd"):
            self.assertIn(suite, ids)
            self.assertIn(suite, [line.split()[0] for line in done.stdout.splitlines()])
        cells = {suite["id"]: suite["cells"] for suite in document["suites"]}
        self.assertEqual(cells["quick"], QUICK_CELLS)

    def test_one(self):
        done = self.check(self.cli("suites", "cdm-peak"))
        self.assertIn("RND4K Q32T1 read", done.stdout)
        self.assertNotIn("RND4K Q1T1", done.stdout)


class Results(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for suite in ("quick", "cdm-nvme", "quick"):
            cls.cli("run", suite, cls.target, "--set", "size=4MiB", "seconds=0.1", "runs=1", "warmup=0",
                    "only=rnd4k-q1t1-read")

    def test_1_list(self):
        runs = self.results()
        self.assertEqual([run["suite"]["id"] for run in runs], ["quick", "cdm-nvme", "quick"])
        self.assertEqual({run["status"] for run in runs}, {"complete"})
        done = self.check(self.cli("results"))
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()],
                         ["ID", *(str(run["id"]) for run in runs)])

    def count(self, *args):
        done = self.check(self.cli("results", "--json", *args))
        return len(json.loads(done.stdout)["results"])

    def test_2_filters(self):
        self.assertEqual(self.count("--suite", "quick"), 2)
        self.assertEqual(self.count("--suite", "quick", "--limit", "1"), 1)
        self.assertEqual(self.count("--suite", "other"), 0)
        self.assertEqual(self.count("--drive", self.target.upper()), 3)
        self.assertEqual(self.count("--drive", "no drive is called that"), 0)

    def test_3_note(self):
        self.check(self.cli("note", "last", "펌웨어 4B2QGXA7, after a purge"))
        self.assertEqual(self.results()[0]["note"], "펌웨어 4B2QGXA7, after a purge")
        self.check(self.cli("note", "last", ""))
        self.assertIsNone(self.results()[0]["note"])

    def test_4_delete(self):
        runs = self.results()
        self.check(self.cli("delete", str(runs[1]["id"])))
        self.assertEqual([run["id"] for run in self.results()], [runs[0]["id"], runs[2]["id"]])
        self.check(self.cli("delete", str(runs[1]["id"])), 2)
        self.check(self.cli("result", str(runs[1]["id"])), 2)

    def test_5_none_yet(self):
        home = self.make_home()
        done = self.check(self.cli("results", home=home))
        self.assertIn("no results yet", done.stderr)
        self.assertEqual(self.results(home), [])
        self.check(self.cli("result", "last", home=home), 2)
        self.assert_empty(home)


if __name__ == "__main__":
    main()
