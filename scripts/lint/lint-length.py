#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No source file has more than 400 lines: above that it is no longer one idea."""

from lint import finish, sources, text

LIMIT = 400


def main():
    problems = []
    for path in sources("*.h", "*.cpp", "*.py", "*.ts", "*.tsx", "scripts/*", "*.cmake", "*CMakeLists.txt"):
        lines = text(path).count("\n")
        if lines > LIMIT:
            problems.append(f"{path}: {lines} lines, more than {LIMIT}; split it by meaning")
    finish(problems)


main()
