# SPDX-License-Identifier: GPL-3.0-or-later
"""Stopping a run keeps what was measured and says so."""

import json
import os
import signal
import subprocess
import time

from harness import Case, DONE, SHORT, STOPPED, main, samples

# Long enough that a stop always falls into it.
LONG = ("--set", "size=16MiB", "seconds=60", "runs=1", "warmup=0", "interval=0")


class Stop(Case):
    def begin_measuring(self, home, *args, **more):
        """A run that is known to measure: the library has seconds of it."""
        process = self.begin("run", "quick", self.target, *LONG, *args, home=home, **more)
        self.addCleanup(process.kill)
        self.wait(lambda: any(run["cells"] > 0 for run in self.results(home)))
        return process

    def wait(self, condition):
        for _ in range(300):
            if condition():
                return
            time.sleep(0.05)
        self.fail("waited in vain")

    def finish(self, process):
        """Output, and how long it took to end."""
        began = time.monotonic()
        output, errors = process.communicate(timeout=30)
        return output, errors, time.monotonic() - began

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                home = self.make_home()
                process = self.begin_measuring(home, "--json")
                time.sleep(0.5)
                process.send_signal(number)
                output, errors, took = self.finish(process)
                self.assertEqual(process.returncode, STOPPED, errors)
                # The promise is a tenth of a second; a busy machine is given the benefit of the doubt.
                self.assertLess(took, 5)
                run = json.loads(output)
                self.assertEqual(run["status"], "stopped")
                self.assertGreater(run["cells"][0]["runs"][0]["ios"], 0)
                self.assert_empty(self.target)
                kept, = self.results(home)
                self.assertEqual((kept["status"], kept["id"]), ("stopped", run["id"]))
                document = json.loads(self.check(self.cli("export", "last", "--format", "json", home=home)).stdout)
                self.assertGreater(len(samples(document["cells"][0]["runs"][0])), 0)
                self.assertNotIn("Recovered", self.cli("results", home=home).stderr)

    def test_table_of_what_there_is(self):
        home = self.make_home()
        process = self.begin_measuring(home)
        process.send_signal(signal.SIGINT)
        output, errors, _ = self.finish(process)
        self.assertEqual(process.returncode, STOPPED)
        self.assertIn("SEQ1M Q8T1", output)
        self.assertIn("Stopped", errors)

    def test_a_background_job_listens_too(self):
        # A shell starts background jobs of a script with SIGINT ignored.
        home = self.make_home()
        process = self.begin_measuring(home, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        process.send_signal(signal.SIGINT)
        self.finish(process)
        self.assertEqual(process.returncode, STOPPED)

    def test_nohup(self):
        home = self.make_home()
        process = self.begin_measuring(home, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.finish(process)
        self.assertEqual(process.returncode, STOPPED)

    def test_twice(self):
        home = self.make_home()
        process = self.begin_measuring(home)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        _, _, took = self.finish(process)
        self.assertEqual(process.returncode, STOPPED)
        self.assertLess(took, 5)
        self.assert_empty(self.target)
        self.assertIn(self.results(home)[0]["status"], ("stopped", "interrupted"))

    def test_before_the_first_cell(self):
        # Whenever it comes: never another status, never a file left.
        for delay in (0.02, 0.05, 0.1, 0.2):
            with self.subTest(delay):
                home = self.make_home()
                process = self.begin("run", "quick", self.target, "--set", "size=128MiB", "seconds=60", home=home)
                time.sleep(delay)
                process.send_signal(signal.SIGINT)
                self.finish(process)
                # Before it listens the signal ends it as it ends any program.
                self.assertIn(process.returncode, (STOPPED, -signal.SIGINT))
                self.assert_empty(self.target)

    def test_reader_goes_away(self):
        home = self.make_home()
        process = self.begin("run", "quick", self.target, *SHORT, "only=rnd4k-q1t1-read", home=home)
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=30), DONE, errors)
        self.assertNotIn("plateau-cli: ", errors)
        self.assertEqual(self.results(home)[0]["status"], "complete")

    def test_full_output(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("needs /dev/full")
        with open("/dev/full", "wb") as full:
            process = self.begin("suites", stdout=full, stderr=subprocess.PIPE)
            _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(errors, r"^plateau-cli: [^\n]*No space left on device\n$")

    def test_two_at_once(self):
        home, other = self.make_home(), self.make_target()
        args = (*SHORT, "only=rnd4k-q1t1-read,rnd4k-q1t1-write", "--json")
        both = [self.begin("run", "quick", folder, *args, home=home) for folder in (self.target, other)]
        runs = []
        for process in both:
            output, errors, _ = self.finish(process)
            self.assertEqual(process.returncode, DONE, errors)
            self.assertNotIn("Recovered", errors)
            runs.append(json.loads(output))
        self.assertEqual({run["status"] for run in runs}, {"complete"})
        self.assertEqual(len({run["id"] for run in runs}), 2)
        self.assertEqual({run["id"] for run in self.results(home)}, {run["id"] for run in runs})


if __name__ == "__main__":
    main()
