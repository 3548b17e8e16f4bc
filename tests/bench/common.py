# SPDX-License-Identifier: GPL-3.0-or-later
"""What every part of the bench needs: running programs, the machine's description, printing."""

import json
import os
import platform
import shutil
import subprocess
import sys


class Problem(Exception):
    """Something that the person has to know, in one sentence."""


class Unavailable(Problem):
    """A part of the bench cannot run here: a reason to skip it, not a failure."""


def need(program):
    path = shutil.which(program, path=os.environ.get('PATH', '') + ':/usr/sbin:/sbin')
    if not path:
        raise Unavailable(f'{program} is not installed')
    return path


def call(command, timeout):
    """Runs COMMAND and returns its output; a failure becomes a Problem with its last words."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Problem(f'{os.path.basename(command[0])} did not end within {timeout:.0f} s: {" ".join(command)}') from None
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise Problem(f'{" ".join(command)}\n  exit status {done.returncode}: {words[-1] if words else "no message"}')
    return done.stdout


def call_json(command, timeout):
    """Programs may print notes before their JSON object: it starts at the first brace in a line's first column."""
    text = call(command, timeout)
    start = 0 if text.startswith('{') else text.find('\n{') + 1
    try:
        return json.loads(text[start:])
    except ValueError as error:
        raise Problem(f'{" ".join(command)}\n  printed no JSON: {error}') from None


def cpu_model():
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        for line in file:
            if line.startswith('model name'):
                return line.split(':', 1)[1].strip()
    return platform.machine()


def describe_machine():
    machine = {
        'cpu': cpu_model(),
        'cpus': len(os.sched_getaffinity(0)),
        'kernel': platform.release(),
        'load_average': os.getloadavg()[0],
        'nice': os.getpriority(os.PRIO_PROCESS, 0),
    }
    if shutil.which('fio'):
        machine['fio'] = call(['fio', '--version'], 10).strip()
    return machine


def print_machine(machine):
    print(f'{machine["cpu"]}, {machine["cpus"]} CPUs, Linux {machine["kernel"]}, '
          f'{machine.get("fio", "no fio")}, load average {machine["load_average"]:.2f}, nice {machine["nice"]}')
    if machine['load_average'] > 0.5:
        print('Other programs are at work: expect noise, and gates that fail because of it.')


def progress(text):
    if sys.stderr.isatty():
        sys.stderr.write('\r\x1b[K' + text)
        sys.stderr.flush()


def raise_priority():
    """Other work on the machine is noise. Without the right to do it the bench runs all the same."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    except PermissionError:
        pass
