#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The version stands in meson.build and nowhere else; NEWS.md and the metainfo have it as their newest release."""

import os
import re

from common import main, read, walk, without_comments

# These speak of releases, so versions belong there.
RELEASES = ('NEWS.md', '.metainfo.xml.in', '.metainfo.xml', '.doap')
SEARCHED = ('.c', '.h', '.py', '.sh', '.md', '.in', '.xml', '.desktop', '.suite', '.1', '.blp', 'meson.build', 'dev')


def check(root):
    match = re.search(r"^\s*version:\s*'([^']+)'", read(root, 'meson.build'), re.MULTILINE)
    if not match:
        yield 'meson.build:1: project() names no version'
        return
    version = match.group(1)
    yield from check_newest(root, 'NEWS.md', r'^## (\S+)', version)
    for path in walk(root):
        if path.endswith('.metainfo.xml.in'):
            yield from check_newest(root, path, r'<release\b[^>]*\bversion="([^"]+)"', version)
        if path == 'meson.build' or path.endswith(RELEASES) or not path.endswith(SEARCHED):
            continue
        # Examples in documents and recorded runs in tests are of their day.
        if path.startswith(('tests/', 'docs/')):
            continue
        text = read(root, path)
        if path.endswith(('.c', '.h')):
            text = without_comments(text)
        for number, line in enumerate(text.splitlines(), 1):
            # "1.0" inside of "1.0.4" or "21.0" is another number.
            if re.search(rf'(?<![\d.]){re.escape(version)}(?![\d]|\.\d)', line):
                yield f'{path}:{number}: the version {version} is written out: take it from meson.build'


def check_newest(root, path, pattern, version):
    if not os.path.exists(os.path.join(root, path)):
        yield f'{path}:1: missing'
        return
    match = re.search(pattern, read(root, path), re.MULTILINE)
    if not match or match.group(1) != version:
        yield f'{path}:1: the newest release there is {match.group(1) if match else "missing"}, not {version}'


if __name__ == '__main__':
    main(check)
