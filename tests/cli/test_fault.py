# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive that fails in the middle of a run: status 4, one sentence, and what was measured is kept."""

import contextlib
import json
import os
import resource
import tempfile
import time

from harness import Case, DEVICE, REFUSED, disk_image, main, mounted, samples

MIB = 1 << 20


class Fault(Case):
    @contextlib.contextmanager
    def frail_disk(self, memory, size):
        """An ext4 of SIZE bytes whose blocks are kept in MEMORY bytes of memory: the file, and the folder."""
        work = tempfile.mkdtemp(dir=self.work)
        with mounted("-t", "tmpfs", "-o", f"size={memory}", "plateau-test", at=os.path.join(work, "memory")) as at:
            with disk_image(at, size) as folder:
                yield os.path.join(at, "image"), folder

    def check_kept(self, home, run):
        self.assertEqual(run["status"], "failed")
        self.assertTrue(run["status_detail"])
        kept, = self.results(home)
        self.assertEqual((kept["id"], kept["status"]), (run["id"], "failed"))

    def test_io_error(self):
        home = self.make_home()
        with self.frail_disk(200 * MIB, 128 * MIB) as (image, folder):
            process = self.begin("run", "quick", folder, "--set", "size=32MiB", "seconds=60", "runs=1",
                                 "only=rnd4k-q32t16-read", "--json", home=home)
            self.addCleanup(process.kill)
            for _ in range(300):
                if any(run["cells"] > 0 for run in self.results(home)):
                    break
                time.sleep(0.05)
            time.sleep(1.5)
            # The blocks behind the device are gone: the kernel answers EIO.
            os.truncate(image, 4 * MIB)
            output, errors = process.communicate(timeout=30)
            self.assertEqual(process.returncode, DEVICE, errors)
        self.assertRegex(errors, r"^plateau-cli: a read at byte \d+ failed after [\d.]+ s: [^\n]+\n$")
        run = json.loads(output)
        self.check_kept(home, run)
        self.assertGreater(run["cells"][0]["runs"][0]["ios"], 0)
        document = json.loads(self.check(self.cli("export", "last", "--format", "json", home=home)).stdout)
        self.assertGreater(len(samples(document["cells"][0]["runs"][0])), 0)

    def test_device_full(self):
        # A thin volume that promised more than it has: the file system knows of no lack of space.
        home = self.make_home()
        with self.frail_disk(40 * MIB, 256 * MIB) as (_, folder):
            done = self.cli("run", "quick", folder, "--set", "size=128MiB", "seconds=1", "--json", home=home)
            self.check(done, DEVICE)
            self.check_kept(home, json.loads(done.stdout))

    def test_file_size_limit(self):
        home = self.make_home()
        done = self.cli("run", "quick", self.target, "--set", "size=64MiB", "seconds=1", home=home,
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16 * MIB, 16 * MIB)))
        self.assertIn(done.returncode, (REFUSED, DEVICE), done.stderr)
        self.check(done, done.returncode)
        self.assert_empty(self.target)

    def test_library_cannot_grow(self):
        # The drive is fine; what fails is the place of the library.
        with mounted("-t", "tmpfs", "-o", "size=64k", "plateau-test", at=os.path.join(self.work, "small")) as home:
            done = self.cli("run", "quick", self.target, "--set", "size=16MiB", "seconds=0.3", home=home)
            self.check(done, 1)
            self.assert_empty(self.target)


if __name__ == "__main__":
    main()
