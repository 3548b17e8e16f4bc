#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ./dev installs by and what meson asks for is the same: floors of libraries stand in two files only."""

import re

from common import main, read


def check(root):
    asked = dict(re.findall(r"dependency\('([^']+)',\s*version:\s*'>=\s*([\d.]+)'", read(root, 'meson.build')))
    given = {}
    for number, line in enumerate(read(root, 'tools/packages.txt').splitlines(), 1):
        words = line.split('#')[0].split()
        if len(words) == 3:
            given[words[1]] = words[2]
        elif len(words) not in (0, 1):
            yield f'tools/packages.txt:{number}: a package alone, or with a module and a version'
    for module, version in sorted(asked.items()):
        # These come with a module that is listed, in the same version.
        listed = given.get({'glib-2.0': 'gio-2.0', 'gio-unix-2.0': 'gio-2.0'}.get(module, module))
        if listed != version:
            yield f'tools/packages.txt:1: {module} {version} in meson.build, here {listed or "missing"}'


if __name__ == '__main__':
    main(check)
