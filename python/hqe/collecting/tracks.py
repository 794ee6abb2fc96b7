# SPDX-License-Identifier: MIT
"""One pass over the data: what each model makes of a batch goes behind what it has written."""

from __future__ import annotations

import pathlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from hqe.collecting.data import Batch, Data, some_rows
from hqe.collecting.files import Naming, Part
from hqe.collecting.lipschitz import Anchors, Ball
from hqe.collecting.models import Call, Model
from hqe.collecting.outputs import Agreement, Failure, Shaper, Values, positions
from hqe.errors import Error, InputError

OTHER = (
    "differs from what the folder holds under this name (another model, other data or another kind). "
    "Choose another folder, or remove the file"
)


class Track:
    """Something that becomes a file of the pool, a row a sample."""

    def __init__(self, folder: pathlib.Path, name: str) -> None:
        self.name = name
        self.part = Part(folder, name)
        self.done = False
        self.row_count = 0
        self.failure: str | None = None
        self.settle: Callable[[], Naming] | None = None  # Once it is whole.
        self.kept = 0 if self.part.saved is None else len(self.part.saved)

    def rows(self, batch: Batch) -> Values | None:
        raise NotImplementedError

    def take(self, batch: Batch) -> None:
        """Writes what the batch adds. Rows of an earlier run are kept, once the first are seen to be these."""
        is_known = batch.start + batch.rows <= self.kept
        if is_known and batch.start > 0:
            return
        values = self.rows(batch)
        if values is None:
            self.done = True
            return
        if batch.start == 0 and self.kept and not self._same(values):
            if self.part.finished:
                raise Failure(OTHER)
            self.kept = 0
        if batch.start + batch.rows > self.kept:
            if self.part.finished:
                raise Failure(f"has {self.kept} rows in the folder, and the data has more. Choose another folder")
            self.add(batch, values)

    def add(self, batch: Batch, values: Values) -> None:
        """Writes the rows of a batch, now or with those that follow."""
        self.part.write(batch.start, values)

    def flush(self) -> None:
        """Writes what still waits."""

    def _same(self, values: Values) -> bool:
        saved = self.part.saved
        assert saved is not None
        count = min(len(values), len(saved))
        if saved.dtype != values.dtype or saved.shape[1:] != values.shape[1:]:
            return False
        return bool(np.allclose(saved[:count], values[:count], rtol=1e-3, atol=1e-5))

    def end(self, total: int) -> None:
        """The data ended after so many rows."""
        if self.part.finished:
            if self.kept != total:
                raise Failure(f"has {self.kept} rows in the folder, and the data {total}. Choose another folder")
        else:
            self.settle = self.part.finish(total)
        self.row_count, self.done = total, True

    def fail(self, why: str) -> None:
        self.failure, self.done = why, True
        self.part.discard()

    @property
    def is_saved(self) -> bool:
        return self.part.finished

    def close(self) -> None:
        self.part.close()


class LabelTrack(Track):
    """True labels that come with the data."""

    def __init__(self, folder: pathlib.Path, classes: Values | None) -> None:
        super().__init__(folder, "labels")
        self._classes = classes

    def rows(self, batch: Batch) -> Values | None:
        labels = batch.load()[1]
        return None if labels is None else positions(labels, self._classes, batch.start)


class _Waiting:
    """What a model returned for some batches in a row, until it is worth looking at together: of small
    batches most of the time would go into beginning each step. A run that is killed loses it, so it waits
    a moment only."""

    ENOUGH_BYTES = 1 << 18
    ENOUGH_SECONDS = 0.1

    def __init__(self) -> None:
        self._batches: list[tuple[int, int]] = []  # Number and first sample.
        self._values: list[Values] = []
        self._bytes = 0
        self._since = time.monotonic()  # When the last were written, so that what takes long never waits.

    def add(self, batch: Batch, values: Values) -> bool:
        """Whether that is enough."""
        self._batches.append((batch.number, batch.start))
        self._values.append(values.copy())  # The model may write its next answer to the same place.
        self._bytes += values.nbytes
        return self._bytes >= self.ENOUGH_BYTES or time.monotonic() - self._since >= self.ENOUGH_SECONDS

    def batch_of(self, sample: int) -> int:
        return next(number for number, start in reversed(self._batches) if start <= sample)

    @property
    def start(self) -> int | None:
        return self._batches[0][1] if self._batches else None

    def values(self) -> Values:
        return self._values[0] if len(self._values) == 1 else np.concatenate(self._values)


class ModelTrack(Track):
    """The predictions of one model."""

    def __init__(self, folder: pathlib.Path, name: str, model: Model, agreement: Agreement) -> None:
        super().__init__(folder, name)
        self.model = model
        self.sample: Any = None  # One sample, to measure costs with.
        self.call: Call | None = None
        self._agreement = agreement
        self._shaper = Shaper(model.form, model.classes, agreement)
        self._waiting = _Waiting()

    def rows(self, batch: Batch) -> Values:
        assert self.call is not None
        inputs = batch.load()[0]
        if self.sample is None:
            self.sample = some_rows(inputs, 0, 1)
        try:
            values = self._shaper.taken(self.call(inputs), batch.rows, batch.start)
        except Exception:
            self.flush()  # What is wrong with an earlier batch is said first.
            raise
        # The first batch says what the others must be.
        return self._shaper.rows(values, 0) if batch.start == 0 else values

    def add(self, batch: Batch, values: Values) -> None:
        if batch.start == 0:
            super().add(batch, values)
        elif self._waiting.add(batch, values):
            self.flush()

    def flush(self) -> None:
        waiting, self._waiting = self._waiting, _Waiting()
        if waiting.start is None:
            return
        try:
            self.part.write(waiting.start, self._shaper.rows(waiting.values(), waiting.start))
        except Failure as error:
            error.batch = None if error.sample is None else waiting.batch_of(error.sample)
            raise

    def lipschitz(self, anchors: Anchors, ball: Ball) -> dict[str, Any]:
        return self.model.lipschitz(anchors, ball, self._shaper.gives_logits)

    def end(self, total: int) -> None:
        if self._agreement.row_count not in (None, total):
            raise Failure(f"the data has {total} samples, and the pool {self._agreement.row_count}. Choose another folder")
        super().end(total)
        self._agreement.row_count = total


def _loaded(data: Data) -> Iterator[Batch]:
    """The batches, each read at most once however many models look at it."""
    number = 0
    try:
        for batch in data.batches():
            kept: list[Any] = []

            def load(batch: Batch = batch, number: int = number, kept: list[Any] = kept) -> tuple[Any, Any]:
                if not kept:
                    try:
                        kept.append(batch.load())
                    except Error:
                        raise
                    except Exception as error:
                        raise _BadData(number, error) from error
                return kept[0]  # type: ignore[no-any-return]

            yield Batch(batch.start, batch.rows, load, number)
            number += 1
    except (Error, _BadData):
        raise
    except Exception as error:
        raise _BadData(number, error) from error


class _BadData(BaseException):
    """Passes by whoever catches what a model raises."""

    def __init__(self, batch: int, error: Exception) -> None:
        super().__init__(f"data: batch {batch}: {type(error).__name__}: {error}")


def _tried(track: Track | Anchors, batch: int | None, work: Callable[[], object]) -> None:
    try:
        work()
    except Failure as error:
        number = batch if error.batch is None else error.batch
        track.fail(str(error) if number is None else f"batch {number}: {error}")
    except Error:
        raise
    except Exception as error:
        place = "" if batch is None else f"batch {batch}: "
        track.fail(f"{place}{type(error).__name__}: {error}")


def _take_all(data: Data, tracks: Sequence[Track | Anchors], tell: Callable[[int], object]) -> int:
    """The number of samples."""
    total = 0
    for batch in _loaded(data):
        for track in tracks:
            if not track.done:
                _tried(track, batch.number, lambda: track.take(batch))
        total = batch.start + batch.rows
        tell(total)
        if all(one.done or (one.is_saved and data.rows is not None) for one in tracks):
            total = data.rows or total
            break
    for track in tracks:
        if isinstance(track, Track) and not track.done:
            _tried(track, None, track.flush)
    return total


def run_pass(data: Data, tracks: Sequence[Track | Anchors], tell: Callable[[int], object]) -> None:
    """Takes every batch to every track, until the data ends or nobody needs more of it. A track that
    fails says so itself, and the others go on."""
    with ExitStack() as stack:
        for track in tracks:
            if isinstance(track, ModelTrack):

                def enter(track: ModelTrack = track) -> None:
                    track.call = stack.enter_context(track.model.opened())

                _tried(track, None, enter)
        try:
            total = _take_all(data, tracks, tell)
        except _BadData as error:
            raise InputError(str(error)) from error.__cause__
        finally:
            for track in tracks:
                track.close()
                if isinstance(track, ModelTrack):
                    track.call = None
        if total == 0:
            raise InputError("data: there are no samples. An iterator that was read before is empty")
        for track in tracks:
            if not track.done:
                _tried(track, None, lambda: track.end(total))
