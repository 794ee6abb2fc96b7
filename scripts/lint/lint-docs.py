#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Documents name only what exists: relative links lead to files, and every `name()` and
`path/to/file.h` in docs/ and the pages of the root occurs in the sources."""

import re

from lint import ROOT, finish, sources, text

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
FUNCTION = re.compile(r"`(?:[\w:]+(?:::|\.))?(\w+)\(\)`")
FILE = re.compile(r"`((?:src|cli|tests|scripts|cmake|examples|bench|python|web|docs)/[\w./*-]+)`")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def main():
    known = set()
    for path in sources("*.h", "*.cpp", "*.py", "*.cmake", "*.ts"):
        known |= set(IDENTIFIER.findall(text(path)))
    problems = []
    for path in sources("*.md"):
        for number, line in enumerate(text(path).split("\n"), 1):
            for target in LINK.findall(line):
                if not (ROOT / path).parent.joinpath(target).exists():
                    problems.append(f"{path}:{number}: the link {target} leads nowhere")
            for name in FUNCTION.findall(line):
                if name not in known:
                    problems.append(f"{path}:{number}: {name}() is in no source file")
            for name in FILE.findall(line):
                bases = (ROOT, (ROOT / path).parent)
                if not any(list(base.glob(name.rstrip("/"))) for base in bases):
                    problems.append(f"{path}:{number}: {name} does not exist")
    finish(problems)


main()
