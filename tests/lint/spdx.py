#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every source file says its licence in its first lines; every header guards itself in the one way."""

import os

from common import main, read, walk

WITH_LICENCE = ('.c', '.h', '.py', '.sh', '.blp', '.css', 'meson.build', 'meson.options')
LICENCE = 'SPDX-License-Identifier: GPL-3.0-or-later'
C_FIRST_LINE = f'/* {LICENCE} */'


def check(root):
    if not os.path.exists(os.path.join(root, 'COPYING')):
        yield 'COPYING: the licence itself is missing'
    for path in walk(root):
        script = is_script(root, path)
        if not script and not path.endswith(WITH_LICENCE):
            continue
        lines = read(root, path).split('\n', 4)
        if path.endswith(('.c', '.h')):
            if lines[0] != C_FIRST_LINE:
                yield f'{path}:1: the first line must be {C_FIRST_LINE}'
        elif not any(LICENCE in line for line in lines[:3]):
            yield f'{path}:1: no line “{LICENCE}” among the first three'
        if path.endswith('.h') and '#pragma once' not in read(root, path):
            yield f'{path}:1: a header needs #pragma once'


def is_script(root, path):
    full = os.path.join(root, path)
    if os.path.islink(full) or not os.access(full, os.X_OK):
        return False
    with open(full, 'rb') as file:
        return file.read(2) == b'#!'


if __name__ == '__main__':
    main(check)
