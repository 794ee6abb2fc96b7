#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Of the engine and options/, only src/hqe/files asks the system for files, and only few modules go through it. Tests may."""

import re

from lint import ROOT, finish, sources
from modules import INCLUDE, module_of

THROUGH = ("tables", "archives", "formats", "digest", "synth")
SYSTEM = re.compile(r"^\s*#\s*include\s+<((?:[a-rt-z]*stream|cstdio|stdio\.h|fcntl\.h|unistd\.h|dirent\.h|poll\.h|spawn\.h|"
                    r"sys/[\w/.]+|fmt/(?:ostream|os)\.h))>", re.MULTILINE)  # Not <sstream>, which is memory.
PATHS = re.compile(r"^\s*#\s*include\s+<(filesystem)>", re.MULTILINE)


def main():
    problems = []
    for path in sources("src/hqe/*.h", "src/hqe/*.cpp", "options/*.h", "options/*.cpp"):
        module, text = module_of(path), (ROOT / path).read_text()
        if path.endswith("_test.cpp") or module == "files" or path == "src/hqe/hqe.h":  # Which has every public header.
            continue
        problems += [f"{path}: includes <{header}>; only src/hqe/files asks the system" for header in SYSTEM.findall(text)]
        if module not in THROUGH:
            asked = [*PATHS.findall(text), *(header for other, header in INCLUDE.findall(text) if other == "files")]
            problems += [f"{path}: includes {header}; of the engine only {', '.join(THROUGH)} go through files" for header in asked]
    finish(problems)


main()
