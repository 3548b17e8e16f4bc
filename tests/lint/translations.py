#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every string for people is translated, into each language of po/LINGUAS, and fits the program's string: nothing
is missing, fuzzy or out of date, and format directives agree."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from common import SKIP, c_files, main, read, without_comments

# What meson's i18n module gives with its preset “glib”, so that the catalog here is the one of plateau-pot.
KEYWORDS = [
    '_', 'N_', 'C_:1c,2', 'NC_:1c,2', 'Q_', 'ngettext:1,2', 'g_dcgettext:2', 'g_dngettext:2,3', 'g_dpgettext2:2c,3',
]
CALL = re.compile(r'\b(?:(?:N|NC|C|Q)?_|ngettext)\(\s*(?:"(?:\\.|[^"\\\n])*"\s*|\bPRI\w+\b\s*|,\s*(?="))+\b(?!PRI)([A-Za-z_]\w*)')


def check(root):
    if not os.path.exists(os.path.join(root, 'po', 'LINGUAS')):
        return
    yield from check_macros(root)
    with tempfile.TemporaryDirectory() as work:
        template = os.path.join(work, 'all.pot')
        said = extract(root, template)
        if said:
            yield f'po/POTFILES.in:1: {said}'
            return
        for language in read(root, 'po/LINGUAS').split('\n'):
            if language and not language.startswith('#'):
                yield from check_language(root, language, template, work)


def check_macros(root):
    """A macro other than PRId64 and its like ends the string for xgettext: the catalog holds but its beginning."""
    for path in c_files(root, 'src'):
        text = without_comments(read(root, path))
        for match in CALL.finditer(text):
            line = text.count('\n', 0, match.start(1)) + 1
            yield f'{path}:{line}: {match.group(1)} cannot stand inside a string for translation; use PRId64 and its like'


def run(*arguments, root=None):
    return subprocess.run(arguments, cwd=root, capture_output=True, text=True, env=dict(os.environ, LC_ALL='C.UTF-8'))


def extract(root, template):
    """Makes the TEMPLATE of all strings; what went wrong, or nothing."""
    done = run('xgettext', '--from-code=UTF-8', '--add-comments', '--files-from=po/POTFILES.in', '--keyword',
               *['--keyword=' + word for word in KEYWORDS], '--output', template, root=root)
    if done.returncode != 0:
        return (done.stderr.strip() or 'xgettext failed').splitlines()[0]
    return None if os.path.exists(template) else 'there is nothing to translate'


def check_language(root, language, template, work):
    catalog = f'po/{language}.po'
    if not os.path.exists(os.path.join(root, catalog)):
        yield f'po/LINGUAS:1: there is no {catalog}'
        return
    checked = run('msgfmt', '--check', '--output-file=/dev/null', catalog, root=root)
    if checked.returncode != 0:
        yield from (line for line in checked.stderr.splitlines() if re.match(r'po/\S+:\d+: ', line) and 'warning' not in line)
    merged = os.path.join(work, language + '.po')
    done = run('msgmerge', '--quiet', '--no-fuzzy-matching', '--output-file', merged, catalog, template, root=root)
    if done.returncode != 0:
        yield f'{catalog}:1: {(done.stderr.strip() or "msgmerge failed").splitlines()[0]}'
        return
    for kind, option in (('not translated', '--untranslated'), ('fuzzy', '--only-fuzzy')):
        for place, text in entries(run('msgattrib', '--no-obsolete', '--no-wrap', option, merged).stdout):
            yield f'{place}: “{text}” is {kind} in {catalog}'


def entries(text):
    """(place in the sources, string) of each entry in TEXT, its head left out."""
    for block in text.split('\n\n'):
        place = re.search(r'^#: (\S+)', block, re.MULTILINE)
        string = re.search(r'^msgid (".*(?:\n".*)*)', block, re.MULTILINE)
        if place and string:
            yield place.group(1), ''.join(line[1:-1] for line in string.group(1).split('\n'))


if __name__ == '__main__':
    if not all(shutil.which(tool) for tool in ('xgettext', 'msgmerge', 'msgfmt', 'msgattrib')):
        print('gettext is not installed')
        sys.exit(SKIP)
    main(check)
