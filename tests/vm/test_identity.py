# SPDX-License-Identifier: GPL-3.0-or-later
"""A run on emulated drives with the kernel's own drivers: what is said of the drives is what others read."""

import json

from rig import Case, drive, main, read, tool

MIB = 1 << 20
CELLS = {"seq1m-q8t1": MIB, "seq128k-q32t1": 128 << 10, "rnd4k-q32t16": 4096, "rnd4k-q1t1": 4096}


class Identity(Case):
    def nvme(self, *args):
        return json.loads(tool("nvme", *args, "-o", "json"))

    def check_nvme(self, said, name, nsid=1):
        """What Plateau says of /dev/NAME against what nvme-cli reads from the controller."""
        control = self.nvme("id-ctrl", f"/dev/{name}")
        space = self.nvme("id-ns", f"/dev/{name}")
        smart = self.nvme("smart-log", f"/dev/{name}")
        active = space["lbafs"][space["flbas"] & 15]
        self.assertEqual(said["name"], name)
        self.assertEqual(said["model"], control["mn"].strip())
        self.assertEqual(said["serial"], control["sn"].strip())
        self.assertEqual(said["firmware"], control["fr"].strip())
        self.assertEqual(said["capacity"], space["nsze"] << active["ds"])
        self.assertEqual(said["logical_block"], 1 << active["ds"])
        self.assertEqual((said["bus"], said["nvme_transport"], said["nsid"]), ("nvme", "pcie", nsid))
        self.assertAlmostEqual(said["temperature_c"], smart["temperature"] - 273.15, delta=1)
        self.assertAlmostEqual(said["temperature_warning_c"], control["wctemp"] - 273.15, delta=1)
        self.assertAlmostEqual(said["temperature_critical_c"], control["cctemp"] - 273.15, delta=1)
        # Bit 0: there is a volatile write cache.
        self.assertEqual(said["write_cache"], "write back" if control["vwc"] & 1 else "write through")
        self.check_link(said)

    def check_link(self, said):
        """Against lspci's own reading of the configuration space: the line of a PCIe 1.0 lane is 250 MB/s."""
        address = read(f"/sys/class/nvme/{said['controller']}/address")
        self.assertEqual(read(f"/sys/bus/pci/devices/{address}/current_link_speed"), "2.5 GT/s PCIe")
        self.assertEqual(read(f"/sys/bus/pci/devices/{address}/current_link_width"), "1")
        self.assertEqual((said["link"], said["link_bandwidth_bps"]), ("PCIe 1.0 x1", 250_000_000))

    def check_cells(self, run):
        """Everything was measured, and the counts fit together."""
        self.assertEqual([cell["id"] for cell in run["cells"]],
                         [f"{name}-{op}" for op in ("read", "write") for name in CELLS])
        for cell in run["cells"]:
            score, block = cell["score"], cell["block"]
            self.assertEqual(block, CELLS[cell["id"].rpartition("-")[0]])
            self.assertGreater(score["ios"], 0)
            self.assertEqual(score["bytes"], score["ios"] * block)
            self.assertAlmostEqual(score["seconds"], 1, delta=0.2)
            self.assertAlmostEqual(score["bandwidth_bps"], score["bytes"] / score["seconds"], delta=1)
            self.assertEqual(cell["runs"][0]["engine"]["backend"], "io_uring")
            # Little: what is in flight is rate times latency. The mean of what ends in the window differs
            # from that of what is in flight by the ends of the window, of which a second has many.
            if cell["queues"] * cell["threads"] == 1:
                self.assertAlmostEqual(score["iops"] * score["latency_ns"]["mean"] / 1e9, 1, delta=0.15)

    def test_quick_run_on_ext4(self):
        name = drive("RIG0")
        folder = self.mount(name)
        run = self.measure("quick", folder, "--set", "seconds=1", "size=64MiB")
        self.assertEqual(run["status"], "complete")
        self.check_cells(run)
        said, = run["drive"]
        self.check_nvme(said, name)
        self.assertEqual(run["target"]["direct_io"], "yes")
        self.assertEqual((run["target"]["layers"], run["target"]["drives"]), (["ext4"], [name]))
        self.assertEqual(run["platform"]["virtual_machine"], "QEMU")
        self.assertEqual(run["platform"]["kernel"], tool("uname", "-r").strip())
        warnings = self.warnings(run)
        self.assertEqual(warnings["virtual-machine"], "QEMU")
        self.assertEqual(warnings["virtual-drive"], "QEMU NVMe Ctrl")
        self.assertEqual(warnings["small-test-file"], "64 MiB")
        # The kernel gives a drive with one hardware queue this one, and that is worth a word.
        self.assertEqual(warnings["scheduler"], "mq-deadline")
        for other in ("direct-refused", "threads-refused", "not-written-extents", "drive-unknown", "several-drives",
                      "stalls"):
            self.assertNotIn(other, warnings)
        self.assert_empty(folder)

    def test_second_namespace(self):
        name = drive("RIG1", 2)
        said, = self.measure("quick", self.mount(name), "--set", "seconds=0.2", "size=16MiB", "only=rnd4k-q1t1-read")["drive"]
        self.check_nvme(said, name, nsid=2)

    def test_drive_of_4096_byte_blocks(self):
        name = drive("RIG2")
        folder = self.mount(name)
        run = self.measure("blocksize-sweep", folder, "--set", "seconds=0.1", "size=64MiB")
        said, = run["drive"]
        self.check_nvme(said, name)
        self.assertEqual((said["logical_block"], said["physical_block"]), (4096, 4096))
        blocks = [cell["block"] for cell in run["cells"]]
        self.assertEqual(sorted(set(blocks)), [4096 << power for power in range(15)])
        skipped = self.warnings(run)["cells-skipped"]
        for label in ("512B", "1K", "2K"):
            self.assertRegex(skipped, rf"SEQ{label}\b")
        self.assertNotRegex(skipped, r"SEQ4K\b")

    def test_sata_drive(self):
        name = drive("SATA0")
        said, = self.measure("quick", self.mount(name), "--set", "seconds=0.2", "size=16MiB", "only=rnd4k-q1t1-read")["drive"]
        identity = json.loads(tool("smartctl", "--json", "--info", f"/dev/{name}"))
        self.assertEqual((said["name"], said["bus"]), (name, "sata"))
        self.assertEqual(said["model"], identity["model_name"])
        self.assertEqual(said["serial"], identity["serial_number"])
        self.assertEqual(said["firmware"], identity["firmware_version"])
        self.assertEqual(said["capacity"], identity["user_capacity"]["bytes"])
        self.assertFalse(said["rotational"])
        self.assertEqual(said["logical_block"], identity["logical_block_size"])


if __name__ == "__main__":
    main(["1G", "256M+256M", "512M,lba=4096"], ["256M"])
