# SPDX-License-Identifier: MIT
"""What each src/hqe/*/CMakeLists.txt says of its module."""

import re
from pathlib import Path

from lint import ROOT, sources

CALL = re.compile(r"^hqe_module\((\w+)\s([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]hqe/(\w+)/([\w-]+\.h)[>"]', re.MULTILINE)
PARTS = ("SOURCES", "HEADERS", "NEIGHBOURS", "TESTS")


def modules():
    """module -> part of hqe_module() -> the files it names."""
    found = {}
    for path in sources("src/hqe/*/CMakeLists.txt"):
        for name, words in CALL.findall((ROOT / path).read_text()):
            parts = {part: [] for part in PARTS}
            part = None
            for word in words.split():
                if word in PARTS:
                    part = word
                elif part and "." in word:
                    parts[part].append(word)
            found[name] = parts
    return found


def module_of(path):
    """The module that a file belongs to; None outside src/hqe/."""
    parts = Path(path).parts
    return parts[2] if parts[:2] == ("src", "hqe") and len(parts) == 4 else None
