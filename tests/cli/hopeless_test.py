# SPDX-License-Identifier: MIT
"""Weighted votes where accuracies give no weights: no model is ever right."""

from files import npy_bytes, write_pool
from running import hqe, refuses

CLASSES = 6


def rows(model, labels, right=()):
    """The true class second best, after another rival for each model; best on the samples `right`."""
    table = []
    for sample, label in enumerate(labels):
        rival = (label + 1 + (model + sample) % (CLASSES - 1)) % CLASSES
        row = [0.0] * CLASSES
        row[label], row[rival] = (0.625, 0.375) if sample in right else (0.375, 0.625)
        table.append(row)
    return table


def pool(home, right=()):
    labels = [sample * 7 % CLASSES for sample in range(60)]
    return write_pool(home, {f"model_{i}.npy": npy_bytes(rows(i, labels, right)) for i in range(5)}, labels)


WAYS = [["evaluate"], ["apply", "--team", "0,1,2"], ["front"], ["explain", "--team", "0,1"],
        ["prune", "--size", "2"], ["prune", "--size", "2", "--merit", "logloss"],
        ["prune", "--size", "2", "--merit", "balanced"],
        ["prune", "--size", "2", "--holdout", "0.5"], ["prune", "--size", "2", "--folds", "3"],
        ["prune", "--size", "2", "--stability", "10"], ["prune", "--size", "2", "--test", "POOL"],
        ["sweep", "--size", "2:3", "--beta", "0.1"],
        ["compare", "--size", "2", "--repeats", "2", "--no-times"],
        ["compare", "--size", "2", "--test", "POOL", "--no-times"]]


def answer(found):
    """A document without the words that say which vote it was."""
    for key in ("options", "vote"):
        found.pop(key, None)
    for key in ("vote", "weights"):
        (found.get("recommended") or {}).pop(key, None)
    return found


def test_where_no_model_is_ever_right_every_command_weighs_all_models_the_same(home):
    place = pool(home / "pool")
    for way in WAYS:
        words = [way[0], place, *(place if word == "POOL" else word for word in way[1:])]
        words += ["-o", home / "labels.npy"] if way[0] == "apply" else []
        weighted, soft = (answer(hqe(*words, "--vote", vote, "--json", check=0).json) for vote in ("weighted", "soft"))
        assert weighted == soft, way
    correct = hqe("evaluate", place, "--vote", "weighted", "--json", check=0).json["teams"]
    assert max(team["correct"] for team in correct) > 0 == max(team["correct"] for team in correct[:5])


def test_a_half_on_which_every_model_fails_does_not_end_the_run(home):
    place = pool(home / "pool", right=[0])
    for words in (["prune", "--folds", "5"], ["prune", "--holdout", "0.5"], ["compare", "--repeats", "8", "--no-times"]):
        hqe(words[0], place, "--size", "2", *words[1:], "--vote", "weighted", "--json", check=0)
    test_pool = pool(home / "test", right=range(60))
    found = hqe("prune", home / "pool", "--size", "2", "--test", test_pool, "--vote", "weighted", "--json", check=0).json
    assert found["test"]["reference"]["correct"] == 60


def test_weights_that_are_all_0_are_refused_by_every_command_in_the_same_words(home):
    place = pool(home / "pool", right=range(30))
    said = set()
    for way in WAYS:
        words = [way[0], place, *(place if word == "POOL" else word for word in way[1:])]
        words += ["-o", home / "labels.npy"] if way[0] == "apply" else []
        said.add(refuses(2, *words, "--vote", "weighted", "--vote-weights", "0,0,0,0,0", saying="every vote weight is 0").err)
    assert len(said) == 1, said
