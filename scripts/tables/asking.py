# SPDX-License-Identifier: MIT
"""Asking the command, and printing Markdown."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = pathlib.Path(os.environ.get("HQE_SHARED_DIR", ROOT.parent / "shared"))
BINARY = pathlib.Path(os.environ.get("HQE_BINARY", ROOT / "build/release/cli/hqe"))


def run(*words, codes=(0,)):
    done = subprocess.run([str(BINARY), *map(str, words)], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"scripts/results: hqe {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def hqe(*words, codes=(0,)):
    return json.loads(run(*words, "--json", codes=codes))


def pool(name):
    return SHARED / "pools" / name


def percent(fraction):
    return "-" if fraction is None else f"{100 * fraction:.2f}"


def accuracy(correct, document):
    return percent(correct / document["pool"]["samples"])


def digits(team):
    return "".join(map(str, team))


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row).replace("(-0 %)", "(0 %)") + " |")
    print(flush=True)


def prune(name, size, beta, *more):
    return hqe("prune", pool(name), "--size", size, "--beta", beta, *more, codes=(0, 4))
