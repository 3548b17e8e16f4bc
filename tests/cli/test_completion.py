# SPDX-License-Identifier: GPL-3.0-or-later
"""The bash completion, asked as bash asks it."""

import json
import os
import shlex
import shutil
import subprocess
import unittest

from harness import CLI, Case, SHORT, main

SOURCES = ("/usr/share/bash-completion/bash_completion", "/usr/local/share/bash-completion/bash_completion",
           "/opt/homebrew/share/bash-completion/bash_completion")


class Completion(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.library = next((path for path in SOURCES if os.path.exists(path)), None)
        if cls.library is None or shutil.which("bash") is None:
            raise unittest.SkipTest("needs bash-completion")
        for _ in range(2):
            cls.cli("run", "quick", cls.target, *SHORT, "only=rnd4k-q1t1-read")

    def complete(self, line):
        """What bash would offer at the end of LINE."""
        words = [word for word in shlex.split(line)] + ([""] if line.endswith(" ") else [])
        # Readline makes "=" a word of its own.
        split = [part for word in words for part in (word.replace("=", " = ").split(" ") if "=" in word else [word])]
        script = f"""
            PATH={shlex.quote(os.path.dirname(CLI))}:$PATH
            source {self.library}
            source {os.environ["PLATEAU_SOURCE"]}/data/completions/plateau-cli
            compopt() {{ :; }}
            COMP_WORDS=({" ".join(map(shlex.quote, split))}) COMP_CWORD={len(split) - 1}
            COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)} COMP_TYPE=9 COMP_KEY=9
            _plateau_cli
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=False,
                              cwd=self.work, env={**os.environ, "XDG_DATA_HOME": self.home})
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_commands(self):
        self.assertEqual(self.complete("plateau-cli res"), {"results", "result"})
        self.assertLessEqual({"run", "suites", "chart", "export", "delete", "note", "help"},
                             self.complete("plateau-cli "))
        self.assertIn("chart", self.complete("plateau-cli help "))

    def test_drives(self):
        drives = {one["device"]["name"] for one in json.loads(self.cli("list", "--json").stdout)["drives"]}
        self.assertEqual(self.complete("plateau-cli show ") - {""}, drives)
        for command in ("smart", "errors", "self-test", "power", "plp --volt 35", "purge -n --method format"):
            self.assertEqual(self.complete(f"plateau-cli {command} ") - {""}, drives, command)
        with open(os.path.join(self.work, "recorded.json"), "w", encoding="utf-8"):
            pass
        for option in ("--replay", "-r", "--save", "-s"):
            self.assertEqual(self.complete(f"plateau-cli show {option} recor"), {"recorded.json"})

    def test_suites(self):
        self.assertLessEqual({"quick", "cdm-nvme"}, self.complete("plateau-cli run "))
        self.assertEqual(self.complete("plateau-cli run cdm-p"), {"cdm-peak", "cdm-peak-nvme"})
        self.assertEqual(self.complete("plateau-cli suites qui"), {"quick"})

    def test_target(self):
        os.makedirs(os.path.join(self.work, "some-folder"), exist_ok=True)
        self.assertEqual(self.complete("plateau-cli run quick some-"), {"some-folder"})

    def test_options(self):
        self.assertLessEqual({"--set", "--json", "--dry-run"}, self.complete("plateau-cli run --"))
        self.assertEqual(self.complete("plateau-cli export last --format s"), {"samples-csv"})
        self.assertEqual(self.complete("plateau-cli purge --method "), {"auto", "sanitize", "format", "discard"})
        self.assertEqual(self.complete("plateau-cli power --apst "), {"on", "off"})
        self.assertEqual(self.complete("plateau-cli chart last --kind "), {"card", "time", "blocksize", "fill", "overlay", "ranking"})

    def test_ids(self):
        self.assertEqual(self.complete("plateau-cli result "), {"last", "1", "2"})
        self.assertEqual(self.complete("plateau-cli chart 1 "), {"last", "1", "2"})

    def test_parameters(self):
        self.assertLessEqual({"size=", "runs=", "only="}, self.complete("plateau-cli run quick . --set "))
        self.assertEqual(self.complete("plateau-cli run quick . --set data="), {"random", "zero", "50%"})
        self.assertEqual(self.complete("plateau-cli run quick . --set only=rnd4k-q1t1-"),
                         {"rnd4k-q1t1-read", "rnd4k-q1t1-write"})
        self.assertEqual(self.complete("plateau-cli run quick . --set only=rnd4k-q1t1-read,seq1m-q8t1-w"),
                         {"rnd4k-q1t1-read,seq1m-q8t1-write"})
        self.assertEqual(self.complete("plateau-cli run cdm-peak . --set only="),
                         {"seq1m-q8t1-read", "seq1m-q8t1-write", "rnd4k-q32t1-read", "rnd4k-q32t1-write"})
        self.assertIn("seq1m-q8t1-read", self.complete("plateau-cli run quick . --set size=1GiB only="))


if __name__ == "__main__":
    main()
