# SPDX-License-Identifier: MIT
"""Hostile numbers and names through keyword arguments: taken, or refused with a sentence."""

import inspect
import re

import numpy as np
import pytest

import hqe

HOSTILE = "\x1b[31m\x07\r\n\x7f\x85\x9b\u200e\u061c\u202e\u2066\u2028\u200b\ufeff"
UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")

NUMBERS = [
    -1, 1.5, -0.0, float("nan"), float("inf"), 1e308, 5e-324, 2**31 - 1, 2**31, 2**64, 10**30, -(10**30), True,
    np.float32("nan"), np.uint64(2**64 - 1), np.bool_(True), "", " 5", "0x10", "\u0663", "1,5", [], [True],
    "2147483647x2147483647", object(), np.array(1e308),
]  # fmt: skip


def small():
    random = np.random.default_rng(3)
    labels = random.integers(0, 3, 90)
    scores = random.random((5, 90, 3))
    scores[:, np.arange(90), labels] += 0.5
    costs = {f"model_{i}": {"params": 10.0 * (i + 1)} for i in range(5)}
    return hqe.Pool(scores / scores.sum(axis=2, keepdims=True), labels, costs=costs)


NUMERIC = {
    "prune": (
        hqe.prune,
        {"size": 2},
        ["size", "beta", "keep", "max_candidates", "max_evaluate", "sample", "seed", "threads", "holdout", "folds",
         "stability", "margin", "vote_weights"],
    ),
    "score": (hqe.score, {"size": 2}, ["size", "sample", "seed", "max_candidates", "threads"]),
    "evaluate": (hqe.evaluate, {"size": 2}, ["size", "max_candidates", "threads", "vote_weights"]),
    "sweep": (hqe.sweep, {"size": 2, "beta": 0.1}, ["size", "beta", "keep", "max_candidates", "max_evaluate", "threads"]),
    "compare": (
        hqe.compare,
        {"size": 2, "methods": ["random", "branch-and-bound"], "repeats": 2},
        ["size", "beta", "keep", "repeats", "seed", "max_evaluate", "time_limit", "threads"],
    ),
    "front": (hqe.front, {}, ["size", "seed", "threads"]),
    "inspect": (hqe.inspect, {}, ["threads"]),
}  # fmt: skip


@pytest.mark.parametrize("verb, option", [(verb, option) for verb, row in NUMERIC.items() for option in row[2]])
def test_every_hostile_number_is_taken_or_refused_with_a_sentence(verb, option):
    call, needed, _ = NUMERIC[verb]
    pool = small()
    for number in NUMBERS:
        try:
            call(pool, **{**needed, option: number})
        except hqe.UsageError as error:
            said = str(error)
            assert len(said) <= 1000 and "\n" not in said, said
            name = option.replace("_", "[-_ ]").rstrip("s")
            assert re.search(name, said), f"{option}={number!r}: {said}"


def test_every_option_with_a_number_is_swept():
    """What the signature calls an int or a float is in the table."""
    for verb, (call, _, options) in NUMERIC.items():
        for name, parameter in inspect.signature(call).parameters.items():
            if re.search(r"\b(int|float|Sizes|Fractions)\b", str(parameter.annotation)) and name not in (
                "require", "exclude", "budget", "teams",
            ):  # fmt: skip
                assert name in options, (verb, name)


@pytest.mark.parametrize("option", ["size", "keep", "seed", "folds", "stability", "max_candidates", "threads"])
@pytest.mark.parametrize("value", [True, False, np.True_, 2.5, float("nan"), 10**30])
def test_truth_values_and_fractions_are_no_whole_numbers(option, value):
    with pytest.raises(hqe.UsageError, match=f"^{option}=.*: expected a whole number"):
        hqe.prune(small(), **{"size": 2, option: value})


def test_numpy_numbers_are_numbers():
    pool = small()
    expected = hqe.prune(pool, size=3, beta=0.25, keep=4, seed=7, holdout=0.5).to_json()
    for whole, real in ((np.int64, np.float64), (np.uint8, np.float32), (np.array, np.array)):
        asked = dict(size=whole(3), beta=real(0.25), keep=whole(4), seed=whole(7), holdout=real(0.5))
        assert hqe.prune(pool, threads=whole(1), **asked).to_json() == expected
    assert hqe.score(pool, np.arange(2, 4)).teams == hqe.score(pool, "2:3").teams
    assert hqe.evaluate(pool, teams=[np.array([0, 2])]).teams == [(0, 2)]


def test_flags_take_only_true_and_false():
    pool = small()
    assert hqe.prune(pool, size=2, keep_last_tier=False).options.keep_last_tier is False
    assert hqe.prune(pool, size=2, keep_last_tier=np.True_).options.keep_last_tier is True
    with pytest.raises(hqe.UsageError, match="^keep_last_tier=1: expected True or False"):
        hqe.prune(pool, size=2, keep_last_tier=1)


def test_sizes_that_are_no_whole_numbers_are_not_rounded():
    for sizes in ([2.7], [2, 3.5], [True, 2], ["2", "x"], []):
        with pytest.raises(hqe.UsageError, match="^size="):
            hqe.score(small(), sizes)


def test_budgets_and_costs_must_be_numbers():
    for limit in (True, float("nan"), float("inf"), -1, "much", None):
        with pytest.raises(hqe.UsageError, match=r"^budget=\{\"params\": "):
            hqe.prune(small(), size=2, budget={"params": limit})
    for cost in (True, "much", 10**400, None, float("nan"), -1):
        with pytest.raises(hqe.InputError, match="costs: a: params"):
            hqe.Pool({"a": [0, 1], "b": [1, 1]}, [0, 1], costs={"a": {"params": cost}})


def test_more_than_1024_models_are_refused_by_the_name_of_the_pool():
    with pytest.raises(hqe.InputError, match="crowd: the pool has 1026 models, and at most 1024 are possible"):
        hqe.Pool(np.zeros((1026, 4), dtype=int), [0, 0, 1, 1], name="crowd")


def test_messages_are_fit_for_a_terminal_and_names_stay_exact(tmp_path):
    names = [f"evil{HOSTILE}{i}" for i in range(4)]
    answers = np.array([[0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1]])
    pool = hqe.Pool(answers, [0, 1, 1, 0], names=names, name=f"pool{HOSTILE}")
    study = hqe.prune(pool, size=2)
    assert pool.names == names and [model.name for model in study.pool.models] == names
    for text in (repr(pool), repr(study), str(study), study._repr_html_(), study.plot("cofailure")):
        assert not UNFIT.search(text.replace("\n", "")), text
    for call in (
        lambda: hqe.prune(pool, require=HOSTILE),
        lambda: hqe.prune(pool, size=HOSTILE),
        lambda: hqe.prune(pool, metrics=HOSTILE),
        lambda: hqe.prune(pool, budget={"params": 1}),
        lambda: hqe.Pool.open(tmp_path / f"no{HOSTILE}"),
        lambda: hqe.Study.load(tmp_path / f"no{HOSTILE}"),
        lambda: study.save(tmp_path / f"no{HOSTILE}" / "x"),
        lambda: hqe.prune(hqe.Pool(answers, names=names)),
        lambda: hqe.Pool(answers, [0, 1, 1, 0], costs={HOSTILE: {}}),
        lambda: hqe.Pool(answers, [0, 1, 1, 0], names=["a", "a" + HOSTILE, "a" + HOSTILE, "c"]),
        lambda: hqe.Pool(answers, [0, 1, 1, 0], names=["a", "b\ud800", "c", "d"]),
        lambda: hqe.Pool.open("x\udcff"),
        lambda: hqe.prune(pool, require="y" * 10_000),
        lambda: hqe.Pool.open("y" * 300),
    ):
        with pytest.raises(hqe.Error) as raised:
            call()
        said = str(raised.value)
        assert not UNFIT.search(said) and len(said) <= 1000, said


def test_data_frames_keep_exact_names():
    pandas = pytest.importorskip("pandas")
    pool = hqe.Pool(np.array([[0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 0]]), [0, 1, 1, 0], names=["=1+1", "-2", "@x"])
    assert [model.name for model in hqe.inspect(pool).models] == ["=1+1", "-2", "@x"]
    assert isinstance(hqe.prune(pool, size=2).to_pandas(), pandas.DataFrame)


def test_an_empty_answer_says_why():
    study = hqe.prune(small(), size=3, budget={"params": 25}, choose="consensus")
    assert study.best is None
    assert len(hqe.prune(small(), size=3, budget={"params": 25}).best.team) == 1  # Which is within it.
    assert study.warnings[-1].startswith("no team of 3 is within the option budget params 25: the cheapest has params 60")


def test_a_forest_takes_whole_numbers_only():
    ensemble = pytest.importorskip("sklearn.ensemble")
    from hqe.sklearn import prune_forest

    X, y = np.random.default_rng(1).random((80, 4)), np.arange(80) % 2
    forest = ensemble.RandomForestClassifier(8, random_state=0).fit(X, y)
    for size in (True, 3.0, float("nan"), "3"):
        with pytest.raises(hqe.UsageError, match="^size=.*: expected a whole number"):
            prune_forest(forest, X, y, size=size)
    assert len(prune_forest(forest, X, y, size=np.int64(3)).estimators_) == 3
