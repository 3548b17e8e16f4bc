# SPDX-License-Identifier: GPL-3.0-or-later
"""plateau-load: what it refuses, and that it does what its options say. Usage: test-load.py PLATEAU-LOAD FOLDER"""

import hashlib
import json
import os
import signal
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from common import Unavailable  # noqa: E402
from scratch import memory_loop, scratch_file  # noqa: E402

PROGRAM, FOLDER = sys.argv[1:3]
SIZE = 16 << 20


def load(*args):
    return subprocess.run([PROGRAM, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


def digest(path):
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


class Options(unittest.TestCase):
    def test_wrong_values_say_what_is_allowed(self):
        for args in (['--block', '4X'], ['--block', '-1'], ['--block', '5G'], ['--queue', 'many'], ['--queue', ''],
                     ['--pattern', 'zigzag'], ['--seconds', 'nan'], ['--seconds', '-1'], ['--data', '101']):
            done = load('--nop', *args)
            self.assertEqual(done.returncode, 2, args)
            self.assertRegex(done.stderr, 'it takes')
            self.assertEqual(done.stdout, '')

    def test_one_target_or_none(self):
        self.assertEqual(load().returncode, 2)
        self.assertEqual(load('a', 'b').returncode, 2)
        self.assertEqual(load('--nop', 'a').returncode, 2)

    def test_help(self):
        done = load('--help')
        self.assertEqual(done.returncode, 0)
        self.assertIn('--overwrite', done.stdout)

    def test_unfit_workload_is_refused_in_one_sentence(self):
        done = load('--nop', '--queue', '0')
        self.assertEqual(done.returncode, 3)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1)


class Target(unittest.TestCase):
    def setUp(self):
        file = scratch_file(FOLDER, SIZE)
        try:
            self.path = file.__enter__()
        except Unavailable as reason:
            self.skipTest(str(reason))
        self.addCleanup(file.__exit__, None, None, None)

    def test_no_write_without_overwrite(self):
        before = digest(self.path)
        for args in (['--read', '0'], ['--read', '99'], ['--trim']):
            done = load('--seconds', '0.1', *args, self.path)
            self.assertEqual(done.returncode, 3, args)
            self.assertIn('--overwrite', done.stderr)
        self.assertEqual(digest(self.path), before)

    def test_writes_stay_in_the_range(self):
        with open(self.path, 'rb') as file:
            before = file.read()
        done = load('--read', '0', '--overwrite', '--pattern', 'seq', '--block', '64K', '--bytes', '8M', '--offset', '4M',
                    '--length', '8M', self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path, 'rb') as file:
            after = file.read()
        self.assertEqual(after[:4 << 20], before[:4 << 20])
        self.assertEqual(after[12 << 20:], before[12 << 20:])
        for block in range(4 << 20, 12 << 20, 64 << 10):
            self.assertNotEqual(after[block:block + (64 << 10)], before[block:block + (64 << 10)])

    def test_a_load_by_bytes_does_them_all(self):
        done = load('--pattern', 'seq', '--block', '64K', '--queue', '4', '--bytes', '8M', '--samples', self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result['end'], 'bytes')
        self.assertEqual(result['ops']['read']['ios'], 128)
        self.assertEqual(result['bytes'], 8 << 20)
        self.assertEqual(sum(s['read']['ios'] for s in result['samples'] if 'read' in s), 128)

    def test_a_range_outside_is_refused(self):
        self.assertEqual(load('--offset', '16M', self.path).returncode, 3)
        self.assertEqual(load('--offset', '8M', '--length', '9M', self.path).returncode, 3)

    def test_a_signal_ends_the_load(self):
        process = subprocess.Popen([PROGRAM, '--seconds', '60', '--samples', self.path], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        # The signal must not come before the program handles it: it says nothing before its end, so ask the kernel.
        while not blocks_sigint(process.pid) and process.poll() is None:
            pass
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=50)
        self.assertEqual(process.returncode, 0, errors)
        result = json.loads(out)
        self.assertEqual(result['end'], 'cancelled')
        self.assertGreater(result['stop_ns'], 0)


def blocks_sigint(pid):
    with open(f'/proc/{pid}/status', encoding='ascii') as file:
        blocked = next(line.split()[1] for line in file if line.startswith('SigBlk'))
    return bool(int(blocked, 16) >> (signal.SIGINT - 1) & 1)


class Refusals(unittest.TestCase):
    def test_what_is_no_target(self):
        for path in (FOLDER, '/dev/null', os.path.join(FOLDER, 'missing')):
            done = load('--read', '0', '--overwrite', path)
            self.assertEqual(done.returncode, 3, path)
            self.assertIn(path, done.stderr)

    def test_a_device_in_use(self):
        try:
            loop = memory_loop(SIZE)
            path = loop.__enter__()
        except Unavailable as reason:
            self.skipTest(str(reason))
        self.addCleanup(loop.__exit__, None, None, None)
        fd = os.open(path, os.O_RDONLY | os.O_EXCL)  # claimed, as by a mount
        try:
            done = load('--read', '0', '--overwrite', path)
            self.assertEqual(done.returncode, 3)
            self.assertIn('in use', done.stderr)
            self.assertEqual(load('--seconds', '0.1', path).returncode, 0)
        finally:
            os.close(fd)
        self.assertEqual(load('--read', '0', '--overwrite', '--seconds', '0.1', path).returncode, 0)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
