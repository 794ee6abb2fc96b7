# SPDX-License-Identifier: MIT
"""Progress for people: a callback, tqdm where it is installed, the command's bar otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

Callback = Callable[[str, int, int], object]
Progress = Union[bool, Callback, None]


class _Tqdm:
    """One bar a stage of the work."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._bar is None or stage != self._stage:
            self.close()
            self._bar, self._stage = self._tqdm(total=total, desc=stage, leave=False), stage
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextmanager
def listener(progress: Progress) -> Iterator[Callback | bool | None]:
    """What the engine is to be given for a user's `progress`; True is the command's own bar."""
    if progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            yield True
            return
        bar = _Tqdm(tqdm)
        try:
            yield bar
        finally:
            bar.close()
    else:
        yield progress or None


class _Line:
    """One line on standard error that says how far a stage is, and how long the rest may take."""

    def __init__(self, unit: str = "samples") -> None:
        self._unit = unit
        self._begin = time.monotonic()
        self._first: int | None = None
        self._told = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first, self._begin = done, now
        if now - self._told < 0.2:
            return
        self._told = now
        text = f"{stage}: {done:,} {self._unit}"
        if total:
            text = f"{stage}: {100 * done // total} % of {total:,} {self._unit}"
        if total and done > self._first:
            left = (now - self._begin) / (done - self._first) * (total - done)
            text += f", {_duration(left)} left"
        sys.stderr.write(f"\r{text[:100]}\x1b[K")
        sys.stderr.flush()

    def close(self) -> None:
        if self._told:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


@contextmanager
def rows_listener(progress: Progress, stage: str, total: int | None) -> Iterator[Callable[[int], object]]:
    """What to tell the number of samples that are done; a bar where `progress` is None and standard
    error is a terminal. A total that nobody knows is 0."""
    with counting_listener(progress, stage, total, "samples") as tell:
        yield tell


@contextmanager
def counting_listener(
    progress: Progress, stage: str, total: int | None, unit: str
) -> Iterator[Callable[[int], object]]:
    """The same of other things than samples."""
    if progress is None:
        progress = sys.stderr.isatty()
    with listener(progress) as told:
        line = _Line(unit) if told is True else None
        answer = line or told
        try:
            yield (lambda done: answer(stage, done, total or 0)) if callable(answer) else (lambda done: None)
        finally:
            if line:
                line.close()
