# SPDX-License-Identifier: GPL-3.0-or-later
"""User instructions per timed I/O, counted by callgrind on no-operations: no clock is in it, so noise cannot move it."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Optional

from common import Problem, Unavailable, need, progress
from tools import Ours

# Set-up and end cost the same in a short and a long load, so the difference is the I/Os alone. The loads end by
# time, because that is how a drive is measured; how many I/Os they did is in their results.
SHORT_S, LONG_S = 0.5, 2.0


@dataclass(frozen=True)
class Point:
    """The caps are what the tuner settles on for a target that the processor limits; without a ramp it is off."""
    name: str
    queue: int
    cap: int
    limit: Optional[int]  # most instructions per I/O
    extra: tuple = ()


POINTS = [
    Point('QD1', 1, 1, 200),
    Point('QD32', 32, 32, 90),
    Point('QD256', 256, 32, 90),
    Point('QD32, mixed 70/30', 32, 32, None, ('--read', '70')),
]


def load_args(ours, point, seconds):
    return [ours.program, '--nop', '--queue', str(point.queue), '--cap', str(point.cap), '--seconds', f'{seconds:g}',
            '--backend', 'ring', *point.extra]


def check_ring(ours):
    """io_uring is forbidden in some containers: then there is nothing to count."""
    done = subprocess.run(load_args(ours, POINTS[0], 0.1), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60)
    if done.returncode and '"phase": "ring"' in done.stdout:
        raise Unavailable('io_uring is not available here')
    if done.returncode:
        raise Problem(f'the load fails without valgrind already: {done.stderr.strip()}')


def count(ours, point, seconds):
    """(all user instructions of one load, its I/Os, those at its end included)."""
    with tempfile.TemporaryDirectory(prefix='plateau-callgrind-') as folder:
        command = [need('valgrind'), '--tool=callgrind', f'--callgrind-out-file={os.path.join(folder, "out")}',
                   *load_args(ours, point, seconds)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    match = re.search(r'Collected : (\d+)', done.stderr)
    if done.returncode or not match:
        raise Problem(f'{" ".join(command)}\n  {done.stderr.strip()[-400:]}')
    result = json.loads(done.stdout)
    return int(match.group(1)), result['ios'] + result['late_ios']


def per_io(ours, point):
    progress(f'callgrind, {point.name}')
    (short, short_ios), (long, long_ios) = (count(ours, point, seconds) for seconds in (SHORT_S, LONG_S))
    progress('')
    if long_ios < 2 * short_ios:
        raise Problem(f'{point.name}: {long_ios} I/Os in the long load and {short_ios} in the short one cannot be told apart')
    return (long - short) / (long_ios - short_ios)


def measure(options, record):
    """A list of (point, instructions per I/O)."""
    ours = Ours(options.build)
    need('valgrind')
    check_ring(ours)
    values = [(point, per_io(ours, point)) for point in POINTS]
    record['instructions'] = [{'point': p.name, 'per_io': value, 'limit': p.limit} for p, value in values]
    return values


def run(options, record):
    failed = 0
    for point, value in measure(options, record):
        bad = point.limit is not None and value > point.limit
        failed += bad
        limit = f'at most {point.limit}' if point.limit is not None else 'no limit'
        print(f'{"FAIL" if bad else "ok":5}{point.name}: {value:.1f} user instructions per timed I/O, {limit}')
    return 1 if failed else 0
