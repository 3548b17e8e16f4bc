#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what meson knows about tests, for ./dev test.

    testlog.py targets DIR [SUITE...]             ninja targets that the tests of the suites need
    testlog.py report DIR LABEL STATUS COUNTS     logs of failures, one line of result; adds to the file COUNTS
    testlog.py sum COUNTS                         the closing line; exit status 1 unless all is well
"""

import json
import os
import re
import subprocess
import sys

TAP_LINE = re.compile(r'^(not )?ok\b\s*\d*\s*(?:- )?([^#]*?)\s*(?:#\s*(skip|todo)\b\S*\s*(.*))?$', re.IGNORECASE)
TAP_NOTHING = re.compile(r'^1\.\.0\b\s*(?:#\s*skip\S*\s*(.*))?$', re.IGNORECASE)
LONGEST_LOG = 200  # lines of one failed test


def introspect(build, what):
    out = subprocess.run(['meson', 'introspect', build, what], check=True, capture_output=True, text=True)
    return json.loads(out.stdout)


def suites_of(test):
    return [suite.split(':')[-1] for suite in test['suite']]


def targets(build, suites):
    tests = introspect(build, '--tests')
    known = sorted({suite for test in tests for suite in suites_of(test)})
    for suite in suites:
        # A module that has no tests yet is no mistake; a name that is nowhere is.
        if suite not in known and not os.path.isdir(os.path.join(os.path.dirname(build), 'tests', suite)):
            sys.exit(f'./dev: there is no suite “{suite}”; there are: {", ".join(known)}')
    wanted = {target for test in tests if set(suites_of(test)) & set(suites) for target in test['depends']}
    files = [name for target in introspect(build, '--targets') if target['id'] in wanted
             for name in target['filename']]
    print('\n'.join(sorted(os.path.relpath(name, build) for name in files)))


class Count:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.skips = []

    def skip(self, name, reason):
        self.skipped += 1
        self.skips.append(f'{name}: {reason or "no reason given"}')

    def line(self, label):
        return f'{label:8} {self.passed} passed · {self.failed} failed · {self.skipped} skipped'


def name_of(record):
    """meson writes "project:suite / name"; the name itself is unique."""
    return record['name'].split(' / ')[-1]


def count_tap(count, name, text):
    """Adds the points of one TAP program; returns how many of them failed."""
    failed = 0
    for line in text.splitlines():
        nothing = TAP_NOTHING.match(line)
        if nothing:
            count.skip(name, nothing.group(1))
        point = TAP_LINE.match(line)
        if not point:
            continue
        not_ok, title, directive, reason = point.groups()
        if directive and directive.lower() == 'skip':
            count.skip(title or name, reason)
        elif not_ok:
            failed += 1
        else:
            count.passed += 1
    count.failed += failed
    return failed


def count_test(count, record, tap):
    result = record['result']
    good = result in ('OK', 'EXPECTEDFAIL')
    if result == 'SKIP' and not tap:
        last = (record.get('stdout') or record.get('stderr') or '').strip().splitlines()
        count.skip(name_of(record), last[-1] if last else None)
        return
    failed = count_tap(count, name_of(record), record.get('stdout') or '') if tap else 0
    if not tap and good:
        count.passed += 1
    # A program that died, or that a sanitizer stopped, has failed whatever its points said.
    if not good and result != 'SKIP':
        count.failed += 0 if failed else 1
        show_failure(record)


def show_failure(record):
    print(f'\n--- {name_of(record)}: {result_text(record)}')
    print('    ' + ' '.join(record['command']))
    for stream in ('stdout', 'stderr'):
        lines = (record.get(stream) or '').splitlines()
        if lines:
            print(f'    [{stream}{", its last lines" if len(lines) > LONGEST_LOG else ""}]')
        for line in lines[-LONGEST_LOG:]:
            print('    ' + line)


def result_text(record):
    code = record['returncode']
    how = f'signal {-code}' if code < 0 else f'exit status {code}'
    return f'{record["result"].lower()}, {how}, after {record["duration"]:.1f} s'


def report(build, label, status, counts):
    count = Count()
    tap = {test['name']: test['protocol'] == 'tap' for test in introspect(build, '--tests')}
    log = os.path.join(build, 'meson-logs', 'testlog.json')
    try:
        with open(log, encoding='utf-8', errors='replace') as lines:
            for line in lines:
                record = json.loads(line)
                count_test(count, record, tap.get(name_of(record), False))
    except FileNotFoundError:
        pass
    if int(status) and not count.failed:
        count.failed += 1
        with open(os.path.join(build, 'meson-logs', 'dev-test.txt'), encoding='utf-8', errors='replace') as text:
            print(f'\n--- meson test failed with exit status {status}\n{text.read()}')
    for skip in count.skips:
        print(f'    skipped  {skip}')
    print(count.line(label), flush=True)
    with open(counts, 'a', encoding='utf-8') as file:
        file.write(f'{count.passed} {count.failed} {count.skipped}\n')


def total(counts):
    with open(counts, encoding='utf-8') as file:
        rows = [list(map(int, line.split())) for line in file]
    passed, failed, skipped = (sum(column) for column in zip(*rows)) if rows else (0, 0, 0)
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return 0 if not failed and passed else 1


def main():
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == 'targets':
        targets(arguments[0], arguments[1:])
    elif command == 'report':
        report(*arguments)
    else:
        sys.exit(total(*arguments))


if __name__ == '__main__':
    main()
