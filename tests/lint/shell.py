#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shell scripts parse, and shellcheck has nothing to say where it is installed. Scripts are executable."""

import os
import re
import shutil
import subprocess

from common import main, read, walk

SHEBANG = re.compile(r'#!\s*(?:/usr/bin/env\s+|/bin/|/usr/bin/)(bash|sh)\b')


def check(root):
    shellcheck = shutil.which('shellcheck')
    for path in walk(root):
        shell = shell_of(root, path)
        if not shell:
            continue
        run = subprocess.run([shell, '-n', path], cwd=root, capture_output=True, text=True, check=False)
        if run.returncode:
            yield f'{path}: {run.stderr.strip()}'
        elif shellcheck:
            run = subprocess.run([shellcheck, '--format=gcc', '--severity=warning', '--shell', shell, path],
                                 cwd=root, capture_output=True, text=True, check=False)
            yield from run.stdout.splitlines()


def shell_of(root, path):
    """Name of the shell that the file is for; None when it is no shell script."""
    try:
        first = read(root, path).split('\n', 1)[0]
    except UnicodeDecodeError:
        return None
    match = SHEBANG.match(first)
    if match:
        return match.group(1)
    return 'bash' if path.endswith(('.sh', '.bash')) or os.path.basename(path) == 'dev' else None


if __name__ == '__main__':
    main(check)
