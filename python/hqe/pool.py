# SPDX-License-Identifier: MIT
"""A pool: M trained models as their predictions on N labelled samples."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hqe import _core
from hqe._arrays import core_array, rows_of
from hqe.errors import InputError

Costs = Mapping[str, Mapping[str, float]]


def _text(value: Any, what: str) -> str:
    text = str(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what}: '{text}' is not whole Unicode characters. Rename it") from None
    return text


def _path(path: str | os.PathLike[str]) -> str:
    return _text(os.fsdecode(path), "path")


def _cost(value: Any, what: str) -> float:
    if isinstance(value, (bool, np.bool_)):
        raise InputError(f"costs: {what}: {value} is not a number")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"costs: {what}: {value} is not a number") from None


def _named(predictions: Any, names: Sequence[str] | None) -> tuple[list[str], list[Any]]:
    if isinstance(predictions, Mapping):
        if names is not None:
            raise InputError("names: a dict of predictions has its names. Leave `names` out")
        return [_text(name, "names") for name in predictions], list(predictions.values())
    arrays = rows_of(predictions)
    if names is None:
        return [f"model_{i}" for i in range(len(arrays))], arrays
    names = [_text(name, "names") for name in names]
    if len(names) != len(arrays):
        raise InputError(f"names: {len(names)} for {len(arrays)} models. Give one name a model")
    return names, arrays


def _cost_table(costs: Any, names: list[str]) -> dict[str, dict[str, float]]:
    if costs is None:
        return {}
    if not isinstance(costs, Mapping):
        costs = list(costs)
        if len(costs) != len(names):
            raise InputError(f"costs: {len(costs)} for {len(names)} models. Give one dict a model")
        costs = dict(zip(names, costs))
    unknown = [name for name in costs if name not in names]
    if unknown:
        raise InputError(f"costs: no model is called '{unknown[0]}'. There is {', '.join(names)}")
    return {
        name: {word: _cost(value, f"{name}: {word}") for word, value in (entry or {}).items()}
        for name, entry in costs.items()
    }


class Pool:
    """A pool of models, from arrays in memory or from files.

    `predictions` is a dict or list of arrays, one a model (N x C floats, or N integers), or one
    M x N x C or M x N array: of NumPy, or anything with `__dlpack__` or `__array__`. Arrays but
    the labels are not copied where their layout allows: leave them unchanged while the pool is in use. `kind` is
    "probabilities", "logits", "labels" or "correctness" (which needs no labels); None looks at the
    values. `costs` maps a model's name to a dict with any of `params`, `gflops`, `latency_ms`,
    `memory_mb`, `lipschitz`, or lists such dicts, one a model.

    >>> import numpy as np, hqe
    >>> hqe.Pool({"a": np.array([0, 1, 1]), "b": np.array([0, 1, 0])}, labels=[0, 1, 1])
    <hqe.Pool 'pool': 2 models, 3 samples, 2 classes, labels (detected)>
    """

    _core: _core.Pool

    def __init__(
        self,
        predictions: Any,
        labels: Any = None,
        names: Sequence[str] | None = None,
        kind: str | None = None,
        costs: Costs | Sequence[Mapping[str, float] | None] | None = None,
        classes: Sequence[str] = (),
        name: str = "pool",
    ) -> None:
        model_names, arrays = _named(predictions, names)
        self._core = _core.pool_from_arrays(
            model_names,
            [core_array(array, f"model '{n}'") for n, array in zip(model_names, arrays)],
            None if labels is None else core_array(labels, "labels"),
            kind,
            _cost_table(costs, model_names),
            [_text(word, "classes") for word in classes],
            _text(name, "name"),
        )

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        labels: str | os.PathLike[str] | None = None,
        kind: str | None = None,
    ) -> Pool:
        """Open a folder, or a list of loose files with `labels`. Files are mapped, not read.

        >>> import numpy as np, os, tempfile, hqe
        >>> folder = tempfile.TemporaryDirectory()
        >>> for name, values in {"labels": [0, 1, 1], "a": [0, 1, 0], "b": [1, 1, 1]}.items():
        ...     np.save(os.path.join(folder.name, name), values)
        >>> hqe.Pool.open(folder.name).names
        ['a', 'b']
        """
        pool = cls.__new__(cls)
        folder, files = "", []
        if isinstance(path, (str, os.PathLike)):
            folder = _path(path)
        else:
            files = [_path(file) for file in path]
        pool._core = _core.open_pool(
            folder,
            files,
            None if labels is None else _path(labels),
            kind,
        )
        return pool

    @property
    def name(self) -> str:
        """What messages and reports call the pool."""
        return self._core.name

    @property
    def kind(self) -> str:
        """ "probabilities", "logits", "labels" or "correctness"."""
        return self._core.kind

    @property
    def kind_detected(self) -> bool:
        """Whether the kind was seen from the values rather than declared."""
        return self._core.kind_detected

    @property
    def names(self) -> list[str]:
        """The models' names, in id order."""
        return self._core.names

    @property
    def classes(self) -> list[str]:
        """The classes' names; empty where unknown."""
        return self._core.class_names

    @property
    def model_count(self) -> int:
        """M."""
        return self._core.model_count

    @property
    def sample_count(self) -> int:
        """N."""
        return self._core.sample_count

    @property
    def class_count(self) -> int:
        """C."""
        return self._core.class_count

    def __len__(self) -> int:
        return self._core.model_count

    def __repr__(self) -> str:
        detected = " (detected)" if self.kind_detected else ""
        return (
            f"<hqe.Pool '{_core.message_text(self.name)}': {self.model_count} models, {self.sample_count} samples, "
            f"{self.class_count} classes, {self.kind}{detected}>"
        )
