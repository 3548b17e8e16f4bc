# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that are made as new: by the drive's own command where it has one, and never more than was chosen."""

import hashlib
import json
import os

from rig import Case, drive, harness, main, read, tool

SUITE = """[suite]
id=purge-and-write
name=Purge and write
description=Only for this test.
size=all

[purge]
kind=purge
method={method}

[pass]
kind=fill
block=1MiB
queue=4
share=10%
"""


def checksum(name):
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3")
    with open(f"/dev/{name}", "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Purge(Case):
    def suite(self, method):
        path = f"{self.work}/{method}.suite"
        with open(path, "w", encoding="utf-8") as file:
            file.write(SUITE.format(method=method))
        return path

    def scribble(self, name):
        """Content all over the drive."""
        with open(f"/dev/{name}", "r+b") as file:
            size = int(read(f"/sys/class/block/{name}/size")) * 512
            for _ in range(0, size, 1 << 20):
                file.write(b"precious" * (1 << 17))
            os.fsync(file.fileno())

    def purge(self, name, method, serial):
        done = self.check(self.cli("run", self.suite(method), f"/dev/{name}", "--erase", serial, "--json", home=self.home))
        run = json.loads(done.stdout)
        event, = [event for event in run["events"] if event["kind"] == "purge"]
        return json.loads(event["detail"])

    def assert_empty_behind(self, name, start):
        with open(f"/dev/{name}", "rb") as file:
            file.seek(start)
            while block := file.read(1 << 20):
                self.assertNotIn(b"precious", block)

    def test_auto_formats(self):
        """QEMU's drive has no sanitize: the next best is Format, and the record says why."""
        name = drive("RIG0")
        self.scribble(name)
        record = self.purge(name, "auto", "RIG0")
        self.assertEqual(record["passes"], ["format"])
        self.assertIn("sanitize", record["why"])
        self.assertEqual(record["lba_size"], 512)
        self.assert_empty_behind(name, 32 << 20)

    def test_discard(self):
        name = drive("RIG0")
        self.scribble(name)
        self.assertEqual(self.purge(name, "discard", "RIG0")["passes"], ["discard"])
        self.assert_empty_behind(name, 32 << 20)

    def test_sanitize_is_said_to_be_missing(self):
        name = drive("RIG0")
        self.scribble(name)
        done = self.cli("run", self.suite("sanitize"), f"/dev/{name}", "--erase", "RIG0", home=self.home)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("purge by sanitize is not possible", done.stderr)
        with open(f"/dev/{name}", "rb") as file:
            self.assertEqual(file.read(8), b"precious")

    def test_other_namespace(self):
        """What was not chosen stays as it is, to the byte."""
        first, second = drive("RIG1", 1), drive("RIG1", 2)
        self.scribble(first)
        self.scribble(second)
        before = checksum(second)
        record = self.purge(first, "auto", "RIG1")
        self.assertEqual(record["passes"], ["discard"])
        self.assertEqual(checksum(second), before)

    def test_other_namespace_in_use(self):
        first, second = drive("RIG1", 1), drive("RIG1", 2)
        self.scribble(first)
        folder = self.mount(second)
        tool("fsfreeze", "--freeze", folder)
        self.addCleanup(tool, "fsfreeze", "--unfreeze", folder)
        before = checksum(first)
        done = self.cli("run", self.suite("format"), f"/dev/{first}", "--erase", "RIG1", home=self.home)
        self.assertEqual(done.returncode, harness.REFUSED, done.stderr)
        self.assertIn(f"{second} is mounted", done.stderr)
        self.assertEqual(checksum(first), before)

    def command(self, name, *args):
        return self.cli("purge", f"/dev/{name}", *args)

    def test_block_sizes(self):
        """512 to 4096 bytes and back: the kernel and the document say the same, and all is gone."""
        name = drive("RIG0")
        for size in (4096, 512):
            self.scribble(name)
            done = self.check(self.command(name, "--lba-size", str(size), "--erase", "RIG0", "--json"))
            record = json.loads(done.stdout)["done"]
            self.assertEqual((record["method"], record["lba_size"]), ("format", size))
            # QEMU's drive promises that empty blocks read as zeros.
            self.assertTrue(record["ends_read_zero"])
            self.assertEqual(read(f"/sys/class/block/{name}/queue/logical_block_size"), str(size))
            self.assert_empty_behind(name, 0)

    def test_command_needs_the_right_serial(self):
        name = drive("RIG0")
        self.scribble(name)
        before = checksum(name)
        for args in ((), ("--erase", "RIG1"), ("--erase", ""), ("--dry-run",), ("--dry-run", "--erase", "RIG0")):
            self.command(name, "--method", "format", *args)
            self.assertEqual(checksum(name), before, args)

    def test_named_format_leaves_the_other(self):
        """A drive whose Format erases one namespace (FNA 0): the other one stays, to the byte."""
        first, second = drive("RIG1", 1), drive("RIG1", 2)
        self.scribble(first)
        self.scribble(second)
        before = checksum(second)
        self.assertRegex(self.check(self.command(first, "--method", "format", "--dry-run")).stdout,
                         rf"(?m)^May be lost too +{second}$")
        self.assertNotIn(second, self.check(self.command(first, "--method", "discard", "--dry-run")).stdout)
        done = self.check(self.command(first, "--method", "format", "--erase", "RIG1", "--json"))
        self.assertEqual(json.loads(done.stdout)["lost_too"], [second])
        self.assertEqual(json.loads(done.stdout)["done"]["passes"], ["format"])
        self.assert_empty_behind(first, 0)
        self.assertEqual(checksum(second), before)

    def test_command_with_other_namespace_in_use(self):
        first, second = drive("RIG1", 1), drive("RIG1", 2)
        self.scribble(first)
        self.mount(second)
        before = checksum(first)
        for method in ("format", "sanitize"):
            done = self.command(first, "--method", method, "--erase", "RIG1")
            self.assertEqual(done.returncode, harness.REFUSED, done.stderr)
            self.assertIn(f"{second} is mounted", done.stderr)
        self.assertEqual(checksum(first), before)
        self.assertEqual(json.loads(self.check(self.command(first, "--erase", "RIG1", "--json")).stdout)["done"]["method"],
                         "discard")


if __name__ == "__main__":
    main(["64M", "48M+48M"], services="udev")
