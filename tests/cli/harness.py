# SPDX-License-Identifier: MIT
"""Tests of the real binary: names are sentences, the standard library is enough."""

import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("HQE_SHARED_DIR", ROOT.parent / "shared"))
BINARY = pathlib.Path("hqe")  # set by run.py

TESTS = []


class Skipped(Exception):
    """What a test needs is absent; the message says what."""


def test(sentence):
    def register(function):
        TESTS.append((sentence, function))
        return function
    return register


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
    folder = SHARED / "pools" / name
    if not folder.is_dir():
        raise Skipped("../shared is absent")
    return folder


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory(prefix="hqe-cli-") as path:
        yield pathlib.Path(path)


def run_one(function):
    """Nothing when the test passed, else the word for it and what it said."""
    try:
        function()
        return None, ""
    except Skipped as reason:
        return "SKIPPED", str(reason)
    except Exception:  # noqa: BLE001: a failing test must not hide the others
        return "FAILED", traceback.format_exc()


def run_all():
    """As many at a time as there are cores; what they say comes in the order of the tests."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(run_one, [function for _, function in TESTS]))
    for (sentence, _), (outcome, said) in zip(TESTS, outcomes):
        if outcome:
            print(f"{outcome}: {sentence}: {said}", flush=True)
    counts = Counter(outcome for outcome, _ in outcomes)
    print(f"{counts[None]} passed, {counts['FAILED']} failed, {counts['SKIPPED']} skipped")
    return 1 if counts["FAILED"] else 0
