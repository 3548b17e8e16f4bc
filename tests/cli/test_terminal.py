# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person sees: the line that is redrawn, and that it is not drawn where nobody would see it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from harness import CLI, Case, SHORT, STOPPED, main

ARGS = (*SHORT, "only=rnd4k-q1t1-read,rnd4k-q1t1-write")


class Terminal(Case):
    def on_terminal(self, *args, columns=100, env=None, stdout_pipe=False, interrupt=None):
        """Status, all that came to the terminal, and standard output if that is no terminal."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
        environment = {**os.environ, "XDG_DATA_HOME": self.home, "TERM": "xterm-256color", **(env or {})}
        environment.pop("NO_COLOR", None) if "NO_COLOR" not in (env or {}) else None
        process = subprocess.Popen([CLI, *args], env=environment, stdin=follower, stderr=follower,
                                   stdout=subprocess.PIPE if stdout_pipe else follower,
                                   preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)))
        os.close(follower)
        shown, began = b"", time.monotonic()
        while process.poll() is None or select.select([leader], [], [], 0)[0]:
            if time.monotonic() - began > 60:
                process.kill()
                self.fail(shown)
            if select.select([leader], [], [], 0.05)[0]:
                try:
                    shown += os.read(leader, 65536)
                except OSError:
                    break
            if interrupt and re.search(interrupt, shown):
                os.write(leader, b"\x03")  # Ctrl+C, as typed
                interrupt = None
        output = process.stdout.read() if stdout_pipe else b""
        if stdout_pipe:
            process.stdout.close()
        os.close(leader)
        process.wait()
        return process.returncode, shown.decode(), output.decode()

    def drawn(self, shown):
        """The redrawn lines, without colours."""
        plain = re.sub(r"\033\[[0-9;]*m", "", shown)
        return [line for line in re.findall(r"\r([^\r\n]*)\033\[K", plain) if line.strip()]

    def test_line(self):
        status, shown, _ = self.on_terminal("run", "quick", self.target, *ARGS)
        self.assertEqual(status, 0, shown)
        lines = self.drawn(shown)
        self.assertGreater(len(lines), 2)
        self.assertIn("\033[36m", shown)
        self.assertTrue(any(re.search(r"1/2 +RND4K Q1T1 read +run 1/1 +[\d.]+ MB/s .* \d+% .*\d:\d\d left", line)
                            for line in lines), lines)
        self.assertTrue(any("2/2  RND4K Q1T1 write" in line for line in lines), lines)
        self.assertEqual({len(line) <= 99 for line in lines}, {True})
        # What will happen stands before, the table after, and the line is gone in between.
        before, after = shown.split(lines[0].split()[0], 1)[0], shown.rpartition("\r\033[K")[2]
        for text in ("Quick look", "16 MiB", self.target):
            self.assertIn(text, before)
        self.assertIn("RND4K Q1T1", after)
        self.assertNotIn("left", after)
        self.assertRegex(after, r"Kept as run \d+; .plateau-cli chart \d+ -o card.png")

    def test_not_too_often(self):
        began = time.monotonic()
        _, shown, _ = self.on_terminal("run", "quick", self.target, "--set", "size=16MiB", "seconds=2",
                                       "only=rnd4k-q1t1-read")
        took = time.monotonic() - began
        self.assertLessEqual(len(self.drawn(shown)), 5 * took + 1)
        self.assertGreaterEqual(len(self.drawn(shown)), 3)

    def test_narrow(self):
        _, shown, _ = self.on_terminal("run", "quick", self.target, *ARGS, columns=30)
        self.assertLess(max(map(len, self.drawn(shown))), 30)

    def test_no_color(self):
        _, plain, _ = self.on_terminal("run", "quick", self.target, *ARGS, env={"NO_COLOR": "1"})
        self.assertNotRegex(plain, r"\033\[[0-9;]*m")
        self.assertGreater(len(self.drawn(plain)), 1)

    def test_dumb(self):
        _, shown, _ = self.on_terminal("run", "quick", self.target, *ARGS, env={"TERM": "dumb"})
        self.assertNotIn("\033", shown)
        lines = shown.replace("\r\n", "\n")
        self.assertNotIn("\r", lines)
        self.assertEqual(lines.count("\n1/2 RND4K Q1T1 read\n"), 1)
        self.assertEqual(lines.count("\n2/2 RND4K Q1T1 write\n"), 1)

    def test_ascii(self):
        _, shown, _ = self.on_terminal("run", "quick", self.target, *ARGS, env={"LC_ALL": "C"})
        self.assertTrue(shown.isascii(), shown)
        self.assertIn("#", "".join(self.drawn(shown)))

    def test_piped(self):
        status, shown, output = self.on_terminal("run", "quick", self.target, *ARGS, stdout_pipe=True)
        self.assertEqual((status, shown), (0, ""))
        self.assertIn("RND4K Q1T1", output)

    def test_quiet(self):
        status, shown, _ = self.on_terminal("run", "quick", self.target, *ARGS, "--quiet")
        self.assertEqual((status, self.drawn(shown)), (0, []))
        self.assertNotIn("Test file", shown)

    def test_control_c(self):
        status, shown, _ = self.on_terminal("run", "quick", self.target, "--set", "size=16MiB", "seconds=60",
                                            interrupt=rb"run 1/1.*MB/s")
        self.assertEqual(status, STOPPED, shown)
        self.assertIn("Stopping", shown)
        self.assertIn("SEQ1M Q8T1", shown.rpartition("Stopping")[2])
        self.assert_empty(self.target)

    def test_names_do_not_steer_the_terminal(self):
        folder = self.make_target("evil \033]0;title\007 \033[31m name")
        status, shown, _ = self.on_terminal("run", "quick", folder, *ARGS, env={"NO_COLOR": "1"})
        self.assertEqual(status, 0, shown)
        self.assertNotIn("\033]", shown)
        self.assertNotIn("\033[31m", shown)
        _, listed, _ = self.on_terminal("results")
        self.assertNotIn("\033", listed)

    def test_terminal_goes_away(self):
        # A closed window: the run ends, what was measured is kept.
        leader, follower = pty.openpty()
        home = self.make_home()
        process = subprocess.Popen([CLI, "run", "quick", self.target, "--set", "size=16MiB", "seconds=60"],
                                   env={**os.environ, "XDG_DATA_HOME": home, "TERM": "xterm"},
                                   stdin=follower, stdout=follower, stderr=follower,
                                   preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)))
        os.close(follower)
        shown = b""
        while b"run 1/1" not in shown:
            shown += os.read(leader, 65536)
        os.close(leader)
        self.assertIn(process.wait(timeout=30), (STOPPED, -signal.SIGHUP))
        self.assert_empty(self.target)
        self.assertEqual([run["status"] for run in self.results(home)], ["stopped"])


if __name__ == "__main__":
    main()
