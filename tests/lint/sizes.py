#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and functions that nobody can keep in mind fail. The limits are the hard ones of CONTRIBUTING.md."""

import re

from common import c_files, code_only, main, read, walk

FILE_LINES = 800
FUNCTION_LINES = 120
NESTING = 4
SCRIPTS = ('.py', '.sh', '/dev')


def check(root):
    for path in walk(root, 'src', 'tests', 'tools', 'ui'):
        if path.endswith(('.c', '.h', '.py', '.sh', '.blp')):
            yield from check_file(root, path)
    for path in c_files(root):
        yield from check_functions(path, code_only(read(root, path)).splitlines())


def check_file(root, path):
    lines = read(root, path).count('\n')
    if lines > FILE_LINES:
        yield f'{path}:1: {lines} lines, at most {FILE_LINES}'


def check_functions(path, lines):
    """The style puts a function's braces, and no others' openings, alone into the first column."""
    start = None
    for number, line in enumerate(lines, 1):
        if line.rstrip() == '{':
            start, depth = number, 0
            first = signature_start(lines, number)
        if start is None:
            continue
        for brace in re.findall(r'[{}]', line):
            depth += 1 if brace == '{' else -1
            if depth == NESTING + 2 and brace == '{' and opens_block(line):
                yield f'{path}:{number}: nested deeper than {NESTING}'
        if depth == 0:
            if number - first + 1 > FUNCTION_LINES:
                yield f'{path}:{first}: a function of {number - first + 1} lines, at most {FUNCTION_LINES}'
            start = None


def signature_start(lines, brace):
    """Number of the line where the signature that ends above line BRACE begins."""
    number = brace
    while number > 1 and lines[number - 2].strip() and not lines[number - 2].rstrip().endswith(('}', ';')):
        number -= 1
    return number


def opens_block(line):
    """True for a statement's brace; an initializer's follows = or , or stands in one."""
    return re.search(r'(\)|\belse|\bdo)\s*\{\s*$', line) is not None


if __name__ == '__main__':
    main(check)
