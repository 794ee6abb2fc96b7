#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A header is implemented by the source of its name, or by sources that it names, and these include it. A source that
includes nothing of ours implements somebody else's header. Every source stands in its module's list."""

import re
from pathlib import Path

from lint import ROOT, finish, sources, text
from modules import INCLUDE, module_of, modules



def main():
    problems = []
    known = modules()
    for path in sources("src/hqe/*/*.cpp"):
        module, name = module_of(path), Path(path).name
        listed = known[module]["TESTS" if name.endswith("_test.cpp") else "SOURCES"]
        if name not in listed:
            problems.append(f"{path}: is not in its module's CMakeLists.txt")
        if name.endswith("_test.cpp"):
            continue
        source = text(path)
        if not INCLUDE.search(source):
            continue
        folder = f"src/hqe/{module}"
        own = f"{folder}/{name[:-4]}.h"
        naming = [header for header in sources(f"{folder}/*.h") if re.search(rf"(?<![\w-]){re.escape(name)}", text(header))]
        headers = [own] if (ROOT / own).is_file() else naming
        if not headers:
            problems.append(f"{path}: no header has its name or names it as its implementation")
            continue
        if not {f"src/hqe/{module}/{header}" for module, header in INCLUDE.findall(source)} & set(headers):
            problems.append(f"{path}: does not include {' or '.join(headers)}, which it implements")
    finish(problems)


main()
