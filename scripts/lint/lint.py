# SPDX-License-Identifier: MIT
"""What the lints share. A lint prints one line a problem and ends with 1 when there is any."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/testing"))
from layers import below, layers, tested_with  # noqa: E402, F401


def sources(*patterns):
    """Our files, tracked or new, relative to the root; nothing that git ignores."""
    listing = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
                             cwd=ROOT, text=True, capture_output=True, check=True).stdout.split("\n")
    return sorted({name for name in listing if name and (ROOT / name).is_file()})


def text(path):
    """The text of a file, empty when it is not text."""
    try:
        return (ROOT / path).read_text()
    except UnicodeDecodeError:
        return ""


def finish(problems):
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
