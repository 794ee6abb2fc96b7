#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""src/hqe/hqe.h is the public door: it includes every header that a module lists under HEADERS, in order, and nothing else."""

import re

from lint import ROOT, finish, sources


def main():
    public = []
    for path in sources("src/hqe/*/CMakeLists.txt"):
        listed = re.search(r"\bHEADERS ([^A-Z)]*)", (ROOT / path).read_text())
        public += [f"hqe/{path.split('/')[2]}/{header}" for header in (listed[1].split() if listed else ())]
    included = re.findall(r'^#include "(.+)"$', (ROOT / "src/hqe/hqe.h").read_text(), re.MULTILINE)
    problems = [f"src/hqe/hqe.h lacks {header}" for header in sorted(set(public) - set(included))]
    problems += [f"src/hqe/hqe.h includes {header}, which no module lists under HEADERS" for header in sorted(set(included) - set(public))]
    if not problems and included != sorted(included):
        problems.append("src/hqe/hqe.h: its headers are not in order")
    finish(problems)


main()
