# SPDX-License-Identifier: MIT
"""Digests: what any team's answer can depend on, as a file that is a pool."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from hqe import _core
from hqe._options import thread_count
from hqe._progress import Progress, listener
from hqe.errors import UsageError
from hqe.pool import Costs, Pool, _core_paths, _cost_table
from hqe.record import Record, read_document

Rows = tuple[int, int] | range


def row_range(rows: Rows | None) -> tuple[int, int] | None:
    """The first row and the one after the last."""
    if rows is None:
        return None
    if isinstance(rows, range):
        rows = (rows.start, rows.stop) if rows.step == 1 else ()  # type: ignore[assignment]
    if len(rows) != 2 or not all(isinstance(row, int) and row >= 0 for row in rows):
        raise UsageError("rows: expected (first, end) or range(first, end), counted from 0")
    return rows[0], rows[1]


def _folder(pool: Pool) -> str:
    """The folder that the pool is; nothing where it is none."""
    return "" if pool._opened is None else _core_paths(*pool._opened[:2])[0]


def digest(
    pool: Pool | str | os.PathLike[str],
    out: str | os.PathLike[str],
    rows: Rows | None = None,
    *,
    first_row: int | None = None,
    costs: Costs | Sequence[Mapping[str, float] | None] | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Record:
    """Reads predictions once and keeps what teams can depend on, in a file that every verb takes for a
    pool: `hqe.Pool.open` of it, or of a folder of such files with the rows of one pool.

    pool: with true labels; or the path of one. out: a name that ends in .digest.
    rows: (A, B) or range(A, B), the rows A to B - 1; None: all.
    first_row: what the first of them is among the rows of all digests; None: what it is in the pool.
    costs: as of `hqe.Pool`, in place of what the pool says of these models.
    Answers the document of the command's `digest --json`.

    >>> import numpy as np, os, tempfile, hqe
    >>> right = np.random.default_rng(1).random((5, 300)) < 0.75
    >>> folder = tempfile.TemporaryDirectory()
    >>> for begin in (0, 100):
    ...     told = hqe.digest(hqe.Pool(right, kind="correctness"), os.path.join(folder.name, f"{begin}.digest"),
    ...                       rows=(begin, 3 * begin or 100))
    >>> told.first_row, hqe.Pool.open(folder.name)
    (100, <hqe.Pool 'pool': 5 models, 300 samples, 2 classes, correctness>)
    """
    path = os.fspath(out)
    if not path.endswith(".digest"):
        raise UsageError(f"out: {path} must end in .digest")
    opened = pool if isinstance(pool, Pool) else Pool.open(pool)
    table = _cost_table(costs, opened.names)
    with listener(progress) as hear:
        document = _core.digest(
            opened._core, path, row_range(rows), first_row, None, table, None, _folder(opened), thread_count(threads), hear
        )
    return read_document(document)
