# SPDX-License-Identifier: MIT
"""What a part of a pool can be, and what a worker makes of it."""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hqe import _core
from hqe.collecting import collect
from hqe.collecting.models import model_of
from hqe.collecting.outputs import Failure
from hqe.errors import InputError
from hqe.pool import Costs, Pool, _core_paths, _cost_table


@dataclass(frozen=True)
class Made:
    """A digest, and what its part says of the kind that the whole pool has.

    logits: of each model, whether a value of this part lies outside [0,1]; empty where the kind was declared or is
        none of scores. fault: why the part alone has no kind; it was made as logits then.
    """

    content: bytes
    kind: str
    detected: bool
    logits: tuple[bool, ...] = ()
    fault: InputError | None = None


def are_logits(parts: Sequence[Made]) -> bool:
    """Whether parts whose kind was seen are logits: every model shows it in some part. Where not all do, a part
    without a kind is refused as it was on its worker."""
    looks = [made.logits for made in parts if made.logits]
    if looks and all(map(any, zip(*looks))):
        return True
    for made in parts:
        if made.fault is not None:
            raise made.fault
    return False


@dataclass(frozen=True)
class Shown:
    """What rows show of labels, which together say what labels mean."""

    truth: frozenset[int] = frozenset()
    predicted: frozenset[int] = frozenset()
    words: frozenset[str] = frozenset()
    has_fractions: bool = False
    has_others: bool = False

    def __or__(self, other: Shown) -> Shown:
        return Shown(
            self.truth | other.truth,
            self.predicted | other.predicted,
            self.words | other.words,
            self.has_fractions or other.has_fractions,
            self.has_others or other.has_others,
        )

    def core(self) -> _core.ShownLabels:
        shown = _core.ShownLabels()
        shown.truth, shown.predicted, shown.words = sorted(self.truth), sorted(self.predicted), sorted(self.words)
        shown.has_fractions, shown.has_others = self.has_fractions, self.has_others
        return shown


def _shown(core: _core.ShownLabels) -> Shown:
    return Shown(frozenset(core.truth), frozenset(core.predicted), frozenset(core.words), core.has_fractions, core.has_others)


@dataclass(frozen=True)
class Counted:
    """How many samples a part has, and what these show of labels; nothing where it cannot be said before it is made."""

    rows: int
    shown: Shown | None = None


def all_shown(counted: Sequence[Counted]) -> Shown | None:
    """What all parts show."""
    known = [count.shown for count in counted if count.shown is not None]
    return functools.reduce(Shown.__or__, known) if known else None


@dataclass(frozen=True)
class Collecting:
    """Models that run where the data is: a part for `hqe.dask.digest`.

    models: as of `hqe.collect`. data, labels: those of the part, or functions without arguments that load
    them on the worker. options: others of `hqe.collect`. Costs are not measured, since no two workers would
    agree: give `costs` to `digest`.
    """

    models: Mapping[str, Any]
    data: Any
    labels: Any
    options: Mapping[str, Any] = field(default_factory=dict)

    def counted(self) -> Counted:
        """Loads the labels alone. Where models know classes, labels are settled by these, and text only then."""
        labels = np.asarray(_loaded(self.labels))
        is_column = labels.ndim == 1 or (labels.ndim == 2 and labels.shape[1] == 1)
        if not is_column or labels.dtype.kind not in "iub" or self._knows_classes():
            return Counted(len(labels))
        return Counted(len(labels), Shown(truth=frozenset(np.unique(labels.astype(np.int64)).tolist())))

    def _knows_classes(self) -> bool:
        """Whether a model does; what is none is refused when models are run."""
        with contextlib.suppress(Failure):
            return any(model_of(model).classes is not None for model in self.models.values())
        return False

    def pool(self, folder: str, elsewhere: Shown | None = None) -> Pool:
        """Runs the models, and keeps what they say in that folder while it is needed."""
        options = {"progress": False, **self.options, "costs": False}
        made = collect(self.models, _loaded(self.data), _loaded(self.labels), os.path.join(folder, "pool"), **options)
        if made.failed:
            name, why = next(iter(made.failed.items()))
            raise InputError(f"model '{name}': {why}. Every part needs every model")
        return made.open() if elsewhere is None else Pool._open(os.path.join(folder, "pool"), None, None, elsewhere.core())


def _loaded(value: Any) -> Any:
    return value() if callable(value) else value


@dataclass(frozen=True)
class Files:
    """The files of a pool, or some rows of them."""

    opened: tuple[Any, ...]
    rows: tuple[int, int] | None = None

    def counted(self) -> Counted:
        if self.rows is not None:
            return Counted(self.rows[1] - self.rows[0])
        path, labels, kind = self.opened
        with contextlib.suppress(InputError):  # Also of digests, which are no part: that is said where one would be made.
            rows, shown = _core.rows_of(*_core_paths(path, labels), kind)
            return Counted(rows, _shown(shown))
        return Counted(self.pool("").sample_count)

    def pool(self, folder: str, elsewhere: Shown | None = None) -> Pool:
        path, labels, kind = self.opened
        return Pool._open(path, labels, kind, None if elsewhere is None else elsewhere.core())

    def as_logits(self, folder: str, elsewhere: Shown | None = None) -> Pool | None:
        path, labels, kind = self.opened
        if kind is not None or _core.declared_kind(*_core_paths(path, labels)) is not None:
            return None
        return Pool._open(path, labels, "logits", None if elsewhere is None else elsewhere.core())


@dataclass(frozen=True)
class Function:
    """A function that makes a pool of so many samples."""

    rows_made: int
    make: Callable[[], Pool]
    rows: None = None

    def counted(self) -> Counted:
        return Counted(self.rows_made)

    def pool(self, folder: str, elsewhere: Shown | None = None) -> Pool:
        pool = self.make()
        if not isinstance(pool, Pool) or pool.sample_count != self.rows_made:
            raise InputError(f"parts: a function gave {pool!r} where a pool of {self.rows_made} samples was announced")
        return pool

    def as_logits(self, folder: str, elsewhere: Shown | None = None) -> Pool | None:
        pool = self.pool(folder)
        return pool if pool.kind_detected else None


def part_of(value: Any) -> Any:
    """A part as somebody names it."""
    if isinstance(value, (str, os.PathLike)):
        return Files((os.path.abspath(value), None, None))
    if isinstance(value, Pool):
        if value._opened is None:
            return Function(value.sample_count, lambda: value)
        return Files(value.__getstate__()["files"])
    if isinstance(value, tuple) and len(value) == 2 and callable(value[1]):
        return Function(int(value[0]), value[1])
    if hasattr(value, "counted") and hasattr(value, "pool"):
        return value
    raise InputError(f"parts: {type(value).__name__} is no path, pool, hqe.dask.Collecting, nor (rows, function)")


def count_rows(part: Any) -> Counted:
    """On a worker: how many samples a part has, and which labels."""
    counted: Counted = part.counted()
    return counted


@dataclass(frozen=True)
class How:
    """How the digest of a part is made. `pool_rows`: where the rows of all parts end. `kind`: what all parts together
    turned out to be. `elsewhere`: what they show of labels."""

    first_row: int
    pool_rows: int
    costs: Costs | None
    kind: str | None
    threads: int
    elsewhere: Shown | None = None

    def digest(self, pool: Pool, rows: tuple[int, int] | None, folder: str, kind: str | None) -> Made:
        path = os.path.join(folder, "part.digest")
        table = _cost_table(self.costs, pool.names)
        _core.digest(pool._core, path, rows, self.first_row, self.pool_rows, table, kind, "", self.threads, None)
        made = Pool.open(path)
        is_seen = made.kind_detected and made.kind in ("probabilities", "logits")
        logits = (made.kind == "logits",) * made.model_count if is_seen else ()
        with open(path, "rb") as file:
            return Made(file.read(), made.kind, made.kind_detected, logits)

    def make(self, make: Callable[[str], Pool], as_logits: Callable[[str], Pool | None], rows: tuple[int, int] | None) -> Made:
        """A part whose own values do not tell its kind is made as logits: others may show that it is. `as_logits` makes
        the pool so, or nothing where somebody declared another kind."""
        with tempfile.TemporaryDirectory(prefix="hqe-") as folder:
            if self.kind is not None:
                known = as_logits(folder)
                return self.digest(make(folder) if known is None else known, rows, folder, self.kind)
            try:
                return self.digest(make(folder), rows, folder, None)
            except InputError as error:
                with contextlib.suppress(InputError):
                    pool = as_logits(folder)
                    if pool is not None:
                        made = self.digest(pool, rows, folder, "logits")
                        return replace(made, logits=tuple(_core.hold_logits(pool._core, self.threads)), fault=error)
                raise


def _nothing(folder: str, elsewhere: Shown | None) -> None:
    return None


def digest_part(part: Any, how: How) -> Made:
    """On a worker: the digest of one part."""
    as_logits = getattr(part, "as_logits", _nothing)
    return how.make(
        lambda folder: part.pool(folder, how.elsewhere),
        lambda folder: as_logits(folder, how.elsewhere),
        getattr(part, "rows", None),
    )


def digest_arrays(names: Sequence[str] | None, blocks: Sequence[Any], labels: Any, shown: Any, about: Mapping[str, Any], how: How) -> Made:
    """On a worker: the digest of one block of rows of every array. `shown`: all true labels there are, where their
    meaning depends on that; they stand below the block while the pool is made."""
    arrays = [np.asarray(block) for block in blocks]
    count = len(arrays[0])
    if shown is not None:
        arrays = [np.concatenate([array, np.repeat(array[:1], len(shown), axis=0)]) for array in arrays]
        labels = np.concatenate([labels, shown])

    def make(kind: str | None) -> Pool:
        return Pool(arrays if names is None else dict(zip(names, arrays)), labels, **{**about, "kind": kind})

    declared = about["kind"]
    rows = None if shown is None else (0, count)
    place = f"rows {how.first_row} to {how.first_row + count - 1}, counted from their first"
    try:
        made = how.make(lambda _: make(declared), lambda _: make("logits") if declared is None else None, rows)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return made if made.fault is None else replace(made, fault=InputError(f"{place}: {made.fault}"))
