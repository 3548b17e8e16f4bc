# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives as the kernel shows them with multipath and poll queues: heads that lie under no controller."""

import json
import os
import time

from rig import Case, drive, main, read
from qmp import Qmp


class Paths(Case):
    def measure_on(self, serial, nsid):
        name = drive(serial, nsid)
        run = self.measure("quick", self.mount(name), "--set", "seconds=0.3", "size=16MiB",
                           "only=rnd4k-q32t16-read,rnd4k-q1t1-write")
        said, = run["drive"]
        return name, run, said

    def check_drive(self, serial, nsid, is_head):
        name, run, said = self.measure_on(serial, nsid)
        # The kernel's own word: a head lies under no controller.
        self.assertEqual("/virtual/nvme-subsystem/" in os.path.realpath(f"/sys/class/block/{name}"), is_head)
        self.assertEqual((said["name"], said["serial"], said["nsid"]), (name, serial, nsid))
        self.assertEqual(read(f"/sys/class/nvme/{said['controller']}/serial"), serial)
        self.assertEqual((said["model"], said["bus"], said["link"]), ("QEMU NVMe Ctrl", "nvme", "PCIe 1.0 x1"))
        self.assertAlmostEqual(said["temperature_c"], 49.85, delta=1)
        self.assertTrue(said["io_poll"])
        self.assertEqual(run["platform"]["nvme_poll_queues"], 1)
        self.assertEqual([cell["runs"][0]["engine"]["backend"] for cell in run["cells"]], ["io_uring", "io_uring"])
        warnings = self.warnings(run)
        for id_ in ("drive-unknown", "scheduler", "several-drives"):
            self.assertNotIn(id_, warnings)
        self.assertEqual(warnings["virtual-drive"], "QEMU NVMe Ctrl")

    def test_two_controllers(self):
        """One that is pulled is not the drive: the run goes on by the other."""
        qmp = Qmp()
        self.addCleanup(qmp.close)
        home, folder = self.make_home(), self.mount(drive("RIG0"))
        process = self.begin("run", "quick", folder, "--set", "size=16MiB", "seconds=4", "only=rnd4k-q32t16-read", "--json",
                             home=home)
        self.addCleanup(process.kill)
        self.wait_for_cell(process, home)
        time.sleep(1)
        qmp.send("device_del", id="c0p1")
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(json.loads(output)["status"], "complete")

    def test_first_namespace(self):
        self.check_drive("RIG0", 1, True)

    def test_second_namespace(self):
        self.check_drive("RIG0", 2, True)

    def test_other_controller(self):
        self.check_drive("RIG1", 1, False)


if __name__ == "__main__":
    main(["256M,ns=2,paths=2", "256M"], append="nvme_core.multipath=Y nvme.poll_queues=1")
