# SPDX-License-Identifier: GPL-3.0-or-later
"""Strange surroundings: names, files and places that nobody should have, and somebody does."""

import contextlib
import json
import os
import random
import shutil
import sqlite3
import tempfile
import time
import unittest

from harness import Case, DONE, FAILED, REFUSED, SHORT, USAGE, command, disk_image, main, mounted, run

ONE = (*SHORT, "only=rnd4k-q1t1-read")
HEAD = ("[suite]\nid=own\nversion=1\nname=Own\ndescription=Own.\ngroup=quick\nchart=quick-card\norder=operation\n"
        "size=16MiB\nruns=1\nwarmup=0\nseconds=0.3\ninterval=0s\ndata=random\nmix=off\nscore=best\n")
CELL = "\n[rnd4k-q1t1]\npattern=random\nblock=4KiB\nqueue=1\nthreads=1\nop=read\n"


class Names(Case):
    def test_folders(self):
        for name in ("with blanks", "with 'quotes\" and $(things)", "한국어 폴더", b"not \xff\xfe UTF-8", "-n",
                     "new\nline", "x" * 255):
            with self.subTest(name):
                folder, home = self.make_target(name), self.make_home()
                document = json.loads(self.check(self.cli("run", "quick", folder, *ONE, "--json", home=home)).stdout)
                self.assertEqual(document["status"], "complete")
                for args in (("results",), ("result", "last"), ("export", "last", "--format", "cdm"),
                             ("export", "last", "--format", "markdown"), ("export", "last", "--format", "csv"),
                             ("run", "quick", folder, "--dry-run")):
                    self.check(self.cli(*args, home=home)).stdout.encode("utf-8")
                self.results(home)
                self.assert_empty(folder)

    def test_a_target_that_looks_like_an_option(self):
        folder = self.make_target("--json")
        done = self.cli("run", "quick", "--", "--json", "--set", home=self.make_home(), cwd=os.path.dirname(folder))
        self.check(done, USAGE)
        done = self.cli("run", *ONE, "quick", "--", "--json", home=self.make_home(), cwd=os.path.dirname(folder))
        self.check(done)
        self.assertIn("RND4K Q1T1", done.stdout)

    def test_current_folder(self):
        self.check(self.cli("run", "quick", ".", *ONE, cwd=self.target))
        self.assert_empty(self.target)

    def test_removed_folder(self):
        # The folder goes away while it is measured: the test file has no name and needs none.
        folder, home = self.make_target(), self.make_home()
        process = self.begin("run", "quick", folder, "--set", "size=16MiB", "seconds=2", "only=rnd4k-q1t1-read",
                             home=home)
        for _ in range(200):
            if any(one["cells"] for one in self.results(home)):
                break
            time.sleep(0.02)
        os.rmdir(folder)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, DONE, errors)


class SuiteFiles(Case):
    def own(self, text, name="own.suite", mode="w"):
        folder = os.path.join(self.home, "plateau/suites")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name)
        with open(path, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as file:
            file.write(text)
        self.addCleanup(shutil.rmtree, folder)
        return path

    def test_own(self):
        path = self.own(HEAD + CELL)
        self.assertIn("own", [line.split()[0] for line in self.check(self.cli("suites")).stdout.splitlines()])
        for suite in ("own", path):
            document = self.measure(suite, self.target)
            self.assertEqual((document["suite"]["id"], len(document["cells"])), ("own", 1))
        relative = os.path.basename(path)
        self.check(self.cli("run", relative, self.target, "--dry-run", cwd=os.path.dirname(path)))

    def test_hostile(self):
        noise = bytes(random.Random(7).randrange(256) for _ in range(4096))
        cases = {
            "empty": b"",
            "noise": noise,
            "zeros": bytes(65536),
            "unknown key": (HEAD + CELL + "colour=red\n").encode(),
            "no cells": HEAD.encode(),
            "huge number": (HEAD + CELL.replace("queue=1", "queue=99999999999999999999")).encode(),
            "negative": (HEAD + CELL.replace("threads=1", "threads=-1")).encode(),
            "odd block": (HEAD + CELL.replace("4KiB", "1000")).encode(),
            "huge size": HEAD.replace("16MiB", "16EiB").encode() + CELL.encode(),
            "too many": (HEAD + "".join(CELL.replace("[rnd4k-q1t1]", f"[c{i}]") for i in range(20000))).encode(),
            "path as id": (HEAD + CELL).replace("id=own", "id=../../etc/passwd").encode(),
            "escape": (HEAD + CELL).replace("name=Own", "name=\033[2JOwn").encode(),
        }
        for title, text in cases.items():
            with self.subTest(title):
                path = self.own(text, mode="wb")
                done = self.cli("run", path, self.target, "--dry-run")
                if title == "escape" and done.returncode == DONE:
                    self.assertNotIn("\033", done.stdout)
                else:
                    self.check(done, FAILED if done.returncode == FAILED else USAGE)
                    self.assertIn("own.suite", done.stderr)
                # The others are there all the same.
                listed = self.cli("suites")
                self.check(listed) if title == "escape" else self.assertEqual(listed.returncode, DONE)
                self.assertIn("quick", [line.split()[0] for line in listed.stdout.splitlines()])
                self.doCleanups()

    def test_not_a_file(self):
        for path in (self.work + "/", "/dev/zero.suite", os.path.join(self.work, "missing.suite"), "./missing"):
            with self.subTest(path):
                done = self.cli("run", path, self.target, "--dry-run", timeout=20)
                self.assertIn(done.returncode, (FAILED, USAGE))
                self.check(done, done.returncode)

    def test_no_suites(self):
        done = self.cli("suites", env={"PLATEAU_SUITES_DIR": "/nonexistent"})
        self.check(done, FAILED)


class Libraries(Case):
    def library(self, home):
        path = os.path.join(home, "plateau/library.db")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def broken(self, content):
        home = self.make_home()
        path = self.library(home)
        with open(path, "wb") as file:
            file.write(content)
        for args in (("results",), ("result", "last"), ("run", "quick", self.target, *ONE)):
            done = self.cli(*args, home=home)
            self.check(done, FAILED)
            self.assertIn("library.db", done.stderr)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), content)
        self.assert_empty(self.target)

    def test_noise(self):
        self.broken(bytes(random.Random(3).randrange(256) for _ in range(8192)))

    def test_text(self):
        self.broken(b"this is no library\n" * 100)

    def test_other_database(self):
        path = os.path.join(self.work, "other.db")
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE bookmarks (url TEXT)")
            database.commit()
        with open(path, "rb") as file:
            self.broken(file.read())

    def test_newer(self):
        home = self.make_home()
        self.measure("quick", self.target, *ONE, home=home)
        with contextlib.closing(sqlite3.connect(self.library(home))) as database:
            database.execute("PRAGMA user_version = 9999")
            database.commit()
        self.check(self.cli("results", home=home), FAILED)
        with contextlib.closing(sqlite3.connect(self.library(home))) as database:
            self.assertEqual(database.execute("PRAGMA user_version").fetchone(), (9999,))

    def test_damaged(self):
        # Pages overwritten in the middle: an answer or one sentence, never a crash.
        home = self.make_home()
        self.measure("quick", self.target, *ONE, home=home)
        path = self.library(home)
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with open(path, "rb") as file:
            good = file.read()
        source = random.Random(11)
        for _ in range(12):
            bad = bytearray(good)
            at = source.randrange(4096, len(bad) - 512)
            bad[at:at + 512] = source.randbytes(512)
            with open(path, "wb") as file:
                file.write(bad)
            for args in (("results",), ("result", "last"), ("export", "last", "--format", "json")):
                done = self.cli(*args, home=home)
                self.assertIn(done.returncode, (DONE, FAILED, USAGE), done.stderr)
                self.check(done, done.returncode)

    def test_hostile_documents(self):
        # Rows that no Plateau wrote: JSON that is none, blobs that are noise.
        home = self.make_home()
        self.measure("quick", self.target, *ONE, home=home)
        path = self.library(home)
        with contextlib.closing(sqlite3.connect(path)) as database:
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' "
                                                         "AND name NOT LIKE 'sqlite_%'")]
            columns = [(table, row[1]) for table in tables for row in database.execute(f"PRAGMA table_info({table})")]
        with open(path, "rb") as file:
            good = file.read()
        for table, column in columns:
            for value in (b"\xff\x00noise", "{[", -1, 2 ** 62):
                with contextlib.closing(sqlite3.connect(path)) as database:
                    with contextlib.suppress(sqlite3.Error):
                        database.execute(f"UPDATE {table} SET {column} = ?", (value,))
                        database.commit()
                done = self.cli("export", "last", "--format", "json", home=home)
                self.assertIn(done.returncode, (DONE, FAILED, USAGE), f"{table}.{column} = {value!r}: {done.stderr}")
                if done.returncode == DONE:
                    json.loads(done.stdout)
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path + "-wal")
                    os.unlink(path + "-shm")
                with open(path, "wb") as file:
                    file.write(good)


class Homes(Case):
    def read_only(self, folder):
        """FOLDER without the right to write, for root too."""
        if os.geteuid() == 0:
            stack = contextlib.ExitStack()
            self.addCleanup(stack.close)
            stack.enter_context(mounted("--bind", folder, at=folder))
            command("mount", "-o", "remount,bind,ro", folder)
        else:
            for path, _, _ in os.walk(folder, topdown=False):
                os.chmod(path, 0o555)
                self.addCleanup(os.chmod, path, 0o755)

    def test_read_only_home(self):
        home = self.make_home()
        self.read_only(home)
        self.check(self.cli("suites", home=home))
        self.assertEqual(self.results(home), [])
        self.check(self.cli("run", "quick", self.target, "--dry-run", home=home))
        done = self.check(self.cli("run", "quick", self.target, *ONE, home=home), FAILED)
        self.assertIn(home, done.stderr)
        self.assert_empty(self.target)

    def test_read_only_library(self):
        home = self.make_home()
        self.measure("quick", self.target, *ONE, home=home)
        self.read_only(home)
        # What is there can be read …
        self.assertEqual(len(self.results(home)), 1)
        self.check(self.cli("result", "last", home=home))
        self.check(self.cli("export", "last", "--format", "csv", home=home))
        # … and stays as it is.
        for args in (("note", "last", "text"), ("delete", "last"), ("run", "quick", self.target, *ONE)):
            done = self.check(self.cli(*args, home=home), FAILED)
            self.assertIn("library.db", done.stderr)
        self.assert_empty(self.target)

    def test_no_home(self):
        environment = {"HOME": "/nonexistent", "XDG_DATA_HOME": ""}
        done = run("run", "quick", self.target, *ONE, env=environment)
        self.assertIn(done.returncode, (FAILED, DONE))
        self.assertNotIn("CRITICAL", done.stderr)
        if os.path.isdir("/nonexistent"):  # root may make it
            shutil.rmtree("/nonexistent")

    def test_library_is_a_folder(self):
        done = self.cli("results", "--library", self.target)
        self.check(done, done.returncode)
        self.assertNotEqual(done.returncode, DONE)


class FileSystems(Case):
    def test_without_o_tmpfile(self):
        # FAT has no O_TMPFILE: the file is made, and loses its name at once.
        if shutil.which("mkfs.vfat") is None:
            raise unittest.SkipTest("needs mkfs.vfat")
        with disk_image(tempfile.mkdtemp(dir=self.work), 64 << 20, make=("mkfs.vfat",)) as folder:
            done = self.cli("run", "quick", folder, *ONE, "--json")
            self.check(done, done.returncode if done.returncode in (DONE, REFUSED) else DONE)
            self.assert_empty(folder)

    def test_small_disk(self):
        with disk_image(tempfile.mkdtemp(dir=self.work), 64 << 20) as folder:
            document = self.measure("quick", folder, "--set", "size=32MiB", "seconds=0.3", "only=rnd4k-q1t1-read")
            self.assertIn("loop", [warning["id"] for warning in document["warnings"]])
            self.assert_empty(folder)


if __name__ == "__main__":
    main()
