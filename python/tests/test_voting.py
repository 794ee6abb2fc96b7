# SPDX-License-Identifier: MIT
"""PrunedVotingClassifier beside scikit-learn's VotingClassifier: what that can do, this can."""

import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

import joblib
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_digits
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier, VotingClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV, GroupKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import hqe
from hqe.sklearn import PrunedVotingClassifier, prune_forest


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    words = np.array("zero one two three four five six seven eight nine".split())
    return X[:400], words[y[:400]], X[400:800], words[y[400:800]]


def members():
    return [
        ("nb", GaussianNB(var_smoothing=1e-3)),
        ("knn", KNeighborsClassifier(3)),
        ("tree", DecisionTreeClassifier(random_state=0)),
        ("stump", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ]


def weighable():
    return [(name, one) for name, one in members() if name != "knn"]


class NeedsNumbers(ClassifierMixin, BaseEstimator):
    """Refuses labels that are not 0 to C-1, as XGBoost does, and answers in the same."""

    def fit(self, X, y):
        if not np.array_equal(np.unique(y), np.arange(len(np.unique(y)))):
            raise ValueError(f"Invalid classes: {np.unique(y)}")
        self.model_ = GaussianNB(var_smoothing=1e-3).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X):
        return self.model_.predict_proba(X)

    def predict(self, X):
        return self.model_.predict(X)


def test_parameters_of_members_are_parameters():
    ensemble = PrunedVotingClassifier(members())
    plain = VotingClassifier(members())
    nested = {key for key in plain.get_params() if "__" in key or key in dict(members())}
    assert nested <= set(ensemble.get_params())
    ensemble.set_params(knn__n_neighbors=7, size=2)
    assert ensemble.named_estimators.knn.n_neighbors == 7 and ensemble.size == 2
    assert clone(ensemble).get_params()["knn__n_neighbors"] == 7


def test_a_grid_search_reaches_into_members_and_drops_them(digits):
    X, y, _, _ = digits
    grid = {"knn__n_neighbors": [1, 30], "stump": ["drop", DecisionTreeClassifier(max_depth=2)]}
    search = GridSearchCV(PrunedVotingClassifier(members(), cv=2, size=2), grid, cv=2).fit(X, y)
    assert search.best_params_["knn__n_neighbors"] == 1


@pytest.mark.parametrize("cv", [3, 0.4])
def test_a_dropped_member_takes_no_part(digits, cv):
    X, y, X_test, _ = digits
    ensemble = PrunedVotingClassifier(members(), cv=cv, size=2).set_params(knn="drop").fit(X, y)
    assert 1 not in ensemble.team_
    assert [one.name for one in ensemble.study_.pool.models] == ["nb", "tree", "stump"]
    without = [one for one in members() if one[0] != "knn"]
    other = PrunedVotingClassifier(without, cv=cv, size=2).fit(X, y)
    assert [members()[i][0] for i in ensemble.team_] == [without[i][0] for i in other.team_]
    assert np.array_equal(ensemble.predict(X_test), other.predict(X_test))


def test_nobody_left_and_names_that_cannot_be_are_refused(digits):
    X, y, _, _ = digits
    with pytest.raises(hqe.InputError, match="all are 'drop'"):
        PrunedVotingClassifier([("a", "drop")]).fit(X, y)
    with pytest.raises(hqe.InputError, match="Only 'drop'"):
        PrunedVotingClassifier([("a", "none")]).fit(X, y)
    for name in ("a__b", "size"):
        with pytest.raises(hqe.InputError, match="cannot be a name"):
            PrunedVotingClassifier([(name, GaussianNB())]).fit(X, y)


def test_jobs_change_nothing(digits):
    X, y, X_test, _ = digits
    one = PrunedVotingClassifier(members(), cv=3).fit(X, y)
    with joblib.parallel_config("threading"):  # Processes take seconds to start.
        two = PrunedVotingClassifier(members(), cv=3, n_jobs=2).fit(X, y)
    assert one.study_.to_json() == two.study_.to_json()
    assert np.array_equal(one.predict_proba(X_test), two.predict_proba(X_test))


@pytest.mark.parametrize("cv", [3, 0.4])
def test_weights_of_samples_reach_every_fit(digits, cv):
    X, y, X_test, _ = digits
    weights = np.where(np.isin(y, ["one", "eight"]), 20.0, 0.5)
    light = PrunedVotingClassifier(weighable(), cv=cv, size=2).fit(X, y)
    heavy = PrunedVotingClassifier(weighable(), cv=cv, size=2).fit(X, y, sample_weight=weights)
    assert heavy.study_.to_json() != light.study_.to_json()
    if cv == 3:
        codes = np.searchsorted(heavy.classes_, y)
        by_hand = [clone(weighable()[i][1]).fit(X, codes, weights) for i in heavy.team_]
        expected = np.mean([one.predict_proba(X_test) for one in by_hand], axis=0)
        assert np.allclose(heavy.predict_proba(X_test), expected)


def test_samples_of_weight_zero_choose_nobody(digits):
    X, y, _, _ = digits
    weights = np.ones(len(y))
    weights[::4] = 0
    ensemble = PrunedVotingClassifier(weighable(), cv=3).fit(X, y, sample_weight=weights)
    assert ensemble.study_.pool.samples == int(weights.sum())


def test_weights_reach_the_last_step_of_a_pipeline_and_nobody_who_cannot_take_them(digits):
    X, y, _, _ = digits
    scaled = [("scaled", make_pipeline(StandardScaler(), GaussianNB())), *weighable()]
    PrunedVotingClassifier(scaled, cv=2).fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(hqe.UsageError, match=r"'knn' \(KNeighborsClassifier\) takes no sample_weight.*knn='drop'"):
        PrunedVotingClassifier(members(), cv=2).fit(X, y, sample_weight=np.ones(len(y)))


class Watching(GaussianNB):
    """Remembers the groups, which are its only feature, that it was fitted on."""

    seen = []

    def fit(self, X, y, sample_weight=None):
        Watching.seen.append(set(X[:, 0]))
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("cv", [GroupKFold(4), 0.25])
def test_groups_reach_the_splitter(cv):
    groups = np.arange(80) % 8
    X, y = np.c_[groups, np.arange(80)].astype(float), (np.arange(80) // 8) % 2
    Watching.seen.clear()
    watching = [(f"w{i}", Watching(var_smoothing=10.0**-i)) for i in range(3)]
    PrunedVotingClassifier(watching, cv=cv).fit(X, y, groups=groups)
    parts = Watching.seen[:3]
    assert all(len(part) == 6 for part in parts), parts


def test_a_splitter_that_is_no_partition_is_refused(digits):
    X, y, _, _ = digits
    with pytest.raises(hqe.UsageError, match="never or twice"):
        PrunedVotingClassifier(members(), cv=ShuffleSplit(3)).fit(X, y)


@pytest.mark.parametrize("voting", ["soft", "hard"])
@pytest.mark.parametrize("cv", [2, 0.4])
def test_members_that_need_numbers_take_text_labels(digits, voting, cv):
    X, y, X_test, y_test = digits
    mixed = [("needs", NeedsNumbers()), *members()]
    ensemble = PrunedVotingClassifier(mixed, cv=cv, voting=voting).fit(X, y)
    assert set(ensemble.predict(X_test)) <= set(y) and ensemble.score(X_test, y_test) > 0.8


@pytest.mark.parametrize("voting", ["soft", "hard"])
def test_fitted_members_may_know_the_labels_or_their_codes(digits, voting):
    X, y, X_test, y_test = digits
    codes = np.searchsorted(np.unique(y), y)
    words = [(name, one.fit(X, y)) for name, one in members()]
    coded = [(name, one.fit(X, codes)) for name, one in members()]
    first, second = (
        PrunedVotingClassifier(one, prefit=True, voting=voting).fit(X_test, y_test) for one in (words, coded)
    )
    assert first.team_ == second.team_ and np.array_equal(first.predict(X), second.predict(X))
    with pytest.raises(hqe.InputError, match="knows the classes"):  # Codes, or another label?
        PrunedVotingClassifier(coded, prefit=True).fit(X_test, np.searchsorted(np.unique(y), y_test) + 1)


def test_a_member_without_probabilities_votes_hard_or_is_named(digits):
    X, y, X_test, y_test = digits
    ridge = [("ridge", RidgeClassifier()), *members()]
    with pytest.raises(hqe.UsageError, match=r"'ridge' \(RidgeClassifier\) has no predict_proba.*voting='hard'"):
        PrunedVotingClassifier(ridge, cv=2).fit(X, y)
    assert PrunedVotingClassifier(ridge, cv=2, voting="hard").fit(X, y).score(X_test, y_test) > 0.8


def test_the_decision_and_the_weights_of_the_study_are_followed(digits):
    X, y, X_test, _ = digits
    ensemble = PrunedVotingClassifier(members(), cv=3, voting="weighted").fit(X, y)
    best = ensemble.study_.best
    assert (ensemble.team_, ensemble.decision_, ensemble.weights_) == (best.team, best.decision, best.weights)
    assert best.vote == "weighted" and len(best.weights) == len(best.team)
    shares = [one.predict_proba(X_test) for one in ensemble.estimators_]
    assert np.allclose(ensemble.predict_proba(X_test), np.average(shares, axis=0, weights=best.weights))
    one_good = [("nb", GaussianNB(var_smoothing=1e-3))]
    one_good += [(f"poor{i}", DecisionTreeClassifier(max_depth=1, max_features=1, random_state=i)) for i in range(4)]
    single = PrunedVotingClassifier(one_good, cv=3).fit(X, y)
    assert (single.decision_, single.team_, len(single.estimators_)) == ("single", (0,), 1)
    assert np.array_equal(single.predict_proba(X_test), single.estimators_[0].predict_proba(X_test))


def test_merit_is_that_of_prune(digits):
    X, y, _, _ = digits
    ensemble = PrunedVotingClassifier(members(), cv=2, merit="logloss").fit(X, y)
    assert ensemble.study_.options.merit == "logloss" and ensemble.study_.best.merit < 0


@pytest.mark.parametrize("prefit", [False, True])
def test_a_pickle_of_three_of_nine_is_as_small_as_its_three(digits, prefit):
    X, y, X_test, y_test = digits
    near = [1, 2, 3, 140, 150, 160, 170, 180, 190]  # Each holds its samples; six are poor.
    nine = [(f"knn{i}", KNeighborsClassifier(i)) for i in near]
    nine = [(name, one.fit(X, y)) for name, one in nine]
    ensemble = PrunedVotingClassifier(nine, size=3, prefit=prefit, cv=0.5).fit(X_test, y_test)
    kept = len(ensemble.estimators_)
    saved = pickle.dumps(ensemble)
    assert kept <= 3 and len(saved) < kept * len(pickle.dumps(ensemble.estimators_[0])) + 20_000
    again = pickle.loads(saved)
    assert np.array_equal(again.predict(X), ensemble.predict(X)) and again.team_ == ensemble.team_
    assert again.study_.to_json(True) == ensemble.study_.to_json(True)
    assert [name for name, one in again.estimators if one != "drop"] == (
        list(ensemble.named_estimators_) if prefit else [name for name, _ in nine]
    )


@pytest.mark.parametrize("make", [RandomForestClassifier, ExtraTreesClassifier, BaggingClassifier])
def test_a_forest_of_three_of_nine_trees_is_saved_as_its_three(digits, make):
    X, y, X_test, y_test = digits
    forest = make(n_estimators=9, random_state=0).fit(X, y)
    smaller = prune_forest(forest, X_test, y_test, size=3)
    saved = pickle.dumps(smaller)
    assert len(smaller.estimators_) == 3 and len(saved) < sum(len(pickle.dumps(tree)) for tree in smaller.estimators_) + 5_000
    assert np.array_equal(pickle.loads(saved).predict(X_test), smaller.predict(X_test))


def test_a_pruned_forest_saves_only_the_trees_that_run(digits):
    X, y, X_test, y_test = digits
    forest = RandomForestClassifier(120, random_state=0).fit(X, y)
    smaller = prune_forest(forest, X_test, y_test, size=6)
    assert len(smaller.estimators_) == 6
    assert len(pickle.dumps(smaller)) < 2 * 6 / 120 * len(pickle.dumps(forest))
    for word, value in (("vote", "weighted"), ("choose", "evidence")):
        with pytest.raises(hqe.UsageError, match=f"{word}='{value}'"):
            prune_forest(forest, X_test, y_test, size=6, **{word: value})
