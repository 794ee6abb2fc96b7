# SPDX-License-Identifier: MIT
"""hqe.sklearn, held against scikit-learn's own checks and its own voting."""

import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import hqe
from hqe.sklearn import PrunedVotingClassifier, prune_forest


def quick_members():
    """Their weights mean what repeated samples do, which is not so of every classifier."""
    return [(f"tree{i}", DecisionTreeClassifier(max_depth=i, random_state=0)) for i in (4, 5, 6)]


@parametrize_with_checks(
    [
        PrunedVotingClassifier(quick_members(), size=2, cv=2),
        PrunedVotingClassifier(quick_members(), size=2, cv=0.3, voting="hard"),
    ]
)
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    words = np.array("zero one two three four five six seven eight nine".split())
    return X[:600], words[y[:600]], X[600:1200], words[y[600:1200]]


def members():
    return [
        ("nb", GaussianNB()),
        ("knn", KNeighborsClassifier(3)),
        ("tree", DecisionTreeClassifier(random_state=0)),
        ("stump", DecisionTreeClassifier(max_depth=4, random_state=0)),
        ("far", KNeighborsClassifier(15)),
    ]


@pytest.mark.parametrize("voting", ["soft", "hard"])
@pytest.mark.parametrize("cv", [3, 0.3])
def test_a_team_predicts_as_scikit_learns_vote_of_its_members(digits, voting, cv):
    X, y, X_test, y_test = digits
    ensemble = PrunedVotingClassifier(members(), size=3, voting=voting, cv=cv).fit(X, y)
    assert len(ensemble.estimators_) == len(ensemble.team_)
    assert list(ensemble.named_estimators_) == [members()[i][0] for i in ensemble.team_]
    assert ensemble.study_.best.team == ensemble.team_
    assert list(ensemble.classes_) == sorted(set(y))
    plain = VotingClassifier([members()[i] for i in ensemble.team_], voting=voting)
    if cv == 3:  # Fitted on everything, as the plain one.
        expected = plain.fit(X, y).predict(X_test)
        assert np.array_equal(ensemble.predict(X_test), expected)
    assert ensemble.score(X_test, y_test) > 0.9


def test_fitted_estimators_are_taken_as_they_are(digits):
    X, y, X_test, y_test = digits
    fitted = [(name, one.fit(X, y)) for name, one in members()]
    ensemble = PrunedVotingClassifier(fitted, size=2, prefit=True).fit(X_test, y_test)
    assert [id(one) for one in ensemble.estimators_] == [id(fitted[i][1]) for i in ensemble.team_]
    outputs = [one.predict_proba(X_test) for _, one in fitted]
    truth = np.searchsorted(ensemble.classes_, y_test)
    assert ensemble.study_.to_json() == hqe.prune(
        hqe.Pool(
            outputs, truth, names=[name for name, _ in fitted], kind="probabilities",
            classes=list(ensemble.classes_), name="PrunedVotingClassifier",
        ),
        size=2, ties="label",
    ).to_json()  # fmt: skip
    with pytest.raises(NotFittedError, match="'nb' is not fitted"):
        PrunedVotingClassifier(members(), prefit=True).fit(X, y)


def test_it_works_in_a_pipeline_and_in_a_grid_search(digits):
    X, y, X_test, y_test = digits
    pipeline = make_pipeline(StandardScaler(), PrunedVotingClassifier(members(), cv=3))
    grid = {"prunedvotingclassifier__size": [2, 3], "prunedvotingclassifier__beta": [0.1]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(X, y)
    assert search.score(X_test, y_test) > 0.8
    assert len(search.best_estimator_[-1].estimators_) in (2, 3)


def test_it_survives_pickle_clone_and_copies(digits):
    X, y, X_test, _ = digits
    ensemble = PrunedVotingClassifier(members(), size=2, cv=3).fit(X, y)
    for other in (pickle.loads(pickle.dumps(ensemble)), copy.deepcopy(ensemble)):
        assert np.array_equal(other.predict_proba(X_test), ensemble.predict_proba(X_test))
        assert other.study_.to_json(detail=True) == ensemble.study_.to_json(detail=True)
    fresh = clone(ensemble)
    assert not hasattr(fresh, "team_") and fresh.fit(X, y).team_ == ensemble.team_


def test_two_estimators_are_both_kept(digits):
    X, y, _, _ = digits
    ensemble = PrunedVotingClassifier(members()[:2]).fit(X, y)
    assert ensemble.team_ == (0, 1) and ensemble.study_ is None


def test_wrong_arguments_are_refused(digits):
    X, y, X_test, y_test = digits
    with pytest.raises(hqe.UsageError, match="neither 'soft' nor 'hard'"):
        PrunedVotingClassifier(members(), voting="loud").fit(X, y)
    for wrong in ([], [1, 2], None):
        with pytest.raises(hqe.InputError, match="pairs"):
            PrunedVotingClassifier(wrong).fit(X, y)
    with pytest.raises(hqe.InputError, match="not distinct"):
        PrunedVotingClassifier([members()[0]] * 3).fit(X, y)
    fitted = [(name, one.fit(X, y)) for name, one in members()]
    with pytest.raises(hqe.InputError, match="samples of every class"):
        PrunedVotingClassifier(fitted, prefit=True).fit(X_test[:4], y_test[:4])
    assert not hasattr(PrunedVotingClassifier(members(), voting="hard"), "predict_proba")


FORESTS = {
    "RandomForest": RandomForestClassifier(40, random_state=0, oob_score=True),
    "ExtraTrees": ExtraTreesClassifier(40, random_state=0),
    "Bagging": BaggingClassifier(n_estimators=20, random_state=0),
    "Bagging of features": BaggingClassifier(n_estimators=20, max_features=0.6, random_state=0),
    "Bagging of few samples": BaggingClassifier(n_estimators=20, max_samples=12, random_state=0),
}


@pytest.mark.parametrize("name", FORESTS)
def test_a_forest_keeps_its_class_and_its_best_trees(digits, name):
    X, y, X_test, y_test = digits
    forest = clone(FORESTS[name]).fit(X, y)
    smaller = prune_forest(forest, X_test, y_test, size=7)
    assert type(smaller) is type(forest) and len(smaller.estimators_) == 7
    assert [id(t) for t in smaller.estimators_] == [id(forest.estimators_[i]) for i in smaller.team_]
    assert len(forest.estimators_) == forest.n_estimators > smaller.n_estimators == 7
    assert not hasattr(smaller, "oob_score_")
    assert smaller.score(X_test, y_test) > forest.score(X_test, y_test) - 0.1
    assert set(smaller.predict(X_test)) <= set(y)
    assert np.array_equal(pickle.loads(pickle.dumps(smaller)).predict(X_test), smaller.predict(X_test))
    assert set(clone(smaller).get_params()) == set(forest.get_params())


def test_a_pruned_forest_answers_as_its_trees_do(digits):
    X, y, X_test, y_test = digits
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    smaller = prune_forest(forest, X_test, y_test, size=3, metrics="F-GD")
    trees = [forest.estimators_[i].predict_proba(X_test) for i in smaller.team_]
    assert np.allclose(smaller.predict_proba(X_test), np.mean(trees, axis=0))
    assert len(smaller.studies_) == 1 and smaller.studies_[0].best.team == smaller.team_
    assert smaller.score(X_test, y_test) == smaller.studies_[0].best.correct / len(y_test)


def test_forests_of_other_kinds_are_refused(digits):
    X, y, X_test, y_test = digits
    with pytest.raises(hqe.UsageError, match="not GradientBoostingClassifier"):
        prune_forest(GradientBoostingClassifier(), X_test, y_test)
    with pytest.raises(NotFittedError):
        prune_forest(RandomForestClassifier(), X_test, y_test)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(hqe.UsageError, match="5 trees allow sizes 2 to 4"):
        prune_forest(forest, X_test, y_test, size=5)
    with pytest.raises(hqe.InputError, match="was not fitted on"):
        prune_forest(forest, X_test, np.full(len(y_test), "eleven"))


def test_a_logistic_member_keeps_the_names_of_features(digits):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    X, y, _, _ = digits
    frame = pandas.DataFrame(X[:, 20:24], columns=list("abcd"))
    kept = [("a", GaussianNB()), ("b", LogisticRegression(max_iter=50)), ("c", KNeighborsClassifier())]
    ensemble = PrunedVotingClassifier(kept, size=2, cv=2).fit(frame, y)
    assert list(ensemble.feature_names_in_) == list("abcd") and ensemble.n_features_in_ == 4
