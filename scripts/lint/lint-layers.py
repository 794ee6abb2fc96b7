#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A module includes exactly what src/hqe/LAYERS says: nothing else, and an edge that no header and no source of it uses is refused.
Its unit tests include what lies below it, directly or not, and what stands behind the bar. options/ includes the engine alone,
and python/ nothing of the command but its progress bar; cli and tests may include anything."""

import re
from pathlib import Path

from lint import ROOT, below, finish, layers, sources, tested_with

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]hqe/(\w+)/', re.MULTILINE)
OURS = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def problems_of_includes(allowed, tested, used):
    """What a file includes against LAYERS; fills `used` with (module, other, whether by unit tests) as it is met."""
    for path in sources("src/hqe/*.h", "src/hqe/*.cpp"):
        if len(Path(path).parts) < 4:
            continue
        module, is_test = Path(path).parts[2], path.endswith("_test.cpp")
        if module not in allowed:
            yield f"{path}: module {module} has no line in src/hqe/LAYERS"
            continue
        mine = {*below([module]), *tested[module]} if is_test else {module, *allowed[module]}
        for included in INCLUDE.findall((ROOT / path).read_text()):
            used.add((module, included, is_test))
            if included not in mine:
                yield f"{path}: {f'unit tests of {module}' if is_test else module} may not include {included}"


def problems_of_layers(allowed, tested, used):
    order = list(allowed)
    for module in order:
        for other in [*allowed[module], *tested[module]]:
            if other not in order[:order.index(module)]:
                yield f"src/hqe/LAYERS: {module} names {other}, which does not stand below it"
        yield from (f"src/hqe/LAYERS: {module} names {other}, which no header and no source of it includes" for other in allowed[module]
                    if (module, other, False) not in used)
        for other in tested[module]:
            if other in below([module]):
                yield f"src/hqe/LAYERS: {module} names {other} for its unit tests, which may include it anyway"
            elif (module, other, True) not in used:
                yield f"src/hqe/LAYERS: {module} names {other} for its unit tests, none of which includes it"


def problems_of_faces():
    for face, own in {"options": {"options/"}, "python": {"options/", "python/", "cli/progress_bar.h"}}.items():
        for path in sources(f"{face}/*.h", f"{face}/*.cpp"):
            for included in OURS.findall((ROOT / path).read_text()):
                if not included.startswith(("hqe/", "tests/", *own)):
                    yield f"{path}: {face} may not include {included}"


def main():
    allowed, tested, used = layers(), tested_with(), set()
    finish([*problems_of_includes(allowed, tested, used), *problems_of_layers(allowed, tested, used), *problems_of_faces()])


main()
