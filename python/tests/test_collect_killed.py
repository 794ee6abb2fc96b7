# SPDX-License-Identifier: MIT
"""A run that was killed leaves no half model, and goes on where it was."""

import multiprocessing
import os
import random
import signal
import sys
import threading

import numpy as np
import pytest

import hqe
from hqe.collecting.files import Disk
from hqe.collecting.tracks import _Waiting

SAMPLES = 400
X = np.random.default_rng(3).random((SAMPLES, 4))
Y = np.arange(SAMPLES) % 3
NAMES = ("a", "b", "c")


def model(place):
    weights = np.random.default_rng(place).normal(size=(4, 3)) * 9

    def call(x):
        # What a batch says depends on where it begins and ends, as it does in the last bits of a network.
        return (x + 1e-3 * x.mean(axis=0)) @ weights

    return call


def batches():
    """Of several sizes, to be read once."""
    start, step = 0, 0
    while start < SAMPLES:
        step = step % 13 + 1
        yield X[start : start + step], Y[start : start + step]
        start += step


def collect(out, once):
    models = {name: model(place) for place, name in enumerate(NAMES)}
    data, labels = (batches(), None) if once else (X, Y)
    return hqe.collect(models, data, labels, out, batch_size=7, costs=False)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def collect_counting(out, once, last=None):
    """Collects, and dies before the line of hqe.collecting that is counted as `last`; how many lines it was."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        if "collecting" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        if count == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
    try:
        collect(out, once)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("once", [False, True], ids=["array", "iterator"])
def test_killed_at_ten_random_moments_it_ends_like_an_undisturbed_run(tmp_path, monkeypatch, once):
    monkeypatch.setattr(_Waiting, "ENOUGH_BYTES", 500)  # Two or three batches: most moments leave half a model.
    lines = collect_counting(tmp_path / "calm" / "pool", once)
    out = tmp_path / "killed" / "pool"
    moments = random.Random(once)
    for _ in range(10):
        last = moments.randrange(lines // 3)
        child = multiprocessing.get_context("fork").Process(target=collect_counting, args=(out, once, last))
        child.start()
        child.join()
        assert child.exitcode == -signal.SIGKILL or (out / "pool.toml").exists()
        for path in out.glob("*.npy"):
            assert len(np.load(path)) == SAMPLES, "no half model counts as a model"
        for path in out.glob(".hqe-*.part"):  # Of the last write perhaps only a part arrived.
            os.truncate(path, max(path.stat().st_size - moments.choice([0, 0, 1, 30]), 0))
    collect(out, once)
    assert contents(out) == contents(tmp_path / "calm" / "pool")


def test_what_is_finished_is_not_run_again(tmp_path):
    out = tmp_path / "pool"
    collect(out, once=False)
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("*.npy")}
    seen = []

    def watched(x):
        seen.append(len(x))
        return model(0)(x)

    made = hqe.collect({"a": watched, "new": model(5)}, X, Y, out, batch_size=7, costs=False)
    assert seen == [7]  # The first batch, to see that it is the same model.
    assert {name: (out / name).stat().st_mtime_ns for name in before} == before
    assert made.models == ["a", "new"] and made.open().names == ["a", "b", "c", "new"]


def test_another_model_or_other_data_of_the_same_name_is_refused(tmp_path):
    out = tmp_path / "pool"
    collect(out, once=False)
    before = contents(out)
    same = model(0)
    for models, data, message in (
        ({"a": model(1)}, X, "differs from what the folder holds under this name"),
        ({"a": same}, X[::-1], "differs from what the folder holds under this name"),
        ({"a": same}, X[:200], "the pool there has samples 400, and now it would be 200"),
        ({"a": same}, np.concatenate([X, X]), "the pool there has samples 400, and now it would be 800"),
        ({"new": same}, iter([X, X]), "the data has 800 samples, and the pool 400"),
        ({"a": same}, iter([X[:7]]), "the data has 7 samples, and the pool 400"),
        ({"a": same}, iter([X[:7], X, X]), "has 400 rows in the folder, and the data has more"),
    ):
        with pytest.raises(hqe.InputError, match=message):
            hqe.collect(models, data, None, out, batch_size=7, costs=False)
    with pytest.raises(hqe.InputError, match="labels.npy holds others"):
        hqe.collect({"a": same}, X, Y[::-1], out, batch_size=7, costs=False)
    assert contents(out) == before


def test_models_are_added_with_what_was_measured_of_others(tmp_path):
    out = tmp_path / "pool"
    first = hqe.collect({"a": model(0), 'b "quoted" é': model(1)}, X, Y, out, batch_size=7)
    hqe.collect({"c": model(2)}, X, Y, out, batch_size=7, costs=False)
    models = hqe.inspect(hqe.Pool.open(out)).pool.models
    assert [one.name for one in models] == ["a", 'b "quoted" é', "c"]
    assert [one.costs.get("latency_ms") for one in models] == [*(first.costs[n]["latency_ms"] for n in first.models), None]
    with pytest.raises(hqe.InputError, match="has kind probabilities, and now it would be logits"):
        hqe.collect({"d": model(3)}, X, Y, out, kind="logits")
    toml = out / "pool.toml"
    toml.write_text(toml.read_text() + "colour = red\n")
    with pytest.raises(hqe.InputError, match="somebody has changed it. Remove its first line to keep it"):
        hqe.collect({"d": model(3)}, X, Y, out)


def test_half_a_model_of_another_model_is_begun_anew(tmp_path):
    out = tmp_path / "pool"

    def stopped(x, calls=[]):  # noqa: B006
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return model(1)(x)

    with pytest.raises(KeyboardInterrupt):
        hqe.collect({"a": stopped}, X, Y, out, batch_size=7, costs=False)
    assert sorted(os.listdir(out)) == [".hqe-a.part", "labels.npy"]
    with pytest.raises(hqe.InputError):
        hqe.Pool.open(out)  # The half model is none.
    hqe.collect({name: model(place) for place, name in enumerate(NAMES)}, X, Y, out, batch_size=7, costs=False)
    collect(tmp_path / "calm" / "pool", once=False)
    assert contents(out) == contents(tmp_path / "calm" / "pool")


@pytest.mark.parametrize("rubbish", [b"", b"\x93NUMPY\x01\x00", b"rubbish" * 100, bytes(4096)])
def test_a_part_that_is_not_ours_is_begun_anew(tmp_path, rubbish):
    out = tmp_path / "pool"
    out.mkdir()
    (out / ".hqe-a.part").write_bytes(rubbish)
    collect(out, once=False)
    collect(tmp_path / "calm" / "pool", once=False)
    assert contents(out) == contents(tmp_path / "calm" / "pool")


def test_two_runs_in_one_folder_are_refused(tmp_path):
    def inner(x):
        with pytest.raises(hqe.UsageError, match="another hqe collect is at work there"):
            hqe.collect({"b": model(0)}, X, Y, tmp_path / "pool", costs=False)
        return model(0)(x)

    assert hqe.collect({"a": inner}, X, Y, tmp_path / "pool", costs=False).models == ["a"]


@pytest.mark.parametrize("refused", ["bytes", "name"])
def test_what_the_disk_refuses_is_raised_and_nothing_follows(refused):
    done = []

    def refuse():
        raise hqe.OutputError("a.npy: cannot be written")

    with Disk() as disk, pytest.raises(hqe.OutputError, match="a.npy"):
        disk.later(lambda: lambda: done.append("labels"))
        disk.later(refuse if refused == "bytes" else lambda: refuse)
        disk.later(lambda: lambda: done.append("toml"))
        disk.settle()
    assert done == ["labels"]


def test_files_get_their_names_in_order_however_long_the_disk_takes():
    named, first_may_end = [], threading.Event()

    def slow():
        assert first_may_end.wait(60)
        return lambda: named.append("a.npy")

    def quick():
        first_may_end.set()
        return lambda: named.append("pool.toml")

    with Disk() as disk:
        disk.later(slow)
        disk.later(quick)
        disk.settle()
    assert named == ["a.npy", "pool.toml"]


def test_batches_that_wait_for_each_other_lose_nothing(tmp_path, monkeypatch):
    """However many are looked at together, and where the model writes each answer to the same place."""
    answer = np.empty((7, 3))

    def reusing(x):
        answer[: len(x)] = model(0)(x)
        return answer[: len(x)]

    kept = {}
    for size in (0, 100, 10_000, 10**9):
        monkeypatch.setattr(_Waiting, "ENOUGH_BYTES", size)
        hqe.collect({"a": reusing, "b": model(1)}, X, Y, tmp_path / str(size) / "pool", batch_size=7, costs=False)
        kept[size] = contents(tmp_path / str(size) / "pool")
    assert all(files == kept[0] for files in kept.values())
