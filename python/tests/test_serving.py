# SPDX-License-Identifier: MIT
"""How to serve the recommended team, held against NumPy written plainly."""

import numpy as np
import pytest

import hqe


def log_loss(shares, labels, temperature):
    tempered = np.maximum(shares, 1e-15) ** (1 / temperature)
    tempered /= tempered.sum(axis=1, keepdims=True)
    return -np.log(tempered[np.arange(len(labels)), labels]).mean()


def test_the_temperature_has_the_lowest_log_loss(study, scores):
    predictions, labels = scores
    serving = study.best.serving
    shares = predictions[list(study.best.team)].mean(axis=0)
    assert serving.log_loss.before == pytest.approx(log_loss(shares, labels, 1), abs=1e-12)
    assert serving.log_loss.after == pytest.approx(log_loss(shares, labels, serving.temperature), abs=1e-12)
    around = serving.temperature * np.exp(np.linspace(-0.01, 0.01, 21))
    assert serving.log_loss.after <= min(log_loss(shares, labels, one) for one in around) + 1e-15
    assert sum(one.after["count"] for one in serving.reliability) == serving.samples == len(labels)
    assert serving.test is None


def test_the_test_pool_is_judged_at_the_same_temperature(pool, scores):
    predictions, labels = scores
    study = hqe.prune(pool, size=3, test=hqe.Pool(predictions[:, ::2], labels[::2]))
    serving = study.best.serving
    shares = predictions[list(study.best.team), ::2].mean(axis=0)
    assert serving.test.log_loss.after == pytest.approx(log_loss(shares, labels[::2], serving.temperature), abs=1e-12)


def test_labels_have_no_shares_to_serve(scores):
    predictions, labels = scores
    study = hqe.prune(hqe.Pool(predictions.argmax(axis=2), labels), size=3)
    assert study.best.serving.temperature is None
    assert study.best.serving.early_exit.expected_models <= len(study.best.team)


def test_an_order_runs_as_a_voter_does(pool, scores):
    predictions, labels = scores
    answer = hqe.order(pool, team=[0, 1, 2], test=pool)
    exit = answer.early_exit
    assert sorted(exit.order) == [0, 1, 2] and exit.held_out.expected_models == exit.expected_models
    voter = hqe.Voter("soft", members=3, classes=predictions.shape[2])
    run = 0
    for sample in range(len(labels)):
        voter.clear()
        for model in exit.order:
            voter.add(model, predictions[model, sample])
            run += 1
            if voter.is_decided:
                break
        assert voter.answer == hqe_answer(predictions, sample)
    assert run / len(labels) == pytest.approx(exit.expected_models)


def test_cascades_stop_as_numpy_says(pool, scores):
    predictions, labels = scores
    answer = hqe.front(pool, cascade=True, team=[0, 1, 2, 3], test=pool)
    full = predictions[:4].astype(float).sum(axis=0).argmax(axis=1)
    assert answer.rows[0].is_exact and answer.rows[0].selection.changed == 0
    assert answer.rows[0].selection.correct == (full == labels).sum() == answer.correct
    sure = [row for row in answer.rows if row.rule == "confidence"]
    assert sure and answer.judged_by == "test"
    exit = hqe.order(pool, team=[0, 1, 2, 3]).early_exit
    assert answer.order == exit.order and answer.rows[0].selection.expected_cost == exit.expected_cost
    for row in sure:
        changed = 0
        for sample in range(len(labels)):
            voter = hqe.Voter("soft", members=4, classes=predictions.shape[2])
            shares = np.zeros(predictions.shape[2])
            for asked, model in enumerate(answer.order, 1):
                voter.add(model, predictions[model, sample])
                shares += predictions[model, sample]
                if voter.is_decided:
                    break
                if shares.max() / asked >= row.confidence:
                    changed += shares.argmax() != full[sample]
                    break
        assert changed == row.selection.changed == row.held_out.changed


def test_cascades_are_those_of_the_recommended_team_unless_one_is_named(pool):
    answer = hqe.front(pool, cascade=True)
    assert answer.is_recommended and answer.team == hqe.prune(pool).best.team
    assert answer.judged_by == "half" and answer.rows[0].held_out.samples == answer.rows[0].selection.samples
    for extra in (dict(team=[0, 1]), dict(test=pool)):
        with pytest.raises(hqe.UsageError, match="cascade=True"):
            hqe.front(pool, **extra)


def hqe_answer(predictions, sample):
    return predictions[:3, sample].astype(float).sum(axis=0).argmax()


def test_a_voter_of_every_member_is_apply(pool, scores):
    predictions, _ = scores
    combined = hqe.apply(pool, team=[0, 1, 2])
    voter = hqe.Voter("soft", members=3, classes=predictions.shape[2])
    for sample in range(50):
        voter.clear()
        for member in (2, 0, 1):
            voter.add(member, predictions[member, sample])
        assert voter.is_complete and voter.answer == combined.labels[sample]
        assert (voter.scores() == combined.scores[sample]).all()


def test_a_voter_of_labels_counts_ties_and_abstentions():
    voter = hqe.Voter("plurality", members=3, classes=3, correct=[5, 6, 7])
    voter.add(2, 1)
    assert not voter.is_decided
    with pytest.raises(hqe.UsageError, match="not decided"):
        voter.answer
    voter.add(0, -1)
    assert voter.is_decided  # Member 1 alone is less accurate: a tie goes to member 2.
    voter.add(1, 0)
    assert voter.answer == 1
    with pytest.raises(hqe.UsageError, match="voted already"):
        voter.add(1, 0)
    with pytest.raises(hqe.UsageError, match="no vote loud"):
        hqe.Voter("loud", members=3, classes=3)


def test_a_weighted_voter_of_labels_counts_weights():
    voter = hqe.Voter("weighted", members=3, classes=3, weights=[3, 1, 1], labels=True)
    voter.add(0, 2)
    assert voter.is_decided and voter.answer == 2
