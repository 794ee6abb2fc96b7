# SPDX-License-Identifier: MIT
"""A pool: M trained models as their predictions on N samples."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hqe import _core
from hqe._arrays import core_array, rows_of, seen
from hqe._columns import is_table
from hqe.errors import InputError
from hqe.table import TableParts, table_parts

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


def _core_paths(path: Any, labels: Any) -> tuple[str, list[str], str | None]:
    """What the engine opens: a folder or files, and labels."""
    folder, files = "", []
    if isinstance(path, (str, os.PathLike)) and _path(path).endswith(".digest"):
        files = [_path(path)]
    elif isinstance(path, (str, os.PathLike)):
        folder = _path(path)
    else:
        files = [_path(file) for file in path]
    return folder, files, None if labels is None else _path(labels)


def _cost(value: Any, model: str, word: str) -> float:
    what, is_truth = f"{model}: {word}", isinstance(value, (bool, np.bool_))
    if is_truth != (word == "lipschitz_estimated"):
        raise InputError(f"costs: {what}: {value} is not {'a number' if is_truth else 'True or False'}")
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
        name: {word: _cost(value, name, word) for word, value in (entry or {}).items()}
        for name, entry in costs.items()
    }


class Pool:
    """A pool of models, from arrays in memory or from files.

    `predictions` is a dict or list of arrays, one a model (N x C floats, or N integers or words), or one
    M x N x C or M x N array: of NumPy, or anything with `__dlpack__` or `__array__`; or a table with
    a column a model, as `from_table` reads it. Arrays but the labels are not copied where their
    layout allows: leave them unchanged while the pool is in use. Without `labels` only `inspect` and
    `apply` work. `kind` is "probabilities", "logits", "labels" or "correctness" (which needs no
    labels); None looks at the values. `costs` maps a model's name to a dict with any of `params`,
    `gflops`, `latency_ms`, `memory_mb`, `lipschitz` (with `lipschitz_radius`, `lipschitz_estimated`), or
    lists such dicts, one a model.

    >>> import numpy as np, hqe
    >>> hqe.Pool({"a": np.array([0, 1, 1]), "b": np.array([0, 1, 0])}, labels=[0, 1, 1])
    <hqe.Pool 'pool': 2 models, 3 samples, 2 classes, labels (detected)>
    """

    _core: _core.Pool
    _made: tuple[Any, ...] = ()  # What the engine was given, for a pickle ..
    _opened: tuple[Any, ...] | None = None  # .. or what was opened.

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
        if is_table(predictions):
            if names is not None or len(classes):
                raise InputError("names: a table names its models and classes. Leave `names` and `classes` out")
            beside, column = (None, labels) if isinstance(labels, str) else (labels, None)
            parts = table_parts(predictions, beside, column, None, None, kind)
            self._from_parts(parts, kind, costs, name)
            return
        model_names, arrays = _named(predictions, names)
        places = [f"model '{n}'" for n in model_names]
        self._make(
            model_names,
            [seen(array, place) for place, array in zip(places, arrays)],
            None if labels is None else seen(labels, "labels"),
            kind,
            _cost_table(costs, model_names),
            [_text(word, "classes") for word in classes],
            _text(name, "name"),
            names is not None or isinstance(predictions, Mapping),
            places,
            "" if labels is None else "labels",
        )

    def _from_parts(self, parts: TableParts, kind: str | None, costs: Any, name: str) -> None:
        names = [_text(model, "names") for model in parts.predictions]
        self._make(
            names,
            list(parts.predictions.values()),
            parts.labels,
            kind,
            _cost_table(costs, names),
            [_text(word, "classes") for word in parts.classes],
            _text(name, "name"),
            True,
            parts.places,
            parts.labels_place,
        )

    def _make(self, names: list[str], arrays: list[Any], labels: Any, kind: str | None, *rest: Any) -> None:
        self._made = (names, arrays, labels, kind, *rest)
        *_, places, labels_place = rest
        self._core = _core.pool_from_arrays(
            names,
            [core_array(array, place) for place, array in zip(places, arrays)],
            None if labels is None else core_array(labels, labels_place),
            kind,
            *rest,
        )

    @classmethod
    def from_table(
        cls,
        table: Any,
        label: str | None = None,
        id: str | None = None,
        models: Sequence[str] | None = None,
        kind: str | None = None,
        costs: Costs | Sequence[Mapping[str, float] | None] | None = None,
        name: str = "pool",
        model: str | None = None,
        truth: Any = None,
    ) -> Pool:
        """A pool of a table with a row a sample: a DataFrame of pandas or polars, an Arrow table, a
        DuckDB relation, a dict of columns, or the path of a file that `hqe.read_table` reads.

        Columns are predicted labels, one a model, or probabilities (logits) called `model.class` or
        `model_class`; with two classes also one column a model, of the second class's probability.
        `label` is the column of true labels, `id` one by which rows are sorted, `models` those to
        take, `model` the one that names models where a table has a row a model and sample; headers such
        as label and id speak for themselves. `truth` is another table, with the true labels of the same
        ids in any order. Labels that are no numbers from 0
        become classes, sorted and named; without true labels `inspect` and `apply` work.

        >>> import hqe
        >>> table = {"y": ["cat", "dog", "dog"], "a": ["cat", "dog", "cat"], "b": ["dog", "dog", "dog"]}
        >>> pool = hqe.Pool.from_table(table, label="y")
        >>> pool, pool.classes
        (<hqe.Pool 'pool': 2 models, 3 samples, 2 classes, labels (detected)>, ['cat', 'dog'])
        """
        parts = table_parts(table, None, label, id, models, kind, model, truth)
        pool = cls.__new__(cls)
        pool._from_parts(parts, kind, costs, name)
        return pool

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        labels: str | os.PathLike[str] | None = None,
        kind: str | None = None,
    ) -> Pool:
        """Open a folder, or a list of loose files with `labels`; a folder, a list or one file of digests.
        Files are mapped, not read.

        >>> import numpy as np, os, tempfile, hqe
        >>> folder = tempfile.TemporaryDirectory()
        >>> for name, values in {"labels": [0, 1, 1], "a": [0, 1, 0], "b": [1, 1, 1]}.items():
        ...     np.save(os.path.join(folder.name, name), values)
        >>> hqe.Pool.open(folder.name).names
        ['a', 'b']
        """
        return cls._open(path, labels, kind, None)

    @classmethod
    def _open(cls, path: Any, labels: Any, kind: str | None, elsewhere: _core.ShownLabels | None) -> Pool:
        """As `open`. `elsewhere`: what rows of the same pool show of labels that are in other files."""
        pool = cls.__new__(cls)
        pool._opened = (path, labels, kind)
        pool._core = _core.open_pool(*_core_paths(path, labels), kind, elsewhere)
        return pool

    def __getstate__(self) -> dict[str, Any]:
        """The paths, to be opened again, or the arrays."""
        if self._opened is None:
            return {"arrays": self._made}
        path, labels, kind = self._opened
        if isinstance(path, (str, os.PathLike)):
            path = os.path.abspath(path)
        else:
            path = [os.path.abspath(file) for file in path]
        return {"files": (path, None if labels is None else os.path.abspath(labels), kind)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "arrays" in state:
            self._make(*state["arrays"])
        else:
            self.__dict__ |= Pool.open(*state["files"]).__dict__

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
    def has_labels(self) -> bool:
        """Whether the true labels are known."""
        return self._core.has_labels

    @property
    def has_names(self) -> bool:
        """False where the models' names only count them: then they are matched by position."""
        return self._core.has_names

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
            f"{self.class_count} classes, {self.kind}{detected}{'' if self.has_labels else ', no labels'}>"
        )
