# SPDX-License-Identifier: GPL-3.0-or-later
"""What must not be measured is refused in one sentence before anything is written; wrong words are named."""

import ctypes
import os
import struct
import tempfile
import threading
import unittest

from harness import (Case, REFUSED, SHORT, USAGE, command, disk_image, file_system, loop_device, main, mounted,
                     needs_root)


class TinyFuse(threading.Thread):
    """The least that a kernel wants of a FUSE server: an empty root folder."""

    def __init__(self, fd):
        super().__init__(daemon=True)
        self.fd = fd

    def run(self):
        while True:
            try:
                request = os.read(self.fd, 1 << 20)
            except OSError:
                return
            _, opcode, unique = struct.unpack_from("<IIQ", request)
            error, body = self.answer(opcode)
            if opcode != 2:  # FORGET has no answer
                os.write(self.fd, struct.pack("<IiQ", 16 + len(body), error, unique) + body)

    @staticmethod
    def answer(opcode):
        if opcode == 26:  # INIT: protocol 7.31, nothing special
            return 0, struct.pack("<IIIIHHIIHHI7I", 7, 31, 65536, 0, 12, 9, 65536, 1, 0, 0, *[0] * 8)
        if opcode == 3:  # GETATTR: inode 1, a folder that everybody may write to
            return 0, struct.pack("<QII", 1, 0, 0) + struct.pack("<6Q10I", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0o40777, 2,
                                                                 0, 0, 0, 4096, 0)
        if opcode == 17:  # STATFS
            return 0, struct.pack("<5Q4I24x", 1 << 20, 1 << 19, 1 << 19, 100, 50, 4096, 255, 4096, 0)
        if opcode == 34:  # ACCESS
            return 0, b""
        return -38, b""  # ENOSYS


class Places(Case):
    def refuse(self, target, *words, args=SHORT, suite="quick", **more):
        done = self.check(self.cli("run", suite, target, *args, **more), REFUSED)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.results(), [])
        return done

    def test_missing(self):
        self.refuse(os.path.join(self.target, "missing"), "missing")

    def test_file(self):
        path = os.path.join(self.work, "file")
        with open(path, "w", encoding="utf-8") as file:
            file.write("precious")
        self.refuse(path, path)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_dev(self):
        for path in ("/dev", "/dev/shm", "/proc", "/proc/self", "/sys", "/dev/null"):
            with self.subTest(path):
                self.refuse(path)

    def test_link_into_dev(self):
        link = os.path.join(self.work, "link")
        os.symlink("/dev", link)
        self.refuse(link)
        os.unlink(link)
        os.symlink("loop", link)
        os.symlink("link", os.path.join(self.work, "loop"))
        self.refuse(link)

    def test_memory(self):
        with mounted("-t", "tmpfs", "-o", "size=64m", "plateau-test", at=os.path.join(self.work, "memory")) as at:
            self.refuse(at, "tmpfs", "--allow-memory")
            done = self.cli("run", "quick", at, *SHORT, "only=rnd4k-q1t1-read", "--allow-memory",
                            home=self.make_home())
            # Some kernels have no direct I/O on tmpfs: then that is what it says.
            self.check(done, 0 if done.returncode == 0 else REFUSED)
            self.assert_empty(at)

    def test_read_only(self):
        with disk_image(tempfile.mkdtemp(dir=self.work), 64 << 20) as at:
            command("mount", "-o", "remount,ro", at)
            self.refuse(at, "read-only")

    def test_no_permission(self):
        if os.geteuid() != 0:
            os.chmod(self.target, 0o555)
            try:
                self.refuse(self.target)
            finally:
                os.chmod(self.target, 0o755)
            return
        home = self.make_home()
        os.chmod(self.work, 0o755)
        os.chown(home, 65534, 65534)
        try:
            done = self.cli("run", "quick", self.target, *SHORT, home=home, user=65534, group=65534, extra_groups=[])
        except PermissionError:
            self.skipTest("the build folder is closed to other users")
        if "No such file" in done.stderr or done.returncode in (126, 127):
            self.skipTest("the build folder is closed to other users")
        self.check(done, REFUSED)

    def test_no_space(self):
        with disk_image(tempfile.mkdtemp(dir=self.work), 32 << 20) as at:
            self.refuse(at, args=("--set", "size=256MiB", "seconds=0.3"))
            self.assert_empty(at)

    def test_fuse(self):
        needs_root()
        if not os.path.exists("/dev/fuse"):
            self.skipTest("needs /dev/fuse")
        at = tempfile.mkdtemp(dir=self.work)
        fd = os.open("/dev/fuse", os.O_RDWR)
        server = TinyFuse(fd)
        libc = ctypes.CDLL(None, use_errno=True)
        options = f"fd={fd},rootmode=40000,user_id=0,group_id=0"
        if libc.mount(b"tiny", at.encode(), b"fuse", 6, options.encode()) != 0:
            os.close(fd)
            self.skipTest(f"FUSE cannot be mounted: {os.strerror(ctypes.get_errno())}")
        server.start()
        try:
            self.refuse(at, "FUSE")
        finally:
            libc.umount2(at.encode(), 2)
            os.close(fd)

    def test_block_size(self):
        folder = tempfile.mkdtemp(dir=self.work)
        image = os.path.join(folder, "image")
        with open(image, "wb") as file:
            file.truncate(256 << 20)
        with loop_device(image, "--sector-size", "4096", "--direct-io=on") as device:
            command("mkfs.ext4", "-q", device)
            with mounted(device, at=os.path.join(folder, "mounted")) as at:
                suite = self.write_suite()
                self.refuse(at, "4096", suite=suite, args=("--set", "size=16MiB", "seconds=0.3"))
                # A sweep leaves out what the drive cannot do; alone it has nothing to measure.
                done = self.cli("run", "blocksize-sweep", at, "--set", "size=64MiB", "seconds=0.1",
                                "only=seq512b-q4t1-write,seq512b-q4t1-read")
                self.check(done, REFUSED)
                self.assert_empty(at)

    def write_suite(self):
        path = os.path.join(self.work, "half.suite")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[suite]\nid=half\nversion=1\nname=Half\ndescription=Half a kilobyte.\ngroup=quick\n"
                       "chart=quick-card\norder=operation\nsize=16MiB\nruns=1\nwarmup=0\nseconds=1\ninterval=0s\n"
                       "data=random\nmix=off\nscore=best\n\n[rnd512-q1t1]\npattern=random\nblock=512\nqueue=1\n"
                       "threads=1\nop=read\n")
        return path


class Words(Case):
    def usage(self, *args, says=()):
        done = self.check(self.cli(*args), USAGE)
        self.assertEqual(done.stdout, "")
        for word in says:
            self.assertIn(word, done.stderr)

    def test_commands(self):
        self.usage(says=["help"])
        self.usage("rnu", says=["run"])
        self.usage("frobnicate")
        self.usage("--json", "run")
        self.usage("help", "frobnicate")
        self.usage("run", says=["SUITE TARGET"])
        self.usage("run", "quick", says=["SUITE TARGET"])
        self.usage("run", "quick", self.target, "another")
        self.usage("run", "quick", self.target, "--frobnicate", says=["--frobnicate"])
        self.usage("run", "quick", self.target, "--set")
        self.usage("results", "extra")
        self.usage("results", "--limit", "-1")
        self.usage("results", "--limit", "many")
        self.usage("result")
        self.usage("note", "last")
        self.usage("results", "--library", os.path.join(self.work, "missing.db"))

    def test_suite(self):
        self.usage("run", "quik", self.target, says=["quick"])
        self.usage("run", "cdm-nmve", self.target, says=["cdm-nvme"])
        self.usage("run", "peak", self.target, says=["cdm-peak", "cdm-peak-nvme"])
        self.usage("run", "xyzzy", self.target, says=["plateau-cli suites"])
        self.usage("suites", "quik", says=["quick"])

    def test_parameters(self):
        for assignment in ("size=0", "size=-1", "size=1", "size=99999999TiB", "size=16", "size=", "runs=0",
                           "runs=1000000000", "runs=x", "seconds=0", "seconds=-5", "seconds=nan", "seconds=1e99",
                           "interval=-1", "data=110%", "data=-1%", "data=maybe", "mix=0", "mix=100", "mix=abc",
                           "only=", "only=no-such-cell", "only=rnd4k-q1t1-read,no-such-cell", "queue=99999",
                           "nonsense=1", "noequals", "=5"):
            with self.subTest(assignment):
                self.usage("run", "quick", self.target, "--set", assignment)
        self.assertEqual(self.results(), [])
        self.assert_empty(self.target)

    def test_help(self):
        for args in (("help",), ("--help",), ("-h",)):
            done = self.check(self.cli(*args))
            self.assertEqual(done.stderr, "")
            for word in ("list", "show", "smart", "suites", "run", "results", "result", "chart", "export", "delete", "note", "130"):
                self.assertIn(word, done.stdout)
        for name in ("list", "show", "smart", "suites", "run", "results", "result", "chart", "export", "delete", "note"):
            done = self.check(self.cli("help", name))
            self.assertIn(f"plateau-cli {name}", done.stdout)
            self.assertEqual(self.check(self.cli(name, "--help")).stdout, done.stdout)
        self.assertRegex(self.check(self.cli("--version")).stdout, r"^plateau-cli \d+\.\d+\.\d+\n$")

    def test_manual_names_every_option(self):
        page = os.path.join(os.environ["PLATEAU_SOURCE"], "data/man/plateau-cli.1")
        completion = os.path.join(os.environ["PLATEAU_SOURCE"], "data/completions/plateau-cli")
        with open(page, encoding="utf-8") as file:
            manual = file.read().replace("\\-", "-")
        with open(completion, encoding="utf-8") as file:
            completed = file.read()
        for name in ("list", "show", "smart", "suites", "run", "results", "result", "chart", "export", "delete", "note"):
            for word in self.check(self.cli("help", name)).stdout.translate(dict.fromkeys(map(ord, ",=:"), " ")).split():
                if word.startswith("--") and word not in ("--", "--help"):
                    self.assertIn(f"{word} ", completed, name)
                    if word != "--output":  # -o in the manual, as everywhere
                        self.assertIn(f"Fl {word[1:]}", manual, name)


if __name__ == "__main__":
    main()
