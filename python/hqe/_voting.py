# SPDX-License-Identifier: MIT
"""The members of a voting classifier: fitting them, and what they say as the engine reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _num_samples, has_fit_parameter

from hqe.errors import InputError, UsageError

Named = Sequence[tuple[str, Any]]


def check_members(members: Named, method: str, weighted: bool) -> None:
    """Refuses, by name, a member that cannot do what will be asked of it."""
    for name, one in members:
        if method == "predict_proba" and not hasattr(one, method):
            raise UsageError(
                f"estimators: '{name}' ({type(one).__name__}) has no predict_proba. Use voting='hard', "
                "or wrap it in sklearn.calibration.CalibratedClassifierCV"
            )
        if weighted and not _takes_weights(one):
            raise UsageError(
                f"estimators: fit of '{name}' ({type(one).__name__}) takes no sample_weight. "
                f"Leave sample_weight out, or the member: set_params({name}='drop')"
            )


def _takes_weights(estimator: Any) -> bool:
    steps = getattr(estimator, "steps", None)  # Of a Pipeline: its last step is fitted with them.
    return has_fit_parameter(steps[-1][1] if steps else estimator, "sample_weight")


def _fitted(estimator: Any, X: Any, codes: Any, weights: Any) -> Any:
    if weights is None:
        return clone(estimator).fit(X, codes)
    steps = getattr(estimator, "steps", None)
    word = f"{steps[-1][0]}__sample_weight" if steps else "sample_weight"
    return clone(estimator).fit(X, codes, **{word: weights})


def _part(values: Any, rows: Any) -> Any:
    return None if values is None else _safe_indexing(values, rows)


def fit_members(
    members: Named, X: Any, codes: Any, weights: Any, rows: Any = None, n_jobs: int | None = None
) -> list[Any]:
    """Clones of the members, fitted on encoded labels: on everything, or on some rows."""
    if rows is not None:
        X, codes, weights = _part(X, rows), codes[rows], _part(weights, rows)
    return list(Parallel(n_jobs=n_jobs)(delayed(_fitted)(one, X, codes, weights) for _, one in members))


def said(estimator: Any, X: Any, method: str, class_count: int) -> np.ndarray[Any, Any]:
    """What a fitted member says of X: N x C probabilities, or N encoded labels.

    Its own classes are the encoded labels, some of them, or, fitted by somebody else, every label."""
    output = np.asarray(getattr(estimator, method)(X))
    if method == "predict" and output.ndim == 2 and output.shape[1] == 1:
        output = output[:, 0]  # CatBoost's way.
    known = getattr(estimator, "classes_", None)
    if method == "predict_proba":
        if output.shape[1] == class_count:
            return output
        spread = np.zeros((len(output), class_count))
        spread[:, np.asarray(known, dtype=int)] = output
        return spread
    if known is not None and len(known) == class_count:
        return np.searchsorted(known, output)
    return output.astype(int)


def _fold(estimator: Any, X: Any, codes: Any, weights: Any, fold: Any, method: str, count: int) -> Any:
    train, test = fold
    fitted = _fitted(estimator, _part(X, train), codes[train], _part(weights, train))
    return said(fitted, _part(X, test), method, count)


def cross_validated(
    members: Named,
    X: Any,
    codes: Any,
    weights: Any,
    folds: Sequence[tuple[Any, Any]],
    method: str,
    class_count: int,
    n_jobs: int | None,
) -> list[np.ndarray[Any, Any]]:
    """What each member says of each sample when it was fitted on the other folds."""
    seen = np.sort(np.concatenate([test for _, test in folds]))
    if not np.array_equal(seen, np.arange(_num_samples(X))):
        raise UsageError(
            "cv: the splitter tests some samples never or twice. Use one whose test parts are a "
            "partition, such as StratifiedKFold, or a held-out share such as cv=0.3"
        )
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_fold)(one, X, codes, weights, fold, method, class_count) for _, one in members for fold in folds
    )
    outputs = []
    for begin in range(0, len(parts), len(folds)):
        pieces = parts[begin : begin + len(folds)]
        whole = np.empty((len(codes), *pieces[0].shape[1:]), pieces[0].dtype)
        for (_, test), piece in zip(folds, pieces):
            whole[test] = piece
        outputs.append(whole)
    return outputs


def named_members(estimators: Any, reserved: Sequence[str]) -> list[tuple[str, Any]]:
    """The list of pairs that a user gave, names as text; refuses what is no such list."""
    try:
        members = [(str(name), one) for name, one in estimators]
    except (TypeError, ValueError):
        members = []
    if not members:
        raise InputError("estimators: not a list of (name, estimator) pairs. Give at least one pair")
    names = [name for name, _ in members]
    if len(set(names)) != len(names):
        raise InputError(f"estimators: the names {names} are not distinct")
    for name in names:
        if "__" in name or name in reserved:
            raise InputError(
                f"estimators: '{name}' cannot be a name, since set_params could not tell what it "
                "means. Names have no '__' and are not those of parameters"
            )
    words = [one for _, one in members if isinstance(one, str)]
    if any(word != "drop" for word in words):
        raise InputError(f"estimators: {words} are no estimators. Only 'drop' is a word here")
    if len(words) == len(members):
        raise InputError("estimators: all are 'drop'. Give at least one estimator")
    return members
