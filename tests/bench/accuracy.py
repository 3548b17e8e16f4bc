# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine's figures beside fio's: the same load on the same file in the same minute."""

from common import Problem, print_machine, progress
from scratch import scratch_file
from stats import Comparison
from tools import Cell, Fio, Ours

CELLS = [
    Cell('SEQ1M Q8T1 read', block=1 << 20, queue=8, pattern='seq'),
    Cell('SEQ128K Q32T1 read', block=128 << 10, queue=32, pattern='seq'),
    Cell('RND4K Q32T16 read', queue=32, threads=16),
    Cell('RND4K Q1T1 read'),
    Cell('RND4K Q32T1 mix 70/30', queue=32, read=70),
    Cell('RND4K Q1T1 O_SYNC write', read=0, sync=True),
]

# The agreement that is asked for. fio's own latency buckets are up to 1.6 % wide (64 per octave).
LOW, HIGH = 0.97, 1.03

METRICS = {
    'bps': ('bandwidth MB/s', 1e6), 'iops': ('IOPS', 1), 'mean': ('mean µs', 1e3), 'p50': ('p50 µs', 1e3),
    'p99': ('p99 µs', 1e3), 'p99.9': ('p99.9 µs', 1e3),
}


def make_tools(names, build):
    makers = {'plateau': lambda: Ours(build), 'fio': Fio}
    return [makers[name]() for name in names]


def choose(only):
    cells = [cell for cell in CELLS if all(word in cell.name.lower() for word in (only or '').lower().split())]
    if not cells:
        raise Problem(f'no cell matches "{only}"; there are: {", ".join(cell.name for cell in CELLS)}')
    return cells


def measure(cell, tools, target, options):
    """
    Pairs in the order AB BA AB …: both tools come first equally often, and neighbouring runs of one tool are as
    far apart as those of a pair, so that a tool's noise against itself is the yardstick for the pair.
    """
    results = ([], [])
    for pair in range(options.pairs):
        for side in (0, 1) if pair % 2 == 0 else (1, 0):
            progress(f'{cell.name}: pair {pair + 1} of {options.pairs}, {tools[side].name}')
            results[side].append(tools[side].run(cell, target, options.seconds, options.ramp))
    progress('')
    return results


def compare(cell, results):
    """Rows of (direction, metric, Comparison)."""
    return [(direction, metric, Comparison(*([r.ops[direction][metric] for r in side] for side in results)))
            for direction in cell.directions for metric in METRICS]


def print_rows(cell, rows, tools):
    print(f'\n{cell.name}')
    print(f'  {"":22}{tools[0].name:>12}{tools[1].name:>12}{"ratio of":>11}{"median of":>11}{"95 %":>16}'
          f'{"each against itself":>21}')
    print(f'  {"":22}{"median":>12}{"median":>12}{"medians":>11}{"ratios":>11}{"interval":>16}')
    for direction, metric, c in rows:
        label, unit = METRICS[metric]
        name = f'{direction} {label}' if len(cell.directions) > 1 else label
        span, noise = f'{c.low:.3f}..{c.high:.3f}', f'{c.noise_a * 100:.1f} %, {c.noise_b * 100:.1f} %'
        print(f'  {name:22}{c.median_a / unit:12.1f}{c.median_b / unit:12.1f}{c.of_medians:11.3f}{c.of_pairs:11.3f}'
              f'{span:>16}{noise:>21}  {c.verdict(LOW, HIGH)}')


def print_summary(outside, noisy):
    print(f'\nok: between {LOW} and {HIGH}. noise: the pairs differ too much among themselves to tell.')
    print(f'Outside beyond noise: {len(outside)}. Not to be told for noise: {len(noisy)}.')
    for name in outside:
        print(f'  OUTSIDE  {name}')


def run(options, record):
    tools = make_tools(options.tools, options.build)
    print_machine(record['machine'])
    print(f'{options.pairs} pairs of {options.seconds:g} s after a ramp of {options.ramp:g} s, file of '
          f'{options.size >> 20} MiB in {options.folder}, fio\'s "lat"')
    outside, noisy, cells = [], [], record.setdefault('accuracy', {'tools': options.tools, 'cells': []})['cells']
    with scratch_file(options.folder, options.size) as target:
        for cell in choose(options.only):
            results = measure(cell, tools, target, options)
            rows = compare(cell, results)
            print_rows(cell, rows, tools)
            for direction, metric, c in rows:
                verdict = c.verdict(LOW, HIGH)
                line = f'{cell.name}, {direction} {METRICS[metric][0]}: x{c.of_pairs:.3f} ({c.low:.3f}..{c.high:.3f})'
                outside += [line] if verdict == 'OUTSIDE' else []
                noisy += [line] if verdict == 'noise' else []
            cells.append({
                'cell': cell.name,
                'rows': [{'direction': d, 'metric': m, 'verdict': c.verdict(LOW, HIGH), **c.record()} for d, m, c in rows],
                'commands': [t.command(cell, target, options.seconds, options.ramp) for t in tools],
                'notes': sorted({note for r in results[0] + results[1] for note in r.raw.get('notes', [])}),
            })
    print_summary(outside, noisy)
    return 1 if outside else 0
