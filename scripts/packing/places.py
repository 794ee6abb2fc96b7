# SPDX-License-Identifier: MIT
"""Where things lie, and running tools quietly."""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
WORK = ROOT / "build" / "dist"
LOG = ROOT / "build" / "logs" / "dist.log"
TOOLS = ROOT / "build" / "venv-dist"  # scripts/setup dist makes it.


class Failure(Exception):
    """A tool failed; the message says which, and where all of it stands."""


def epoch():
    """The time of the last commit, which all archives carry: SOURCE_DATE_EPOCH."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given) if given else int(git("log", "-1", "--format=%ct"))


def git(*words):
    return subprocess.run(["git", "-c", "safe.directory=*", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def version():
    return re.search(r"project\(hqe VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def environment():
    """As the Makefile has it. No LC_ALL: ccache would take it for another compilation."""
    return {**os.environ, "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1", "CCACHE_DEPEND": "1", "SOURCE_DATE_EPOCH": str(epoch())}


def run(*command, cwd=ROOT, more=None):
    """Runs a tool; what it says goes to the log, and is returned. Throws Failure."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env={**environment(), **(more or {})}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    LOG.parent.mkdir(parents=True, exist_ok=True)
    with LOG.open("a") as file:
        file.write(f"$ {' '.join(words)}\n{done.stdout}\n")
    if done.returncode != 0:
        tail = "\n".join(done.stdout.rstrip().splitlines()[-15:])
        raise Failure(f"{' '.join(words[:6])} ... ended with {done.returncode}:\n{tail}\nall of it: {LOG.relative_to(ROOT)}")
    return done.stdout
