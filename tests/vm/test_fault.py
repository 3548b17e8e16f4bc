# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that fail in the middle of a run: what is said of it, and that what was measured is kept."""

import fcntl
import json
import os
import re
import struct
import time

from rig import Case, drive, main
from qmp import Qmp
from harness import DEVICE, samples

MIB = 1 << 20
# Where the second drive cannot be read: in the middle of it, where the test file must lie since it fills it.
BAD_BYTE = 80 * MIB
FS_IOC_FIEMAP = 0xC020660B


def extents(fd):
    """(logical, physical, length) of each extent of an open file, in bytes."""
    room = 64
    request = bytearray(struct.pack("=QQLLLL", 0, 1 << 62, 0, 0, room, 0) + bytes(room * 56))
    fcntl.ioctl(fd, FS_IOC_FIEMAP, request)
    count = struct.unpack_from("=L", request, 20)[0]
    return [struct.unpack_from("=QQQ", request, 32 + i * 56) for i in range(count)]


def test_file_of(process):
    """A descriptor of the file that the run of PROCESS has made, which has no name."""
    folder = f"/proc/{process.pid}/fd"
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if "(deleted)" in os.readlink(path) and os.stat(path).st_size >= 32 * MIB:
            return os.open(path, os.O_RDONLY)
    raise AssertionError(f"no test file: {[os.readlink(os.path.join(folder, name)) for name in os.listdir(folder)]}")


class Fault(Case):
    def check_failed(self, process, home, sentence):
        """PROCESS ended because of the drive with SENTENCE, and the library has what it measured until then."""
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, DEVICE, errors)
        self.assertRegex(errors, rf"(?m)^plateau-cli: {sentence}$")
        run = json.loads(output)
        self.assertEqual(run["status"], "failed")
        self.assertRegex(run["status_detail"], sentence)
        kept = json.loads(self.check(self.cli("export", "last", "--format", "json", home=home)).stdout)
        self.assertEqual((kept["uuid"], kept["status"]), (run["uuid"], "failed"))
        return kept["cells"][-1]["runs"][-1]

    def test_unplugged(self):
        home, folder = self.make_home(), self.mount(drive("RIG0"))
        process = self.begin("run", "quick", folder, "--set", "size=64MiB", "seconds=30", "only=rnd4k-q32t16-read", "--json",
                             home=home)
        self.addCleanup(process.kill)
        self.wait_for_cell(process, home)
        time.sleep(1.5)
        qmp = Qmp()
        self.addCleanup(qmp.close)
        qmp.send("device_del", id="c0")
        pulled = time.monotonic()
        run = self.check_failed(process, home, r"a read at byte \d+ failed after [\d.]+ s: the drive is gone")
        self.assertLess(time.monotonic() - pulled, 20)
        self.assertFalse(run["complete"])
        self.assertGreater(run["ios"], 0)
        ticks = samples(run)
        self.assertGreater(len(ticks), 5)
        self.assertEqual(sum(tick["read_ios"] for tick in ticks), run["ios"])

    def test_bad_sector(self):
        # Of several reads that became one request, the kernel fails all.
        with open(f"/sys/class/block/{drive('RIG1')}/queue/nomerges", "w", encoding="ascii") as file:
            file.write("2")
        home, folder = self.make_home(), self.mount(drive("RIG1"), make=("mkfs.ext4", "-q", "-m", "0", "-O", "^has_journal"))
        process = self.begin("run", "quick", folder, "--set", "size=128MiB", "seconds=30", "only=rnd4k-q32t16-read", "--json",
                             home=home)
        self.addCleanup(process.kill)
        # Its place is settled as soon as the file is there, which is before anything is read.
        self.wait_for_file(process)
        fd = test_file_of(process)
        self.addCleanup(os.close, fd)
        place = [logical + BAD_BYTE - physical for logical, physical, length in extents(fd)
                 if physical <= BAD_BYTE < physical + length]
        self.assertEqual(len(place), 1, extents(fd))
        run = self.check_failed(process, home, r"a read at byte \d+ failed after [\d.]+ s: the drive reported an error")
        said = json.loads(self.check(self.cli("result", "last", "--json", home=home)).stdout)["status_detail"]
        byte = int(re.search(r"byte (\d+)", said)[1])
        self.assertEqual(byte, place[0] // 4096 * 4096, extents(fd))
        self.assertFalse(run["complete"])

    @staticmethod
    def wait_for_file(process):
        for _ in range(200):
            try:
                fd = test_file_of(process)
            except (AssertionError, FileNotFoundError):
                time.sleep(0.02)
                continue
            found = extents(fd)
            os.close(fd)
            if found:
                return
        raise AssertionError(f"the test file was never made: {process.poll()} {process.stderr.read()}")


if __name__ == "__main__":
    main(["512M", f"160M,read-error={BAD_BYTE}"])
