#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What .editorconfig asks of every text file, and nothing left open in the code."""

import re

from common import main, read, walk

TEXTS = ('.c', '.h', '.py', '.sh', '.md', '.blp', '.css', '.suite', '.xml', '.in', '.options', 'meson.build', 'dev', '.txt')
# Spelled so that this file does not find itself.
OPEN_ENDS = re.compile(r'\b(TO' r'DO|FIX' r'ME|XX' r'X)\b')


def check(root):
    for path in walk(root):
        if not path.endswith(TEXTS) or '/fixtures/' in path:
            continue
        text = read(root, path)
        if text and not text.endswith('\n'):
            yield f'{path}:{text.count(chr(10)) + 1}: the last line has no end'
        for number, line in enumerate(text.split('\n'), 1):
            if '\r' in line:
                yield f'{path}:{number}: a carriage return'
            elif line != line.rstrip():
                yield f'{path}:{number}: white space at the end'
            if '\t' in line and path.endswith(('.c', '.h', '.py', '.sh')):
                yield f'{path}:{number}: a tab'
            if OPEN_ENDS.search(line):
                yield f'{path}:{number}: an open end: finish it or file it'


if __name__ == '__main__':
    main(check)
