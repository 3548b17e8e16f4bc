# SPDX-License-Identifier: GPL-3.0-or-later
"""Relations between figures that hold on any target at any speed: the accuracy cells, short, without a stopwatch."""

import json
import subprocess

from accuracy import CELLS
from common import Problem
from scratch import scratch_file
from tools import Ours

SECONDS, RAMP = 0.4, 0.1
SIZE = 64 << 20

# Little's law must hold within 2 % and what the window's edges explain. The edges' share shrinks with the window, a
# mistake in the accounting does not: where a slow target leaves more than 2 %, the load is repeated with a window
# this much longer.
LONGER = (1, 5, 25)
LITTLE, TOLERANCE = 'queue-littles-law', 0.02

EXIT_BROKEN = 4


def run_cell(ours, cell, target, seconds):
    command = ours.command(cell, target, seconds, RAMP, '--check')
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds + 120)
    if done.returncode not in (0, EXIT_BROKEN):
        raise Problem(f'{cell.name}: {done.stderr.strip() or "exit status %d" % done.returncode}')
    result = json.loads(done.stdout)
    broken = [i for i in result['invariants'] if not i['ok']]
    if bool(broken) != (done.returncode == EXIT_BROKEN) or not result['invariants']:
        raise Problem(f'{cell.name}: the exit status {done.returncode} does not say what the invariants say')
    return result, broken


def is_sharp(result):
    little = next(i for i in result['invariants'] if i['name'] == LITTLE)
    return abs(little['value'] - little['expected']) <= TOLERANCE * little['expected']


def check_cell(ours, cell, target):
    for factor in LONGER:
        result, broken = run_cell(ours, cell, target, SECONDS * factor)
        if broken or is_sharp(result):
            break
    return result, broken


def run(options, record):
    ours, failed, cells = Ours(options.build), 0, record.setdefault('invariants', [])
    with scratch_file(options.folder, SIZE) as target:
        for cell in CELLS:
            result, broken = check_cell(ours, cell, target)
            failed += bool(broken)
            notes = f' ({", ".join(result["notes"])})' if result['notes'] else ''
            print(f'{"FAIL" if broken else "ok":5}{cell.name}: {len(result["invariants"])} invariants over '
                  f'{result["ios"]} I/Os{notes}')
            for invariant in broken:
                print(f'       {invariant["name"]}: {invariant["value"]}, expected {invariant["expected"]}')
            cells.append({'cell': cell.name, 'broken': broken, 'result': result})
    return 1 if failed else 0
