# SPDX-License-Identifier: MIT
"""Runs the command that is tested, as a user would: what every test uses beside pytest's own means."""

import functools
import json
import os
import pathlib
import re
import subprocess
from dataclasses import dataclass

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("HQE_SHARED_DIR", ROOT.parent / "shared"))
BINARY = ROOT / "build/release/cli/hqe"  # conftest.py sets what --hqe names.


@dataclass
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def hqe(*words, env=None, cwd=None, check=None, stdout=subprocess.PIPE):
    """Runs the binary. With `check`, insists on that exit code."""
    environment = {key: value for key, value in os.environ.items() if key not in ("HQE_TARGET", "NO_COLOR")}
    environment.update(env or {})
    done = subprocess.run([str(BINARY), *map(str, words)], stdin=subprocess.DEVNULL, stdout=stdout,
                          stderr=subprocess.PIPE, env=environment, cwd=cwd, timeout=600)
    out = done.stdout.decode() if done.stdout is not None else ""
    result = Result(done.returncode, out, done.stderr.decode())
    if check is not None and result.code != check:
        raise AssertionError(f"exit code {result.code}, not {check}\n  hqe {' '.join(map(str, words))}\n{result.err}{out[:2000]}")
    return result


def refuses(code, *words, saying=(), **options):
    """The command ends with `code`, prints nothing on standard output and one message that names each of `saying`."""
    result = hqe(*words, check=code, **options)
    assert result.out == "", f"standard output: {result.out[:500]}"
    assert result.err.startswith("hqe: "), result.err
    assert "unexpected" not in result.err, result.err
    for word in [saying] if isinstance(saying, str) else saying:
        assert word.lower() in result.err.lower(), f"{word!r} is not in: {result.err}"
    return result


def shared_pool(name):
    """A pool of ../shared; where it is absent, the test that asks is skipped."""
    folder = SHARED / "pools" / name
    if not folder.is_dir():
        pytest.skip("../shared is absent")
    return folder


@functools.cache
def commands():
    """The names of all commands, as `hqe --help` lists them."""
    listed = re.findall(r"^  (\w+)  +\S", hqe("--help", check=0).out.split("\n\nexamples:")[0], re.MULTILINE)
    assert listed, "hqe --help lists no command"
    return listed


@functools.cache
def metrics():
    """The names of all metrics, as `hqe score --help` lists them."""
    listed = re.search(r"--metric NAME +([A-Z][A-Z -]+);", hqe("score", "--help", check=0).out)
    assert listed, "hqe score --help lists no metric"
    return listed[1].split()


@functools.cache
def pruning_metrics():
    """The names of the metrics to prune by, as the refusal of an unknown one lists them."""
    return refuses(2, "prune", "POOL", "--metric", "nobody", saying="one of").err.split("one of ")[1].rstrip(".\n").split()


@functools.cache
def focal_metrics():
    """Those that prune where none is asked for, as the help of prune lists them."""
    return re.search(r"focal forms ([A-Z -]+);", re.sub(r"\s+", " ", hqe("prune", "--help", check=0).out))[1].split()


#: The figures that are of another document than a study.
FIGURES_OF_OTHERS = {"comparison": ["ranks"], "cascade": ["cascades"]}


@functools.cache
def figures(document="study"):
    """The names of the figures of a document: of a study all that `hqe plot` has, as its refusal of an unknown one lists them,
    but for those of others."""
    listed = refuses(2, "plot", "STUDY", "--figure", "nobody", "-o", "x.svg", saying="one of").err
    names = listed.split("one of ")[1].rstrip(".\n").split(", ")
    others = sum(FIGURES_OF_OTHERS.values(), [])
    assert set(others) <= set(names), names
    return FIGURES_OF_OTHERS.get(document) or [name for name in names if name not in others]


@functools.cache
def methods():
    """The names of all methods, as the refusal of an unknown one lists them."""
    return refuses(2, "compare", "POOL", "--method", "nobody", saying="one of").err.split("one of ")[1].rstrip(".\n").split(", ")
