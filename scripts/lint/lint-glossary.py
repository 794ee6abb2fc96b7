#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Identifiers of the library and the command use no word that docs/glossary.md refuses: those set
in code type in the last column of its table."""

import re

from lint import ROOT, finish, sources, text

COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def refused():
    words = set()
    for line in (ROOT / "docs/glossary.md").read_text().split("\n"):
        if line.startswith("| ") and line.count("|") == 6:
            words |= set(re.findall(r"`(\w+)`", line.split("|")[-2]))
    return words


def main():
    words = refused()
    problems = [] if words else ["docs/glossary.md: no refused words found in its table"]
    for path in sources("src/hqe/*.h", "src/hqe/*.cpp", "cli/*.h", "cli/*.cpp", "options/*.h", "options/*.cpp"):
        code = COMMENT_OR_STRING.sub(lambda match: "\n" * match[0].count("\n"), text(path))
        for number, line in enumerate(code.split("\n"), 1):
            for identifier in IDENTIFIER.findall(line):
                for word in {part.lower() for part in WORD.findall(identifier)} & words:
                    problems.append(f"{path}:{number}: {identifier}: docs/glossary.md refuses '{word}'")
    finish(problems)


main()
