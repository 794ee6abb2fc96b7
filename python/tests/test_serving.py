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
    assert study.best.serving is None
