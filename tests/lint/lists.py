#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that something must name are named: sources and tests in their meson.build, suites, translatable files."""

import os
import re

from common import code_only, main, read, walk

TRANSLATED_C = re.compile(r'\b(?:_|N_|C_|NC_|Q_|ngettext|g_dngettext|g_dpgettext2)\s*\(')


def check(root):
    yield from check_meson(root, [path for path in walk(root, 'src') if path.endswith('.c')])
    yield from check_meson(root, [path for path in walk(root, 'tests') if re.search(r'/test[-_][^/]+\.(c|py|sh)$', path)])
    yield from check_suites(root)
    yield from check_potfiles(root)


def check_meson(root, paths):
    for path in paths:
        folder, name = os.path.split(path)
        if not names(root, os.path.join(folder, 'meson.build'), name):
            yield f'{path}:1: {folder}/meson.build does not name it, so it is never compiled or run'


def names(root, meson, name):
    """True when the meson.build has the whole name, or the part after test- or test_ (for loops over tests)."""
    if not os.path.exists(os.path.join(root, meson)):
        return False
    stem = re.escape(os.path.splitext(name)[0])
    ending = re.escape(os.path.splitext(name)[1])
    bare = re.sub(r'^test[-_]', '', stem.replace('\\', ''))
    text = re.sub(r'#[^\n]*', '', read(root, meson))
    return re.search(rf"'(?:[^']*/)?(?:{stem}(?:{ending})?|{re.escape(bare)})'", text) is not None


def check_suites(root):
    """Where data/ installs its suites from a list, each file stands in it; install_subdir takes them all."""
    suites = [os.path.basename(path) for path in walk(root, 'data/suites') if path.endswith('.suite')]
    if not suites:
        return
    mesons = [path for path in ('data/suites/meson.build', 'data/meson.build') if os.path.exists(os.path.join(root, path))]
    text = '\n'.join(read(root, path) for path in mesons)
    if re.search(r"install_subdir\(\s*'suites'", text):
        return
    for suite in suites:
        if not re.search(rf"'(?:suites/)?{re.escape(suite)}'|'{re.escape(suite[:-len('.suite')])}'", text):
            yield f'data/suites/{suite}:1: no meson.build installs it'


def check_potfiles(root):
    """po/POTFILES is sorted and has just the files with something to translate."""
    list_path = next((path for path in ('po/POTFILES', 'po/POTFILES.in') if os.path.exists(os.path.join(root, path))), None)
    if not list_path:
        return
    listed = [line for line in read(root, list_path).splitlines() if line and not line.startswith('#')]
    if listed != sorted(listed):
        yield f'{list_path}:1: not sorted'
    wanted = {path for path in walk(root, 'src', 'ui', 'data') if has_translations(root, path)}
    for path in sorted(wanted - set(listed)):
        yield f'{list_path}:1: {path} has strings to translate but is missing'
    for path in sorted(set(listed) - wanted):
        lack = 'has nothing to translate' if os.path.exists(os.path.join(root, path)) else 'does not exist'
        yield f'{list_path}:1: {path} is listed but {lack}'


def has_translations(root, path):
    if path.endswith(('.c', '.h')):
        lines = code_only(read(root, path)).splitlines()
        return any(TRANSLATED_C.search(line) and not line.lstrip().startswith('#') for line in lines)
    if path.endswith('.blp'):
        return re.search(r'\bC?_\(', read(root, path)) is not None
    if path.endswith('.ui'):
        return 'translatable="yes"' in read(root, path)
    if path.endswith('.gschema.xml'):
        return '<summary>' in read(root, path)
    # Suites carry the languages of their names in themselves.
    return path.endswith(('.desktop.in', '.metainfo.xml.in'))


if __name__ == '__main__':
    main(check)
