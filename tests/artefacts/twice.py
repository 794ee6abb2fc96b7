#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `make dist` made is made again of a clone in another folder: the same bytes.

    tests/artefacts/twice.py                    everything, with nothing from the compiler's cache
    tests/artefacts/twice.py --cached deb       some of it, of objects that the cache may have
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def sums(folder):
    return dict(reversed(line.split()) for line in (folder / "dist/SHA256SUMS").read_text().splitlines())


def make_again(again, wanted, cached):
    """A clone of the last commit, with what it makes in its dist/."""
    subprocess.run(["git", "-c", "safe.directory=*", "clone", "--quiet", "--no-hardlinks", ROOT, again], check=True)
    (again / "build").mkdir()
    (again / "build/venv-dist").symlink_to(ROOT / "build/venv-dist")
    environment = {**os.environ, **({} if cached else {"CCACHE_DISABLE": "1"})}
    subprocess.run([sys.executable, "scripts/dist", *wanted], cwd=again, env=environment, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="as scripts/dist has them")
    parser.add_argument("--cached", action="store_true", help="the compiler's cache may be asked")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hqe-twice-", dir=ROOT / "build") as place:
        again = Path(place) / "a-folder-of-another-length"
        make_again(again, asked.what, asked.cached)
        first, second = sums(ROOT), sums(again)
    passed = failed = 0
    for name in sorted(second if asked.what else first.keys() | second.keys()):
        is_same = first.get(name) == second.get(name)
        passed, failed = passed + is_same, failed + (not is_same)
        print(f"{'ok' if is_same else 'FAILED: other bytes'}: {name}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
