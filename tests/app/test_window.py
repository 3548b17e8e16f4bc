#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window, as somebody meets it who hears it and has a keyboard: the real program, driven by what the
accessibility tree says."""

import json
import os
import struct
import sys
import zlib

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))

import desk  # noqa: E402

desk.enter()

import harness  # noqa: E402

# A quick run of about five seconds.
SHORT = {"quick": ["size=16MiB", "seconds=0.5"]}
# Long enough to be met in the middle on every machine, and not so long that stopping it asks a question.
LONGER = {"quick": ["size=16MiB", "seconds=1.5"]}


def write_settings(home, suites=None, **more):
    """What GSettings keeps for the program, with text that is GVariant's."""
    os.makedirs(f"{home}/config/glib-2.0/settings", exist_ok=True)
    with open(f"{home}/config/glib-2.0/settings/keyfile", "w", encoding="utf-8") as file:
        file.write("[io/github/plateau_bench/Plateau]\n")
        if suites is not None:
            file.write(f"suite-settings={suites}\n")
        for key, value in more.items():
            file.write(f"{key.replace('_', '-')}={value}\n")


class WindowCase(harness.Case):
    """A test with a home of its own, at the one desk."""

    desk = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if WindowCase.desk is None:
            WindowCase.desk = desk.Desk()

    def setUp(self):
        self.home = self.make_home()
        self.target = self.make_target()
        self.desk.forget()
        self.programs = []

    def tearDown(self):
        for program in self.programs:
            program.quit()
            self.assertEqual(program.complaints(), [])

    def start(self, *args):
        program = desk.Program(self.desk, self.home, *args)
        self.programs.append(program)
        return program

    def open(self, suites=None, folder=None):
        """The program with its window, on the drive that FOLDER (the test's own) lies on."""
        if suites is not None:
            write_settings(self.home, suites)
        program = self.start()
        program.wait_for_window()
        if program.wait_for(lambda: program.search("button", "All") or program.search(None, "No Drives Found"),
                            "a page").name != "All":
            self.skipTest("no drive with a folder that can be measured")
        self.choose_folder(program, folder or self.target)
        return program

    def choose_folder(self, program, folder):
        """In the dialog of the toolkit: the path by the keyboard, and the button."""
        before = self.desk.display.windows()
        start = program.find(None, lambda name: name.startswith("/") and name.endswith(" free")).name.split(" · ")[0]
        program.find("button", "Choose another folder").click()
        dialog = program.wait_for(
            lambda: next((node for node in program.windows() if node.name == "Choose a Folder to Measure"), None),
            "the dialog for a folder")
        # Until the dialog has read its first folder: then it selects something there, and writes that over what has been
        # typed.
        if any(not name.startswith(".") for name in os.listdir(start)):
            program.find("table cell", None, dialog)
        # The first letter of a path opens a field for it.
        self.desk.write("/")
        entry = program.wait_for(lambda: next((node for node in dialog.walk() if node.has_state("focused")
                                               and node.text.startswith("/")), None), "the field for a path")
        path = os.path.join(folder, "")
        self.write_path(program, entry, path)
        program.wait_for(lambda: program.find("button", "Select", dialog).has_state("sensitive"), "the button Select")
        program.find("button", "Select", dialog).click()
        program.wait_until_closed(before)
        program.bring_to_front()
        program.find_text(os.path.basename(folder))

    def write_path(self, program, entry, path):
        """
        The toolkit's dialog completes what is typed while it still reads folders, and may write over it then: who
        sees that marks all and types it again.
        """
        self.desk.write(path[1:])
        for _ in range(5):
            try:
                program.wait_for(lambda: entry.text == path, "the path in the field", patience=12)
                return
            except AssertionError:
                self.desk.key("Control", "a")
                self.desk.write(path)
        program.wait_for(lambda: entry.text == path, "the path in the field")

    def choose_in_menu(self, program, menu, letter):
        """By the underlined letter: the toolkit gives assistive technologies no names of menu items."""
        program.find("menu", menu)
        program.wait_for(lambda: program.focused() is not None and
                         program.focused().role == "menu item", "the focus in the menu")
        self.desk.key(letter)

    def wait_for_words(self, heard, part):
        return self.desk.wait_for(lambda: next((text for text in heard if part in text), None),
                                  f"the words “{part}”")

    def start_all(self, program):
        program.find("button", "All").click()
        self.wait_for_words(self.desk.announcements, "started on")

    def wait_for_results(self, count):
        self.desk.wait_for(lambda: len(desk.results(self.home)) == count and
                           all(run["status"] != "running" for run in desk.results(self.home)), f"{count} results")
        return desk.results(self.home)


class Running(WindowCase):
    def test_stopped_in_the_middle(self):
        program = self.open(LONGER)
        self.start_all(program)
        program.find_text("Measuring")
        program.find("button", "Stop").click()
        self.wait_for_words(self.desk.announcements, "was stopped; what was measured is kept")
        program.find_text("Stopped; what was measured is kept")
        program.find("button", "All")
        run, = self.wait_for_results(1)
        self.assertEqual(run["status"], "stopped")
        self.assert_empty(self.target)
        self.assertEqual(self.desk.notifications, [])

    def test_goes_on_without_a_window(self):
        program = self.open(LONGER)
        self.start_all(program)
        program.find_text("Measuring")
        program.find("button", "Close").click()
        program.wait_until_closed(set())
        self.assertIsNone(program.process.poll())

        # The second start is told to the first one, which shows its window with the run in it.
        second = self.start()
        self.assertEqual(second.wait_for_end(), 0)
        program.wait_for_window()
        program.find("button", "Stop")
        program.find_text(" %")

        program.find("button", "Close").click()
        self.wait_for_words(self.desk.notifications, "is complete.")
        self.assertEqual(program.wait_for_end(), 0)
        run, = self.wait_for_results(1)
        self.assertEqual(run["status"], "complete")
        self.assertEqual(run["cells"], 8)

    def test_second_start_shows_the_first(self):
        program = self.open()
        second = self.start()
        self.assertEqual(second.wait_for_end(), 0)
        self.assertEqual(len(program.windows()), 1)
        self.assertIsNone(program.process.poll())

    def test_figures_fill_in(self):
        program = self.open(SHORT)
        cells = [f"{row} {what}" for what in ("Read", "Write")
                 for row in ("SEQ1M Q8T1", "SEQ128K Q32T1", "RND4K Q32T16", "RND4K Q1T1")]
        for cell in cells:
            self.assertEqual(program.find("level bar", cell).value, 0)
        self.start_all(program)
        self.wait_for_words(self.desk.announcements, "is complete.")
        for cell in cells:
            self.assertGreater(program.find("level bar", cell).value, 0, cell)
        run, = self.wait_for_results(1)
        self.assertEqual((run["status"], run["suite"]["id"], run["cells"]), ("complete", "quick", 8))
        self.assert_empty(self.target)

    def test_a_row_alone(self):
        program = self.open(SHORT)
        program.find("button", "Measure RND4K Q1T1 Alone").click()
        self.wait_for_words(self.desk.announcements, "is complete.")
        self.assertGreater(program.find("level bar", "RND4K Q1T1 Read").value, 0)
        self.assertEqual(program.find("level bar", "SEQ1M Q8T1 Read").value, 0)
        run, = self.wait_for_results(1)
        self.assertEqual(run["cells"], 2)


class Refusing(WindowCase):
    def test_memory(self):
        memory = os.path.join(self.work, "memory")
        with harness.mounted("-t", "tmpfs", "tmpfs", at=memory):
            program = self.open(SHORT, folder=memory)
            alert = program.find("alert")
            self.assertIn("memory", alert.name)
            program.find("button", "All").click()
            program.find("alert")
        self.assertEqual(desk.results(self.home), [])


class Keyboard(WindowCase):
    def test_run_and_stop(self):
        program = self.open(LONGER)
        self.desk.key("Control", "Return")
        self.wait_for_words(self.desk.announcements, "started on")
        program.find_text("Measuring")
        self.desk.key("Control", "period")
        self.wait_for_words(self.desk.announcements, "was stopped")
        run, = self.wait_for_results(1)
        self.assertEqual(run["status"], "stopped")

    def test_tab_reaches_the_button_that_runs_all(self):
        program = self.open(SHORT)
        program.tab_to("button", "All")
        self.desk.key("Return")
        self.wait_for_words(self.desk.announcements, "is complete.")

    def test_pages(self):
        program = self.open(SHORT)
        self.desk.key("Alt", "2")
        program.wait_for(lambda: program.find("page tab", "Details").has_state("selected") or
                         program.find("page tab", "Health").has_state("selected"), "the second page")
        self.desk.key("Alt", "1")
        program.wait_for(lambda: program.find("page tab", "Benchmark").has_state("selected"), "the first page")
        self.desk.key("Control", "comma")
        program.find("dialog", "Preferences")
        self.desk.key("Escape")
        program.wait_until_gone("dialog", "Preferences")
        before = self.desk.display.windows()
        self.desk.key("Control", "Shift", "slash")
        program.wait_for(lambda: len(program.windows()) == 2, "the window of the shortcuts")
        self.desk.key("Escape")
        program.wait_until_closed(before)
        program.bring_to_front()
        self.desk.key("F10")
        self.choose_in_menu(program, "Main Menu", "a")
        program.find("dialog", "About")
        self.desk.key("Escape")
        program.wait_until_gone("dialog", "About")
        self.desk.key("Control", "q")
        self.assertEqual(program.wait_for_end(), 0)


class Results(WindowCase):
    """What has been measured before, by the command line."""

    def measure(self, count):
        for _ in range(count):
            done = harness.run("run", "quick", self.target, *harness.SHORT,
                               env=desk.Program.environment(self.home))
            self.check(done)

    def open_newest(self, program):
        self.desk.key("Control", "l")
        program.tab_to("list item", lambda name: "Quick look" in name)
        self.desk.key("Return")
        program.find("button", "Export…")

    def delete_shown(self, program):
        program.find("toggle button", "More").click()
        self.choose_in_menu(program, "More", "d")
        return program.find("button", "Undo")

    def test_deleted_and_brought_back(self):
        self.measure(2)
        before = desk.results(self.home)
        program = self.start()
        program.wait_for_window()
        program.bring_to_front()
        self.open_newest(program)
        self.delete_shown(program).click()
        program.wait_until_gone("button", "Undo")
        self.assertEqual(desk.results(self.home), before)
        self.open_newest(program)
        self.delete_shown(program)
        # The offer stands as long as the window does.
        self.assertEqual(desk.results(self.home), before)
        self.desk.key("Control", "w")
        self.assertEqual(program.wait_for_end(), 0)
        self.assertEqual(desk.results(self.home), [before[1]])


def read_png(path):
    """Width, height and how many of its lines differ from each other."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise AssertionError(f"{path} is no PNG")
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height = struct.unpack(">II", data[at + 8:at + 16])
        elif kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    lines = zlib.decompress(packed)
    stride = len(lines) // height
    return width, height, len({lines[i * stride:(i + 1) * stride] for i in range(height)})


class Whole(WindowCase):
    """From the first start to a picture for a review, as in the manual."""

    def test_from_a_folder_to_a_picture(self):
        picture = os.path.join(self.target, "picture.png")
        program = self.open()
        program.find("button", "Settings of Quick look").click()
        dialog = program.find("dialog", "Quick look")
        seconds = program.find("spin button", lambda name: name.startswith("Length of a run"), dialog)
        seconds.set_value(0.5)
        program.wait_for(lambda: seconds.value == 0.5, "half a second")
        self.desk.key("Escape")
        program.wait_until_gone("dialog", "Quick look")
        self.start_all(program)
        self.wait_for_words(self.desk.announcements, "is complete.")

        program.find("button", "Export…").click()
        program.find("image", "Picture of the result")
        program.find("button", "Export…").click()
        dialog = program.find("dialog", "Export")
        before = self.desk.display.windows()
        program.find("button", "Save…", dialog).click()
        program.wait_for(lambda: len(program.windows()) == 2, "the dialog for a file")
        entry = program.wait_for(lambda: next((node for window in program.windows() for node in window.walk()
                                               if node.has_state("focused") and node.role in ("text", "entry")), None),
                                 "the field for a name")
        self.assertRegex(entry.text, r"^[^/]+\.png$")
        self.desk.key("Control", "a")
        self.desk.write(picture)
        program.wait_for(lambda: entry.text == picture, lambda: f"the path in the field, not “{entry.text}”")
        self.desk.key("Return")
        program.wait_for(lambda: os.path.exists(picture) and os.path.getsize(picture) > 0, "the picture")
        program.wait_until_closed(before)

        width, height, lines = read_png(picture)
        self.assertEqual((width, height), (2400, 1350))
        self.assertGreater(lines, 300)
        run, = self.wait_for_results(1)
        self.assertEqual((run["status"], run["suite"]["id"], run["cells"]), ("complete", "quick", 8))
        document = json.loads(self.check(harness.run("result", "last", "--json",
                                                     env=desk.Program.environment(self.home))).stdout)
        self.assertEqual(document["parameters"]["seconds"], 0.5)
        self.assertEqual(document["target"]["path"], os.path.realpath(self.target))


if __name__ == "__main__":
    harness.main()
