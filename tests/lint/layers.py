#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows point down only: which folder of src/ may include which, and which libraries each may know."""

import re

from common import c_files, main, read

# Folder: the folders that it may include, besides itself.
BELOW = {
    'engine': set(),
    'analysis': {'engine'},
    'chart': {'engine'},
    'drive': {'engine', 'analysis'},
    'library': {'engine', 'analysis', 'drive'},
    'suite': {'engine', 'analysis', 'drive', 'library'},
    'report': {'engine', 'analysis', 'chart', 'drive', 'library'},
    'cli': {'engine', 'analysis', 'chart', 'drive', 'library', 'suite', 'report'},
    'app': {'engine', 'analysis', 'chart', 'drive', 'library', 'suite', 'report'},
}
ABOVE_PURE = set(BELOW) - {'engine', 'analysis'}
WITH_IO = ABOVE_PURE - {'chart'}

# Start of a system include: the folders that may have it. What is not listed is free to all.
LIBRARIES = [
    (r'gtk/|gdk/|gsk/|adwaita\.h|libadwaita', {'app'}),
    (r'glib\.h|glib-object\.h|glib/|gobject/|glibconfig\.h', ABOVE_PURE),
    (r'gio/|glib-unix\.h|json-glib/', WITH_IO),
    (r'cairo|pango', {'chart', 'report', 'app', 'cli'}),
    (r'liburing', {'engine'}),
    (r'sqlite3', {'library'}),
    (r'libmount', {'drive'}),
    (r'blkid', {'drive'}),
    (r'libnvme|linux/nvme_ioctl', {'drive'}),
    # Pure functions and a renderer: neither opens, reads nor asks the system for anything.
    (r'fcntl\.h|unistd\.h|sys/(?!types)|pthread\.h|poll\.h|dirent\.h', set(BELOW) - {'analysis', 'chart'}),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def check(root):
    for path in c_files(root, 'src'):
        folder = path.split('/')[1]
        if folder not in BELOW:
            yield f'{path}:1: the folder {folder} has no place in the table of layers'
            continue
        for number, line in enumerate(read(root, path).splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                for problem in problems_of(folder, *match.groups()):
                    yield f'{path}:{number}: {problem}'
    for path in c_files(root, 'tests'):
        if not path.startswith('tests/app/') and re.search(r'#\s*include\s*<(gtk/|adwaita)', read(root, path)):
            yield f'{path}:1: only tests/app may know GTK'


def problems_of(folder, kind, name):
    if '..' in name.split('/'):
        yield f'"{name}": write the path from src/'
    elif kind == '"' and '/' in name:
        other = name.split('/')[0]
        if other not in BELOW:
            yield f'"{name}": there is no folder {other}'
        elif other != folder and other not in BELOW[folder]:
            yield f'{folder} must not include {other}'
    elif kind == '"':
        if name not in ('config.h', 'plateau-resources.h'):
            yield f'"{name}": write the path from src/'
    else:
        for pattern, folders in LIBRARIES:
            if re.match(pattern, name) and folder not in folders:
                yield f'{folder} must not include <{name}>'


if __name__ == '__main__':
    main(check)
