#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every check of the source tree finds a fault that is planted for it, and nothing in a small clean tree."""

import os
import shutil
import tempfile
import unittest

import floors
import layers
import lists
import shell
import sizes
import spdx
import style
import symbols
import text
import translations
import version

C_HEAD = '/* SPDX-License-Identifier: GPL-3.0-or-later */\n'
HASH_HEAD = '# SPDX-License-Identifier: GPL-3.0-or-later\n'
CLANG_FORMAT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '.clang-format')

CLEAN = {
    'COPYING': 'the licence\n',
    'NEWS.md': '# News\n\n## 3.2.1\n\nFirst.\n',
    'meson.build': HASH_HEAD + "project('p', 'c',\n    version: '3.2.1')\nx = dependency('liburing', version: '>= 2.5')\n",
    'tools/packages.txt': '# list\ngcc\nliburing-dev liburing 2.5\n',
    'src/engine/meson.build': HASH_HEAD + "files('ring.c')\n",
    'src/engine/ring.h': C_HEAD + '#pragma once\n\nint plt_ring_size(void);\n',
    'src/engine/ring.c': C_HEAD + '#include "engine/ring.h"\n\n#include <liburing.h>\n\nint plt_ring_size(void)\n{\n    return 1;\n}\n',
    'src/cli/meson.build': HASH_HEAD + "files('main.c')\n",
    'src/cli/main.c': C_HEAD + '#include <glib/gi18n-lib.h>\n\n#include "engine/ring.h"\n\nconst char *plt_main_text(void)\n{\n    return _("x");\n}\n',
    'data/meson.build': HASH_HEAD + "install_data('suites/quick.suite')\n",
    'data/suites/quick.suite': HASH_HEAD + '[suite]\n',
    'po/POTFILES': 'src/cli/main.c\n',
    'tests/engine/meson.build': HASH_HEAD + "foreach name: ['ring']\nendforeach\n",
    'tests/engine/test-ring.c': C_HEAD + '\nint main(void)\n{\n    return 0;\n}\n',
    'dev': '#!/bin/bash\n' + HASH_HEAD + 'echo "$1"\n',
}


def function_of(lines, body='    work();\n'):
    return C_HEAD + '\nvoid plt_long(void)\n{\n' + body * (lines - 3) + '}\n'


def nested(depth):
    opening = ''.join('    ' * (n + 1) + 'if (a) {\n' for n in range(depth))
    closing = ''.join('    ' * (n + 1) + '}\n' for n in reversed(range(depth)))
    return C_HEAD + '\nvoid plt_deep(int a)\n{\n' + opening + closing + '}\n'


class Planted(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copy(CLANG_FORMAT, self.root)
        for path, content in CLEAN.items():
            self.write(path, content)
        os.chmod(os.path.join(self.root, 'dev'), 0o755)

    def write(self, path, content):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, 'w', encoding='utf-8', newline='') as file:
            file.write(content)

    def plant(self, module, path, content, said):
        """CONTENT in PATH makes MODULE's check say SAID about just that; without it, it says nothing."""
        self.assertEqual(list(module.check(self.root)), [])
        self.write(path, content)
        problems = list(module.check(self.root))
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(said, problems[0])
        if path in CLEAN:
            self.write(path, CLEAN[path])
        else:
            os.remove(os.path.join(self.root, path))

    def test_layers(self):
        engine = 'src/engine/ring.c'
        for line, said in (
            ('#include <glib.h>', 'engine must not include <glib.h>'),
            ('#  include <gio/gio.h>', 'engine must not include <gio/gio.h>'),
            ('#include "cli/main.h"', 'engine must not include cli'),
            ('#include "ring.h"', 'write the path'),
            ('#include "engine/../cli/main.h"', 'write the path'),
            ('#include "nowhere/x.h"', 'there is no folder nowhere'),
        ):
            self.plant(layers, engine, C_HEAD + line + '\n', said)
        for folder, line, said in (
            ('analysis', '#include <glib-object.h>', 'analysis must not'),
            ('analysis', '#include <fcntl.h>', 'analysis must not'),
            ('analysis', '#include "drive/x.h"', 'analysis must not include drive'),
            ('chart', '#include <gio/gio.h>', 'chart must not'),
            ('chart', '#include <gtk/gtk.h>', 'chart must not'),
            ('report', '#include <adwaita.h>', 'report must not'),
            ('report', '#include "suite/x.h"', 'report must not include suite'),
            ('suite', '#include "report/x.h"', 'suite must not include report'),
            ('library', '#include "suite/x.h"', 'library must not include suite'),
            ('drive', '#include <sqlite3.h>', 'drive must not'),
            ('cli', '#include <gtk/gtk.h>', 'cli must not'),
            ('cli', '#include "app/x.h"', 'cli must not include app'),
            ('extra', '', 'no place in the table'),
        ):
            self.plant(layers, f'src/{folder}/planted.c', C_HEAD + line + '\n', said)
        self.write('src/app/window.c', C_HEAD + '#include <gtk/gtk.h>\n#include <adwaita.h>\n')
        self.assertEqual(list(layers.check(self.root)), [])
        self.plant(layers, 'tests/chart/test-x.c', C_HEAD + '#include <gtk/gtk.h>\n', 'only tests/app')

    def test_spdx(self):
        self.plant(spdx, 'src/engine/ring.c', 'int x;\n', 'the first line must be')
        self.plant(spdx, 'src/engine/ring.h', C_HEAD + 'int x;\n', '#pragma once')
        self.plant(spdx, 'dev', '#!/bin/bash\necho\n', 'no line')
        self.plant(spdx, 'src/engine/meson.build', 'files()\n', 'no line')
        os.remove(os.path.join(self.root, 'COPYING'))
        self.assertEqual(len(list(spdx.check(self.root))), 1)

    def test_sizes(self):
        self.write('src/engine/edge.c', function_of(120) + '\n' + '/* a comment */\n' * 300)
        self.write('src/engine/nested.c', nested(4))
        self.write('src/engine/table.c', C_HEAD + 'static const int x[] = {\n' + '    1,\n' * 200 + '};\n')
        self.plant(sizes, 'src/engine/planted.c', function_of(121), 'a function of 121 lines')
        self.plant(sizes, 'src/engine/planted.c', nested(5), 'nested deeper')
        self.plant(sizes, 'src/engine/planted.c', C_HEAD + 'int x;\n' * 800, '801 lines')
        self.plant(sizes, 'src/engine/planted.c', function_of(121, '    f("}\\"{"); /* { */\n'), '121 lines')

    def test_style(self):
        if not style.tool():
            self.skipTest('clang-format is not installed')
        self.plant(style, 'src/engine/ring.c', C_HEAD + 'int  x;\n', 'not laid out')

    def test_symbols(self):
        self.write('src/engine/local.c', C_HEAD + 'static void help(void)\n{\n}\n\nstatic void\nhelp_more(int a,\n          int b)\n{\n}\n')
        self.plant(symbols, 'src/cli/planted.c', C_HEAD + 'int plt_ring_size(void)\n{\n}\n', 'plt_ring_size is also in')
        self.plant(symbols, 'src/cli/planted.c', C_HEAD + 'struct x *\nhelp(int a)\n{\n}\n', 'help is neither static')

    def test_shell(self):
        self.plant(shell, 'dev', '#!/bin/bash\nif true; then\n', 'syntax error')
        self.plant(shell, 'tools/x.sh', 'case x in\n', 'syntax error')
        if shutil.which('shellcheck'):
            self.plant(shell, 'dev', '#!/bin/bash\ncd /nowhere\n', 'SC2164')

    def test_version(self):
        self.plant(version, 'src/engine/ring.c', C_HEAD + '#define VERSION "3.2.1"\n', 'written out')
        self.plant(version, 'NEWS.md', '# News\n\n## 3.2.0\n', 'newest release')
        self.plant(version, 'data/x.metainfo.xml.in', '<release version="3.2.0"/>\n', 'newest release')
        self.write('src/engine/other.c', C_HEAD + '/* such as 3.2.1 */ "13.2.1, 3.2.10, 3.2.1.4"\n')
        self.assertEqual(list(version.check(self.root)), [])

    def test_lists(self):
        self.plant(lists, 'src/engine/planted.c', C_HEAD, 'never compiled')
        self.plant(lists, 'tests/engine/test-planted.c', C_HEAD, 'never compiled')
        self.plant(lists, 'data/suites/planted.suite', HASH_HEAD, 'no meson.build installs it')
        self.plant(lists, 'po/POTFILES', '', 'is missing')
        self.plant(lists, 'po/POTFILES', 'src/cli/main.c\nsrc/engine/ring.c\n', 'nothing to translate')
        self.plant(lists, 'po/POTFILES', 'src/cli/main.c\nsrc/cli/none.c\n', 'does not exist')
        self.write('src/cli/extra.c', CLEAN['src/cli/main.c'])
        self.write('src/cli/meson.build', HASH_HEAD + "files('main.c', 'extra.c')\n")
        self.write('po/POTFILES', 'src/cli/main.c\nsrc/cli/extra.c\n')
        self.assertEqual(list(lists.check(self.root)), ['po/POTFILES:1: not sorted'])

    def test_translations(self):
        if not shutil.which('xgettext'):
            self.skipTest('gettext is not installed')
        source = 'src/cli/two.c'
        head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        texts = '\nmsgid "x"\nmsgstr "엑스"\n'
        number = '\n#, c-format\nmsgid "%d runs"\nmsgstr "%d회"\n'
        self.write('po/LINGUAS', '# languages\nko\n')
        self.write('po/POTFILES.in', f'src/cli/main.c\n{source}\n')
        self.write('po/ko.po', head + texts + number)
        clean = C_HEAD + 'const char *s = _("%d runs");\n'
        self.write(source, clean)
        for content, said in (
            (head + texts, '“%d runs” is not translated'),
            (head + texts + number.replace('#, c', '#, fuzzy, c'), '“%d runs” is fuzzy'),
            (head + texts + number.replace('"%d회"', '"%s회"'), "format specifications in 'msgid' and 'msgstr'"),
            (head + texts + number.replace('"%d회"', '""'), '“%d runs” is not translated'),
        ):
            self.assertEqual(list(translations.check(self.root)), [])
            self.write('po/ko.po', content)
            problems = list(translations.check(self.root))
            self.assertEqual(len(problems), 1, problems)
            self.assertIn(said, problems[0])
            self.write('po/ko.po', head + texts + number)
        self.write(source, clean + 'const char *t = _("%" PRId64 " B");\n')
        problems = list(translations.check(self.root))
        self.assertEqual(len(problems), 1, problems)
        self.assertIn('“%<PRId64> B” is not translated', problems[0])
        self.write(source, clean + 'const char *t = _("x" G_GINT64_FORMAT " B");\n')
        problems = list(translations.check(self.root))
        self.assertIn('G_GINT64_FORMAT cannot stand inside', problems[0])
        self.write(source, clean)
        self.write('po/LINGUAS', 'ko\nde\n')
        self.assertEqual(list(translations.check(self.root)), ['po/LINGUAS:1: there is no po/de.po'])

    def test_floors(self):
        self.plant(floors, 'tools/packages.txt', 'gcc\nliburing-dev liburing 2.4\n', 'liburing 2.5 in meson.build, here 2.4')
        self.plant(floors, 'tools/packages.txt', 'gcc\n', 'here missing')
        self.plant(floors, 'tools/packages.txt', 'gcc what\nliburing-dev liburing 2.5\n', 'a package alone')

    def test_text(self):
        for line, said in (
            ('int x; \n', 'white space'),
            ('\tint x;\n', 'a tab'),
            ('int x;', 'no end'),
            ('int x;\r\n', 'a carriage return'),
            ('/* TO' 'DO */\n', 'an open end'),
        ):
            self.plant(text, 'src/engine/ring.c', C_HEAD + line, said)


if __name__ == '__main__':
    unittest.main()
