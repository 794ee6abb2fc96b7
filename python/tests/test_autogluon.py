# SPDX-License-Identifier: MIT
"""AutoGluon itself. It needs an older pandas than the other tests, so `make soak` has an environment for it; what it publishes
of its predictor is tested in test_evaluations.py."""

import numpy as np
import pytest

import hqe


@pytest.fixture
def tabular():
    """Asked for by each test: of a module that is skipped as a whole nobody hears why."""
    return pytest.importorskip("autogluon.tabular", reason="AutoGluon needs an older pandas than the other tests: make soak runs this")


@pytest.mark.parametrize("words", [["no", "yes"], ["ant", "bee", "cat"]])
def test_a_predictor_is_a_pool(tabular, words, tmp_path):
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(5)
    label = random.integers(0, len(words), 600)
    features = random.normal(size=(600, 4)) + label[:, None] * [0.8, 0.4, 0, 0]
    data = pandas.DataFrame(features, columns=list("abcd")).assign(kind=np.array(words)[label])
    members = {"RF": {"n_estimators": 20}, "XT": {"n_estimators": 20}, "KNN": {}, "LR": {}}
    predictor = tabular.TabularPredictor("kind", path=str(tmp_path / "fitted"), verbosity=0)
    predictor.fit(data[:300], hyperparameters=members, fit_weighted_ensemble=False)
    held_out = data[300:]
    pool = hqe.from_autogluon(predictor, held_out)
    assert pool.classes == words and pool.sample_count == 300 and pool.model_count >= 3
    for model, name in zip(hqe.inspect(pool).models, pool.names):
        said = predictor.predict(held_out, model=name)
        assert model.correct == int((said == held_out["kind"]).sum()), name
    assert hqe.prune(pool, size=2, prefer="cost").best.names
