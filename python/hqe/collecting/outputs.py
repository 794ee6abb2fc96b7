# SPDX-License-Identifier: MIT
"""What models return, checked and in the form that the pool has."""

from __future__ import annotations

from typing import Any

import numpy as np

from hqe.collecting.data import torch_module

Values = np.ndarray[Any, Any]


class Failure(Exception):
    """Why a model is left out. The rest goes on. `sample` is the first that shows it and `batch` the one it
    is in, where that is known."""

    def __init__(self, why: str, sample: int | None = None) -> None:
        super().__init__(why if sample is None else f"sample {sample}: {why}")
        self.sample = sample
        self.batch: int | None = None


class Agreement:
    """What all models of a pool must share. What nobody said, the first model that is taken says."""

    def __init__(self, kind: str | None, class_count: int | None, label_limit: int) -> None:
        self.kind = kind
        self.class_count = class_count
        self.label_limit = label_limit  # No true label that is known is this large.
        self.row_count: int | None = None


def scores_of(raw: Any) -> Any:
    """What a model returned, or that part of it which holds the scores."""
    if isinstance(raw, dict) and "logits" in raw:
        return raw["logits"]
    if isinstance(raw, tuple) and raw and hasattr(raw[0], "shape") and len(raw[0].shape):
        return raw[0]
    return raw.logits if hasattr(raw, "logits") else raw


def _numbers(raw: Any) -> Values:
    torch = torch_module()
    raw = scores_of(raw)
    if torch is not None and isinstance(raw, torch.Tensor):
        raw = raw.detach().cpu()
        raw = (raw.float() if raw.dtype in (torch.bfloat16, torch.float16) else raw).numpy()
    try:
        values = np.asarray(raw)
    except (TypeError, ValueError) as error:
        raise Failure(f"returned no array ({error})") from None
    if values.dtype.kind not in "biuf":
        raise Failure(f"returned values of type {values.dtype}. Return integers or floats")
    return values.astype(np.float32) if values.dtype == np.float16 else values


def _check_finite(values: Values, start: int) -> None:
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        row = int((~np.isfinite(values)).any(axis=1).argmax())
        raise Failure("returned NaN or infinity", start + row)


def _check_sums(values: Values, start: int) -> None:
    sums = values.sum(axis=1, dtype=np.float64)
    wrong = (np.abs(sums - 1) > 1e-3) | (values < 0).any(axis=1) | (values > 1.001).any(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        raise Failure(f"no probabilities, their sum is {sums[row]:.6g}", start + row)


def _softmax(values: Values) -> Values:
    # NumPy is slow at maxima and sums of short rows: few classes are turned into rows meanwhile.
    few = values.shape[1] < 64
    exact = np.array(values.T if few else values, np.float64, order="C")
    classes = 0 if few else 1
    exact -= exact.max(axis=classes, keepdims=True)
    np.exp(exact, out=exact)
    exact /= exact.sum(axis=classes, keepdims=True)
    return np.ascontiguousarray(exact.T if few else exact, values.dtype)


class Shaper:
    """Turns one model's outputs into rows of the pool. What the first batch looks like holds for all."""

    def __init__(self, form: str | None, classes: Values | None, agreement: Agreement) -> None:
        self._form = form
        self._classes = classes
        self._agreement = agreement
        self._width: int | None = None

    @property
    def gives_logits(self) -> bool:
        return self._form == "logits"

    def taken(self, raw: Any, count: int, start: int) -> Values:
        """What was returned for a batch, as an array of the right shape; its values are not looked at."""
        values = self._scores_or_labels(raw, start)
        if len(values) != count:
            raise Failure(f"returned {len(values)} rows for {count} samples")
        if values.ndim == 2:
            try:
                self._count_classes(values.shape[1])
            except Failure:
                _check_finite(values, start)  # Says more than their number.
                raise
        return values

    def rows(self, values: Values, start: int) -> Values:
        """The rows of what was taken, of one batch or of several that follow each other."""
        _check_finite(values, start)
        if values.ndim == 1:
            self._check_labels(values, start)
        if self._form is None:
            self._form = self._look(values)
        rows = self._in_kind(values, start)
        self._settle()
        return rows

    def _scores_or_labels(self, raw: Any, start: int) -> Values:
        if self._form == "labels" and self._classes is not None:
            return positions(raw, self._classes, start)
        values = _numbers(raw)
        if self._form == "logits" and values.ndim == 1:  # A decision between two classes.
            values = np.stack([np.zeros_like(values), values], axis=1)
        if values.ndim == 1 and values.dtype.kind != "f":
            return values.astype(np.int64)
        if values.ndim != 2 or values.shape[1] < 2:
            raise Failure(
                f"returned an array of shape {values.shape}. Return one column a class, or integers, one a sample"
            )
        return values if values.dtype.kind == "f" else values.astype(np.float64)

    def _look(self, values: Values) -> str:
        if values.ndim == 1:
            return "labels"
        if self._agreement.kind == "logits":
            return "logits"
        try:
            _check_sums(values, 0)
            return "probabilities"
        except Failure:
            pass
        if (values >= 0).all() and (values <= 1).all():
            raise Failure(
                "returned values in [0, 1] that do not sum to 1: neither probabilities nor certainly logits. "
                "Return probabilities, or say kind='logits'"
            )
        return "logits"

    def _check_labels(self, values: Values, start: int) -> None:
        limit = self._agreement.class_count
        wrong = (values < -1) | (values >= (limit or np.iinfo(np.int64).max))
        if wrong.any():
            row = int(wrong.argmax())
            raise Failure(f"returned the label {values[row]}, which is none of {limit} classes", start + row)

    def _count_classes(self, width: int) -> None:
        """The number of classes must be that of the pool."""
        if self._width not in (None, width):
            raise Failure(f"returned {width} columns, and {self._width} before")
        expected = self._agreement.class_count
        if expected is not None and width != expected:
            raise Failure(f"returned {width} columns for {expected} classes")
        if width < self._agreement.label_limit:
            raise Failure(
                f"returned {width} columns, but there is a true label {self._agreement.label_limit - 1}"
            )
        self._width = width

    def _in_kind(self, values: Values, start: int) -> Values:
        kind = self._agreement.kind or ("labels" if self._form == "labels" else "probabilities")
        if kind == "labels":
            return values if values.ndim == 1 else values.argmax(axis=1)
        if values.ndim == 1:
            raise Failure(f"gives labels only, in a pool of {kind}. Say kind='labels' for the labels of all")
        if self._form == "probabilities":
            if kind == "logits":
                raise Failure("gives probabilities, in a pool of logits. Say kind='probabilities'")
            _check_sums(values, start)
            return values
        return _softmax(values) if kind == "probabilities" else values

    def _settle(self) -> None:
        """What the first model gives holds for the others."""
        if self._agreement.kind is None:
            self._agreement.kind = "labels" if self._form == "labels" else "probabilities"
        if self._agreement.class_count is None:
            self._agreement.class_count = self._width


def positions(labels: Any, classes: Values | None, start: int = 0) -> Values:
    """Labels as numbers of classes. Without `classes` they must be such numbers."""
    values = _numbers(labels) if classes is None else np.asarray(labels)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise Failure(f"an array of shape {values.shape}. Give one true label a sample")
    if classes is None:
        if values.dtype.kind == "f":
            raise Failure("floats. Give the numbers of classes as integers")
        if len(values) and values.min() < 0:
            raise Failure(f"the label {values.min()} is no class", start + int(values.argmin()))
        return values.astype(np.int64)
    order = np.argsort(classes, kind="stable")
    found = np.searchsorted(classes, values, sorter=order).clip(max=len(classes) - 1)
    numbers = order[found]
    wrong = classes[numbers] != values
    if wrong.any():
        row = int(wrong.argmax())
        raise Failure(f"the label {values[row]} is none of the classes that the models know", start + row)
    return numbers.astype(np.int64)
