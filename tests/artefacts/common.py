# SPDX-License-Identifier: MIT
"""What every clean room uses: where things lie, running programs there, and what each artefact must be able to do."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
ROOMS = ROOT / "build" / "rooms"
VERSION = re.search(r"project\(hqe VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
ANSWER = re.search(r"\n`hqe demo` .*?\n```\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]  # As the README shows it.
sys.path[:0] = [str(ROOT / "scripts/testing"), str(ROOT / "scripts/packing")]


class Skipped(Exception):
    """This machine cannot make what would be used; the message says why."""


def run(*command, cwd=ROOT, env=None):
    """Returns the output; raises with it when the command fails."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def room(name):
    folder = ROOMS / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def only(pattern):
    found = sorted(DIST.glob(pattern))
    assert len(found) == 1, f"dist/{pattern}: {[path.name for path in found]}"
    return found[0]


def into(root, cache=None):
    """The words that begin a command inside a root, with /proc there and, where it is given, the compiler's cache of this
    machine at /srv/ccache. What is mounted ends with the command."""
    (root / "proc").mkdir(exist_ok=True)
    words = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={root / 'proc'}"]
    if cache:
        (root / "srv/ccache").mkdir(exist_ok=True)
        words += ["sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', cache, root / "srv/ccache"]
    return [*words, "chroot", root]


def download(folder, python, machine, *packages, more=()):
    """Wheels for a Python that need not run here."""
    platforms = [f"--platform=manylinux{series}_{machine}" for series in ("_2_28", "_2_27", "_2_17", "2014")]
    run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", f"--python-version={python}",
        *platforms, *more, "--dest", folder, *packages)


def program(pool, page):
    """Source of what prunes a pool by the module, writes its page and prints the study."""
    return (f"import hqe, numpy; study = hqe.prune(hqe.Pool.open({str(pool)!r}));"
            f"study.report({str(page)!r}); print(study.to_json(), end='')")


def check_page(page):
    text = page.read_text()
    assert len(text) > 100_000 and "gradient-boosting" in text, page


def check_command(*command, **where):
    """What every artefact's command says of itself."""
    assert run(*command, "--version", **where) == run(*command, "-V", **where) == f"hqe {VERSION}\n"
    assert "usage: hqe prune" in run(*command, "help", "prune", **where)
    assert "threads" in run(*command, "doctor", **where)


def use_in_an_empty_root(name, command, *through):
    """A command of one file, where nothing is but it and the emulator that it is run through; returns the page of its demo."""
    folder = room(name)
    shutil.copy(command, folder / "hqe")
    enter = ["chroot", folder]
    for program in through:
        shutil.copy(program, folder)
        enter.append(f"/{Path(program).name}")
    alone = {path.name for path in folder.iterdir()}
    enter.append("/hqe")
    check_command(*enter)
    assert ANSWER in run(*enter, "demo")
    check_page(folder / "hqe-demo.html")
    run(*enter, "synth", "--models", "5", "--samples", "300", "-o", "/pool")
    assert "Ship" in run(*enter, "prune", "/pool", "--report", "/page.html")
    assert {path.name for path in folder.iterdir()} == alone | {"hqe-demo.html", "pool", "page.html"}
    return (folder / "hqe-demo.html").read_bytes()
