# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run of two days costs: memory while it is recorded, room in the library, time to show it, to export it."""

import os
import subprocess
import tempfile
import time
from statistics import median

from common import Problem, print_machine, progress
from gates import Gate, print_gates

# 48 h of 100 ms samples.
SAMPLES = 48 * 3600 * 10
MIB, MB = 1 << 20, 1_000_000
# What issue and design allow: in all while it is recorded, in the library, until it is shown.
MEMORY_MB, LIBRARY_MB, SHOW_MS = 40, 60, 300
# An export goes through memory chunk by chunk: no more than a run of a minute takes, and some chunks.
EXPORT_MB = 40


def measure(command):
    """Wall time in s, processor time in s, and the largest memory in MB of COMMAND."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Problem(f'{" ".join(command)} ended with {process.returncode}')
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / MB


def several(command, n):
    """The median of each figure of N times."""
    return [median(values) for values in zip(*(measure(command) for _ in range(n)))]


def run(options, record):
    cli = os.path.join(options.build, 'src', 'cli', 'plateau-cli')
    make = os.path.join(options.build, 'tests', 'app', 'make-long-run')
    print_machine(record['machine'])
    with tempfile.TemporaryDirectory(dir=options.folder, prefix='bench-long-') as folder:
        library = os.path.join(folder, 'library.db')
        progress(f'recording {SAMPLES:,} samples')
        _, recording, memory = measure([make, library, str(SAMPLES)])
        size = os.path.getsize(library) / MB
        progress('opening and exporting')
        # Nobody has analysed this run yet, which the runner does at the end of each; what is found is kept.
        first = measure([cli, 'result', 'last', '--library', library])
        again = several([cli, 'result', 'last', '--library', library], options.pairs)
        csv = measure([cli, 'export', 'last', '-f', 'samples-csv', '--library', library, '-o', f'{folder}/samples.csv'])
        log = measure([cli, 'export', 'last', '-f', 'log-csv', '--library', library, '-o', f'{folder}/log.csv'])
        rows = sum(1 for _ in open(f'{folder}/samples.csv', encoding='ascii')) - 1
    record['long'] = {'recording_cpu_s': recording, 'recording_mb': memory, 'library_mb': size, 'first': first, 'again': again,
                      'csv': csv, 'log': log}
    if rows != SAMPLES:
        raise Problem(f'{rows:,} samples were exported')
    print(f'\n48 h: {SAMPLES:,} samples of 100 ms')
    print(f'  {"":28}{"wall":>10}{"processor":>12}{"memory":>12}')
    print(f'  {"recording them all":28}{"":>10}{recording:10.2f} s{memory:9.1f} MB   {recording / SAMPLES * 1e6:.2f} µs a sample')
    for name, (wall, processor, peak) in (('analysis, once', first), ('showing', again), ('samples as CSV', csv), ('log as CSV', log)):
        print(f'  {name:28}{wall:8.2f} s{processor:10.2f} s{peak:9.1f} MB')
    return print_gates([
        Gate('48 h: memory while recording', memory, '<=', MEMORY_MB, 'MB'),
        Gate('48 h: the library', size, '<=', LIBRARY_MB, 'MB'),
        Gate('48 h: showing, processor', again[1] * 1000, '<=', SHOW_MS, 'ms'),
        Gate('48 h: memory of analysing and showing', max(first[2], again[2]), '<=', MEMORY_MB, 'MB'),
        Gate('48 h: memory of exporting', max(csv[2], log[2]), '<=', EXPORT_MB, 'MB'),
    ])
