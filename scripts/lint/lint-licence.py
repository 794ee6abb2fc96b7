#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source file says its licence in its first two lines, in one line."""

from lint import finish, sources, text

LINE = "SPDX-License-Identifier: MIT"


def main():
    paths = sources("*.h", "*.cpp", "*.py", "*.ts", "*.tsx", "*.css", "*.cmake", "*.cmake.in", "*CMakeLists.txt", "Makefile",
                    "scripts/setup", "scripts/test", ".ci/run")
    finish([f"{path}: no '{LINE}' in its first two lines"
            for path in paths if LINE not in "\n".join(text(path).split("\n")[:2])])


main()
