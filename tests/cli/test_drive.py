# SPDX-License-Identifier: GPL-3.0-or-later
"""list, show and smart: on this machine's drives, whatever they are, and on recordings."""

import json
import os
import re

from harness import Case, FAILED, USAGE, main

DRIVES = os.path.join(os.environ["PLATEAU_SOURCE"], "tests/fixtures/drives")
EVERYTHING = os.path.join(DRIVES, "everything.json")
SATA = os.path.join(DRIVES, "sata.json")
SERIAL = "S7KHNJ0W000001"


def sections(text):
    """The lines of a report below each heading."""
    found, heading = {}, ""
    for block in text.split("\n\n"):
        first, _, rest = block.strip("\n").partition("\n")
        if first.endswith(")") and "  " not in first or first == "Not known":
            heading = first
            found[heading] = rest.splitlines()
        else:
            found.setdefault(heading, []).extend(block.splitlines())
    return found


class List(Case):
    def test_document_and_table_agree(self):
        document = json.loads(self.check(self.cli("list", "--json")).stdout)
        table = self.check(self.cli("list")).stdout
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            # Octal escapes stand for blanks.
            points = {re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), line.split(" ")[4]) for line in file}
        self.assertEqual(document["schema"], "plateau.drives/1")
        for drive in document["drives"]:
            name = drive["device"]["name"]
            self.assertTrue(os.path.exists(f"/sys/class/block/{name.replace('/', '!')}"), name)
            self.assertRegex(table, rf"(?m)^{name} ")
            self.assertIn(drive["health"], ("good", "caution", "bad", "unknown"))
            for mount in drive["mounts"]:
                self.assertIn(mount["point"], points)
        if not document["drives"]:
            self.assertIn("no drives", table)

    def test_all_has_more(self):
        def names(*args):
            return [one["device"]["name"] for one in json.loads(self.check(self.cli("list", "--json", *args)).stdout)["drives"]]
        self.assertLessEqual(set(names()), set(names("--all")))
        self.assertFalse([name for name in names() if name.startswith(("loop", "zram", "dm-", "ram"))])

    def test_without_a_bus(self):
        # Where there is no system bus the list is there all the same, at once.
        done = self.cli("list", env={"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"}, timeout=20)
        self.check(done)
        self.assertEqual(done.stderr, "")

    def test_own_drives(self):
        for drive in json.loads(self.check(self.cli("list", "--json")).stdout)["drives"]:
            name = drive["device"]["name"]
            document = json.loads(self.check(self.cli("show", name, "--json")).stdout)
            self.assertEqual(document["device"]["capacity"], drive["device"]["capacity"])
            self.assertIn("device", document["sources"])
            report = self.check(self.cli("show", f"/dev/{name}")).stdout
            self.assertIn(f"{drive['device']['capacity']:,} bytes", report)
            self.assertEqual((document["stack"]["name"], document["stack"]["size"]),
                             (name, drive["device"]["capacity"]))
            self.assertIn(f"May be written as a whole: {'yes' if document['whole_drive']['writable'] else 'no'}", report)
            # A reason stands once, however much it keeps away.
            for reason in {entry["text"] for entry in document["missing"].values() if "text" in entry}:
                self.assertLessEqual(report.count(reason), 1)

    def test_stack_of_a_system_drive(self):
        """Whatever the running system is on can be seen, and is not written."""
        for drive in json.loads(self.check(self.cli("list", "--json")).stdout)["drives"]:
            if any(mount["point"] == "/" for mount in drive["mounts"]):
                document = json.loads(self.check(self.cli("show", drive["device"]["name"], "--json")).stdout)
                self.assertFalse(document["whole_drive"]["writable"])
                self.assertIn("choose another drive", document["whole_drive"]["reason"])

    def test_recording_has_no_stack(self):
        document = json.loads(self.check(self.cli("show", "--replay", EVERYTHING, "--json")).stdout)
        self.assertNotIn("stack", document)
        self.assertNotIn("whole_drive", document)


class Recording(Case):
    def test_report(self):
        report = self.check(self.cli("show", "--replay", EVERYTHING)).stdout
        parts = sections(report)
        self.assertTrue(report.startswith("Everything SSD 2TB\n"))
        self.assertIn("PS3 *  no       50 mW          49.9 mW  4000 µs   10 ms  3/3 3/3   PS4 after 2000 ms",
                      parts["Power states (read from the drive)"])
        self.assertIn("     0   512         0  better       in use", parts["LBA formats (read from the drive)"])
        self.assertIn("Verdict               Good", parts["Health (read from the drive)"])
        self.assertIn("Recorded 20", report)
        self.assertNotIn("Not known", report)

    def test_narrow_and_odd_places(self):
        for env in ({"LC_ALL": "C"}, {"LC_ALL": "ko_KR.UTF-8"}, {"TERM": "dumb"}, {"NO_COLOR": "1"}):
            with self.subTest(env):
                done = self.check(self.cli("show", "--replay", EVERYTHING, env=env))
                self.assertEqual(done.stderr, "")
                done.stdout.encode("utf-8")

    def test_document(self):
        document = json.loads(self.check(self.cli("show", "--replay", EVERYTHING, "--json")).stdout)
        self.assertEqual(document["schema"], "plateau.drive/1")
        self.assertEqual(document["controller"]["sn"], SERIAL)
        self.assertEqual([state["max_watt"] for state in document["power_states"]], [8.25, 4.1, 2.6, 0.05, 0.005])
        self.assertEqual([form["data_size"] for form in document["namespace"]["formats"]], [512, 4096])
        self.assertEqual(document["features"]["power_management"], 3)
        self.assertEqual(document["health"]["verdict"], "good")
        self.assertEqual(document["sources"]["smart-log"], "replay")

    def test_save_is_what_replay_shows(self):
        path = os.path.join(self.work, "again.json")
        first = self.check(self.cli("show", "--replay", EVERYTHING, "--save", path)).stdout
        self.assertEqual(self.check(self.cli("show", "--replay", path)).stdout, first)
        with open(path, encoding="utf-8") as again, open(EVERYTHING, encoding="utf-8") as kept:
            self.assertEqual(json.load(again)["answers"], json.load(kept)["answers"])

    def test_mask(self):
        path = os.path.join(self.work, "masked.json")
        self.check(self.cli("show", "--replay", EVERYTHING, "--save", path, "--mask"))
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn(SERIAL, text)
        self.assertNotIn(SERIAL.encode().hex(), text)
        report = self.check(self.cli("show", "--replay", path)).stdout
        self.assertNotIn(SERIAL, report)
        self.assertIn("Everything SSD 2TB", report)

    def test_save_leaves_other_things_alone(self):
        folder = self.make_target()
        for path in ("/dev/null", folder, os.path.join(folder, "no", "such")):
            self.check(self.cli("show", "--replay", EVERYTHING, "--save", path), USAGE)
        self.assert_empty(folder)

    def test_smart(self):
        done = self.check(self.cli("smart", "--replay", EVERYTHING))
        self.assertIn("Everything SSD 2TB: Good\n", done.stdout)
        self.assertIn("Data written: 1.28 TB\n", done.stdout)
        self.assertIn("Temperature sensor 2: 58 °C (warmer than 50 °C)\n", done.stdout)
        document = json.loads(self.check(self.cli("smart", "--replay", EVERYTHING, "--json")).stdout)
        values = {one["id"]: one["raw"] for one in document["attributes"]}
        self.assertEqual(document["schema"], "plateau.smart/1")
        self.assertEqual(values["temperature"], 318)
        self.assertEqual(values["host_read_commands"], str(2**65 - 1))
        self.assertEqual(document["life_percent"], 97)

    def test_sata(self):
        report = self.check(self.cli("show", "--replay", SATA)).stdout
        parts = sections(report)
        self.assertIn("Verdict               Caution", parts["Health (read by smartctl)"])
        self.assertIn("Rated endurance left  7 %", parts["Health (read by smartctl)"])
        self.assertRegex(report, r"(?m)^  5  Reallocated sectors +100 +100 +10 +3 +not 0$")
        self.assertIn("Sanitize        block erase, crypto erase", parts["Abilities (known to the kernel)"])
        document = json.loads(self.check(self.cli("show", "--replay", SATA, "--json")).stdout)
        self.assertTrue(document["ata"]["sanitize_crypto"])
        self.assertEqual(document["ata"]["physical_block"], 4096)
        self.assertNotIn("controller", document)
        # NVMe's things are not missed on a SATA drive.
        self.assertNotIn("Not known", report)

    def test_ordinary_user(self):
        path = os.path.join(self.work, "user.json")
        with open(EVERYTHING, encoding="utf-8") as file:
            document = json.load(file)
        for topic, answer in document["answers"].items():
            if answer.get("source") == "direct":
                document["answers"][topic] = {"missing": "permission"}
        document["answers"]["udisks"] = {"missing": "service"}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        report = self.check(self.cli("show", "--replay", path)).stdout
        missing = sections(report)["Not known"]
        self.assertEqual(missing[0], "The UDisks2 service is not there: install or start it, or ask as root.")
        self.assertEqual(missing[1], "    health")
        self.assertEqual(missing[2], "Only root can read it: use sudo.")
        self.assertIn("error log", missing[3])
        self.assertEqual(report.count("use sudo"), 1)
        done = self.check(self.cli("smart", "--replay", path), FAILED)
        self.assertIn("UDisks2", done.stderr)


class Commands(Case):
    """What goes beyond a report, on a recording and where there is nothing to act on."""

    def test_errors(self):
        text = self.check(self.cli("errors", "--replay", EVERYTHING)).stdout
        self.assertRegex(text, r"(?m)^ +2  unrecovered read error \(0281h\) +1  4096$")
        self.assertRegex(text, r"(?m)^ +1  invalid field in command \(4002h\) +all +dword 0, bit 0$")
        document = json.loads(self.check(self.cli("errors", "--replay", EVERYTHING, "--json")).stdout)
        self.assertEqual([(one["number"], one["status"], one.get("lba")) for one in document["errors"]],
                         [(2, 0x281, 4096), (1, 0x4002, None)])
        self.assertIn("Only NVMe drives", self.check(self.cli("errors", "--replay", SATA), FAILED).stderr)

    def test_power(self):
        text = self.check(self.cli("power", "--replay", EVERYTHING)).stdout
        self.assertIn("Active now                PS3\n", text)
        self.assertIn("PS4    no        5 mW", text)
        self.check(self.cli("power", "--replay", SATA), FAILED)
        for args in (("--apst", "maybe"), ("--state", "32"), ("--state", "-2"), ("--for", "5"), ("--for", "-1"),
                     ("--state", "1", "--for", "5", "--", "true"), ("--state", "1", "--replay", EVERYTHING),
                     ("--", "true")):
            with self.subTest(args):
                self.check(self.cli("power", *(() if "--replay" in args else ("vda",)), *args), USAGE)

    def test_hold_up(self):
        """Four capacitors of 330 µF at 35 V hold 0.8085 J: 29.9 ms at 27 W, 80.9 ms at 10 W."""
        given = ("plp", "-n", "4", "-c", "330", "-v", "35")
        document = json.loads(self.check(self.cli(*given, "-w", "27", "--watt", "10", "--json")).stdout)
        self.assertAlmostEqual(document["energy_j"], 0.8085)
        self.assertEqual([round(one["hold_up_ms"], 1) for one in document["hold_up"]], [29.9, 80.9])
        text = self.check(self.cli(*given, "-w", "27", "--efficiency", "80", "--cutoff", "8", "--drives", "2")).stdout
        self.assertRegex(text, r"(?m)^as given +54 W +11\.4 ms$")
        document = json.loads(self.check(self.cli(*given, "--replay", EVERYTHING, "--json")).stdout)
        self.assertEqual({one["load"]: one["watt"] for one in document["hold_up"]},
                         {"ps0-maximum": 8.25, "ps0-active": 7.8, "ps0-idle": 1.5, "ps1-maximum": 4.1,
                          "ps2-maximum": 2.6, "ps3-maximum": 0.05, "ps3-idle": 0.0499, "ps4-maximum": 0.005})
        self.assertIn("Only NVMe drives", self.cli(*given, "--replay", SATA).stderr)
        for args in (given, ("plp", "-w", "5"), (*given, "-w", "five"), (*given, "-w", "0"), (*given, "-w", "nan"),
                     (*given, "-w", "5", "--cutoff", "35"), (*given, "-w", "5", "-e", "101"),
                     (*given, "-w", "5", "--drives", "0")):
            with self.subTest(args):
                self.check(self.cli(*args), USAGE)

    def test_self_test_words(self):
        for args in (("--short", "--extended"), ("--short", "--abort"), ("--abort", "--wait")):
            self.check(self.cli("self-test", "vda", *args), USAGE)

    def test_languages(self):
        """Documents are the same in all languages."""
        for args in (("errors", "--replay", EVERYTHING, "--json"),
                     ("plp", "-n", "1", "-c", "47", "-v", "35", "--replay", EVERYTHING, "--json")):
            self.assertEqual(self.cli(*args, env={"LC_ALL": "ko_KR.UTF-8"}).stdout, self.cli(*args).stdout)


class Refuse(Case):
    def test_words(self):
        for args in (("show",), ("smart",), ("show", "no-such-drive"), ("smart", "/dev/no-such-drive"),
                     ("show", "vda", "--replay", EVERYTHING), ("show", "--replay", "/nonexistent.json"),
                     ("show", "a", "b"), ("list", "extra"), ("show", "--mask", "--replay", EVERYTHING),
                     ("show", ""), ("show", "../../etc"), ("show", "."), ("show", b"\xff\xfe"),
                     ("show", "/dev/../etc/passwd"), ("show", "x" * 5000)):
            with self.subTest(args):
                done = self.check(self.cli(*args), USAGE)
                self.assertEqual(done.stdout, "")

    def test_partitions(self):
        for name in os.listdir("/sys/class/block"):
            if os.path.exists(f"/sys/class/block/{name}/partition"):
                self.assertIn("partition", self.check(self.cli("show", name), USAGE).stderr)

    def test_files_that_are_no_recording(self):
        path = os.path.join(self.work, "odd.json")
        for text in ("", "{", "[]", "null", '{"schema":"plateau.run/1"}', "\0" * 100,
                     '{"schema":"plateau.replay/1","name":"x","answers":{"smart-log":{"size":2,"data":"zz"}}}'):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            with self.subTest(text):
                done = self.cli("show", "--replay", path)
                self.check(done, FAILED)
                self.assertEqual(done.stdout, "")
        for place in ("/dev/zero", "/", "/proc/self/mem"):
            done = self.cli("show", "--replay", place)
            self.assertIn(done.returncode, (FAILED, USAGE))

    def test_a_recording_cannot_steer_the_terminal(self):
        path = os.path.join(self.work, "escape.json")
        with open(EVERYTHING, encoding="utf-8") as file:
            document = json.load(file)
        document["answers"]["device"]["document"]["model"] = "\x1b[2J\x07evil\u202e"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        for command in ("show", "smart"):
            text = self.check(self.cli(command, "--replay", path)).stdout
            self.assertNotIn("\x1b", text)
            self.assertNotIn("\u202e", text)
            self.assertIn("evil", text)


if __name__ == "__main__":
    main()
