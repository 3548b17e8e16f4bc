#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and functions that nobody can keep in mind fail. The limits are the hard ones of CONTRIBUTING.md."""

import re

from common import c_files, code_only, functions, main, read, walk

FILE_LINES = 800
FUNCTION_LINES = 120
NESTING = 4


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
    for first, opening, last in functions(lines):
        if last - first + 1 > FUNCTION_LINES:
            yield f'{path}:{first}: a function of {last - first + 1} lines, at most {FUNCTION_LINES}'
        depth = 0
        for number in range(opening, last + 1):
            for brace in re.findall(r'[{}]', lines[number - 1]):
                depth += 1 if brace == '{' else -1
                if brace == '{' and depth == NESTING + 2 and opens_block(lines[number - 1]):
                    yield f'{path}:{number}: nested deeper than {NESTING}'


def opens_block(line):
    """True for a statement's brace; an initializer's follows = or , or stands in one."""
    return re.search(r'(\)|\belse|\bdo)\s*\{\s*$', line) is not None


if __name__ == '__main__':
    main(check)
