# SPDX-License-Identifier: MIT
"""The studies behind the pinned outputs against plain.py: every tier's counts, every kept team and its
score for each metric, and the correct counts of fifty teams, of the baselines and of the entire ensemble.

Of imagenet-67 it checks the study of size 4, whose tiers are those of the pinned one: Python has no room
for ten million teams. Takes minutes, so that `make soak` runs it, not `make test`; run it too when pinned
outputs are approved: `pytest-3 tests/cli/check_pinned.py`.
"""

import pathlib
import random

import pytest

import plain
from pinned_test import PINNED, words_of
from running import hqe


def check_selection(scorer, selection, size, beta):
    tiers, kept = plain.prune(scorer, selection["metric"].removeprefix("F-"), size, beta)
    assert tiers == [(tier["size"], tier["candidates"], tier["pruned"]) for tier in selection["tiers"]], tiers
    got = {tuple(team["team"]): team["score"] for team in selection["teams"]}
    assert set(got) == set(kept), "other teams are kept"
    worst = max(abs(got[team] - kept[team]) for team in kept)
    assert worst <= 1e-9, worst


def check_counts(pool, counted, rng):
    """How often teams were right on `pool`."""
    entries = [counted["reference"], counted["baselines"]["best_single"], counted["baselines"]["most_accurate"]]
    if counted["baselines"]["best_of_size"]:
        entries.append(counted["baselines"]["best_of_size"])
    entries.append(counted["recommended"])
    for selection in [*counted["selections"], counted["consensus"]]:
        entries += rng.sample(selection["teams"], min(10, len(selection["teams"])))
    for entry in entries:
        right = pool.team_correct(entry["team"])
        assert right == entry["correct"], (entry, right)
    assert [model["correct"] for model in counted["pool"]["models"]] == pool.correct


@pytest.mark.parametrize("name", PINNED)
def test_the_plain_implementation_agrees(name):
    words = words_of(name)
    if name == "imagenet-67":
        words[words.index("--size") + 1] = "4"
    document = hqe("prune", *words, "--json", check=0).json
    pool = plain.PlainPool(pathlib.Path(words[0]))
    rng = random.Random(5)
    check_counts(pool, document, rng)
    if "test" in document:
        test_pool = plain.PlainPool(pathlib.Path(words[words.index("--test") + 1]), selection_pool=pool)
        check_counts(test_pool, document["test"], rng)
    scorer = plain.PlainScorer(pool)
    for selection in document["selections"]:
        check_selection(scorer, selection, document["desired_size"], document["options"]["beta"])
