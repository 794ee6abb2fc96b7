# SPDX-License-Identifier: MIT
"""Progress for people: a callback, tqdm where it is installed, the command's bar otherwise."""

from __future__ import annotations

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
