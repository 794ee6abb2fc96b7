#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `make dist` made is made again of a clone in another folder, with nothing from the compiler's cache: the same bytes."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def sums(folder):
    return dict(reversed(line.split()) for line in (folder / "dist/SHA256SUMS").read_text().splitlines())


def main():
    with tempfile.TemporaryDirectory(prefix="hqe-twice-", dir=ROOT / "build") as place:
        again = Path(place) / "a folder of another length"
        subprocess.run(["git", "-c", "safe.directory=*", "clone", "--quiet", "--no-hardlinks", ROOT, again], check=True)
        (again / "build").mkdir()
        shutil.copytree(ROOT / "build/venv-dist", again / "build/venv-dist", symlinks=True)
        done = subprocess.run([sys.executable, "scripts/dist"], cwd=again, env={**os.environ, "CCACHE_DISABLE": "1"})
        if done.returncode != 0:
            print("0 passed, 1 failed")
            sys.exit(1)
        first, second = sums(ROOT), sums(again)
    passed = failed = 0
    for name in sorted(first.keys() | second.keys()):
        is_same = first.get(name) == second.get(name)
        passed, failed = passed + is_same, failed + (not is_same)
        print(f"{'ok' if is_same else 'FAILED: other bytes'}: {name}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
