# SPDX-License-Identifier: GPL-3.0-or-later
"""Power states, self-tests and the error log of drives that the kernel drives: what they have, and what not."""

import json

from rig import Case, drive, harness, main, tool


class Settings(Case):
    def feature(self, name):
        """The power state as nvme-cli reads it."""
        return tool("nvme", "get-feature", f"/dev/{name}", "-f", "2").strip()

    def test_power_shown(self):
        name = drive("RIG0")
        text = self.check(self.cli("power", name)).stdout
        self.assertIn("Active now                PS0", text)
        self.assertIn("Changes by itself (APST)  the drive cannot", text)
        self.assertRegex(text, r"(?m)^PS0 \* +yes +25 W")

    def test_power_refused(self):
        """QEMU's drive takes no power state: that is said in its words, the command is not run, all is as it was."""
        name = drive("RIG0")
        before = self.feature(name)
        done = self.check(self.cli("power", name, "--state", "0", "--", "echo", "was run"), harness.DEVICE)
        self.assertIn("the drive refused: feature cannot be changed", done.stderr)
        self.assertNotIn("was run", done.stdout)
        self.assertEqual(self.feature(name), before)
        self.assertIn("no PS1: its last one is PS0", self.check(self.cli("power", name, "--state", "1"), harness.USAGE).stderr)
        self.check(self.cli("power", name, "--apst", "off"), harness.REFUSED)

    def test_no_power_states(self):
        self.check(self.cli("power", drive("SATA0")), harness.FAILED)
        self.check(self.cli("power", drive("SATA0"), "--state", "0"), harness.REFUSED)

    def test_error_log(self):
        name = drive("RIG0")
        self.assertIn("The error log is empty.", self.check(self.cli("errors", name)).stdout)
        self.assertEqual(json.loads(self.check(self.cli("errors", name, "--json")).stdout)["errors"], [])

    def test_no_self_test(self):
        done = self.check(self.cli("self-test", drive("RIG0"), "--short"), harness.REFUSED)
        self.assertIn("has no self-test", done.stderr)

    def test_self_test_of_sata(self):
        """QEMU's disk passes every test as soon as it is told."""
        name = drive("SATA0")
        said = json.loads(self.check(self.cli("self-test", name, "--short", "--wait", "--json")).stdout)
        self.assertEqual((said["source"], said["running"], said["last"]), ("smartctl", False, "passed"))
        log = json.loads(tool("smartctl", "--json", "-l", "selftest", f"/dev/{name}"))["ata_smart_self_test_log"]
        self.assertGreater(log["standard"]["count"], 0)


if __name__ == "__main__":
    main(["96M"], ["64M"], services="udev")
