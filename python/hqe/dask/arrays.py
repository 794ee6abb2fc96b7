# SPDX-License-Identifier: MIT
"""Dask arrays as the parts of a pool: a part for each chunk of rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hqe._arrays import seen
from hqe._progress import Progress
from hqe.dask.gathering import gather, submitted
from hqe.errors import InputError
from hqe.pool import Pool


@dataclass(frozen=True)
class Arrays:
    """One array a model, of rows that are cut alike; without names they are counted, as `hqe.Pool` does."""

    names: list[str] | None
    arrays: list[Any]
    truth: Any
    about: Mapping[str, Any]

    @property
    def chunks(self) -> tuple[int, ...]:
        """Those that have rows, as after a filter not all do."""
        return tuple(rows for rows in self.arrays[0].chunks[0] if rows) or (0,)

    @property
    def are_columns(self) -> bool:
        """Whether they are labels, or what one class of two has: digests of these are no smaller."""
        widths = [math.prod(array.shape[1:]) for array in self.arrays]
        return 1 in widths and max(widths) <= 2

    def pool(self, arrays: Sequence[Any]) -> Pool:
        return Pool(arrays if self.names is None else dict(zip(self.names, arrays)), self.truth, **self.about)

    def whole(self, client: Any, progress: Progress) -> Pool:
        """The pool here: what labels mean, all of them tell."""
        columns: dict[int, Any] = {}
        futures = submitted(client, client.compute, self.arrays)
        gather(client, futures, columns.__setitem__, stage="collecting labels", unit="models", progress=progress)
        return self.pool([columns[number] for number in range(len(futures))])

    def labels_shown(self) -> Any:
        """All true labels there are, where classes are named by them; nothing where each says which class it is. Refuses
        what is wrong with shapes and true labels, as a pool in memory would."""
        alike = self.pool([_rows_alike(array) for array in self.arrays])
        if not alike.classes or len(self.about["classes"]):
            return None
        return np.array(list(dict.fromkeys(self.truth.tolist())), self.truth.dtype)

    def blocks(self) -> list[list[Any]]:
        """The blocks of each part."""
        cut = [array.rechunk((self.chunks, *array.shape[1:])).to_delayed().ravel() for array in self.arrays]
        return [list(blocks) for blocks in zip(*cut)]


def _rows_alike(array: Any) -> Any:
    """As many rows in the place of one, which says the first class."""
    row = np.zeros(array.shape[1:], np.int8 if array.dtype.kind in "OUST" else array.dtype)
    row.flat[:1] = 1
    return np.broadcast_to(row, array.shape)


def are_arrays(parts: Any) -> bool:
    """Arrays by model, or one of all models."""
    return isinstance(parts, Mapping) or (hasattr(parts, "ndim") and hasattr(parts, "dtype"))


def arrays_of(client: Any, parts: Any, labels: Any, about: Mapping[str, Any]) -> Arrays:
    """What somebody gave, with the true labels fetched."""
    import dask.array

    as_array: Any = dask.array.asarray
    if isinstance(parts, Mapping):
        names, arrays = list(parts), [as_array(array) for array in parts.values()]
    else:
        names, arrays = None, [as_array(parts)]
    if not arrays:
        raise InputError("parts: there are none")
    for place, array in zip(names or ["all"], arrays):
        if any(size != size for size in array.shape):
            raise InputError(f"model '{place}': the sizes of its chunks are not known. Call its compute_chunk_sizes() first")
    if names is None:
        if arrays[0].ndim not in (2, 3):
            raise InputError(f"parts: one array of {arrays[0].ndim} dimensions. Give M x N x C, M x N, or a dict of arrays by model")
        arrays = list(arrays[0])
    truth: dict[int, Any] = {}
    if hasattr(labels, "__dask_graph__"):
        gather(client, submitted(client, client.compute, [labels]), truth.__setitem__, stage="fetching labels", unit="arrays", progress=False)
        labels = truth[0]
    return Arrays(names, arrays, None if labels is None else seen(labels, "labels"), about)
