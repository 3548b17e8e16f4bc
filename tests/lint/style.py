#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""C files are laid out as .clang-format says. Skipped where another clang-format would say something else."""

import os
import re
import shutil
import subprocess
import sys

from common import SKIP, c_files, main

# Layout differs from version to version: this is the one of Debian 13, which the files are kept with.
VERSION = 19


def tool():
    """Path of the right clang-format, or None."""
    for name in (f'clang-format-{VERSION}', 'clang-format'):
        path = shutil.which(name)
        if path:
            text = subprocess.run([path, '--version'], capture_output=True, text=True, check=True).stdout
            match = re.search(r'version (\d+)', text)
            if match and int(match.group(1)) == VERSION:
                return path
    return None


def check(root):
    files = c_files(root)
    if not files:
        return
    run = subprocess.run([tool(), '--dry-run', '-Werror', *files], cwd=root, capture_output=True, text=True,
                         check=False)
    for line in run.stderr.splitlines():
        if re.match(r'\S+:\d+:\d+: error: ', line):
            yield line.replace('error: code should be clang-formatted [-Wclang-format-violations]',
                               'not laid out by ./dev format')
    if run.returncode and 'clang-format-violations' not in run.stderr:
        yield f'clang-format: {run.stderr.strip()}'


if __name__ == '__main__':
    if not tool():
        print(f'clang-format {VERSION} is not installed')
        sys.exit(SKIP)
    os.environ['LC_ALL'] = 'C.UTF-8'
    main(check)
