#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing in the repository depends on the machine it was written on, and nothing is unfinished.

No absolute path of somebody's home, no registry host in a lock file, no mark of unfinished work,
no file above 3 MB.
"""

import re

from lint import ROOT, finish, sources, text

MACHINE_PATH = re.compile(r"(?<![\w.])/(work|farm|root|home)/[a-z]")
REGISTRY = re.compile(r'"resolved": *"https?://')
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b|not implemen" r"ted|simplified for n" r"ow")
CODE = (".h", ".cpp", ".py", ".ts", ".tsx")


def main():
    problems = []
    for path in sources():
        size = (ROOT / path).stat().st_size
        if size > 3_000_000:
            problems.append(f"{path}: {size} bytes, too large to ship")
        lines = text(path).split("\n") if size < 1_000_000 else []
        for number, line in enumerate(lines, 1):
            if MACHINE_PATH.search(line):
                problems.append(f"{path}:{number}: an absolute path of one machine")
            if path.endswith("package-lock.json") and REGISTRY.search(line):
                problems.append(f"{path}:{number}: a registry host (npm: omit-lockfile-registry-resolved=true)")
            if path.endswith(CODE) and UNFINISHED.search(line):
                problems.append(f"{path}:{number}: a mark of unfinished work")
    finish(problems)


main()
