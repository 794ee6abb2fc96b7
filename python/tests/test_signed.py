# SPDX-License-Identifier: MIT
"""Counts that people subtract: no array of the module may wrap around below 0."""

import numpy as np
import pytest

import hqe


def arrays_of(value, path, seen):
    """Every NumPy array that a value leads to, by its items and attributes, with the way to it."""
    if isinstance(value, np.ndarray):
        yield path, value
    if id(value) in seen or isinstance(value, (np.ndarray, str, type)):
        return
    seen[id(value)] = value  # Kept, so that nothing else gets its id.
    if hasattr(value, "iloc"):
        yield from ((f"{path}[{name}]", value[name].to_numpy()) for name in value.columns)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from arrays_of(item, f"{path}[{key}]", seen)
    elif isinstance(value, (list, tuple)):
        for place, item in enumerate(value[:3]):
            yield from arrays_of(item, f"{path}[{place}]", seen)
    elif type(value).__module__.startswith("hqe"):
        for name in dir(value):
            if not name.startswith("__") and not callable(getattr(value, name)):
                yield from arrays_of(getattr(value, name), f"{path}.{name}", seen)


@pytest.fixture(scope="module")
def results(scores):
    predictions, labels = scores
    pool, test = hqe.Pool(predictions[:, :200], labels[:200]), hqe.Pool(predictions[:, 200:], labels[200:])
    study = hqe.prune(pool, size=3, test=test)
    scored = hqe.score(pool, 3, focal=True)
    results = {
        "prune": study,
        "scored": [study._core.scored(i) for i in range(study._core.scored_count)],
        "score": [scored, *(scored[metric] for metric in scored.metrics), scored.focal("F-GD")],
        "evaluate": hqe.evaluate(pool, size=2),
        "sweep": hqe.sweep(pool, [2, 3], 0.1),
        "inspect": hqe.inspect(pool),
        "explain": hqe.explain(pool, [(0, 1, 2)], size=3),
        "compare": hqe.compare(pool, 3, ["exhaustive", "random"], repeats=2),
        "front": hqe.front(pool, size=3),
        "apply": [hqe.apply(pool, [0, 1], vote) for vote in ("soft", "plurality")],
    }
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frames = [study.to_pandas(), study.to_pandas(scored=True), scored.to_pandas(), results["compare"].to_pandas()]
    frames += [results[name].to_pandas() for name in ("evaluate", "sweep")]
    assert all(isinstance(frame, pandas.DataFrame) for frame in frames)
    return results | {"frames": frames}


def test_no_array_is_unsigned(results):
    found = {path: array.dtype for path, array in arrays_of(results, "", {})}
    assert [path for path, dtype in found.items() if dtype.kind == "u"] == []
    ends = {path.rpartition(".")[2] for path in found}
    assert ends > {"correct", "test_correct", "votes", "members", "begins", "scores", "labels"}
    counts = [dtype for path, dtype in found.items() if path.endswith("correct")]
    assert len(counts) > 10 and set(counts) == {np.dtype("int64")}


def test_a_difference_of_counts_may_be_negative(results):
    correct = results["evaluate"].correct
    differences = correct - correct.max()
    assert differences.min() == -int(correct.max() - correct.min()) < 0
    assert (correct - 10_000 < 0).all()


def test_a_study_prints_accuracies_as_the_command_does():
    labels = np.zeros(20_000, dtype=int)
    answers = np.ones((3, 20_000), dtype=int)
    answers[:, :201] = 0
    study = hqe.prune(hqe.Pool(answers, labels), size=2)
    assert "entire ensemble 1.01 %" in repr(study)
