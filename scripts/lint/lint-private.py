#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A header is private to its module unless the module lists it: under HEADERS for everybody, under NEIGHBOURS for
the rest of this repository. What is listed includes nothing that is private, and what is for everybody only what is, too. Unit
tests look where they need to. No module keeps more than 45 files, of whatever kind."""

from pathlib import Path

from lint import ROOT, finish, sources
from modules import INCLUDE, module_of, modules

LIMIT = 45


def problems_of_published(path, known):
    """What a listed header includes although not everybody who may include the header may include that."""
    module, name = module_of(path), Path(path).name
    if name not in [*known[module]["HEADERS"], *known[module]["NEIGHBOURS"]]:
        return
    for other, header in INCLUDE.findall((ROOT / path).read_text()):
        if header in known[other]["HEADERS"] or (name in known[module]["NEIGHBOURS"] and header in known[other]["NEIGHBOURS"]):
            continue
        yield f"{path}: includes {other}/{header}, which not everybody may include who may include this; list it or declare what is needed of it"


def main():
    problems, used = [], set()
    known = modules()
    for path in sources("src/hqe/*.h", "src/hqe/*.cpp", "cli/*.h", "cli/*.cpp", "options/*.h", "options/*.cpp", "python/*.h", "python/*.cpp", "bench/*.h",
                        "bench/*.cpp", "examples/*.cpp"):
        for module, header in INCLUDE.findall((ROOT / path).read_text()):
            own = known.get(module_of(path), {"HEADERS": [], "NEIGHBOURS": []})
            if module == module_of(path) and Path(path).name in [*own["HEADERS"], *own["NEIGHBOURS"]]:
                used.add((module, header))  # Whoever includes that includes this.
            if module == module_of(path) or module not in known:
                continue
            used.add((module, header))
            if path.endswith("_test.cpp") or header in known[module]["HEADERS"]:
                continue
            if path.startswith("examples/") or header not in known[module]["NEIGHBOURS"]:
                problems.append(f"{path}: {module}/{header} is private to {module}; list it in src/hqe/{module}/CMakeLists.txt "
                                "if it promises anything to others")
    for path in sources("src/hqe/*/*.h"):
        problems += problems_of_published(path, known)
    for module, parts in known.items():
        folder = f"src/hqe/{module}"
        for header in parts["NEIGHBOURS"]:
            if (module, header) not in used:
                problems.append(f"{folder}/CMakeLists.txt: no other module includes {header}: it is private")
            if header in parts["HEADERS"]:
                problems.append(f"{folder}/CMakeLists.txt: {header} is listed twice")
        files = sources(f"{folder}/*")
        if len(files) > LIMIT:
            problems.append(f"{folder}: {len(files)} files, more than {LIMIT}; it is no longer one word of the domain")
    finish(problems)


main()
