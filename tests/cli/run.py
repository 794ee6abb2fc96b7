#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: tests/cli/run.py HQE [WORD]...

Runs the tests of the command against the binary HQE; with words, only the files they name.
"""

import importlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import harness  # noqa: E402

FILES = sorted(path.stem.removesuffix("_test") for path in pathlib.Path(__file__).parent.glob("*_test.py"))


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    harness.BINARY = pathlib.Path(sys.argv[1]).resolve()
    for name in sys.argv[2:] or FILES:
        if name not in FILES:
            sys.exit(f"tests/cli has no {name}_test.py; there is {', '.join(FILES)}")
        importlib.import_module(f"{name}_test")
    return harness.run_all()


if __name__ == "__main__":
    sys.exit(main())
