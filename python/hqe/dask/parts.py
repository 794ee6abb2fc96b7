# SPDX-License-Identifier: MIT
"""What a part of a pool can be, and what a worker makes of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hqe import _core
from hqe.collecting import collect
from hqe.errors import InputError
from hqe.pool import Pool, _cost_table

Made = tuple[bytes, str, bool]  # A digest, its kind, and whether that was only seen from the values.


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

    def row_count(self) -> int:
        """Loads the labels alone."""
        return len(_loaded(self.labels))

    def pool(self, folder: str) -> Pool:
        """Runs the models, and keeps what they say in that folder while it is needed."""
        options = {"progress": False, **self.options, "costs": False}
        made = collect(self.models, _loaded(self.data), _loaded(self.labels), os.path.join(folder, "pool"), **options)
        if made.failed:
            name, why = next(iter(made.failed.items()))
            raise InputError(f"model '{name}': {why}. Every part needs every model")
        return made.open()


def _loaded(value: Any) -> Any:
    return value() if callable(value) else value


@dataclass(frozen=True)
class Files:
    """The files of a pool, or some rows of them."""

    opened: tuple[Any, ...]
    rows: tuple[int, int] | None = None

    def row_count(self) -> int:
        return Pool.open(*self.opened).sample_count if self.rows is None else self.rows[1] - self.rows[0]

    def pool(self, folder: str) -> Pool:
        return Pool.open(*self.opened)


@dataclass(frozen=True)
class Function:
    """A function that makes a pool of so many samples."""

    rows_made: int
    make: Callable[[], Pool]
    rows: None = None

    def row_count(self) -> int:
        return self.rows_made

    def pool(self, folder: str) -> Pool:
        pool = self.make()
        if not isinstance(pool, Pool) or pool.sample_count != self.rows_made:
            raise InputError(f"parts: a function gave {pool!r} where a pool of {self.rows_made} samples was announced")
        return pool


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
    if hasattr(value, "row_count") and hasattr(value, "pool"):
        return value
    raise InputError(f"parts: {type(value).__name__} is no path, pool, hqe.dask.Collecting, nor (rows, function)")


def count_rows(part: Any) -> int:
    """On a worker: how many samples a part has."""
    return int(part.row_count())


def digest_pool(
    pool: Pool, rows: tuple[int, int] | None, first_row: int, costs: Any, kind: str | None, folder: str, threads: int
) -> Made:
    """The digest as bytes. `kind` is what all parts together turned out to be."""
    path = os.path.join(folder, "part.digest")
    table = _cost_table(costs, pool.names)
    _core.digest(pool._core, path, rows, first_row, table, kind, threads, None)
    made = Pool.open(path)
    with open(path, "rb") as file:
        return file.read(), made.kind, made.kind_detected


def digest_part(part: Any, first_row: int, costs: Any, kind: str | None, threads: int) -> Made:
    """On a worker: the digest of one part."""
    with tempfile.TemporaryDirectory(prefix="hqe-") as folder:
        return digest_pool(part.pool(folder), getattr(part, "rows", None), first_row, costs, kind, folder, threads)


def digest_arrays(
    names: Sequence[str],
    blocks: Sequence[Any],
    labels: Any,
    about: Mapping[str, Any],
    first_row: int,
    costs: Any,
    kind: str | None,
    threads: int,
) -> Made:
    """On a worker: the digest of one block of rows of every array."""
    arrays = {name: np.asarray(block) for name, block in zip(names, blocks)}
    pool = Pool(arrays, None if labels is None else np.asarray(labels), **about)
    with tempfile.TemporaryDirectory(prefix="hqe-") as folder:
        return digest_pool(pool, None, first_row, costs, kind, folder, threads)
