#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A type of the library has one definition: a second of the same name in another header links without a
word, and then the wrong destructor runs. What a .cpp file needs for itself stands in an unnamed namespace."""

import re

from lint import ROOT, finish, sources

TYPE = re.compile(r"^(?:template <[^>]*>\n)?(?:struct|class|enum class)(?: alignas\(\w+\))? ([A-Z]\w*)(?: final)?(?: :[^;{]*)? \{",
                  re.MULTILINE)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)


def main():
    problems, homes = [], {}
    for path in sources("src/hqe/*.h"):
        text = (ROOT / path).read_text()
        for definition in TYPE.finditer(text):
            inside = [match[1] for match in NAMESPACE.finditer(text, 0, definition.start())]
            name = "::".join([*inside[-1:], definition[1]])
            first = homes.setdefault(name, path)
            if first != path:
                problems.append(f"{path}: {name} is defined in {first} too; give one of them another name")
    finish(problems)


main()
