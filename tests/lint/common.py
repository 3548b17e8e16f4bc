# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks of the source tree share. A check is a function that takes the tree's root and yields
problems, each one line: "file:line: what is wrong"."""

import os
import re
import sys

SKIPPED_FOLDERS = {'.git', '.cache', '__pycache__', 'subprojects'}
SKIP = 77  # meson's exit status for a test that cannot run here


def walk(root, *tops):
    """Relative paths of all files below TOPS (the whole tree without), build folders left out, sorted."""
    found = []
    for top in tops or ('',):
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS and not is_build(folder, name)]
            found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(found)


def is_build(folder, name):
    return os.path.isdir(os.path.join(folder, name, 'meson-private'))


def c_files(root, *tops):
    return [path for path in walk(root, *(tops or ('src', 'tests'))) if path.endswith(('.c', '.h'))]


def read(root, path):
    with open(os.path.join(root, path), encoding='utf-8', newline='') as file:
        return file.read()


COMMENT_OR_LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group())


def code_only(text):
    """TEXT of a C file with comments, strings and characters blanked, every line kept in its place."""
    return COMMENT_OR_LITERAL.sub(blank, text)


def without_comments(text):
    """TEXT of a C file with only its comments blanked."""
    return COMMENT_OR_LITERAL.sub(lambda match: blank(match) if match.group()[0] == '/' else match.group(), text)


def functions(lines):
    """(first line, line of the opening brace, last line) of each function in LINES of code_only: the style puts
    a function's braces, and no other opening ones, alone into the first column."""
    opening = None
    for number, line in enumerate(lines, 1):
        if line.rstrip() == '{':
            opening = number
        elif line.startswith('}') and opening:
            yield signature_start(lines, opening), opening, number
            opening = None


def signature_start(lines, brace):
    """Number of the line where the signature that ends above line BRACE begins."""
    number = brace
    while number > 1 and lines[number - 2].strip() and not lines[number - 2].rstrip().endswith(('}', ';')):
        number -= 1
    return number


def main(check):
    """Runs CHECK on the tree given as the only argument; exit status 1 and the list when it finds anything."""
    problems = list(check(sys.argv[1]))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
