# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders that lie on more than a drive: what is between is named, and what it does to figures is said."""

import os
import subprocess

from rig import Case, drive, main, read, tool

LUKS = ("--batch-mode", "--type", "luks2", "--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000")
KEY = b"only for this test"
ABOUT_STACK = {"compression", "copy-on-write", "encryption", "lvm", "raid", "device-mapper", "several-drives", "loop",
               "drive-unknown", "direct-refused", "direct-not-honoured"}


def written(name):
    """Bytes that the drive was given to write."""
    return int(read(f"/sys/class/block/{name}/stat").split()[6]) * 512


class Stack(Case):
    def undo(self, *args):
        self.addCleanup(subprocess.run, args, check=False, capture_output=True)

    def luks(self, path, name):
        subprocess.run(["cryptsetup", "luksFormat", *LUKS, path, "-"], input=KEY, check=True, capture_output=True)
        subprocess.run(["cryptsetup", "open", "--key-file", "-", path, name], input=KEY, check=True, capture_output=True)
        self.undo("cryptsetup", "close", name)
        return f"/dev/mapper/{name}"

    def lvm(self, path, group):
        tool("pvcreate", "--yes", path)
        tool("vgcreate", group, path)
        tool("lvcreate", "--yes", "--wipesignatures", "n", "--extents", "100%FREE", "--name", "volume", group)
        self.undo("vgremove", "--force", group)
        return f"/dev/mapper/{group}-volume"

    def md(self, level, *paths, options=()):
        tool("mdadm", "--create", "/dev/md0", "--run", "--level", level, *options, "--raid-devices", str(len(paths)),
             *paths)
        self.undo("mdadm", "--zero-superblock", *paths)
        self.undo("mdadm", "--stop", "/dev/md0")
        return "/dev/md0"

    def partition(self, path):
        tool("parted", "--script", path, "mklabel", "gpt", "mkpart", "test", "1MiB", "100%")
        tool("udevadm", "settle")
        self.undo("wipefs", "--all", path)
        return f"{path}p1"

    def check_place(self, folder, layers, names, **warnings):
        """
        The stack under FOLDER, in the plan and in a short run; each of WARNINGS has the detail given (True:
        whatever it is), and no other that speaks of the stack is there.
        """
        planned = self.dry_run(folder)["target"]
        run = self.measure("quick", folder, "--set", "seconds=0.2", "size=16MiB", "only=rnd4k-q1t1-write")
        self.assertEqual(run["status"], "complete")
        for target in (planned, run["target"]):
            self.assertEqual(target["layers"], layers)
            self.assertEqual(sorted(target["drives"]), sorted(names))
            self.assertEqual((target["filesystem"], target["mount_point"]), (layers[0], folder))
        self.assertEqual(sorted(drive["name"] for drive in run["drive"]), sorted(names))
        said = self.warnings(run)
        expected = {name.replace("_", "-"): detail for name, detail in warnings.items()}
        self.assertEqual(sorted(ABOUT_STACK & set(said)), sorted(expected), said)
        for name, detail in expected.items():
            if detail is not True:
                self.assertEqual(said[name], detail, name)
        self.assertEqual([cell["runs"][0]["engine"]["backend"] for cell in run["cells"]], ["io_uring"])
        self.assertEqual(run["target"]["direct_io"], "yes")
        self.assert_empty(folder)
        return run

    def test_plain_partition(self):
        name = drive("RIG0")
        folder = self.mount(self.partition(f"/dev/{name}"))
        self.check_place(folder, ["ext4", "partition"], [name])

    def test_luks(self):
        name = drive("RIG0")
        folder = self.mount(self.luks(f"/dev/{name}", "secret"))
        self.check_place(folder, ["ext4", "LUKS"], [name], encryption="LUKS")

    def test_lvm(self):
        name = drive("RIG0")
        folder = self.mount(self.lvm(f"/dev/{name}", "group"))
        self.check_place(folder, ["ext4", "LVM"], [name], lvm=None)

    def test_md_raid0(self):
        names = [drive("RIG0"), drive("RIG1")]
        folder = self.mount(self.md("0", *(f"/dev/{name}" for name in names)), make=("mkfs.xfs", "-q", "-f"))
        self.check_place(folder, ["xfs", "md raid0"], names, raid=True, several_drives=True)

    def test_all_of_them(self):
        # What a careful person has at home: two drives, mirrored, encrypted, volumes on top.
        names = [drive("RIG0"), drive("RIG1")]
        mirror = self.md("1", *(f"/dev/{name}" for name in names),
                         options=("--assume-clean", "--bitmap", "none"))
        folder = self.mount(self.lvm(self.luks(mirror, "secret"), "group"))
        self.check_place(folder, ["ext4", "LVM", "LUKS", "md raid1"], names, encryption="LUKS", lvm=None, raid=True,
                         several_drives=True)

    def test_btrfs_with_compression(self):
        """The test file is exempt from it: no warning, and zeros reach the drive in full length."""
        name = drive("RIG0")
        folder = self.mount(name, make=("mkfs.btrfs", "-q", "-f"), options="compress-force=zstd")
        self.assertIn("compress-force=zstd", self.dry_run(folder)["target"]["mount_options"])
        run = self.check_place(folder, ["btrfs"], [name])
        self.assertFalse(run["target"]["copy_on_write"])
        before = written(name)
        run = self.measure("quick", folder, "--set", "seconds=0.5", "size=32MiB", "data=zero", "only=seq1m-q8t1-write")
        self.assertGreaterEqual(written(name) - before, (32 << 20) + run["cells"][0]["runs"][0]["bytes"])
        # To show that this can fail: other files are compressed.
        before = written(name)
        with open(f"{folder}/other", "wb") as file:
            file.write(bytes(32 << 20))
            os.fsync(file.fileno())
        self.assertLess(written(name) - before, 16 << 20)

    def test_btrfs_over_two_drives_in_luks(self):
        names = [drive("RIG0"), drive("RIG1")]
        first, second = self.luks(f"/dev/{names[0]}", "one"), self.luks(f"/dev/{names[1]}", "two")
        folder = self.mount(first, make=("mkfs.btrfs", "-q", "-f", "-d", "raid0", second), options=f"device={second}")
        document = self.check_place(folder, ["btrfs", "LUKS"], names, encryption="LUKS", several_drives=True)
        self.assertIn(document["target"]["source"], (first, second))

    def test_loop_in_a_file(self):
        name = drive("RIG0")
        outer = self.mount(name)
        with open(f"{outer}/image", "wb") as image:
            image.truncate(200 << 20)
        tool("modprobe", "loop")
        loop = tool("losetup", "--find", "--show", "--direct-io=on", f"{outer}/image").strip()
        self.undo("losetup", "--detach", loop)
        folder = self.mount(loop)
        self.check_place(folder, ["ext4", "loop", "ext4"], [name], loop=None)


if __name__ == "__main__":
    main(["512M", "512M"], services="udev")
