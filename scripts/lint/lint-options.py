#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The engine names an option with option() of base/option_name.h; how it is written is for each face to say. So no text in
src/hqe and options spells one as the command line does."""

import re

from lint import finish, sources, text

LITERAL = re.compile(r'R"\((.*?)\)"|"((?:[^"\\\n]|\\.)*)"', re.DOTALL)
COMMENT = re.compile(r"(?<![:\w])//.*")
SPELLED = re.compile(r"(?<![\w-])--[a-z]")


def main():
    problems = []
    for path in sources("src/hqe/*.h", "src/hqe/*.cpp", "options/*.h", "options/*.cpp"):
        source = COMMENT.sub("", text(path))
        for literal in LITERAL.finditer(source):
            if SPELLED.search(literal[1] or literal[2] or ""):
                line = source.count("\n", 0, literal.start()) + 1
                problems.append(f'{path}:{line}: {literal[0][:60]} spells an option; write option("name")')
    finish(problems)


main()
