#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every function has a name of its own. Two of one name in two static libraries need not make the linker stop:
it takes the first that it meets. What is not static begins with plt_, so that no library's name is taken."""

import re

from common import c_files, code_only, functions, main, read


def check(root):
    seen = {}
    for path in c_files(root, 'src'):
        if not path.endswith('.c'):
            continue
        lines = code_only(read(root, path)).splitlines()
        for first, opening, _ in functions(lines):
            signature = ' '.join(lines[first - 1:opening - 1])
            match = re.search(r'(\w+)\s*\(', re.sub(r'__attribute__\s*\(\(.*?\)\)', '', signature))
            if not match or re.search(r'\bstatic\b|INLINE\b|\bG_DEFINE_', signature):
                continue
            name = match.group(1)
            if name == 'main':
                continue
            if name in seen:
                yield f'{path}:{first}: {name} is also in {seen[name]}'
            elif not name.startswith('plt_'):
                yield f'{path}:{first}: {name} is neither static nor begins with plt_'
            seen.setdefault(name, f'{path}:{first}')


if __name__ == '__main__':
    main(check)
