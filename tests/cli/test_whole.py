# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole drives: loop devices stand for them, so that nothing real can be hit."""

import hashlib
import json
import os
import subprocess

import harness
from harness import DONE, REFUSED, USAGE, main

MIB = 1 << 20
SIZE = 64 * MIB
FAST = ("--set", "seconds=0.3", "runs=1", "warmup=0", "interval=0", "size=16MiB")


class Whole(harness.Case):
    def setUp(self):
        harness.needs_root("losetup")
        self.home = self.make_home()
        self.image = os.path.join(self.make_target(), "image")
        with open(self.image, "wb") as file:
            file.write(os.urandom(SIZE))
        self.addCleanup(os.unlink, self.image)
        self.device = harness.command("losetup", "--find", "--show", "--direct-io=on", self.image)
        self.addCleanup(subprocess.run, ["losetup", "-d", self.device], check=False)
        self.name = os.path.basename(self.device)

    def content(self, start=0, end=SIZE):
        subprocess.run(["sync", "-f", self.image], check=True)
        with open(self.image, "rb") as file:
            file.seek(start)
            return hashlib.sha256(file.read(end - start)).hexdigest()

    def run_on(self, suite, *more):
        return self.cli("run", suite, self.device, *more, home=self.home)

    def assert_refused(self, done, words, before):
        self.assertEqual(done.returncode, REFUSED, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(self.content(), before, "something was written")
        self.assertEqual(self.results(self.home), [])

    def test_nothing_without_erase(self):
        before = self.content()
        self.assert_refused(self.run_on("cdm-demo", *FAST), "confirm that with its name", before)
        self.assert_refused(self.run_on("fill-drive"), "confirm that with its name", before)
        self.assert_refused(self.run_on("cdm-demo", *FAST, "--erase", "0001"), "nothing is written", before)
        self.assert_refused(self.run_on("cdm-demo", *FAST, "--erase", ""), "nothing is written", before)

    def test_reads_write_nothing(self):
        before = self.content()
        done = self.check(self.run_on("linear-read", "--json"))
        run = json.loads(done.stdout)
        self.assertEqual(run["status"], "complete")
        self.assertEqual(run["target"]["kind"], "drive")
        self.assertEqual(run["target"]["exclusive"], False)
        self.assertEqual(run["cells"][0]["runs"][0]["bytes"], SIZE)
        self.assertIn("raw-content", [warning["id"] for warning in run["warnings"]])
        self.assertEqual(self.content(), before)

    def test_range(self):
        """What lies outside of the range stays as it is, to the byte."""
        head, tail = self.content(0, 16 * MIB), self.content(48 * MIB)
        middle = self.content(16 * MIB, 48 * MIB)
        done = self.check(self.run_on("fill-free-space", "--erase", self.name, "--range", "16MiB+32MiB", "--json"))
        run = json.loads(done.stdout)
        self.assertEqual(run["cells"][0]["runs"][0]["bytes"], 32 * MIB)
        self.assertEqual((run["target"]["range_offset"], run["target"]["range_length"]), (16 * MIB, 32 * MIB))
        self.assertEqual((self.content(0, 16 * MIB), self.content(48 * MIB)), (head, tail))
        self.assertNotEqual(self.content(16 * MIB, 48 * MIB), middle)

    def test_fill(self):
        """Purged, then written whole: no byte is as it was, and none is zero for long."""
        done = self.check(self.cli("run", self.short_fill(), self.device, "--erase", self.name, "--json",
                                   home=self.home))
        run = json.loads(done.stdout)
        self.assertEqual([cell["id"] for cell in run["cells"]],
                         ["seq128k-q256t1-pass1-write", "seq128k-q256t1-pass2-write"])
        for cell in run["cells"]:
            self.assertEqual(cell["runs"][0]["bytes"], SIZE)
            self.assertEqual(cell["runs"][0]["ios"], SIZE // (128 << 10))
        purge, = [event for event in run["events"] if event["kind"] == "purge"]
        self.assertEqual(json.loads(purge["detail"])["passes"], ["discard"])
        with open(self.image, "rb") as file:
            for offset in range(0, SIZE, MIB):
                file.seek(offset)
                self.assertNotEqual(file.read(4096), bytes(4096), f"at {offset}")

    def short_fill(self):
        """The shipped suite with a short rest."""
        with open(os.path.join(os.environ["PLATEAU_SOURCE"], "data", "suites", "fill-drive.suite"),
                  encoding="utf-8") as file:
            text = file.read()
        path = os.path.join(self.work, "short.suite")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("id=fill-drive", "id=short-fill").replace("time=30min", "time=1s"))
        return path

    def test_mounted(self):
        subprocess.run(["mkfs.ext4", "-q", self.device], check=True)
        folder = self.make_target()
        harness.command("mount", self.device, folder)
        self.addCleanup(subprocess.run, ["umount", folder], check=False)
        with open(os.path.join(folder, "precious"), "wb") as file:
            file.write(b"precious" * 100000)
        os.sync()
        precious = hashlib.sha256(b"precious" * 100000).hexdigest()
        done = self.purge("--erase", self.name)
        self.assertEqual(done.returncode, REFUSED, done.stderr)
        self.assertIn("is mounted", done.stderr)
        for suite in ("cdm-demo", "fill-drive"):
            done = self.run_on(suite, "--erase", self.name, *(FAST if suite == "cdm-demo" else ()))
            self.assertEqual(done.returncode, REFUSED, done.stderr)
            self.assertIn("is mounted", done.stderr)
        subprocess.run(["umount", folder], check=True)
        harness.command("mount", self.device, folder)
        with open(os.path.join(folder, "precious"), "rb") as file:
            self.assertEqual(hashlib.sha256(file.read()).hexdigest(), precious)

    def purge(self, *more):
        return self.cli("purge", self.device, *more)

    def test_purge_refused(self):
        """Nothing is erased without the drive's name, by a way that it does not have, or while it is mounted."""
        before = self.content()
        for args, status, words in (((), REFUSED, f"--erase {self.name}"), (("--erase", "0001"), REFUSED, "nothing is erased"),
                                    (("--erase", self.name, "--method", "shred"), USAGE, "no way to purge"),
                                    (("--erase", self.name, "--lba-size", "520"), USAGE, "512 or 4096"),
                                    (("--erase", self.name, "--lba-size", "512", "--method", "discard"), USAGE, "only a format"),
                                    (("--erase", self.name, "--method", "format"), REFUSED, "not possible here"),
                                    (("--erase", self.name, "--lba-size", "4096"), REFUSED, "not possible here"),
                                    (("--erase", self.name, "--method", "sanitize"), REFUSED, "not possible here")):
            with self.subTest(args):
                done = self.purge(*args)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(words, done.stderr)
        self.check(self.purge("--dry-run", "--erase", self.name))
        self.assertEqual(self.content(), before)

    def test_purge(self):
        subprocess.run(["mkfs.ext4", "-q", "-L", "Photos", self.device], check=True)
        plan = self.check(self.purge("--dry-run")).stdout
        self.assertIn("ext4 “Photos”", plan)
        self.assertIn("nothing was erased", plan)
        done = self.check(self.purge("--erase", self.name, "--json"))
        document = json.loads(done.stdout)
        self.assertEqual([(one["content"], one["label"]) for one in document["lost"]], [("ext4", "Photos")])
        self.assertEqual((document["wanted"], document["done"]["method"]), ("auto", "discard"))
        self.assertIn("why", document["done"])
        self.assertEqual(self.content(), hashlib.sha256(bytes(SIZE)).hexdigest())

    def test_partition_is_no_drive(self):
        done = self.cli("run", "linear-read", "/dev/null", home=self.home)
        self.assertEqual(done.returncode, REFUSED)
        done = self.cli("run", "fill-drive", self.make_target(), home=self.home)
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("needs a whole drive", done.stderr)

    def test_absurd_ranges(self):
        before = self.content()
        for text in ("64MiB+1MiB", "0+65MiB", "1+1MiB", "16MiB+1", "x", "1MiB+", "+", "-1+1MiB", "0+0"):
            done = self.run_on("linear-read", "--range", text)
            self.assertIn(done.returncode, (USAGE, REFUSED), text)
            self.assertNotEqual(done.stderr, "")
        self.assertEqual(self.content(), before)

    def test_dry_run(self):
        before = self.content()
        done = self.check(self.run_on("fill-drive", "--dry-run"))
        self.assertIn(f"the whole drive {self.name}", done.stdout)
        self.assertEqual(done.returncode, DONE)
        self.assertEqual(self.content(), before)


if __name__ == "__main__":
    main()
