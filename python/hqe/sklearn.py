# SPDX-License-Identifier: MIT
"""Pruned ensembles as scikit-learn estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GroupShuffleSplit, StratifiedKFold, check_cv, train_test_split
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import Bunch, _safe_indexing, column_or_1d, indexable
from sklearn.utils.metaestimators import _BaseComposition, available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, _num_samples, check_is_fitted

import hqe
from hqe._options import PRUNE
from hqe._voting import Named, check_members, cross_validated, fit_members, named_members, said
from hqe.errors import InputError, UsageError
from hqe.forest import prune_forest

__all__ = ["PrunedVotingClassifier", "prune_forest"]

_FEWEST = 3  # The engine prunes pools of three models and more.
_VOTES = {"soft": None, "weighted": "weighted", "hard": None}  # None: what the kind suggests.


def _has_shares(ensemble: PrunedVotingClassifier) -> bool:
    if ensemble.voting == "hard":
        raise AttributeError("predict_proba needs voting='soft' or voting='weighted'")
    return True


class PrunedVotingClassifier(ClassifierMixin, _BaseComposition):
    """A voting classifier that keeps only the team of estimators worth keeping.

    Fits `estimators`, or with `prefit=True` takes them already fitted, chooses what to ship by
    `hqe.prune` on predictions for samples that the members were not fitted on (a team, one model or
    all of them), and forgets the rest. Members are fitted on labels encoded as 0 to C-1, as
    scikit-learn's VotingClassifier does it, so that members that need numbers take text labels too.

    Parameters
    ----------
    estimators : list of (name, estimator) pairs. "drop" in place of an estimator leaves it out:
        `set_params(knn="drop")`; `set_params(knn__n_neighbors=3)` reaches into a member.
    size, beta, metrics, merit : as in `hqe.prune`. With fewer than three estimators all are kept.
    voting : "soft" (mean of probabilities), "weighted" (the same, weighted by accuracy on the
        samples that chose) or "hard" (most votes, ties to the lower class).
    prefit : the estimators are fitted: `fit(X, y)` only chooses, on X and y, which should be
        samples that the estimators have not seen.
    cv : where the predictions come from otherwise. An int or a splitter: cross-validation, and the
        team's estimators are then fitted on everything. A float in (0, 1): that share of the
        samples is held out to choose on, and the estimators are fitted on the rest.
    random_state : seed of the folds or of the held-out share.
    n_jobs : how many members are fitted at once, as in scikit-learn.

    Attributes
    ----------
    estimators_ : the fitted members that were kept.
    named_estimators_ : the same, by name.
    team_ : their places in `estimators`.
    weights_ : one a member where the vote is weighted, else None.
    decision_ : "team", "single" or "entire", as `study_.best.decision`.
    study_ : the `hqe.Study` that chose them; None where there was nothing to choose.
    classes_ : the class labels.

    Only the members that were kept are pickled. With `prefit=True` a pickle has "drop" in
    `estimators` in place of the others.

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
        merit: str = PRUNE.merit,
        voting: str = "soft",
        prefit: bool = False,
        cv: Any = 5,
        random_state: int | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.size = size
        self.beta = beta
        self.metrics = metrics
        self.merit = merit
        self.voting = voting
        self.prefit = prefit
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, with `deep` also the members and their parameters (`knn__n_neighbors`)."""
        params: dict[str, Any] = self._get_params("estimators", deep=deep)
        return params

    def set_params(self, **params: Any) -> PrunedVotingClassifier:
        """Set parameters, members (`knn="drop"`) and members' parameters (`knn__n_neighbors=3`)."""
        self._set_params("estimators", **params)
        return self

    @property
    def named_estimators(self) -> Bunch:
        """The estimators that were given, by name."""
        return Bunch(**dict(self.estimators))

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> PrunedVotingClassifier:
        """Fit the estimators (unless they are), choose the team, keep its members.

        `sample_weight` is passed on to the members; in the choice every sample counts once, those of
        weight 0 not at all. `groups` is for the splitter: samples of one group stay together."""
        if self.voting not in _VOTES:
            raise UsageError(f"voting: '{self.voting}' is neither 'soft' nor 'hard', nor 'weighted'")
        every = named_members(self.estimators, list(self._get_params("estimators", deep=False)))
        places = [i for i, (_, one) in enumerate(every) if not isinstance(one, str)]
        members = [every[i] for i in places]
        check_members(members, self._method(), sample_weight is not None and not self.prefit)
        if _num_samples(X) == 0:
            raise InputError("X: no samples. Give at least one a class")
        check_classification_targets(y)
        X, y, groups = indexable(X, column_or_1d(y, warn=True), groups)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        encoder = LabelEncoder().fit(y)
        self.classes_ = encoder.classes_
        kept, fitted = self._fit(members, X, encoder.transform(y), weights, groups)
        self.team_ = tuple(places[i] for i in kept)
        self.estimators_ = fitted
        self.named_estimators_ = Bunch(**{members[i][0]: one for i, one in zip(kept, fitted)})
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted[0], name):
                setattr(self, name, getattr(fitted[0], name))
        return self

    def _fit(
        self, members: Named, X: Any, codes: np.ndarray[Any, Any], weights: Any, groups: Any
    ) -> tuple[tuple[int, ...], list[Any]]:
        """The places of the members to keep, and these, fitted."""
        count, method = len(self.classes_), self._method()
        if self.prefit:
            self._check_fitted(members)
            outputs = [said(one, X, method, count) for _, one in members]
            kept = self._choose(members, outputs, codes, weights)
            return kept, [members[i][1] for i in kept]
        if isinstance(self.cv, float):
            train, held = self._hold_out(codes, groups)
            fitted = fit_members(members, X, codes, weights, train, self.n_jobs)
            X_held = _safe_indexing(X, held)
            outputs = [said(one, X_held, method, count) for one in fitted]
            held_weights = None if weights is None else weights[held]
            kept = self._choose(members, outputs, codes[held], held_weights)
            return kept, [fitted[i] for i in kept]
        outputs = []
        if len(members) >= _FEWEST:
            folds = list(self._folds(codes).split(X, codes, groups))
            outputs = cross_validated(members, X, codes, weights, folds, method, count, self.n_jobs)
        kept = self._choose(members, outputs, codes, weights)
        return kept, fit_members([members[i] for i in kept], X, codes, weights, n_jobs=self.n_jobs)

    def _check_fitted(self, members: Named) -> None:
        codes = np.arange(len(self.classes_))
        for name, estimator in members:
            try:
                check_is_fitted(estimator)
            except NotFittedError as error:
                raise NotFittedError(
                    f"estimators: '{name}' is not fitted. Fit it first, or use prefit=False"
                ) from error
            # Labels that are no numbers cannot be mistaken for their codes.
            is_encoded = self.classes_.dtype.kind not in "biuf" and np.array_equal(estimator.classes_, codes)
            if not is_encoded and not np.array_equal(estimator.classes_, self.classes_):
                raise InputError(
                    f"estimators: '{name}' knows the classes {list(estimator.classes_)}, y has "
                    f"{list(self.classes_)}. Choose on samples of every class"
                )

    def _method(self) -> str:
        return "predict" if self.voting == "hard" else "predict_proba"

    def _hold_out(self, codes: np.ndarray[Any, Any], groups: Any) -> list[np.ndarray[Any, Any]]:
        if groups is None:
            parts = train_test_split(
                np.arange(len(codes)), test_size=self.cv, stratify=codes, random_state=self.random_state
            )
        else:
            splitter = GroupShuffleSplit(1, test_size=self.cv, random_state=self.random_state)
            parts = next(splitter.split(codes, codes, groups))
        return [np.sort(part) for part in parts]

    def _folds(self, codes: np.ndarray[Any, Any]) -> Any:
        folds = self.cv
        if isinstance(folds, (int, np.integer)):
            # A class with fewer samples than folds would be missing from some training part.
            folds = max(2, min(int(folds), int(np.bincount(codes).min())))
            folds = StratifiedKFold(folds, shuffle=True, random_state=self.random_state)
        return check_cv(folds, codes, classifier=True)

    def _choose(self, members: Named, outputs: list[Any], codes: np.ndarray[Any, Any], weights: Any) -> tuple[int, ...]:
        everybody = tuple(range(len(members)))
        self.study_: hqe.Study | None = None
        self.weights_: list[float] | None = None
        self.decision_ = "entire" if len(members) > 1 else "single"
        if len(members) < _FEWEST or len(self.classes_) < 2:
            return everybody
        if weights is not None and (weights == 0).any():
            outputs, codes = [one[weights != 0] for one in outputs], codes[weights != 0]
        pool = hqe.Pool(
            outputs,
            codes,
            names=[name for name, _ in members],
            kind="labels" if self.voting == "hard" else "probabilities",
            classes=[str(label) for label in self.classes_],
            name=type(self).__name__,
        )
        self.study_ = hqe.prune(
            pool, size=self.size, beta=self.beta, metrics=self.metrics, merit=self.merit,
            vote=_VOTES[self.voting], ties="label",
        )  # fmt: skip
        best = self.study_.best
        if best is None:
            return everybody
        self.weights_, self.decision_ = best.weights, best.decision
        return best.team

    @available_if(_has_shares)
    def predict_proba(self, X: Any) -> np.ndarray[Any, Any]:
        """Mean of the members' probabilities, weighted where the vote is."""
        check_is_fitted(self)
        weights = self.weights_ or [1.0] * len(self.estimators_)
        total: np.ndarray[Any, Any] = sum(
            weight * said(one, X, "predict_proba", len(self.classes_)) for one, weight in zip(self.estimators_, weights)
        )
        return total / sum(weights)

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The class that the team answers."""
        check_is_fitted(self)
        if self.voting != "hard":
            return self.classes_[np.argmax(self.predict_proba(X), axis=1)]
        votes = np.zeros((_num_samples(X), len(self.classes_)), dtype=np.int64)
        for one in self.estimators_:
            votes[np.arange(len(votes)), said(one, X, "predict", len(self.classes_))] += 1
        return self.classes_[np.argmax(votes, axis=1)]

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "team_" not in state:
            return state
        if self.prefit:
            state["estimators"] = [
                (name, one if i in self.team_ else "drop") for i, (name, one) in enumerate(self.estimators)
            ]
        else:  # Their parameters are all that another fit needs.
            state["estimators"] = [(name, one if isinstance(one, str) else clone(one)) for name, one in self.estimators]
        return state

    def __sklearn_tags__(self) -> Any:
        """Sparse matrices and missing values are the members' business."""
        tags = super().__sklearn_tags__()
        try:
            members = [one.__sklearn_tags__() for _, one in self.estimators if one != "drop"]
        except (TypeError, ValueError, AttributeError):
            return tags
        tags.input_tags.sparse = all(one.input_tags.sparse for one in members)
        tags.input_tags.allow_nan = all(one.input_tags.allow_nan for one in members)
        return tags
