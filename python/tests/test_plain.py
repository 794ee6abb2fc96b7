# SPDX-License-Identifier: MIT
"""Answers held against NumPy and scikit-learn written plainly."""

import itertools

import numpy as np
import pytest

import hqe


def test_soft_votes_are_sums_of_probabilities(pool, scores):
    predictions, labels = scores
    evaluation = hqe.evaluate(pool)
    for team, correct in zip(evaluation.teams, evaluation.correct):
        assert correct == (predictions[list(team)].sum(axis=0).argmax(axis=1) == labels).sum()
    assert len(evaluation.teams) == 2**8 - 1


def test_weighted_votes_are_weighted_sums(pool, scores):
    predictions, labels = scores
    weights = np.arange(1.0, 9.0)
    combined = hqe.apply(pool, range(8), vote_weights=weights)
    expected = np.tensordot(weights, predictions, 1).argmax(axis=1)
    assert combined.vote == "weighted"
    assert np.array_equal(combined.labels, expected)


def test_one_weight_a_member_follows_the_order_of_the_team(pool, scores):
    predictions, labels = scores
    expected = (predictions[5] + 3 * predictions[2]).argmax(axis=1)
    combined = hqe.apply(pool, [5, 2], vote_weights=[1, 3])
    assert np.array_equal(combined.labels, expected)
    evaluation = hqe.evaluate(pool, teams=[(5, 2)], vote="weighted", vote_weights=[1, 3])
    assert evaluation.correct.tolist() == [combined.correct] == [(expected == labels).sum()]
    for ask in (lambda: hqe.apply(pool, [5, 2], vote_weights=[1, 3, 1]),
                lambda: hqe.evaluate(pool, teams=[(5, 2), (1, 2)], vote_weights=[1, 3])):  # fmt: skip
        with pytest.raises(hqe.UsageError, match="vote weights for"):
            ask()


def test_weighted_labels_are_weighted_counts(scores):
    predictions, labels = scores
    answers = predictions.argmax(axis=2)
    weights = np.array([1, 0, 2, 4, 8, 16, 32, 64])  # No two sums are equal.
    votes = np.zeros(predictions.shape[1:])
    for weight, row in zip(weights, answers):
        votes[np.arange(len(row)), row] += weight
    pool = hqe.Pool(answers, labels=labels)
    combined = hqe.apply(pool, range(8), vote="weighted", vote_weights=weights)
    assert np.array_equal(combined.labels, votes.argmax(axis=1)) and combined.scores is None
    by_log_odds = hqe.prune(pool, size=2, vote="weighted", vote_weights="log-odds")
    assert by_log_odds.vote == "weighted" and all(weight >= 0 for weight in by_log_odds.best.weights)


def test_plurality_is_scikit_learns_hard_vote(scores):
    ensemble = pytest.importorskip("sklearn.ensemble", reason="scikit-learn is not installed")
    base = pytest.importorskip("sklearn.base")
    predictions, labels = scores
    answers = predictions.argmax(axis=2)

    class Recorded(base.ClassifierMixin, base.BaseEstimator):
        def __init__(self, answers=None):
            self.answers = answers

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return self.answers[X[:, 0]]

    voting = ensemble.VotingClassifier([(f"m{i}", Recorded(one)) for i, one in enumerate(answers)])
    samples = np.arange(400)[:, None]
    expected = voting.fit(samples, labels).predict(samples)
    pool = hqe.Pool(answers, labels)
    assert np.array_equal(hqe.apply(pool, range(8), ties="label").labels, expected)


def test_generalised_diversity_is_its_definition(pool, scores):
    fails = scores[0].argmax(axis=2) != scores[1]
    found = hqe.score(pool, 3, metrics=["GD", "BD"])
    for team, gd, bd in zip(found.teams, found["GD"], found["BD"]):
        k = fails[list(team)].sum(axis=0)
        p1, p2 = (k / 3).mean(), (k * (k - 1) / 6).mean()
        assert gd == pytest.approx(1 - p2 / p1, abs=1e-12)
        pairs = [(fails[i] != fails[j]).mean() for i, j in itertools.combinations(team, 2)]
        assert bd == pytest.approx(np.mean(pairs), abs=1e-12)


def test_a_study_judges_its_teams_by_plain_counting(study, scores):
    predictions, labels = scores

    def correct(team):
        return int((predictions[list(team)].sum(axis=0).argmax(axis=1) == labels).sum())

    reference = correct(range(8))
    assert study.reference.correct == reference
    good = {t for t in itertools.combinations(range(8), 3) if correct(t) >= reference}
    for selection in [*study.selections.values(), study.consensus]:
        assert selection.correct.tolist() == [correct(team) for team in selection.teams]
        assert selection.true_positive == len(good & set(selection.teams))
        assert selection.precision == pytest.approx(selection.true_positive / len(selection))
        assert selection.recall == pytest.approx(selection.true_positive / len(good))
    singles = [correct([model]) for model in range(8)]
    assert study.baselines.best_single.correct == max(singles)
    assert study.baselines.best_of_size.correct == max(
        correct(team) for team in itertools.combinations(range(8), 3)
    )
