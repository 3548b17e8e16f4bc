# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs that are compared, each turned into one kind of result."""

import os
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

from common import Problem, call_json, need

PERCENTILES = {'p50': '50.000000', 'p99': '99.000000', 'p99.9': '99.900000'}

# A tool that has not ended so long after its time hangs.
PATIENCE_S = 60


@dataclass(frozen=True)
class Cell:
    """One measured load, the same for every tool."""
    name: str
    block: int = 4096
    queue: int = 1
    threads: int = 1
    pattern: str = 'rnd'
    read: int = 100
    sync: bool = False

    @property
    def directions(self):
        return [d for d, used in (('read', self.read > 0), ('write', self.read < 100)) if used]


@dataclass
class Result:
    ios: int
    iops: float
    bps: float
    user_ns: float  # processor time of the submitting threads, per I/O
    system_ns: float
    ops: dict = field(default_factory=dict)  # 'read', 'write': iops, bps, mean, p50, p99, p99.9
    effective_queue: float = 0.0
    raw: dict = field(default_factory=dict)


class Ours:
    name = 'plateau'

    def __init__(self, build):
        self.program = os.path.join(build, 'tests', 'bench', 'plateau-load')
        if not os.access(self.program, os.X_OK):
            raise Problem(f'{self.program} is missing: build first (ninja -C {build})')

    def command(self, cell, target, seconds, ramp, *extra):
        command = [self.program, '--block', str(cell.block), '--queue', str(cell.queue), '--threads',
                   str(cell.threads), '--pattern', cell.pattern, '--read', str(cell.read), '--seconds',
                   f'{seconds:g}', '--ramp', f'{ramp:g}']
        if cell.sync:
            command += ['--sync', 'sync']
        if cell.read < 100 and target:
            command += ['--overwrite']
        return command + list(extra) + ([target] if target else ['--nop'])

    def run(self, cell, target, seconds, ramp, *extra):
        raw = call_json(self.command(cell, target, seconds, ramp, *extra), seconds + ramp + PATIENCE_S)
        if raw['end'] not in ('time', 'bytes'):
            raise Problem(f'the load {cell.name} ended by {raw["end"]}')
        result = Result(raw['ios'], raw['iops'], raw['bps'], raw['user_ns_per_io'], raw['system_ns_per_io'],
                        effective_queue=raw['effective_queue'], raw=raw)
        for direction in cell.directions:
            op = raw['ops'][direction]
            latency = {key: op['latency_ns'][key] for key in ('mean', *PERCENTILES)}
            result.ops[direction] = {'iops': op['iops'], 'bps': op['bps'], **latency}
        return result


def fio_pattern(cell):
    kind = 'read' if cell.read == 100 else 'write' if cell.read == 0 else 'rw'
    args = [f'--rw={"rand" if cell.pattern == "rnd" else ""}{kind}']
    return args + ([f'--rwmixread={cell.read}'] if kind == 'rw' else [])


def fio_name(target):
    """fio takes a colon for the end of a file name."""
    return target.replace('\\', '\\\\').replace(':', '\\:')


HUGE_PAGE = 2 << 20
RESERVED_PAGES = '/proc/sys/vm/nr_hugepages'


@contextmanager
def huge_pages(count):
    """COUNT more reserved huge pages while the block runs."""
    with open(RESERVED_PAGES, encoding='ascii') as file:
        before = int(file.read())
    try:
        with open(RESERVED_PAGES, 'w', encoding='ascii') as file:
            file.write(str(before + count))
        yield
    finally:
        with open(RESERVED_PAGES, 'w', encoding='ascii') as file:
            file.write(str(before))


class Fio:
    """
    fio over io_uring, as somebody who knows it would ask for the same load. Large blocks come from huge pages, as
    ours do: a block in scattered pages of 4 KiB is more segments than many drives take in one request, and is
    cut up. Only root can reserve them for fio.
    """
    name = 'fio'

    def __init__(self):
        self.program = need('fio')

    def batch(self, cell):
        return []

    def huge_pages(self, cell):
        """How many huge pages the buffers of CELL need; 0 for those that stay in plain ones."""
        if cell.block <= 4096 or not os.access(RESERVED_PAGES, os.W_OK):
            return 0
        return cell.threads * (cell.block * cell.queue // HUGE_PAGE + 2)

    def command(self, cell, target, seconds, ramp):
        return [self.program, '--name=bench', f'--filename={fio_name(target)}', *fio_pattern(cell), f'--bs={cell.block}',
                f'--iodepth={cell.queue}', f'--numjobs={cell.threads}', '--group_reporting', '--thread',
                '--ioengine=io_uring', '--fixedbufs', '--registerfiles', '--direct=1', '--time_based',
                f'--runtime={round(seconds * 1000)}ms', f'--ramp_time={round(ramp * 1000)}ms', '--norandommap',
                '--randrepeat=0', '--allow_file_create=0', *(['--sync=sync'] if cell.sync else []),
                '--lat_percentiles=1', '--clat_percentiles=0', '--percentile_list=50:99:99.9', *self.batch(cell),
                *(['--mem=mmaphuge', '--hugepage-size=2m'] if self.huge_pages(cell) else []), '--output-format=json']

    def run(self, cell, target, seconds, ramp):
        count = self.huge_pages(cell)
        with huge_pages(count) if count else nullcontext():
            raw = call_json(self.command(cell, target, seconds, ramp), seconds + ramp + PATIENCE_S)
        return fio_result(raw, cell, 'lat_ns')


class FioBatch(Fio):
    """With the batch flags that were the best of a sweep for each depth; there is nothing to batch at depth 1."""
    name = 'fio batched'
    sizes = {32: (16, 8, 32), 256: (32, 32, 256)}

    def batch(self, cell):
        submit, least, most = self.sizes[cell.queue]
        return [f'--iodepth_batch_submit={submit}', f'--iodepth_batch_complete_min={least}',
                f'--iodepth_batch_complete_max={most}']


class KDiskMark:
    """The command line that KDiskMark 3.3 gives to fio for a read test on a 1 GiB file."""
    name = 'KDiskMark'

    def __init__(self, size):
        self.program = need('fio')
        self.size = size

    def command(self, cell, target, seconds):
        return [self.program, '--output-format=json', '--ioengine=libaio', '--randrepeat=0', '--refill_buffers=0',
                '--end_fsync=1', '--direct=1', f'--rwmixread={cell.read}', f'--filename={fio_name(target)}',
                '--name=bench', f'--size={self.size >> 20}m', '--zero_buffers=0', f'--bs={cell.block >> 10}k',
                f'--runtime={max(1, round(seconds))}', *fio_pattern(cell)[:1], f'--iodepth={cell.queue}',
                f'--numjobs={cell.threads}', '--group_reporting']

    def run(self, cell, target, seconds, ramp):
        raw = call_json(self.command(cell, target, seconds), seconds + PATIENCE_S)
        return fio_result(raw, cell, None)


def fio_result(raw, cell, latency):
    """LATENCY is the key of the latency with percentiles; None takes no latency."""
    job = raw['jobs'][0]
    if job['error']:
        raise Problem(f'fio failed with error {job["error"]} in {cell.name}')
    ios = sum(job[d]['total_ios'] for d in cell.directions)
    if not ios:
        raise Problem(f'fio did no I/O in {cell.name}')
    # usr_cpu is a share of job_runtime, summed over the jobs of the group.
    per_io = job['job_runtime'] * 1e6 / 100 / ios
    result = Result(ios, sum(job[d]['iops'] for d in cell.directions),
                    sum(job[d]['bw_bytes'] for d in cell.directions), job['usr_cpu'] * per_io,
                    job['sys_cpu'] * per_io, raw=job)
    for direction in cell.directions if latency else ():
        op = job[direction]
        values = {key: op[latency]['percentile'][name] for key, name in PERCENTILES.items()}
        result.ops[direction] = {'iops': op['iops'], 'bps': op['bw_bytes'], 'mean': op[latency]['mean'], **values}
    return result


class Bare:
    """The plainest loop of no-operations or of random reads: what the machine can do when nothing is measured."""
    name = 'bare loop'

    def __init__(self, build):
        self.program = os.path.join(build, 'tests', 'bench', 'plateau-bare')

    def run(self, queue, seconds, target=None):
        raw = call_json([self.program, str(queue), f'{seconds:g}', *([target] if target else [])], seconds + PATIENCE_S)
        return Result(raw['ios'], raw['iops'], 0, raw['user_ns_per_io'], raw['system_ns_per_io'], raw=raw)
