# SPDX-License-Identifier: MIT
"""Pools at the ends of what there is: two models, no model ever right."""

import json

import numpy as np
import pytest

import hqe

CLASSES = 6


@pytest.fixture(scope="module")
def hopeless():
    """Five models that never find the true class, each by another rival."""
    labels = np.arange(60) * 7 % CLASSES
    scores = np.zeros((5, 60, CLASSES))
    for model in range(5):
        rivals = (labels + 1 + (model + np.arange(60)) % (CLASSES - 1)) % CLASSES
        scores[model, np.arange(60), labels] = 0.375
        scores[model, np.arange(60), rivals] = 0.625
    return hqe.Pool(scores, labels)


def test_where_no_model_is_ever_right_the_weighted_vote_is_the_soft_one(hopeless):
    weighted, soft = (hqe.evaluate(hopeless, vote=vote) for vote in ("weighted", "soft"))
    assert weighted.correct.tolist() == soft.correct.tolist() and weighted.correct.max() > 0
    for options in ({}, {"holdout": 0.5}, {"folds": 3}, {"test": hopeless}):
        weighted, soft = (hqe.prune(hopeless, size=2, vote=vote, **options) for vote in ("weighted", "soft"))
        assert weighted.best.team == soft.best.team and weighted.best.correct == soft.best.correct
        assert weighted.best.weights == [1.0] * len(soft.best.team) and soft.best.weights is None
        assert weighted.trust == soft.trust
    for options in ({"repeats": 2}, {"test": hopeless}):
        teams = [
            [method.team for method in hqe.compare(hopeless, 2, vote=vote, **options).methods]
            for vote in ("weighted", "soft")
        ]
        assert teams[0] == teams[1]


def test_weights_that_are_all_zero_are_refused_in_the_same_words(hopeless):
    words = {"vote": "weighted", "vote_weights": [0, 0, 0, 0, 0]}
    for refused in (
        lambda: hqe.evaluate(hopeless, **words),
        lambda: hqe.prune(hopeless, size=2, **words),
        lambda: hqe.prune(hopeless, size=2, folds=3, **words),
        lambda: hqe.compare(hopeless, 2, repeats=2, **words),
        lambda: hqe.apply(hopeless, [0, 1], **words),
    ):
        with pytest.raises(hqe.UsageError, match="^every vote weight is 0. Give at least one model a say"):
            refused()


def test_two_models_have_scores(scores):
    predictions, labels = scores
    pair = hqe.score(hqe.Pool(predictions[:2], labels), 2)
    among = hqe.score(hqe.Pool(predictions, labels), 2)
    assert pair.teams == [(0, 1)] and pair["GD"][0] == among["GD"][0] and pair["F-GD"][0] == 0.5
    whole = hqe.score(hqe.Pool(predictions, labels), 8, metrics=["CK", "FK"])
    assert whole.teams == [tuple(range(8))] and json.loads(whole.to_json())["scores"]["FK"][0]["score"] > 0
    with pytest.raises(hqe.UsageError, match="8 models allow sizes 2 to 8"):
        hqe.score(hqe.Pool(predictions, labels), 9)


def test_models_that_say_one_label_have_no_diversity():
    pool = hqe.Pool(np.ones((3, 20), dtype=int), np.arange(20) % 2)
    found = hqe.score(pool, "2:3", metrics=["CK", "FK"])
    assert found["CK"].tolist() == found["FK"].tolist() == [0, 0, 0, 0]
