#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A header is private to its module unless the module lists it: under HEADERS for everybody, under NEIGHBOURS for
the rest of this repository. Unit tests look where they need to. No module has more than 45 headers and sources, besides its unit tests."""

from lint import ROOT, finish, sources
from modules import INCLUDE, module_of, modules

LIMIT = 45


def main():
    problems, used = [], set()
    known = modules()
    for path in sources("src/hqe/*.h", "src/hqe/*.cpp", "cli/*.h", "cli/*.cpp", "options/*.h", "options/*.cpp", "python/*.h", "python/*.cpp", "bench/*.h",
                        "bench/*.cpp", "examples/*.cpp"):
        for module, header in INCLUDE.findall((ROOT / path).read_text()):
            if module == module_of(path) or module not in known:
                continue
            used.add((module, header))
            if path.endswith("_test.cpp") or header in known[module]["HEADERS"]:
                continue
            if path.startswith("examples/") or header not in known[module]["NEIGHBOURS"]:
                problems.append(f"{path}: {module}/{header} is private to {module}; list it in src/hqe/{module}/CMakeLists.txt "
                                "if it promises anything to others")
    for module, parts in known.items():
        folder = f"src/hqe/{module}"
        for header in parts["NEIGHBOURS"]:
            if (module, header) not in used:
                problems.append(f"{folder}/CMakeLists.txt: no other module includes {header}: it is private")
            if header in parts["HEADERS"]:
                problems.append(f"{folder}/CMakeLists.txt: {header} is listed twice")
        files = [path for path in sources(f"{folder}/*.h", f"{folder}/*.cpp") if not path.endswith("_test.cpp")]
        if len(files) > LIMIT:
            problems.append(f"{folder}: {len(files)} headers and sources, more than {LIMIT}; it is no longer one word of the domain")
    finish(problems)


main()
