# SPDX-License-Identifier: MIT
"""Forests with only the trees worth keeping."""

from __future__ import annotations

import copy
import math
import numbers
from typing import Any

import numpy as np
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.utils.validation import check_is_fitted

import hqe
from hqe import _core
from hqe._options import PRUNE
from hqe.errors import InputError, UsageError

_TEAMS_AT_ONCE = 10_000  # A search of so many teams takes a moment.


class _Studies(list[hqe.Study]):
    """Studies beside a forest, which takes no room for them where it is saved."""

    def __reduce__(self) -> tuple[type[_Studies], tuple[()]]:
        return _Studies, ()


def prune_forest(
    forest: Any, X: Any, y: Any, size: int | None = PRUNE.size, beta: Any = PRUNE.beta, **options: Any
) -> Any:
    """A smaller estimator of the same class as `forest`, with only `size` of its trees.

    `forest` is a fitted RandomForestClassifier, ExtraTreesClassifier or BaggingClassifier; X and y
    should be samples that it has not seen. `size=None` is what `hqe.prune` would choose; further
    options are its own, but `vote` and `choose`: a forest means its trees' probabilities, and exactly
    `size` trees are kept.

    Teams of twenty of two hundred trees are too many to search. So where a forest is large, its
    trees are dealt by accuracy into groups of equal strength, each group is pruned to an equal
    part of `size`, and the parts together are the team. The result has `team_` (places in
    `forest.estimators_`) and `studies_` (one a group; a pickle leaves them out, and holds only what runs).

    >>> from sklearn.datasets import load_digits
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from hqe.sklearn import prune_forest
    >>> X, y = load_digits(return_X_y=True)
    >>> forest = RandomForestClassifier(30, random_state=0).fit(X[:900], y[:900])
    >>> smaller = prune_forest(forest, X[900:], y[900:], size=6)
    >>> type(smaller).__name__, len(smaller.estimators_)
    ('RandomForestClassifier', 6)
    """
    if not isinstance(forest, (RandomForestClassifier, ExtraTreesClassifier, BaggingClassifier)):
        raise UsageError(
            "prune_forest takes a RandomForestClassifier, ExtraTreesClassifier or "
            f"BaggingClassifier, not {type(forest).__name__}"
        )
    check_is_fitted(forest)
    for word, only in (("vote", "soft"), ("choose", "consensus")):
        if options.get(word, only) != only:
            raise UsageError(f"prune_forest: {word}='{options[word]}' is not possible: a forest can only be '{only}'")
    if getattr(forest, "n_outputs_", 1) != 1:
        raise UsageError("prune_forest takes forests with one output")
    truth = _encoded(forest.classes_, np.asarray(y))
    outputs = _outputs(forest, X)
    if size is None:
        size = _core.default_size(len(outputs))
    if isinstance(size, bool) or not isinstance(size, numbers.Integral):
        raise UsageError(f"size={size!r}: expected a whole number")
    size = int(size)
    if not 2 <= size < len(outputs):
        raise UsageError(
            f"size {size} out of range. {len(outputs)} trees allow sizes 2 to {len(outputs) - 1}"
        )
    right = [(output.argmax(axis=1) == truth).sum() for output in outputs]
    order = np.argsort(-np.asarray(right), kind="stable")
    team, studies = [], []
    group_count = _group_count(len(outputs), size)
    for group in range(group_count):
        trees = np.sort(order[group::group_count])
        part = size // group_count + (group < size % group_count)
        study = hqe.prune(
            hqe.Pool({f"tree_{i}": outputs[i] for i in trees}, truth, kind="probabilities"),
            size=part,
            beta=beta,
            # Exactly so many trees are wanted: the evidence might prefer fewer.
            **{"choose": "consensus", "no_holdout": True, **options},
        )
        if study.best is None:
            raise UsageError(study.warnings[-1])
        studies.append(study)
        team += [int(trees[i]) for i in study.best.team]
    return _smaller(forest, tuple(sorted(team)), studies)


def _group_count(trees: int, size: int) -> int:
    """The fewest groups whose searches are small. Each gives at least two of its three or more."""
    most = max(1, min(size // 2, trees // 3))
    for groups in range(1, most + 1):
        if math.comb(-(-trees // groups), -(-size // groups)) <= _TEAMS_AT_ONCE:
            return groups
    return most


def _encoded(classes: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    places = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    if not np.array_equal(classes[places], y):
        raise InputError("y: has a class that the forest was not fitted on")
    return places


def _outputs(forest: Any, X: Any) -> list[np.ndarray[Any, Any]]:
    """Each tree's probabilities by the forest's classes; a bagged tree may not know them all."""
    values = np.asarray(X)
    features = getattr(forest, "estimators_features_", None)
    outputs = []
    for i, tree in enumerate(forest.estimators_):
        output = tree.predict_proba(values if features is None else values[:, features[i]])
        if output.shape[1] != len(forest.classes_):
            known, output = output, np.zeros((len(output), len(forest.classes_)))
            output[:, np.asarray(tree.classes_, dtype=int)] = known
        outputs.append(output)
    return outputs


def _smaller(forest: Any, team: tuple[int, ...], studies: list[hqe.Study]) -> Any:
    """A forest of the same class with the trees of `team`. Trees are shared, not copied."""
    smaller = copy.copy(forest)
    for name in ("estimators_", "estimators_features_", "_seeds"):
        if hasattr(forest, name):
            every = getattr(forest, name)
            setattr(smaller, name, [every[i] for i in team])
    for name in ("oob_score_", "oob_decision_function_"):  # They were the larger forest's.
        if name in vars(smaller):
            delattr(smaller, name)
    smaller.n_estimators = len(team)
    smaller.team_ = team
    smaller.studies_ = _Studies(studies)
    return smaller
