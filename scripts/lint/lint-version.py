#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version is written in CMakeLists.txt; CITATION.cff and CHANGELOG.md agree with it, and
pyproject.toml either reads it from there or agrees too."""

import re

from lint import ROOT, finish

PROJECT = re.compile(r"project\(hqe VERSION (\S+)")
OTHERS = {
    "CITATION.cff": re.compile(r"^version: \"?([0-9.]+)", re.MULTILINE),
    "CHANGELOG.md": re.compile(r"^## ([0-9.]+)", re.MULTILINE),
    "pyproject.toml": re.compile(r"^version = \"([0-9.]+)\"", re.MULTILINE),
}


def main():
    version = PROJECT.search((ROOT / "CMakeLists.txt").read_text())[1]
    problems = []
    for name, pattern in OTHERS.items():
        path = ROOT / name
        if not path.exists():
            continue
        content = path.read_text()
        found = pattern.search(content)
        reads_it = name == "pyproject.toml" and 'dynamic = ["version"]' in content
        if not reads_it and (not found or found[1] != version):
            problems.append(f"{name}: says {found[1] if found else 'no version'}, CMakeLists.txt says {version}")
    finish(problems)


main()
