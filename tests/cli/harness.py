# SPDX-License-Identifier: GPL-3.0-or-later
"""What the end-to-end tests of plateau-cli share: running it, places to measure, TAP output."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import unittest

CLI = os.environ["PLATEAU_CLI"]
WORK = os.environ["PLATEAU_TEST_DIR"]

DONE, FAILED, USAGE, REFUSED, DEVICE, STOPPED = 0, 1, 2, 3, 4, 130

# Whoever starts the tests under nohup means the tests, not the programs whose end they watch.
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# What `stat -f` calls the file systems of a disk that hold O_DIRECT to its word.
DISK_FILE_SYSTEMS = ("ext2/ext3", "xfs", "btrfs", "f2fs")

# A run that is over in about three seconds and still has all that a long one has.
SHORT = ("--set", "size=16MiB", "seconds=0.3")


def file_system(path):
    return subprocess.run(["stat", "-f", "-c", "%T", path], check=True, capture_output=True,
                          text=True).stdout.strip()


def run(*args, env=None, timeout=60, **popen):
    """plateau-cli with ARGS: a CompletedProcess with text output."""
    return subprocess.run([CLI, *map(os.fsdecode, args)], env={**os.environ, **(env or {})},
                          capture_output=True, text=True, encoding="utf-8", errors="surrogateescape",
                          stdin=subprocess.DEVNULL, timeout=timeout, check=False, **popen)


def start(*args, env=None, **popen):
    """plateau-cli with ARGS in the background."""
    popen.setdefault("stdout", subprocess.PIPE)
    popen.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([CLI, *args], env={**os.environ, **(env or {})}, text=True, encoding="utf-8",
                            stdin=subprocess.DEVNULL, **popen)


def needs_root(tool=None):
    if os.geteuid() != 0:
        raise unittest.SkipTest("needs root")
    if tool is not None and shutil.which(tool) is None:
        raise unittest.SkipTest(f"needs {tool}")


def command(*args):
    """A system tool; a test whose machine does not let it is skipped with the tool's own words."""
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise unittest.SkipTest(f"{args[0]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


@contextlib.contextmanager
def mounted(*args, at):
    """Mounts as `mount ARGS AT` for the time of the block."""
    needs_root("mount")
    os.makedirs(at, exist_ok=True)
    command("mount", *args, at)
    try:
        yield at
    finally:
        subprocess.run(["umount", "-l", at], capture_output=True, check=False)


@contextlib.contextmanager
def loop_device(backing, *options):
    needs_root("losetup")
    device = command("losetup", "--find", "--show", *options, backing)
    try:
        yield device
    finally:
        subprocess.run(["losetup", "--detach", device], capture_output=True, check=False)


@contextlib.contextmanager
def disk_image(folder, size, *options, make=("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0")):
    """A new file system on a loop device over FOLDER/image of SIZE bytes, mounted at the folder given."""
    needs_root(make[0])
    image, at = os.path.join(folder, "image"), os.path.join(folder, "mounted")
    with open(image, "wb") as file:
        file.truncate(size)
    with loop_device(image, *options) as device:
        command(*make, device)
        with mounted(device, at=at):
            yield at


def samples(figures):
    """The samples of a run of a cell in a document, a dictionary each."""
    table = figures["samples"]
    return [dict(zip(table["columns"], row)) for row in table["rows"]]


class Case(unittest.TestCase):
    """A test with a folder of its own, a library of its own, and a folder on a disk to measure."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        cls.addClassCleanup(cls.stack.close)
        cls.work = cls.stack.enter_context(tempfile.TemporaryDirectory(dir=WORK, prefix="cli-"))
        cls.disk = os.path.join(cls.work, "disk")
        os.mkdir(cls.disk)
        if file_system(cls.work) not in DISK_FILE_SYSTEMS:
            cls.disk = cls.stack.enter_context(disk_image(cls.work, 512 << 20))
        cls.home = cls.make_home()
        cls.target = cls.make_target()

    @classmethod
    def make_home(cls):
        """A place for a library, not used by any other."""
        return tempfile.mkdtemp(dir=cls.work, prefix="home-")

    @classmethod
    def make_target(cls, name=None):
        """A folder on a disk; removed with all others at the end."""
        if name is None:
            return tempfile.mkdtemp(dir=cls.disk, prefix="target-")
        path = os.path.join(os.fsencode(cls.disk), os.fsencode(name))
        os.mkdir(path)
        return path

    @classmethod
    def cli(cls, *args, home=None, env=None, **more):
        return run(*args, env={"XDG_DATA_HOME": home or cls.home, **(env or {})}, **more)

    @classmethod
    def begin(cls, *args, home=None, env=None, **more):
        return start(*args, env={"XDG_DATA_HOME": home or cls.home, **(env or {})}, **more)

    def check(self, done, status=DONE):
        """DONE ended with STATUS and, if that is an error, said so in one line."""
        self.assertEqual(done.returncode, status, f"{done.args}\n{done.stdout}\n{done.stderr}")
        if status in (FAILED, USAGE, REFUSED, DEVICE):
            errors = [line for line in done.stderr.splitlines() if line.startswith("plateau-cli: ")]
            self.assertEqual(len(errors), 1, done.stderr)
            self.assertGreater(len(errors[0]), len("plateau-cli: ") + 10, errors[0])
        return done

    def measure(self, *args, status=DONE, **more):
        """A run as a document, and whether it is one."""
        done = self.check(self.cli("run", *args, "--json", **more), status)
        return json.loads(done.stdout)

    def results(self, home=None):
        return json.loads(self.check(self.cli("results", "--json", home=home)).stdout)["results"]

    def assert_empty(self, folder):
        self.assertEqual([name for name in os.listdir(folder) if name not in ("lost+found", b"lost+found")], [])


class TapResult(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.number = 0
        self.began = time.monotonic()

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def say(self, ok, test, directive="", text=""):
        self.number += 1
        print(f"{'ok' if ok else 'not ok'} {self.number} - {test.id().partition('.')[2]}{directive}")
        for line in [*text.splitlines(), f"{time.monotonic() - self.began:.1f} s"]:
            print(f"# {line}")
        sys.stdout.flush()

    def addSuccess(self, test):
        super().addSuccess(test)
        self.say(True, test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say(False, test, text="".join(traceback.format_exception(*err)))

    def addError(self, test, err):
        super().addError(test, err)
        self.say(False, test, text="".join(traceback.format_exception(*err)))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say(True, test, f" # SKIP {' '.join(reason.split())}")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.say(False, subtest, text="".join(traceback.format_exception(*err)))


def main():
    """Runs the tests of the calling file; with names as arguments, those only."""
    os.makedirs(WORK, exist_ok=True)
    loader = unittest.defaultTestLoader
    module = sys.modules["__main__"]
    suite = loader.loadTestsFromNames(sys.argv[1:], module) if sys.argv[1:] else loader.loadTestsFromModule(module)
    result = TapResult()
    print("TAP version 13")
    suite.run(result)
    print(f"1..{result.number}")
    sys.exit(0 if result.wasSuccessful() else 1)
