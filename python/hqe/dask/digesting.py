# SPDX-License-Identifier: MIT
"""Digests made by workers."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from distributed import Client

from hqe._progress import Progress
from hqe.dask.gathering import check_client, gather
from hqe.dask.parts import Files, Made, count_rows, digest_arrays, digest_part, part_of
from hqe.errors import InputError, OutputError, UsageError
from hqe.pool import Costs, Pool

Submit = Callable[[int, "str | None"], Any]  # Of a part's number, and of a kind that all parts have.


def digest(
    parts: Any,
    client: Client,
    out: str | os.PathLike[str],
    labels: Any = None,
    *,
    rows: int | None = None,
    first_row: int = 0,
    kind: str | None = None,
    costs: Costs | None = None,
    classes: Sequence[str] = (),
    name: str = "pool",
    threads: int = 1,
    progress: Progress = None,
) -> Pool:
    """Makes digests on the workers, where the predictions are, and gathers them in the folder `out`: a pool.

    parts: one path or opened `hqe.Pool`, cut into parts of `rows` rows; or a list of parts, whose rows follow
        each other: paths, pools, `hqe.dask.Collecting`, or (rows, function) where the function makes a pool of
        so many samples on the worker. Paths must lead to the same files on every worker. Or a dict of Dask
        arrays by model, with `labels`, as `hqe.Pool` takes arrays: a part for each chunk of rows.
    first_row: where a folder that has the rows before goes on.
    kind, classes, name: of Dask arrays, as of `hqe.Pool`. costs: of any parts, by the models' names.
    threads: of one part; a worker makes as many parts at once as it has threads.

    The folder is complete, or as it was: parts move into it when all are there. The pool answers with the
    same bytes for any parts and any number of workers, also where some of them die.
    """
    cluster = check_client(client)
    if isinstance(parts, Mapping):
        submit, starts = _of_arrays(cluster, parts, labels, dict(kind=kind, classes=classes, name=name), first_row, costs, threads)
    elif labels is not None or kind is not None or classes:
        raise UsageError("labels, kind and classes go with Dask arrays: files have their own")
    else:
        submit, starts = _of_parts(cluster, parts, rows, first_row, costs, threads, progress)
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    making = pathlib.Path(tempfile.mkdtemp(prefix=".making-", dir=folder))
    try:
        _make(cluster, submit, starts, making, progress)
        _move(making, folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return Pool.open(folder)


def _of_parts(
    client: Any, parts: Any, rows: int | None, first_row: int, costs: Any, threads: int, progress: Progress
) -> tuple[Submit, list[int]]:
    if isinstance(parts, (str, os.PathLike, Pool)):
        known = _cut(client, part_of(parts), parts, rows)
    elif rows is not None:
        raise UsageError("rows: parts have their own. Give one path or pool to have it cut")
    else:
        known = [part_of(part) for part in parts]
    if not known:
        raise InputError("parts: there are none")
    counts: dict[int, int] = {}
    futures = [client.submit(count_rows, part, pure=False) for part in known]
    gather(client, futures, counts.__setitem__, stage="counting rows", unit="parts", progress=False)
    starts = list(accumulate((counts[i] for i in range(len(known) - 1)), initial=first_row))

    def submit(number: int, kind: str | None) -> Any:
        return client.submit(digest_part, known[number], starts[number], costs, kind, threads, pure=False)

    return submit, starts


def _cut(client: Any, part: Any, given: Any, rows: int | None) -> list[Any]:
    """Row ranges of one pool."""
    if not isinstance(part, Files):
        raise InputError("parts: a pool of arrays in memory is where it is: use hqe.digest")
    count = (given if isinstance(given, Pool) else Pool.open(given)).sample_count
    if rows is None:
        rows = -(-count // (2 * max(1, sum(client.nthreads().values()))))
    if rows < 1:
        raise UsageError(f"rows {rows}: expected at least 1 a part")
    return [Files(part.opened, (begin, min(begin + rows, count))) for begin in range(0, count, rows)]


def _of_arrays(
    client: Any, arrays: Mapping[str, Any], labels: Any, about: dict[str, Any], first_row: int, costs: Any, threads: int
) -> tuple[Submit, list[int]]:
    import dask.array
    from dask.delayed import delayed

    as_array: Any = dask.array.asarray
    names = list(arrays)
    if not names:
        raise InputError("parts: there are none")
    kept = {name: as_array(array) for name, array in arrays.items()}
    chunks = kept[names[0]].chunks[0]
    if any(size != size for size in chunks):
        raise InputError(f"model '{names[0]}': the sizes of its chunks are not known. Call its compute_chunk_sizes() first")
    for name, array in kept.items():
        if array.ndim not in (1, 2) or array.shape[0] != sum(chunks):
            raise InputError(f"model '{name}': has the shape {array.shape}, where N or N x C with N = {sum(chunks)} is due")
    blocks = [kept[name].rechunk((chunks, *array.shape[1:])).to_delayed().ravel() for name, array in kept.items()]
    truth: Any = [None] * len(chunks)
    if labels is not None:
        truth = as_array(labels)
        if truth.shape != (sum(chunks),):
            raise InputError(f"labels: has the shape {truth.shape}, where {sum(chunks)} are due, one a row")
        truth = truth.rechunk((chunks,)).to_delayed().ravel()
    starts = list(accumulate(chunks[:-1], initial=first_row))
    make = delayed(digest_arrays, pure=False)

    def submit(number: int, kind: str | None) -> Any:
        some = [column[number] for column in blocks]
        return client.compute(make(names, some, truth[number], about, starts[number], costs, kind, threads))

    return submit, starts


def _make(client: Any, submit: Submit, starts: Sequence[int], folder: pathlib.Path, progress: Progress) -> None:
    """Writes every part into the folder. Parts whose kind was only seen from their values may differ in it; what one
    process would have seen of all of them are logits, so parts that looked like probabilities are made again."""
    kinds: dict[int, tuple[str, bool]] = {}

    def taker(numbers: Sequence[int]) -> Callable[[int, Made], None]:
        def take(place: int, made: Made) -> None:
            number = numbers[place]
            content, kind, detected = made
            kinds[number] = (kind, detected)
            (folder / f"{starts[number]:012}.digest").write_bytes(content)

        return take

    everything = range(len(starts))
    futures = [submit(number, None) for number in everything]
    gather(client, futures, taker(everything), stage="digesting", unit="parts", progress=progress)
    if ("logits", True) in kinds.values():
        again = [number for number in everything if kinds[number] == ("probabilities", True)]
        futures = [submit(number, "logits") for number in again]
        gather(client, futures, taker(again), stage="digesting as logits", unit="parts", progress=progress)


def _move(making: pathlib.Path, folder: pathlib.Path) -> None:
    """Moves digests where they belong, once they are a pool with those that are there. The last goes first: whoever
    looks in between, or after a kill, finds a gap and is told so."""
    new = sorted(making.glob("*.digest"))
    for path in new:
        there = folder / path.name
        if there.exists() and there.read_bytes() != path.read_bytes():
            raise OutputError(f"{there}: is there with other content. Give an empty folder, or remove it")
    names = {path.name for path in new}
    Pool.open([*(path for path in sorted(folder.glob("*.digest")) if path.name not in names), *new])
    for path in reversed(new):
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(folder / path.name)
