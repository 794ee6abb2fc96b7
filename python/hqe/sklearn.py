# SPDX-License-Identifier: MIT
"""Pruned ensembles as scikit-learn estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold, check_cv, cross_val_predict, train_test_split
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import _safe_indexing, column_or_1d, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_is_fitted

import hqe
from hqe._options import PRUNE
from hqe.errors import InputError, UsageError
from hqe.forest import prune_forest

__all__ = ["PrunedVotingClassifier", "prune_forest"]

_FEWEST = 3  # The engine prunes pools of three models and more.


def _is_soft(ensemble: PrunedVotingClassifier) -> bool:
    if ensemble.voting != "soft":
        raise AttributeError("predict_proba needs voting='soft'")
    return True


class PrunedVotingClassifier(ClassifierMixin, BaseEstimator):
    """A voting classifier that keeps only the team of estimators worth keeping.

    Fits `estimators`, or with `prefit=True` takes them already fitted, chooses the team by focal
    diversity on predictions for samples that the members were not fitted on, and forgets the rest.

    Parameters
    ----------
    estimators : list of (name, estimator) pairs.
    size, beta, metrics : as in `hqe.prune`. With fewer than three estimators all are kept.
    voting : "soft" (mean of probabilities) or "hard" (most votes, ties to the lower class).
    prefit : the estimators are fitted: `fit(X, y)` only chooses, on X and y, which should be
        samples that the estimators have not seen.
    cv : where the predictions come from otherwise. An int or a splitter: cross-validation, and the
        team's estimators are then fitted on everything. A float in (0, 1): that share of the
        samples is held out to choose on, and the estimators are fitted on the rest.
    random_state : seed of the folds or of the held-out share.

    Attributes
    ----------
    estimators_ : the fitted members that were kept.
    named_estimators_ : the same, by name.
    team_ : their places in `estimators`.
    study_ : the `hqe.Study` that chose them; None where there was nothing to choose.
    classes_ : the class labels.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from hqe.sklearn import PrunedVotingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> members = [("nb", GaussianNB()), ("knn", KNeighborsClassifier()),
    ...            ("tree", DecisionTreeClassifier(random_state=0)),
    ...            ("logistic", LogisticRegression(max_iter=1000))]
    >>> ensemble = PrunedVotingClassifier(members, size=2).fit(X, y)
    >>> len(ensemble.estimators_), len(ensemble.team_)
    (2, 2)
    """

    def __init__(
        self,
        estimators: Any,
        *,
        size: int | str | None = PRUNE.size,
        beta: Any = PRUNE.beta,
        metrics: Any = None,
        voting: str = "soft",
        prefit: bool = False,
        cv: Any = 5,
        random_state: int | None = 0,
    ) -> None:
        self.estimators = estimators
        self.size = size
        self.beta = beta
        self.metrics = metrics
        self.voting = voting
        self.prefit = prefit
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> PrunedVotingClassifier:
        """Fit the estimators (unless they are), choose the team, keep its members."""
        if self.voting not in ("soft", "hard"):
            raise UsageError(f"voting: '{self.voting}' is neither 'soft' nor 'hard'")
        names, estimators = self._named_estimators()
        if _num_samples(X) == 0:
            raise InputError("X: no samples. Give at least one a class")
        check_classification_targets(y)
        X, y = indexable(X, column_or_1d(y, warn=True))
        self._encoder = LabelEncoder().fit(y)
        self.classes_ = self._encoder.classes_
        truth = self._encoder.transform(y)
        self.study_: hqe.Study | None = None
        if self.prefit:
            self._check_fitted(names, estimators)
            team = self._choose(names, [self._outputs(one, X) for one in estimators], truth)
            fitted = [estimators[i] for i in team]
        elif isinstance(self.cv, float):
            train, held = self._hold_out(truth)
            X_train, X_held = _safe_indexing(X, train), _safe_indexing(X, held)
            every = [clone(one).fit(X_train, y[train]) for one in estimators]
            outputs = [self._outputs(one, X_held) for one in every]
            team = self._choose(names, outputs, truth[held])
            fitted = [every[i] for i in team]
        else:
            team = self._choose(names, self._cross_validated(estimators, X, y, truth), truth)
            fitted = [clone(estimators[i]).fit(X, y) for i in team]
        self.team_ = team
        self.estimators_ = fitted
        self.named_estimators_ = {names[i]: one for i, one in zip(team, fitted)}
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted[0], name):
                setattr(self, name, getattr(fitted[0], name))
        return self

    def _named_estimators(self) -> tuple[list[str], list[Any]]:
        try:
            names, estimators = zip(*self.estimators)
        except (TypeError, ValueError) as error:
            raise InputError(
                "estimators: not a list of (name, estimator) pairs. Give at least one pair"
            ) from error
        if len(set(names)) != len(names):
            raise InputError(f"estimators: the names {list(names)} are not distinct")
        return [str(name) for name in names], list(estimators)

    def _check_fitted(self, names: list[str], estimators: list[Any]) -> None:
        for name, estimator in zip(names, estimators):
            try:
                check_is_fitted(estimator)
            except NotFittedError as error:
                raise NotFittedError(
                    f"estimators: '{name}' is not fitted. Fit it first, or use prefit=False"
                ) from error
            if not np.array_equal(estimator.classes_, self.classes_):
                raise InputError(
                    f"estimators: '{name}' knows the classes {list(estimator.classes_)}, y has "
                    f"{list(self.classes_)}. Choose on samples of every class"
                )

    def _method(self) -> str:
        return "predict_proba" if self.voting == "soft" else "predict"

    def _outputs(self, estimator: Any, X: Any) -> np.ndarray[Any, Any]:
        """What one fitted member says: probabilities by class, or encoded labels."""
        output = getattr(estimator, self._method())(X)
        return output if self.voting == "soft" else self._encoder.transform(output)

    def _hold_out(self, truth: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
        parts = train_test_split(
            np.arange(len(truth)), test_size=self.cv, stratify=truth, random_state=self.random_state
        )
        return [np.sort(part) for part in parts]

    def _cross_validated(
        self, estimators: list[Any], X: Any, y: Any, truth: np.ndarray[Any, Any]
    ) -> list[np.ndarray[Any, Any]]:
        if len(estimators) < _FEWEST:
            return []
        folds = self.cv
        if isinstance(folds, (int, np.integer)):
            # A class with fewer samples than folds would be missing from some training part.
            folds = max(2, min(int(folds), int(np.bincount(truth).min())))
            folds = StratifiedKFold(folds, shuffle=True, random_state=self.random_state)
        folds = check_cv(folds, y, classifier=True)
        outputs = [
            cross_val_predict(clone(one), X, y, cv=folds, method=self._method())
            for one in estimators
        ]
        return outputs if self.voting == "soft" else [self._encoder.transform(o) for o in outputs]

    def _choose(
        self, names: list[str], outputs: list[Any], truth: np.ndarray[Any, Any]
    ) -> tuple[int, ...]:
        everybody = tuple(range(len(names)))
        if len(names) < _FEWEST or len(self.classes_) < 2:
            return everybody
        pool = hqe.Pool(
            outputs,
            truth,
            names=names,
            kind="probabilities" if self.voting == "soft" else "labels",
            classes=[str(label) for label in self.classes_],
            name=type(self).__name__,
        )
        self.study_ = hqe.prune(
            pool, size=self.size, beta=self.beta, metrics=self.metrics, ties="label"
        )
        return everybody if self.study_.best is None else self.study_.best.team

    @available_if(_is_soft)
    def predict_proba(self, X: Any) -> np.ndarray[Any, Any]:
        """Mean of the members' probabilities."""
        check_is_fitted(self)
        total: np.ndarray[Any, Any] = sum(one.predict_proba(X) for one in self.estimators_)
        return total / len(self.estimators_)

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The class that the team answers."""
        check_is_fitted(self)
        if self.voting == "soft":
            return self.classes_[np.argmax(self.predict_proba(X), axis=1)]
        answers = [self._encoder.transform(one.predict(X)) for one in self.estimators_]
        votes = np.zeros((_num_samples(X), len(self.classes_)), dtype=np.int64)
        for answer in answers:
            votes[np.arange(len(votes)), answer] += 1
        return self.classes_[np.argmax(votes, axis=1)]

    def __sklearn_tags__(self) -> Any:
        """Sparse matrices and missing values are the members' business."""
        tags = super().__sklearn_tags__()
        try:
            members = [one.__sklearn_tags__() for _, one in self.estimators]
        except (TypeError, ValueError, AttributeError):
            return tags
        tags.input_tags.sparse = all(one.input_tags.sparse for one in members)
        tags.input_tags.allow_nan = all(one.input_tags.allow_nan for one in members)
        return tags
