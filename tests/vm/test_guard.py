# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that hold something: whatever it is, nothing is written to them, and the person is told why."""

import json
import os
import subprocess
import time

from rig import Case, drive, harness, main, read, tool
from qmp import Qmp, Refused

KEY = b"only for this test"
LUKS = ("--batch-mode", "--type", "luks2", "--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000")
SHORT = ("--set", "seconds=0.2", "runs=1", "warmup=0", "interval=0", "size=16MiB")


def changed(name):
    """Sectors that the drive was given to write or to discard."""
    fields = read(f"/sys/class/block/{name}/stat").split()
    return int(fields[6]) + (int(fields[13]) if len(fields) > 13 else 0)


def rest_between_writes():
    """The path of a suite that writes to a whole drive, lets it rest, and writes again."""
    path = "/run/rest-between.suite"
    write = "pattern=sequential\nblock=128KiB\nqueue=4\nthreads=1\nop=write\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write("[suite]\nid=rest-between\nname=Rest\ndescription=Rest.\nsize=16MiB\nruns=1\nwarmup=0\nseconds=0.2\n"
                   f"[before]\n{write}[pause]\nkind=rest\ntime=20s\n[after]\n{write}tag=again\n")
    return path


def plug(qmp, timeout=30):
    """Puts an empty drive into the third slot as soon as it is free, with the serial number of the one before."""
    qmp.send("blockdev-add", **{"driver": "null-co", "node-name": "empty", "size": 160 << 20, "read-zeroes": True})
    until = time.monotonic() + timeout
    while True:
        try:
            qmp.send("device_add", driver="nvme", id="again", serial="RIG2", bus="c2port", drive="empty")
            return
        except Refused:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def wait_for_drive(serial, timeout=30):
    until = time.monotonic() + timeout
    while True:
        try:
            return drive(serial)
        except (AssertionError, OSError, StopIteration):
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


class Guard(Case):
    def setUp(self):
        self.name = drive("RIG0")
        self.path = f"/dev/{self.name}"

    def undo(self, *args):
        self.addCleanup(subprocess.run, args, check=False, capture_output=True)

    def check_refused(self, words, name=None, serial="RIG0"):
        """Every way to write to it is refused with WORDS, and not a sector was changed or discarded."""
        name = name or self.name
        os.sync()
        time.sleep(0.2)
        before = changed(name)
        for suite, more in (("fill-drive", ()), ("cdm-demo", SHORT), ("fill-free-space", ("--range", "1MiB+16MiB"))):
            done = self.cli("run", suite, f"/dev/{name}", "--erase", serial, *more, home=self.home)
            self.assertEqual(done.returncode, harness.REFUSED, f"{suite}: {done.stdout}{done.stderr}")
            self.assertIn(words, done.stderr)
            self.assertEqual(changed(name), before, f"{suite} changed the drive")
        print(f"# refused, nothing changed: {done.stderr.strip()}")

    def check_allowed(self):
        """To show that a refusal had no other reason."""
        self.check(self.cli("run", "cdm-demo", self.path, "--erase", "RIG0", *SHORT, "only=write", home=self.home))

    def freeze(self, folder):
        """A file system that is in use writes when it likes; this one does not."""
        tool("fsfreeze", "--freeze", folder)
        self.undo("fsfreeze", "--unfreeze", folder)

    def partition(self):
        tool("parted", "--script", self.path, "mklabel", "gpt", "mkpart", "test", "1MiB", "100%")
        tool("udevadm", "settle")
        self.undo("wipefs", "--all", "--force", self.path)
        return f"{self.path}p1"

    def test_mounted(self):
        folder = self.mount(self.name)
        self.freeze(folder)
        self.check_refused(f"{self.name} is mounted ({folder})")
        tool("fsfreeze", "--unfreeze", folder)
        tool("umount", folder)
        self.check_allowed()

    def test_mounted_partition(self):
        folder = self.mount(self.partition())
        self.freeze(folder)
        self.check_refused(f"p1 is mounted ({folder})")

    def test_mounted_in_another_namespace(self):
        tool("mkfs.ext4", "-q", "-F", self.path)
        holder = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sh", "-c",
                                   f"mkdir -p /tmp/hidden && mount {self.path} /tmp/hidden && "
                                   "fsfreeze --freeze /tmp/hidden && echo ready && read line; "
                                   "fsfreeze --unfreeze /tmp/hidden; umount /tmp/hidden"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.assertEqual(holder.stdout.readline().strip(), "ready")
        try:
            self.check_refused("is mounted (/tmp/hidden)")
        finally:
            holder.communicate("\n")
        self.check_allowed()

    def test_swap(self):
        path = self.partition()
        tool("mkswap", path)
        tool("swapon", path)
        self.undo("swapoff", path)
        self.check_refused("p1 is swap space")

    def test_md(self):
        other = drive("RIG1")
        tool("mdadm", "--create", "/dev/md0", "--run", "--level", "1", "--assume-clean", "--bitmap", "none",
             "--raid-devices", "2", self.path, f"/dev/{other}")
        self.undo("mdadm", "--zero-superblock", self.path, f"/dev/{other}")
        self.undo("mdadm", "--stop", "/dev/md0")
        tool("udevadm", "settle")
        self.check_refused("is in use by md0 (raid1)")
        self.check_refused("is in use by md0 (raid1)", other, "RIG1")

    def test_luks(self):
        subprocess.run(["cryptsetup", "luksFormat", *LUKS, self.path, "-"], input=KEY, check=True, capture_output=True)
        subprocess.run(["cryptsetup", "open", "--key-file", "-", self.path, "secret"], input=KEY, check=True,
                       capture_output=True)
        self.undo("cryptsetup", "close", "secret")
        self.check_refused("(secret)")
        tool("cryptsetup", "close", "secret")
        # Closed, it is content that is lost, not a use: said in the plan, and allowed.
        done = self.check(self.cli("run", "fill-drive", self.path, "--dry-run", home=self.home))
        self.assertIn("crypto_LUKS", done.stdout)
        self.check_allowed()

    def test_lvm(self):
        tool("pvcreate", "--yes", self.path)
        tool("vgcreate", "group", self.path)
        tool("lvcreate", "--yes", "--wipesignatures", "n", "--extents", "100%FREE", "--name", "volume", "group")
        self.undo("wipefs", "--all", "--force", self.path)
        self.undo("vgremove", "--force", "group")
        self.check_refused("(group-volume)")
        folder = self.mount("/dev/mapper/group-volume")
        self.freeze(folder)
        self.check_refused(f"is mounted ({folder})")

    def test_btrfs_second_device(self):
        other = drive("RIG1")
        folder = self.mount(self.name, make=("mkfs.btrfs", "-q", "-f", "-d", "single", f"/dev/{other}"),
                            options=f"device=/dev/{other}")
        self.freeze(folder)
        self.check_refused(f"is mounted ({folder})", other, "RIG1")
        self.check_refused(f"is mounted ({folder})")

    def test_loop_over_partition(self):
        path = self.partition()
        tool("modprobe", "loop")
        loop = tool("losetup", "--find", "--show", path).strip()
        self.undo("losetup", "--detach", loop)
        self.check_refused(f"is in use by {os.path.basename(loop)}")

    def test_open_for_writing(self):
        """As a virtual machine has it: nothing is claimed."""
        with open(self.path, "r+b", buffering=0):
            self.check_refused("is open for writing in python3")
        with open(self.path, "rb", buffering=0):
            self.check_allowed()

    def test_read_only(self):
        tool("blockdev", "--setro", self.path)
        self.undo("blockdev", "--setrw", self.path)
        self.check_refused("is read-only")

    def test_wrong_serial(self):
        self.check_refused("nothing is written", serial="RIG1")
        self.check_refused("nothing is written", serial="nvme0n1")

    def test_claimed_while_it_runs(self):
        """From start to end nobody else can take it."""
        process = self.begin("run", "cdm-demo", self.path, "--erase", "RIG0", "--set", "seconds=20", "runs=1", "warmup=0",
                             "interval=0", "size=16MiB", home=self.home)
        self.wait_for_cell(process, self.home)
        mkfs = subprocess.run(["mkfs.ext4", "-q", self.path], capture_output=True, text=True, check=False)
        second = self.cli("run", "cdm-demo", self.path, "--erase", "RIG0", *SHORT, home=self.make_home())
        process.terminate()
        process.communicate()
        self.assertNotEqual(mkfs.returncode, 0, "mkfs could write to it")
        self.assertEqual(second.returncode, harness.REFUSED)
        self.assertIn("plateau-cli", second.stderr)

    def test_swapped_while_it_runs(self):
        """Another drive in the same slot, with the same serial number, is not the one that was confirmed."""
        home = self.make_home()
        process = self.begin("run", rest_between_writes(), f"/dev/{drive('RIG2')}", "--erase", "RIG2", home=home)
        self.addCleanup(process.kill)
        self.wait_for_cell(process, home)
        qmp = Qmp()
        self.addCleanup(qmp.close)
        qmp.send("device_del", id="c2")
        plug(qmp)
        name = wait_for_drive("RIG2")
        _, said = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(said, "no longer there|is gone|not the drive")
        self.assertEqual(changed(name), 0)
        print(f"# refused, nothing changed: {said.strip().splitlines()[-1]}")

    def test_shown(self):
        """The tree has what the tools have set up, and the answer is the guard's."""
        path = self.partition()
        subprocess.run(["cryptsetup", "luksFormat", *LUKS, path, "-"], input=KEY, check=True, capture_output=True)
        subprocess.run(["cryptsetup", "open", "--key-file", "-", path, "secret"], input=KEY, check=True,
                       capture_output=True)
        self.undo("cryptsetup", "close", "secret")
        folder = self.mount("/dev/mapper/secret")
        document = json.loads(self.check(self.cli("show", self.path, "--json")).stdout)
        partition, = document["stack"]["children"]
        crypt, = partition["children"]
        self.assertEqual((partition["name"], partition["kind"]), (os.path.basename(path), "partition"))
        self.assertEqual((crypt["map"], crypt["kind"], crypt["mounts"]), ("secret", "LUKS", [folder]))
        self.assertIn(f"is mounted ({folder})", document["whole_drive"]["reason"])
        report = self.check(self.cli("show", self.path)).stdout
        self.assertRegex(report, rf"(?m)^  └ dm-\d+ \(secret\) +LUKS .*{folder}$")
        self.assertIn("May be written as a whole: no; ", report)


if __name__ == "__main__":
    main(["160M", "160M", "160M"], services="udev")
