# SPDX-License-Identifier: MIT
"""Anybody's data as batches: arrays, data sets, loaders, iterables."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from hqe.errors import InputError

LABEL_COLUMNS = ("label", "labels", "target")


class Batch(NamedTuple):
    """Some samples in a row. `load` gives the inputs, and the true labels where the data has them; `number`
    counts batches, once they are counted."""

    start: int
    rows: int
    load: Callable[[], tuple[Any, Any]]
    number: int = 0


class Data(NamedTuple):
    """What is known before reading. `batches` begins anew unless the data can be read once only."""

    rows: int | None
    once: bool
    batches: Callable[[], Iterator[Batch]]


def torch_module() -> Any:
    """torch where somebody has imported it: without that, nothing can be of it."""
    return sys.modules.get("torch")


def is_torch(value: Any, kind: str) -> bool:
    """Whether `value` is a torch.utils.data.`kind`."""
    torch = torch_module()
    known = getattr(getattr(getattr(torch, "utils", None), "data", None), kind, None)
    return known is not None and isinstance(value, known)


def is_plain(values: Any) -> bool:
    """Whether a batch of inputs is one array."""
    return not isinstance(values, Mapping)


def rows_of(values: Any) -> int:
    """The samples in a batch of inputs."""
    if isinstance(values, Mapping):
        return rows_of(next(iter(values.values())))
    shape = getattr(values, "shape", None)
    return int(shape[0]) if shape is not None else len(values)


def some_rows(values: Any, start: int, stop: int) -> Any:
    """Rows of a batch of inputs."""
    if isinstance(values, Mapping):
        return {key: some_rows(column, start, stop) for key, column in values.items()}
    return values.iloc[start:stop] if hasattr(values, "iloc") else values[start:stop]


def stacked(items: Any) -> Any:
    """Samples as one array."""
    torch = torch_module()
    if not isinstance(items, (list, tuple)):
        return items
    if torch is not None and items and isinstance(items[0], torch.Tensor):
        return torch.stack(list(items))
    return np.stack([np.asarray(item) for item in items])


def _columns(names: list[str], inputs: str | None, labels: str | None) -> tuple[str, str | None]:
    """The columns of the inputs and of the true labels."""
    for asked in (inputs, labels):
        if asked is not None and asked not in names:
            raise InputError(f"data: there is no column '{asked}'; there is {', '.join(names)}")
    if labels is None:
        labels = next((name for name in LABEL_COLUMNS if name in names and name != inputs), None)
    if inputs is None:
        others = [name for name in names if name != labels]
        if len(others) != 1:
            raise InputError(
                f"data: the columns are {', '.join(names)}. Say which is the input, as in input_column='{names[0]}'"
            )
        inputs = others[0]
    return inputs, labels


def _parts(batch: Any, inputs: str | None, labels: str | None) -> tuple[Any, Any]:
    """Inputs and true labels of what a loader or a data set gives."""
    if isinstance(batch, Mapping):
        first, second = _columns(list(batch), inputs, labels)
        return batch[first], None if second is None else batch[second]
    if isinstance(batch, (tuple, list)):
        if len(batch) not in (1, 2):
            raise InputError(f"data: {len(batch)} parts. Give the inputs, or the inputs and the true labels")
        return batch[0], batch[1] if len(batch) == 2 else None
    return batch, None


def _sliced(rows: int, size: int, take: Callable[[int, int], tuple[Any, Any]], once: bool = False) -> Data:
    def batches() -> Iterator[Batch]:
        for start in range(0, rows, size):
            stop = min(start + size, rows)
            yield Batch(start, stop - start, lambda start=start, stop=stop: take(start, stop))

    return Data(rows, once, batches)


def _samples(data: Any, size: int, inputs: str | None, labels: str | None) -> Data:
    """A data set: one sample an index."""

    def take(start: int, stop: int) -> tuple[Any, Any]:
        pairs = [_parts(data[i], inputs, labels) for i in range(start, stop)]
        answers = [label for _, label in pairs]
        return stacked([one for one, _ in pairs]), None if answers[0] is None else np.asarray(answers)

    return _sliced(len(data), size, take)


def _table(data: Any, size: int, inputs: str | None, labels: str | None) -> Data:
    """A data set of named columns, as Hugging Face has them."""
    first, second = _columns(list(data.column_names), inputs, labels)

    def take(start: int, stop: int) -> tuple[Any, Any]:
        columns = data[start:stop]
        return stacked(columns[first]), None if second is None else np.asarray(columns[second])

    return _sliced(len(data), size, take)


def _streamed(data: Any, size: int, inputs: str | None, labels: str | None) -> Data:
    """The same where the rows come one after another, and nobody knows how many."""

    class Batches:
        def __iter__(self) -> Iterator[tuple[Any, Any]]:
            for columns in data.iter(batch_size=size):
                first, second = _columns(list(columns), inputs, labels)
                yield stacked(columns[first]), None if second is None else np.asarray(columns[second])

    return _iterated(Batches(), None, None)


def _iterated(data: Any, inputs: str | None, labels: str | None) -> Data:
    """Batches as somebody else makes them."""

    def batches() -> Iterator[Batch]:
        start = 0
        for batch in data:
            pair = _parts(batch, inputs, labels)
            rows = rows_of(pair[0])
            if rows:
                yield Batch(start, rows, lambda pair=pair: pair)
            start += rows

    loader = is_torch(data, "DataLoader")
    known = loader and not data.drop_last and hasattr(data.dataset, "__len__")
    return Data(len(data.sampler) if known else None, not loader and iter(data) is data, batches)


def _refuse_shuffling(loader: Any) -> None:
    from torch.utils.data import RandomSampler, SubsetRandomSampler, WeightedRandomSampler

    if isinstance(loader.sampler, (RandomSampler, SubsetRandomSampler, WeightedRandomSampler)):
        raise InputError(
            "data: the DataLoader shuffles, so that a row would mean another sample for every model. "
            "Make it with shuffle=False"
        )


def open_data(data: Any, size: int, inputs: str | None, labels: str | None) -> Data:
    """What `data` is, without reading it."""
    if isinstance(data, (str, bytes, os.PathLike)):
        raise InputError("data: a path. Open it first, as in np.load(path, mmap_mode='r')")
    if is_torch(data, "DataLoader"):
        _refuse_shuffling(data)
        return _iterated(data, inputs, labels)
    if is_torch(data, "IterableDataset"):
        raise InputError("data: an IterableDataset gives single samples. Wrap it in a DataLoader")
    if isinstance(data, Mapping) and data:
        names = [str(name) for name in data]
        raise InputError(f"data: a dict of {', '.join(names)}. Give one of them, as in data['{names[0]}']")
    if hasattr(data, "column_names") and hasattr(data, "__getitem__") and hasattr(data, "__len__"):
        opened = _table(data, size, inputs, labels)
    elif hasattr(data, "column_names") and callable(getattr(data, "iter", None)):
        opened = _streamed(data, size, inputs, labels)
    elif hasattr(data, "shape") and hasattr(data, "__getitem__"):
        if not len(data.shape):
            raise InputError("data: a single number. Give an array with one row a sample")
        opened = _sliced(
            int(data.shape[0]), size, lambda start, stop: (some_rows(data, start, stop), None)
        )
    elif isinstance(data, (list, tuple)):
        opened = _iterated(data, inputs, labels)
    elif hasattr(data, "__len__") and hasattr(data, "__getitem__") and not isinstance(data, Mapping):
        opened = _samples(data, size, inputs, labels)
    elif hasattr(data, "__iter__") and not isinstance(data, Mapping):
        opened = _iterated(data, inputs, labels)
    else:
        raise InputError(
            f"data: {type(data).__name__} is nothing that batches can be taken from. "
            "Give an array, a data set, a DataLoader or an iterable of batches"
        )
    if opened.rows == 0:
        raise InputError("data: there are no samples")
    return opened
