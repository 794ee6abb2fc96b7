#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A module includes only what src/hqe/LAYERS allows it. options/ includes the engine alone, and python/ nothing of the command
but its progress bar; cli and tests may include anything."""

import re
from pathlib import Path

from lint import ROOT, finish, layers, sources

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]hqe/(\w+)/', re.MULTILINE)
OURS = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def main():
    allowed = {module: {module, *below} for module, below in layers().items()}
    problems = []
    for path in sources("src/hqe/*.h", "src/hqe/*.cpp"):
        if len(Path(path).parts) < 4:
            continue
        module = Path(path).parts[2]
        if module not in allowed:
            problems.append(f"{path}: module {module} has no line in src/hqe/LAYERS")
            continue
        for included in INCLUDE.findall((ROOT / path).read_text()):
            if included not in allowed[module]:
                problems.append(f"{path}: {module} may not include {included}")
    order = list(allowed)
    for module, below in allowed.items():
        for other in below - {module}:
            if other not in order or order.index(other) > order.index(module):
                problems.append(f"src/hqe/LAYERS: {module} names {other}, which does not stand below it")
    for face, own in {"options": {"options/"}, "python": {"options/", "python/", "cli/progress_bar.h"}}.items():
        for path in sources(f"{face}/*.h", f"{face}/*.cpp"):
            for included in OURS.findall((ROOT / path).read_text()):
                if not included.startswith(("hqe/", "tests/", *own)):
                    problems.append(f"{path}: {face} may not include {included}")
    finish(problems)


main()
