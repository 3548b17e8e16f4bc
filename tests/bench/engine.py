# SPDX-License-Identifier: GPL-3.0-or-later
"""What the engine costs: on no-operations beside a bare loop, on devices beside fio and KDiskMark's fio command."""

from statistics import median

import instructions
import stall
from common import Problem, Unavailable, print_machine, progress
from gates import Gate, print_gates, ratio_gate
from scratch import memory_loop, scratch_file
from stats import Comparison, per_io
from tools import Bare, Cell, Fio, FioBatch, KDiskMark, Ours

QUEUES = (1, 32, 256)

# Limits, from measurements of sketches of the engine beside fio on one machine, with room for another machine.
NOP_USER_NS = {1: 150, 32: 15, 256: 15}
NOP_OF_BARE = {1: 0.8, 32: 0.9, 256: 0.9}
LOOP_OF_FIO = {1: 0.98, 32: 1.5, 256: 1.5}
LOOP_OF_BARE = {1: 0.97, 32: 0.9, 256: 0.9}
LOOP_OF_BATCH = {32: 0.97, 256: 0.97}
DISK_OF_FIO = {1: 0.97, 32: 0.97, 256: 0.97}
USER_OF_FIO = {1: 0.25, 32: 0.12, 256: 0.12}
CPU_OF_FIO = {1: 0.9, 32: 0.8, 256: 0.8}
EFFECTIVE_QUEUE = 0.92
SECOND_WORKER = 1.9
FRESH_DATA_GBPS = 20
LIVE_GAP_MS = 105  # one tick of 100 ms, and 5 ms
STOP_MS = 50


def rotate(tools, round_number):
    """Every second round runs backwards, so that no tool always follows the same one, and the first tool changes."""
    shift = round_number // 2 % len(tools)
    order = tools[shift:] + tools[:shift]
    return order[::-1] if round_number % 2 else order


def measure_rounds(label, runs, rounds):
    """RUNS maps a tool's name to a function that measures once. Results by name, one per round."""
    results = {name: [] for name in runs}
    for number in range(rounds):
        for name in rotate(list(runs), number):
            progress(f'{label}: round {number + 1} of {rounds}, {name}')
            results[name].append(runs[name]())
    progress('')
    return results


def compare(results, name, figure):
    return Comparison([figure(r) for r in results[Ours.name]], [figure(r) for r in results[name]])


def user(result):
    return result.user_ns


def processor(result):
    return result.user_ns + result.system_ns


def time_ratio(results, name, figure):
    """Ours / theirs in processor time per I/O."""
    theirs = per_io(results[name], figure)
    return per_io(results[Ours.name], figure) / theirs if theirs else 0.0


def figures(results):
    return {name: {'iops': median(r.iops for r in rs), 'user_ns': per_io(rs, user),
                   'system_ns': per_io(rs, lambda r: r.system_ns),
                   'effective_queue': median(r.effective_queue for r in rs),
                   'rounds': [[r.iops, r.user_ns, r.system_ns] for r in rs]} for name, rs in results.items()}


def print_results(label, results):
    print(f'\n{label}')
    print(f'  {"":14}{"":>12}{"per I/O":>20}{"ours / theirs":>28}')
    print(f'  {"":14}{"IOPS":>12}{"user ns":>10}{"system ns":>11}{"IOPS":>10}{"user":>9}{"user+sys":>10}')
    for name, figure in figures(results).items():
        line = f'  {name:14}{figure["iops"]:12.0f}{figure["user_ns"]:10.1f}{figure["system_ns"]:11.1f}'
        if name != Ours.name:
            iops = compare(results, name, lambda r: r.iops).of_pairs
            line += f'{iops:10.3f}{time_ratio(results, name, user):9.3f}{time_ratio(results, name, processor):10.3f}'
        print(line)


def time_gate(name, results, figure, limit):
    rounds = compare(results, Fio.name, figure)
    return Gate(name, time_ratio(results, Fio.name, figure), '<=', limit, 'x', f'{rounds.low:.3f}..{rounds.high:.3f}')


def instruction_gates(options, record):
    name = 'user instructions per timed I/O, '
    try:
        values = instructions.measure(options, record)
    except Unavailable as reason:
        return [Gate(name + point.name, None, '<=', point.limit, detail=str(reason))
                for point in instructions.POINTS if point.limit]
    for point, value in values:
        print(f'{name}{point.name}: {value:.1f}')
    return [Gate(name + point.name, value, '<=', point.limit) for point, value in values if point.limit]


def nop_gates(options, record):
    ours, bare, gates = Ours(options.build), Bare(options.build), []
    for queue in QUEUES:
        cell = Cell(f'NOP QD{queue}', queue=queue)
        results = measure_rounds(cell.name, {
            ours.name: lambda c=cell: ours.run(c, None, options.seconds, options.ramp),
            bare.name: lambda q=queue: bare.run(q, options.seconds),
        }, options.rounds)
        record['nop'].append({'queue': queue, **figures(results)})
        print_results(f'no-operations, QD{queue}', results)
        gates.append(Gate(f'NOP QD{queue}: user time per I/O', per_io(results[ours.name], user), '<=',
                          NOP_USER_NS[queue], 'ns'))
        gates.append(ratio_gate(f'NOP QD{queue}: IOPS / bare untimed loop', compare(results, bare.name, lambda r: r.iops),
                                '>=', NOP_OF_BARE[queue]))
    return gates


def second_worker_gate(options):
    name = 'NOP QD32: IOPS of two threads / one'
    if options.cpus < 2:
        return Gate(name, None, '>=', SECOND_WORKER, 'x', 'there is one CPU')
    ours = Ours(options.build)
    cells = {n: Cell(f'NOP QD32T{n}', queue=32, threads=n) for n in (2, 1)}
    results = measure_rounds('two threads', {
        n: lambda c=cell: ours.run(c, None, options.seconds, options.ramp) for n, cell in cells.items()
    }, options.rounds)
    return ratio_gate(name, Comparison(*([r.iops for r in results[n]] for n in (2, 1))), '>=', SECOND_WORKER)


def fresh_data_gate(options):
    cell = Cell('NOP write 1M', block=1 << 20, queue=8, read=0)
    result = Ours(options.build).run(cell, None, options.seconds, options.ramp)
    return Gate('NOP write 1M Q8: fresh data for one thread', result.bps / 1e9, '>=', FRESH_DATA_GBPS, 'GB/s')


def device_tools(options, target, cell):
    tools = [Ours(options.build), Fio(), *([FioBatch()] if cell.queue in FioBatch.sizes else []),
             KDiskMark(options.size)]
    runs = {tool.name: lambda t=tool: t.run(cell, target, options.seconds, options.ramp) for tool in tools}
    # What any loop of one call a pass reaches here: where fio is ahead of this one too, the machine is the reason.
    runs[Bare.name] = lambda bare=Bare(options.build): bare.run(cell.queue, options.seconds, target)
    return runs


def device_gates(label, queue, results, of_fio, of_batch, of_bare):
    """OF_FIO, OF_BATCH and OF_BARE: least IOPS against each, by queue."""
    gates = [ratio_gate(f'{label} QD{queue}: IOPS / fio', compare(results, Fio.name, lambda r: r.iops), '>=',
                        of_fio[queue])]
    if queue in of_batch:
        gates.append(ratio_gate(f'{label} QD{queue}: IOPS / fio batched',
                                compare(results, FioBatch.name, lambda r: r.iops), '>=', of_batch[queue]))
    gates.append(time_gate(f'{label} QD{queue}: user time / fio', results, user, USER_OF_FIO[queue]))
    gates.append(time_gate(f'{label} QD{queue}: user + system time / fio', results, processor, CPU_OF_FIO[queue]))
    if of_bare:
        gates.append(ratio_gate(f'{label} QD{queue}: IOPS / bare untimed loop',
                                compare(results, Bare.name, lambda r: r.iops), '>=', of_bare[queue]))
    queue_share = median(r.effective_queue for r in results[Ours.name]) / queue
    return gates + [Gate(f'{label} QD{queue}: effective queue / nominal', queue_share, '>=', EFFECTIVE_QUEUE, 'x')]


def measure_device(label, target, options, record, of_fio, of_batch, of_bare):
    gates = []
    for queue in QUEUES:
        cell = Cell(f'{label} RND4K QD{queue} read', queue=queue)
        results = measure_rounds(cell.name, device_tools(options, target, cell), options.rounds)
        caps = sorted({r.raw['submit_cap'] for r in results[Ours.name]})
        notes = sorted({note for r in results[Ours.name] for note in r.raw['notes']})
        print_results(f'{cell.name} (submit cap {", ".join(map(str, caps))}{"; " + ", ".join(notes) if notes else ""})',
                      results)
        record['devices'].append({'device': label, 'queue': queue, 'caps': caps, 'notes': notes, **figures(results)})
        gates += device_gates(label, queue, results, of_fio, of_batch, of_bare)
    return gates


def loop_gates(options, record):
    try:
        with memory_loop(options.size) as target:
            return measure_device('loop', target, options, record, LOOP_OF_FIO, LOOP_OF_BATCH, LOOP_OF_BARE)
    except Unavailable as reason:
        return [Gate('loop device over tmpfs beside fio', None, '>=', LOOP_OF_FIO[32], 'x', str(reason))]


def disk_gates(options, record):
    try:
        with scratch_file(options.folder, options.size) as target:
            return measure_device('disk', target, options, record, DISK_OF_FIO, {}, {})
    except Unavailable as reason:
        return [Gate('file on the disk beside fio', None, '>=', DISK_OF_FIO[32], 'x', str(reason))]


def stall_gates(options, record):
    names = ('longest gap between live samples in a stall of 700 ms', 'from stop to the engine\'s return in a stall')
    try:
        gap, seen, stop = stall.measure(Ours(options.build))
    except Unavailable as reason:
        return [Gate(name, None, '<=', limit, 'ms', str(reason)) for name, limit in zip(names, (LIVE_GAP_MS, STOP_MS))]
    record['stall'] = {'live_gap_ms': gap, 'seen_ms': seen, 'stop_ms': stop}
    return [Gate(names[0], gap, '<=', LIVE_GAP_MS, 'ms', f'the engine saw a stall of {seen:.0f} ms'),
            Gate(names[1], stop, '<=', STOP_MS, 'ms')]


PARTS = {
    'instructions': instruction_gates,
    'nop': lambda options, record: nop_gates(options, record) + [second_worker_gate(options), fresh_data_gate(options)],
    'loop': loop_gates,
    'disk': disk_gates,
    'stall': stall_gates,
}


def run(options, record):
    parts = options.only.split(',') if options.only else list(PARTS)
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise Problem(f'no part is called "{unknown[0]}"; there are: {", ".join(PARTS)}')
    print_machine(record['machine'])
    print(f'{options.rounds} rounds of {options.seconds:g} s after a ramp of {options.ramp:g} s, '
          f'{options.size >> 20} MiB, file in {options.folder}')
    record.update({'nop': [], 'devices': []})
    gates = [gate for part in parts for gate in PARTS[part](options, record)]
    record['gates'] = [gate.record() for gate in gates]
    return print_gates(gates)
