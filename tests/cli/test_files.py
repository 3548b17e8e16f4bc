# SPDX-License-Identifier: GPL-3.0-or-later
"""Charts and exports: every file that can be made is what its name says."""

import csv
import io
import json
import os
import re
import struct
import xml.etree.ElementTree

from harness import Case, SHORT, USAGE, main

# A row of CrystalDiskMark 8 and 9.
CDM_ROW = re.compile(r"^  (SEQ|RND) +(\d+)(KiB|MiB) \(Q=([ \d]{3}), T=([ \d]{2})\): *(\d+\.\d{3}) MB/s "
                     r"\[ *(\d+\.\d) IOPS\] < *(\d+\.\d{2}) us>$")


class Files(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rows = [f"{row}-{op}" for row in ("seq1m-q8t1", "rnd4k-q32t16") for op in ("read", "write", "mix")]
        cls.done = cls.cli("run", "quick", cls.target, *SHORT, "runs=2", "mix=70", "only=" + ",".join(rows), "--json")
        cells = [f"seq{size}-q4t1-{op}" for size in ("4k", "64k", "1m") for op in ("write", "read")]
        cls.cli("run", "blocksize-sweep", cls.target, "--set", "size=64MiB", "seconds=0.1",
                "only=" + ",".join(cells))

    def setUp(self):
        self.run_document = json.loads(self.check(self.done).stdout)
        self.quick = str(self.run_document["id"])

    def path(self, name):
        return os.path.join(self.work, name)

    def chart(self, name, *args, run=None, status=0):
        return self.check(self.cli("chart", run or self.quick, "-o", self.path(name), *args), status)

    def png_size(self, name):
        with open(self.path(name), "rb") as file:
            head = file.read(24)
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", head[16:24])

    def test_png(self):
        self.chart("card.png")
        self.assertEqual(self.png_size("card.png"), (1200, 675))
        self.chart("card.png", "--scale", "2", "--dark")
        self.assertEqual(self.png_size("card.png"), (2400, 1350))
        self.chart("card.png", "--size", "1080x1080", "--lang", "ko")
        self.assertEqual(self.png_size("card.png"), (1080, 1080))

    def test_svg(self):
        self.chart("card.svg", "--size", "900x600")
        root = xml.etree.ElementTree.parse(self.path("card.svg")).getroot()
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        self.assertEqual([float(re.match(r"[\d.]+", root.get(key)).group()) for key in ("width", "height")], [900, 600])

    def test_pdf(self):
        self.chart("card.pdf")
        with open(self.path("card.pdf"), "rb") as file:
            data = file.read()
        self.assertTrue(data.startswith(b"%PDF-"))
        self.assertTrue(data.rstrip().endswith(b"%%EOF"))

    def test_kinds(self):
        for args in (("--kind", "time"), ("--kind", "time", "--cell", "seq1m-q8t1-write"), ("--kind", "card")):
            with self.subTest(args):
                self.chart("kind.png", *args)
                self.assertEqual(self.png_size("kind.png"), (1200, 675))
        self.chart("blocks.png", run="last")
        self.chart("blocks.png", "--kind", "blocksize", run="last")
        self.assertEqual(self.png_size("blocks.png"), (1200, 675))

    def test_pictures_differ(self):
        pictures = []
        for args in ((), ("--dark",), ("--lang", "ko"), ("--kind", "time")):
            self.chart("differ.png", *args)
            with open(self.path("differ.png"), "rb") as file:
                pictures.append(file.read())
        self.assertEqual(len(set(pictures)), 4)

    def test_chart_usage(self):
        for args in (("--kind", "pie"), ("--cell", "no-such-cell", "--kind", "time"), ("--cell", "seq1m-q8t1-read"),
                     ("--size", "1200"), ("--size", "0x0"), ("--size", "1e9x5"), ("--size", "-1200x675"),
                     ("--scale", "0"), ("--scale", "nan"), ("--scale", "99"), ("--lang", "xx"),
                     ("--size", "16384x16384", "--scale", "8")):
            with self.subTest(args):
                self.chart("never.png", *args, status=USAGE)
                self.assertFalse(os.path.exists(self.path("never.png")))
        self.chart("never.gif", status=USAGE)
        self.check(self.cli("chart", self.quick), USAGE)
        self.check(self.cli("chart", self.quick, "nothing", "-o", self.path("never.png")), USAGE)

    def export(self, name, run=None):
        return self.check(self.cli("export", run or self.quick, "--format", name)).stdout

    def test_json(self):
        document = json.loads(self.export("json"))
        self.assertEqual([cell["id"] for cell in document["cells"]],
                         [cell["id"] for cell in self.run_document["cells"]])

    def test_csv(self):
        lines = list(csv.reader(io.StringIO(self.export("csv"))))
        self.assertEqual({len(line) for line in lines}, {len(lines[0])})
        cells = {cell["id"] for cell in self.run_document["cells"]}
        self.assertEqual(cells, {line[lines[0].index("cell")] for line in lines[1:]})

    def test_cdm(self):
        text = self.cli_bytes("export", self.quick, "--format", "cdm").decode()
        self.assertEqual(text.count("\n"), text.count("\r\n"))
        section, rows = None, {}
        for line in text.split("\r\n"):
            self.assertLessEqual(len(line), 78) if line.startswith(("  SEQ", "  RND")) else None
            head = re.match(r"^\[(Read|Write|Mix)\]", line)
            row = CDM_ROW.match(line)
            section = head.group(1).lower() if head else section
            if row:
                rows.setdefault(section, []).append(row)
        for op in ("read", "write", "mix"):
            cells = [cell for cell in self.run_document["cells"] if cell["op"] == op]
            self.assertEqual(len(rows[op]), len(cells))
            for row, cell in zip(rows[op], cells):
                self.check_row(row, cell)
        self.assertIn("[Mix] Read 70%/Write 30%", text)
        self.assertRegex(text, r"\r\n   Test: 16 MiB \(x2\)")

    def check_row(self, row, cell):
        kind, size, unit, queue, threads, speed, iops, latency = row.groups()
        self.assertEqual(kind, "SEQ" if cell["pattern"] == "sequential" else "RND")
        self.assertEqual(int(size) << (20 if unit == "MiB" else 10), cell["block"])
        self.assertEqual((int(queue), int(threads)), (cell["queues"], cell["threads"]))
        self.assertAlmostEqual(float(speed), cell["score"]["bandwidth_bps"] / 1e6, delta=0.0006)
        self.assertAlmostEqual(float(iops), cell["score"]["iops"], delta=0.06)
        self.assertAlmostEqual(float(latency), cell["score"]["latency_ns"]["mean"] / 1e3, delta=0.006)

    def cli_bytes(self, *args):
        # Text mode would hide what the line ends are.
        done = self.cli(*args, "-o", self.path("bytes.txt"))
        self.check(done)
        with open(self.path("bytes.txt"), "rb") as file:
            return file.read()

    def test_markdown(self):
        lines = self.export("markdown").splitlines()
        rows = [line for line in lines if line.startswith("|")]
        self.assertGreaterEqual(len(rows), 2 + 2)
        self.assertEqual(len({line.count("|") for line in rows[:4]}), 1)
        self.assertRegex(rows[1], r"^\|[ :|-]+\|$")

    def test_output_file(self):
        path = self.path("out.csv")
        self.check(self.cli("export", self.quick, "--format", "csv", "-o", path))
        with open(path, encoding="utf-8", newline="") as file:
            self.assertEqual(file.read().replace("\r\n", "\n"), self.export("csv"))
        self.assertEqual(self.check(self.cli("export", self.quick, "--format", "csv", "-o", "-")).stdout,
                         self.export("csv"))
        os.unlink(path)
        self.assertEqual([name for name in os.listdir(self.work) if name.startswith("out.csv")], [])

    def test_output_is_no_file(self):
        for path in (self.work, "/dev/null", "/dev/stdout", self.path("missing/x.csv"), ""):
            with self.subTest(path):
                self.check(self.cli("export", self.quick, "--format", "csv", "-o", path), USAGE)
        self.check(self.cli("export", self.quick, "--format", "xls"), USAGE)
        self.check(self.cli("export", self.quick), USAGE)


if __name__ == "__main__":
    main()
