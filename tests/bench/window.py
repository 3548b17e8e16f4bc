# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window costs: beside the same run of the command line, and beside other programs at the start."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager
from statistics import median

from common import Problem, Unavailable, call, call_json, need, print_machine, progress
from gates import Gate, print_gates, ratio_gate
from screen import screen
from stats import Comparison

# Issue and design: drawing 10 samples a second takes less than this share of one core …
MAIN_SHARE_PERCENT = 2.0
# … and takes no more than this from the engine, on a target where only the processor is the limit.
IOPS_OF_CLI = 0.995
# A run of a million samples (a day and more) opens as if it were there, and moves at the screen's rate.
LONG_RUN, OPEN_MS, FRAME_MS = 1000000, 200, 1000 / 60

SUITE, CELL = 'cdm-default', 'rnd4k-q32t1-read'
DEVICE_SIZE, FILE_SIZE = 1 << 30, '256MiB'

# No program here needs so long to show its window.
START_PATIENCE_S = 60
# When everything that is loaded at the start has been loaded.
REST_S = 2.0


@contextmanager
def zram_folder():
    """A new ext4 in memory, as a drive whose only limit is the processor."""
    if os.geteuid():
        raise Unavailable('zram needs root')
    try:
        with open('/sys/class/zram-control/hot_add', encoding='ascii') as file:
            number = int(file.read())
    except OSError:
        raise Unavailable('this kernel has no zram') from None
    device, folder = f'/sys/block/zram{number}', tempfile.mkdtemp(prefix='plateau-bench-')
    try:
        with open(f'{device}/disksize', 'w', encoding='ascii') as file:
            file.write(str(DEVICE_SIZE))
        call([need('mkfs.ext4'), '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', f'/dev/zram{number}'], 60)
        call([need('mount'), f'/dev/zram{number}', folder], 20)
        yield folder
    finally:
        subprocess.run(['umount', folder], capture_output=True, check=False)
        os.rmdir(folder)
        for name, value in ((f'{device}/reset', '1'), ('/sys/class/zram-control/hot_remove', str(number))):
            try:
                with open(name, 'w', encoding='ascii') as file:
                    file.write(value)
            except OSError:
                pass


class Desk:
    """Where the programs of a measurement run: a display and a home of their own."""

    def __init__(self, options, display, home):
        self.build, self.home = options.build, home
        source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self.environment = {
            **os.environ, 'DISPLAY': display.name, 'HOME': home, 'XDG_DATA_HOME': f'{home}/data',
            'XDG_CONFIG_HOME': f'{home}/config', 'XDG_CACHE_HOME': f'{home}/cache', 'XDG_RUNTIME_DIR': home,
            'GDK_BACKEND': 'x11', 'GDK_DEBUG': 'no-portals', 'ADW_DISABLE_PORTAL': '1', 'GSETTINGS_BACKEND': 'memory',
            'GSETTINGS_SCHEMA_DIR': f'{options.build}/data', 'PLATEAU_SUITES_DIR': f'{source}/data/suites',
        }
        self.environment.pop('WAYLAND_DISPLAY', None)

    def program(self, *parts):
        path = os.path.join(self.build, *parts)
        if not os.access(path, os.X_OK):
            raise Problem(f'{path} is missing: build it first (ninja -C {self.build} {"/".join(parts)})')
        return path

    def run_json(self, command, timeout, **environment):
        done = subprocess.run(command, env={**self.environment, **environment}, capture_output=True, text=True,
                              timeout=timeout, check=False)
        if done.returncode:
            words = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise Problem(f'{" ".join(command)}\n  exit status {done.returncode}: {words[-1] if words else "no message"}')
        return json.loads(done.stdout[done.stdout.index('{'):])


def settings(seconds):
    return [f'size={FILE_SIZE}', f'seconds={seconds:g}', 'runs=1', 'warmup=0', 'interval=0s']


def run_in_window(desk, folder, seconds):
    # The cairo renderer is what draws where there is no graphics processor; one that is made up would cost more.
    return desk.run_json([desk.program('tests', 'app', 'bench-window'), 'run', folder, SUITE, CELL, *settings(seconds)],
                         seconds + 120, GSK_RENDERER='cairo', GTK_A11Y='none')


def run_in_terminal(desk, folder, seconds):
    document = desk.run_json([desk.program('src', 'cli', 'plateau-cli'), 'run', SUITE, folder, '--json', '--set',
                              f'only={CELL}', *settings(seconds)], seconds + 120)
    return document['cells'][0]['score']['iops']


def run_gates(desk, options, record):
    names = ('IOPS in the window beside the command line', 'main thread while a run is on screen')
    try:
        with zram_folder() as folder:
            window, terminal = [], []
            for number in range(options.pairs):
                progress(f'run {number + 1} of {options.pairs}')
                order = [lambda: window.append(run_in_window(desk, folder, options.seconds)),
                         lambda: terminal.append(run_in_terminal(desk, folder, options.seconds))]
                for measure in order if number % 2 == 0 else reversed(order):
                    measure()
    except Unavailable as reason:
        return [Gate(names[0], None, '>=', IOPS_OF_CLI, 'x', str(reason)),
                Gate(names[1], None, '<=', MAIN_SHARE_PERCENT, '%', str(reason))]
    comparison = Comparison([result['iops'] for result in window], terminal)
    shares = [result['main_share'] * 100 for result in window]
    frames = median(result['frames_per_s'] for result in window)
    record['window-run'] = {'iops': comparison.record(), 'main_percent': shares, 'frames_per_s': frames}
    print(f'\n{SUITE}, {CELL} on zram, {options.pairs} pairs of {options.seconds:g} s')
    print(f'  {"":24}{"median":>14}{"self":>9}')
    print(f'  {"window, IOPS":24}{comparison.median_a:14,.0f}{comparison.noise_a:9.2%}')
    print(f'  {"command line, IOPS":24}{comparison.median_b:14,.0f}{comparison.noise_b:9.2%}')
    print(f'  {"frames a second":24}{frames:14.1f}')
    print(f'  {"main thread":24}{median(shares):12.2f} %   {min(shares):.2f} to {max(shares):.2f}')
    return [ratio_gate(names[0], comparison, '>=', IOPS_OF_CLI),
            Gate(names[1], median(shares), '<=', MAIN_SHARE_PERCENT, '%')]


def open_gates(desk, options, record):
    library = f'{desk.home}/data/plateau/library.db'
    os.makedirs(os.path.dirname(library), exist_ok=True)
    progress(f'making a run of {LONG_RUN:,} samples')
    call([desk.program('tests', 'app', 'make-long-run'), library, str(LONG_RUN)], 600)
    run = call_json(['env', f'XDG_DATA_HOME={desk.home}/data', desk.program('src', 'cli', 'plateau-cli'), 'results',
                     '--json'], 60)['results'][0]['id']
    results = []
    for number in range(options.pairs):
        progress(f'opening {number + 1} of {options.pairs}')
        results.append(desk.run_json([desk.program('tests', 'app', 'bench-window'), 'open', str(run)], 120,
                                     GSK_RENDERER='cairo', GTK_A11Y='none'))
    record['window-open'] = results
    opened, pan = (median(result[key] for result in results) for key in ('open_ms', 'pan_ms'))
    print(f'\nA run of {LONG_RUN:,} samples, {options.pairs} times')
    print(f'  until its curve is drawn {opened:8.1f} ms   {min(r["open_ms"] for r in results):.1f} to '
          f'{max(r["open_ms"] for r in results):.1f}')
    print(f'  a frame while it moves   {pan:8.2f} ms   95 %: {median(r["pan_p95_ms"] for r in results):.2f}')
    return [Gate('a million samples: until the curve is drawn', opened, '<=', OPEN_MS, 'ms'),
            Gate('a million samples: a frame of a pan', pan, '<=', FRAME_MS, 'ms')]


def processes_below(pid):
    children = {}
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            try:
                with open(f'/proc/{entry}/stat', encoding='utf-8') as file:
                    parent = int(file.read().rsplit(')', 1)[1].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry))
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def proportional_memory(pid):
    """MB of the process and those below it, what is shared with others divided among them."""
    total = 0
    for process in processes_below(pid):
        try:
            with open(f'/proc/{process}/smaps_rollup', encoding='utf-8') as file:
                total += next(int(line.split()[1]) for line in file if line.startswith('Pss:'))
        except (OSError, StopIteration):
            continue
    return total * 1024 / 1e6


def forget_files():
    """What a start reads comes from the disk again. Only root can ask for that."""
    if os.geteuid() == 0:
        os.sync()
        with open('/proc/sys/vm/drop_caches', 'w', encoding='ascii') as file:
            file.write('3')


def start_once(desk, display, command, cold):
    before = set(display.windows())
    if cold:
        forget_files()
    process = subprocess.Popen(command, env=desk.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        seconds = display.wait_until_drawn(before, START_PATIENCE_S)
        time.sleep(REST_S)
        return seconds, proportional_memory(process.pid)
    except Problem as problem:
        raise Problem(f'{command[0]}: {problem}') from None
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def system_services():
    """The bus and the service that GNOME Disks asks for drives, where the machine does not run them already."""
    started = []
    try:
        if not os.path.exists('/run/dbus/system_bus_socket') and os.geteuid() == 0 and shutil.which('dbus-daemon'):
            os.makedirs('/run/dbus', exist_ok=True)
            started.append(subprocess.Popen(['dbus-daemon', '--system', '--nofork', '--nopidfile'],
                                            stderr=subprocess.DEVNULL))
            time.sleep(0.5)
            if os.path.exists('/usr/libexec/udisks2/udisksd'):
                started.append(subprocess.Popen(['/usr/libexec/udisks2/udisksd'], stdout=subprocess.DEVNULL,
                                                stderr=subprocess.DEVNULL))
                time.sleep(1)
        yield
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()


def start_gates(desk, display, options, record):
    ours = [desk.program('src', 'app', 'plateau')]
    others = [name for name in ('gnome-disks', 'kdiskmark') if shutil.which(name)]
    gates = [Gate(f'{what} beside {name}', None, '<=', 1.0, 'x', f'{name} is not installed')
             for name in ('gnome-disks', 'kdiskmark') if name not in others for what in ('start', 'memory')]
    with system_services():
        for name in others:
            pairs = {'ours': [], name: []}
            for number in range(options.pairs):
                progress(f'start beside {name}, {number + 1} of {options.pairs}')
                commands = [('ours', ours), (name, [shutil.which(name)])]
                for key, command in commands if number % 2 == 0 else reversed(commands):
                    pairs[key].append(start_once(desk, display, command, not options.warm))
            start = Comparison([s for s, _ in pairs['ours']], [s for s, _ in pairs[name]])
            memory = Comparison([m for _, m in pairs['ours']], [m for _, m in pairs[name]])
            record[f'start-{name}'] = {'seconds': start.record(), 'megabytes': memory.record()}
            print(f'\n{"Warm" if options.warm else "Cold"} start beside {name}, {options.pairs} pairs')
            print(f'  until the window is drawn {start.median_a:8.3f} s  beside {start.median_b:8.3f} s')
            print(f'  memory                    {memory.median_a:8.1f} MB beside {memory.median_b:8.1f} MB')
            gates += [ratio_gate(f'start beside {name}', start, '<=', 1.0),
                      ratio_gate(f'memory beside {name}', memory, '<=', 1.0)]
    return gates


def run(options, record):
    print_machine(record['machine'])
    only = options.only.split(',') if options.only else ['run', 'open', 'start']
    gates = []
    with ExitStack() as stack:
        display = stack.enter_context(screen())
        home = stack.enter_context(tempfile.TemporaryDirectory(prefix='plateau-bench-', dir=options.folder))
        desk = Desk(options, display, home)
        if 'run' in only:
            gates += run_gates(desk, options, record)
        if 'start' in only:
            gates += start_gates(desk, display, options, record)
        if 'open' in only:
            gates += open_gates(desk, options, record)
    record['window-gates'] = [gate.record() for gate in gates]
    return print_gates(gates)
