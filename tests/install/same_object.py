#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands before the compiler of a stranger's project that has our sources as its folder `hqe`: an object that the
release build made with the same words from the same source is copied, anything else is compiled and named in
compiled.txt. Compiling the library once more would say nothing more, and take minutes."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build/release"


def after(words, option):
    return words[words.index(option) + 1] if option in words else ""


def essence(words, folder):
    """What decides about the object: the words without the names of what is written, and with our build folder's left out."""
    kept, rest = [], iter(words)
    for word in rest:
        if word in ("-o", "-MT", "-MF"):
            next(rest)
        elif word != "-MD":
            kept.append(word.replace(f"{folder}/", ""))
    return kept


def made_before(words):
    """The object of the release build for the same words, or None."""
    source = Path(after(words, "-c"))
    for entry in json.loads((RELEASE / "compile_commands.json").read_text()):
        theirs = shlex.split(entry["command"])
        if (essence(theirs, RELEASE) == essence(words, Path.cwd() / "hqe")
                and Path(entry["file"]).read_bytes() == source.read_bytes()):
            return RELEASE / after(theirs, "-o")
    return None


def main():
    words = sys.argv[1:]
    found = made_before(words)
    if not found:
        with Path("compiled.txt").open("a") as file:
            file.write(f"{after(words, '-c')}\n")
        sys.exit(subprocess.run(words).returncode)
    shutil.copyfile(found, after(words, "-o"))
    Path(after(words, "-MF")).write_text(f"{after(words, '-o')}: {after(words, '-c')}\n")


if __name__ == "__main__":
    main()
