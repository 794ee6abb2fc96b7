#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The engine names an option with option() and a command with command() or saved_by() of base/option_name.h; how they are
written is for each face to say. So no text in src/hqe and options spells one as the command line does, and no comment speaks of
an option with its hyphens."""

import re

from lint import ROOT, finish, sources, text

LITERAL = re.compile(r'R"\((.*?)\)"|"((?:[^"\\\n]|\\.)*)"', re.DOTALL)
COMMENT = re.compile(r"(?<![:\w])//.*")
COMMANDS = sorted(path.stem for path in (ROOT / "cli/commands").glob("*.cpp"))
OPTION = re.compile(r"(?<![\w-])--[a-z]")
SHORT_OPTION = re.compile(r"(?<![\w-])-[a-z](?![\w-])")
COMMAND = re.compile(rf"\bhqe (?:{'|'.join(COMMANDS)})\b|\bhqe\.\w+\(|\bhqe\.[A-Z]")
NAMED = re.compile(r"\b(?:command|saved_by)\(\"(\w+)\"")
ELSEWHERE = {"read_table"}  # Of Python alone: the command says so.
# Where a pool came from stands in its pool.toml, whoever reads it; and a word of the shell that is none of ours.
ALLOWED = re.compile(r"; made by hqe synth|\(ulimit -f\)")


def problems_of(path):
    whole = text(path)
    source = COMMENT.sub("", whole)
    for literal in LITERAL.finditer(source):
        words = ALLOWED.sub("", literal[1] or literal[2] or "")
        place = f"{path}:{source.count(chr(10), 0, literal.start()) + 1}: {literal[0][:60]}"
        if OPTION.search(words) or SHORT_OPTION.search(words):
            yield f'{place} spells an option; write option("name"), or saved_by("command")'
        if COMMAND.search(words):
            yield f'{place} spells a command; write command("name"), or saved_by("name")'
    for name in NAMED.findall(source):
        if name not in COMMANDS and name not in ELSEWHERE:
            yield f"{path}: no command is called {name}; there is {', '.join(COMMANDS)}"
    for comment in COMMENT.finditer(whole):
        if OPTION.search(comment[0]):
            yield f"{path}:{whole.count(chr(10), 0, comment.start()) + 1}: the comment speaks of an option of the command line"


def main():
    problems = []
    for path in sources("src/hqe/*.h", "src/hqe/*.cpp", "options/*.h", "options/*.cpp"):
        problems += problems_of(path)
    finish(problems)


main()
