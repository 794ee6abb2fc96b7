# SPDX-License-Identifier: MIT
"""One test a row of the table of errors in docs/python.md."""

import atexit
import os
import re
import shutil
import subprocess
import tempfile

import numpy as np
import pytest

import hqe

from conftest import DEMO, ROOT

ANSWERS = np.array([[0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1]])
LABELS = np.array([0, 1, 1, 0])
SCORES = np.array([[0.3, 0.7], [0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])


def pool(answers=ANSWERS, labels=LABELS, **options):
    return hqe.Pool(answers, labels, **options)


def changed(place, value):
    scores = SCORES.copy()
    scores[place] = value
    return [SCORES, scores, SCORES]


def saved_pool():
    """A folder that vanishes with the pool's last test, and the pool in it."""
    folder = tempfile.mkdtemp(prefix="hqe-test-")
    atexit.register(shutil.rmtree, folder)
    for name, values in {"labels": LABELS, **{f"m{i}": row for i, row in enumerate(ANSWERS)}}.items():
        np.save(os.path.join(folder, name), values)
    return folder, hqe.Pool.open(folder)


def changed_pool():
    folder, opened = saved_pool()
    os.utime(os.path.join(folder, "m1.npy"), (1, 1))
    hqe.inspect(opened)


def overwritten_pool():
    folder, opened = saved_pool()
    hqe.prune(opened, size=2).save(os.path.join(folder, "m1.npy"))


ROWS = {
    "a folder that does not exist": lambda: hqe.Pool.open("no-such-folder"),
    "no labels": lambda: hqe.prune(hqe.Pool(ANSWERS)),
    "a model with another number of samples": lambda: hqe.Pool([ANSWERS[0], ANSWERS[1][:3]], LABELS),
    "models with different numbers of classes": lambda: hqe.Pool([SCORES, np.eye(4)], LABELS),
    "NaN or infinity": lambda: hqe.inspect(hqe.Pool(changed((1, 0), np.nan), LABELS)),
    "probabilities that do not sum to 1": lambda: hqe.inspect(
        hqe.Pool(changed((1, 0), 0.5), LABELS, kind="probabilities")
    ),
    "values of no kind": lambda: hqe.Pool(changed((1, 0), 0.5), LABELS),
    "a true label that is no class": lambda: hqe.Pool([SCORES] * 3, [0, 1, 2, 0]),
    "two models of one name": lambda: pool(names=["a", "a", "b", "c"]),
    "another number of names": lambda: pool(names=["a"]),
    "names for a dict": lambda: hqe.Pool({"a": ANSWERS[0]}, LABELS, names=["a"]),
    "an array of dates": lambda: hqe.Pool([np.array(["2026-01-02", "2026-01-03"], "M8[D]")], [0, 1]),
    "text beside numbers": lambda: hqe.Pool([np.array(["cat", "dog"])], [0, 1]),
    "an array of 4 dimensions": lambda: hqe.Pool(np.zeros((2, 2, 2, 2)), LABELS),
    "masked values": lambda: hqe.Pool([np.ma.array(LABELS, mask=[0, 1, 0, 0])] * 3, LABELS),
    "an unknown cost": lambda: pool(costs={"model_0": {"price": 3}}),
    "costs of an unknown model": lambda: pool(costs={"nobody": {"params": 3}}),
    "fewer than 3 models": lambda: hqe.prune(pool(ANSWERS[:2])),
    "an unknown kind": lambda: pool(kind="guesses"),
    "a size out of range": lambda: hqe.prune(pool(), size=4),
    "a beta out of range": lambda: hqe.prune(pool(), beta=1.0),
    "an unknown metric": lambda: hqe.prune(pool(), metrics="F-XX"),
    "an unknown word of an option": lambda: hqe.prune(pool(), by="magic"),
    "a vote that the kind does not allow": lambda: hqe.prune(pool(), vote="soft"),
    "F-CK in a correctness pool": lambda: hqe.prune(
        hqe.Pool(ANSWERS, kind="correctness"), metrics="F-CK"
    ),
    "a seed without a sample": lambda: hqe.sweep(pool(), 2, 0.1, seed=1),
    "a model that is not there": lambda: hqe.prune(pool(), require="model_9"),
    "a team with a member twice": lambda: hqe.evaluate(pool(), teams=[(0, 0)]),
    "too many teams": lambda: hqe.score(pool(), 2, max_candidates=3),
    "a tier above max_candidates": lambda: hqe.prune(pool(), max_candidates=3),
    "a negative number of threads": lambda: hqe.prune(pool(), threads=-1),
    "a figure without its data": lambda: hqe.prune(pool(), size=2, detail=False).plot("scatter"),
    "a file that is no study": lambda: hqe.Study.load(DEMO / "README.md"),
    "a folder that cannot be written": lambda: hqe.prune(pool(), size=2).save("no-such-folder/x"),
    "a file that changed since it was opened": changed_pool,
    "a result over a file of its pool": overwritten_pool,
    "an unknown option": lambda: hqe.explain(pool(), [(0, 1)], colour="red"),
}


def documented():
    """Row -> (exception, words of the message)."""
    text = (ROOT / "docs/python.md").read_text()
    rows = re.findall(r"^\| ([^|`]+) \| `(\w+)` \| (.+) \|$", text, re.MULTILINE)
    return {what: (exception, message) for what, exception, message in rows}


def test_every_row_of_the_table_has_a_test():
    assert sorted(documented()) == sorted(ROWS)


@pytest.mark.parametrize("what", ROWS)
def test_the_table_of_errors_holds(what):
    exception, message = documented()[what]
    expected = getattr(hqe, exception, None) or getattr(__import__("builtins"), exception)
    with pytest.raises(expected) as raised:
        ROWS[what]()
    assert type(raised.value) is expected
    assert message in str(raised.value), str(raised.value)


def test_errors_are_the_usual_python_ones_too():
    assert issubclass(hqe.InputError, ValueError) and issubclass(hqe.UsageError, ValueError)
    assert issubclass(hqe.OutputError, OSError) and issubclass(hqe.Cancelled, hqe.Error)


@pytest.mark.parametrize(
    "words, call",
    [
        (["--size", "14"], lambda pool: hqe.prune(pool, size=14)),
        (["--beta", "2"], lambda pool: hqe.prune(pool, beta=2)),
        (["--beta", "much"], lambda pool: hqe.prune(pool, beta="much")),
        (["--metric", "F-XX"], lambda pool: hqe.prune(pool, metrics="F-XX")),
        (["--vote", "loud"], lambda pool: hqe.prune(pool, vote="loud")),
        (["--require", "convnet"], lambda pool: hqe.prune(pool, require="convnet")),
        (["--budget", "money=3"], lambda pool: hqe.prune(pool, budget={"money": 3})),
        (["--sample", "many"], lambda pool: hqe.prune(pool, sample="many")),
    ],
)
def test_messages_are_those_of_the_command_with_options_as_python_writes_them(command, words, call):
    binary = os.environ.get("HQE_COMMAND", ROOT / "build/release/cli/hqe")
    done = subprocess.run([binary, "prune", DEMO / "validation", *words], capture_output=True, text=True)
    assert done.returncode == 2
    with pytest.raises(hqe.UsageError) as raised:
        call(hqe.Pool.open(DEMO / "validation"))
    said = str(raised.value)
    assert "--" not in said
    for ours, theirs in ((r'^metrics="([^"]*)"', r"--metric \1"), (r'^budget=\{"(\w+)": (.*?)\}', r"--budget \1=\2"), (r'^(\w+)="?([^":]*)"?', r"--\1 \2")):
        said, count = re.subn(ours, theirs, said)
        if count:
            break
    assert done.stderr.removeprefix("hqe: ").strip().startswith(said.rstrip("."))


def test_messages_name_commands_as_python_writes_them(tmp_path):
    (tmp_path / "s.json").write_text('{"schema":1,"command":"score"}')
    with pytest.raises(hqe.InputError, match=re.escape("Write it again with hqe.prune(pool).save(path)")):
        hqe.Study.load(tmp_path / "s.json")
    with pytest.raises(hqe.InputError, match=re.escape("hqe.front(pool, cascade=True).save(path)")):
        hqe.Cascades.load(tmp_path / "s.json")
    with pytest.raises(hqe.InputError, match=re.escape("hqe.Team.of(study).save(path)")):
        hqe.Team.load(tmp_path / "s.json")
    (tmp_path / "p.parquet").write_bytes(b"PAR1")
    with pytest.raises(hqe.InputError, match=re.escape("Read it with hqe.Pool.from_table(hqe.read_table(path), label=...), or save")):
        hqe.Pool.open([tmp_path / "p.parquet"])
    (tmp_path / "x.digest").write_bytes(b"no digest")
    with pytest.raises(hqe.InputError, match=re.escape("Make it again with `hqe.digest`")):
        hqe.Pool.open(tmp_path / "x.digest")


def test_a_warning_names_a_command_in_plain_words():
    """It is one of a document, too."""
    twins = hqe.Pool([ANSWERS[0], ANSWERS[1], ANSWERS[0], ANSWERS[2]], LABELS)
    study = hqe.prune(twins, size=2, metrics="F-GD")
    assert "1 model predicts exactly as an earlier one: inspect names the pairs" in study.warnings
    assert "hqe.inspect names the pairs" in " ".join(str(study).split())
