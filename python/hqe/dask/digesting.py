# SPDX-License-Identifier: MIT
"""Digests made by workers."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import pathlib
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from distributed import Client

from hqe import _core
from hqe._progress import Progress
from hqe.dask.arrays import are_arrays, arrays_of
from hqe.dask.gathering import check_client, gather, submitted, thread_count
from hqe.dask.parts import Counted, Files, How, Made, all_shown, are_logits, count_rows, digest_arrays, digest_part, part_of
from hqe.errors import InputError, OutputError, UsageError
from hqe.pool import Costs, Pool, _core_paths, _cost_table

Fill = Callable[[pathlib.Path], None]  # Makes the digests of all parts in a folder.
Submit = Callable[[int, "str | None"], Any]  # Of a part's number, and of a kind that all parts have.

LOCK = "lock"  # The file in a hidden folder that its driver holds.


def digest(
    parts: Any,
    client: Client,
    out: str | os.PathLike[str] | None = None,
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
    Without `out` the folder is a temporary one of this machine, and goes with the pool that is returned: to
    keep the digests, or to compare on workers of other machines, name a folder that all of them see.

    parts: one path or opened `hqe.Pool`, cut into parts of `rows` rows; or a list of parts, whose rows follow
        each other: paths, pools, `hqe.dask.Collecting`, or (rows, function) where the function makes a pool of
        so many samples on the worker. Paths must lead to the same files on every worker. Or a dict of Dask
        arrays by model, or one of M x N x C or M x N, with `labels`, as `hqe.Pool` takes arrays: a part for
        each chunk of rows. Predicted labels, and probabilities of class 1 alone, are fetched, and their
        digests made here: they are as large.
    first_row: where a folder that has the rows before goes on.
    kind, classes, name: of Dask arrays, as of `hqe.Pool`. costs: of any parts, by the models' names.
    threads: of one part; a worker makes as many parts at once as it has threads.

    The kind, and what labels mean, is what one process would see in all parts. The folder is complete, or as
    it was: parts move into it when all are there. The pool answers with the same bytes for any parts and any
    number of workers, also where some of them die.
    """
    cluster = check_client(client)
    if are_arrays(parts):
        fill = _of_arrays(cluster, parts, labels, dict(kind=kind, classes=classes, name=name), first_row, costs, threads, progress)
    elif labels is not None or kind is not None or classes:
        raise UsageError("labels, kind and classes go with Dask arrays: files have their own")
    else:
        fill = _of_parts(cluster, parts, out, rows, first_row, costs, threads, progress)
    if out is not None:
        return _filled(fill, pathlib.Path(out))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hqe-digests-"))
    try:
        pool = _filled(fill, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(pool, shutil.rmtree, folder, ignore_errors=True)
    return pool


def _filled(fill: Fill, folder: pathlib.Path) -> Pool:
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(folder)
    with _making(folder) as making:
        fill(making)
        _move(making, folder)
    return Pool.open(folder)


@contextlib.contextmanager
def _writing(path: pathlib.Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}. Check the folder and its permissions") from error


def _running_kernel() -> str:
    """What names it from its start to its end. Calls under one kernel see each other's locks, also from containers
    and on shared disks; host names and numbers of processes come twice. Nothing where the system does not tell."""
    try:
        return pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


@contextlib.contextmanager
def _making(folder: pathlib.Path) -> Iterator[pathlib.Path]:
    """A hidden folder to work in, locked as long as its driver lives. Only when it is locked it gets the name by which
    others may find it abandoned."""
    with _writing(folder):
        making = pathlib.Path(tempfile.mkdtemp(prefix=".making-", dir=folder))
    lock = None
    try:
        with _writing(making):
            lock = os.open(making / LOCK, os.O_RDWR | os.O_CREAT)
            if (kernel := _running_kernel()) and _locks(lock):
                making = making.rename(folder / f".making-{kernel}@{making.name.removeprefix('.making-')}")
        yield making
    finally:
        if lock is not None:
            os.close(lock)
        shutil.rmtree(making, ignore_errors=True)


def _locks(file: int) -> bool:
    """Whether the file was free, and is ours now; not where there are no locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_abandoned(folder: pathlib.Path) -> None:
    """What calls left whose drivers were killed under this kernel. Those under others may be at work."""
    kernel = _running_kernel()
    for path in folder.glob(f".making-{kernel}@*") if kernel else ():
        with contextlib.suppress(OSError):
            lock = os.open(path / LOCK, os.O_RDWR)
            try:
                is_abandoned = _locks(lock)
            finally:
                os.close(lock)
            if is_abandoned:
                shutil.rmtree(path, ignore_errors=True)


def _check_place(part: Any, out: str | os.PathLike[str] | None) -> None:
    """Refuses a folder that would hold predictions and digests, and be no pool any more."""
    if not isinstance(part, Files) or out is None or not os.path.exists(out):
        return
    folder, files, labels = _core_paths(*part.opened[:2])
    named = [*files, *([] if labels is None else [labels])]
    holding = [folder, *(os.path.dirname(os.path.abspath(file)) for file in named if not file.endswith(".digest"))]
    if any(os.path.isdir(place) and os.path.samefile(place, out) for place in holding):
        raise UsageError(f"{os.fspath(out)}: is the folder of a pool, which would hold digests and predictions. Give another")


def _of_parts(
    client: Any, parts: Any, out: Any, rows: int | None, first_row: int, costs: Any, threads: int, progress: Progress
) -> Fill:
    if isinstance(parts, (str, os.PathLike, Pool)):
        known = _cut(client, part_of(parts), parts, rows)
    elif rows is not None:
        raise UsageError("rows: parts have their own. Give one path or pool to have it cut")
    else:
        known = [part_of(part) for part in parts]
    if not known:
        raise InputError("parts: there are none")
    for part in known:
        _check_place(part, out)
    counts: dict[int, Counted] = {}
    futures = submitted(client, (lambda part: client.submit(count_rows, part, pure=False)), known)
    gather(client, futures, counts.__setitem__, stage="counting rows", unit="parts", progress=False)
    counted = [counts[number] for number in range(len(known))]
    *starts, end = accumulate((count.rows for count in counted), initial=first_row)
    shown = all_shown(counted)

    def submit(number: int, kind: str | None) -> Any:
        how = How(starts[number], end, costs, kind, threads, shown)
        return client.submit(digest_part, known[number], how, pure=False)

    return lambda folder: _make(client, submit, starts, folder, progress)


def _cut(client: Any, part: Any, given: Any, rows: int | None) -> list[Any]:
    """Row ranges of one pool."""
    if not isinstance(part, Files):
        raise InputError("parts: a pool of arrays in memory is where it is: use hqe.digest")
    count = (given if isinstance(given, Pool) else Pool.open(given)).sample_count
    if rows is None:
        rows = -(-count // (2 * max(1, thread_count(client))))
    if rows < 1:
        raise UsageError(f"rows {rows}: expected at least 1 a part")
    return [Files(part.opened, (begin, min(begin + rows, count))) for begin in range(0, count, rows)]


def _of_arrays(
    client: Any, parts: Any, labels: Any, about: dict[str, Any], first_row: int, costs: Any, threads: int, progress: Progress
) -> Fill:
    from dask.delayed import delayed

    arrays = arrays_of(client, parts, labels, about)
    starts = list(accumulate(arrays.chunks[:-1], initial=first_row))
    if arrays.are_columns:
        return lambda folder: _write(arrays.whole(client, progress), starts, folder, costs, threads)
    shown = arrays.labels_shown()
    blocks = arrays.blocks()
    make = delayed(digest_arrays, pure=False)

    def submit(number: int, kind: str | None) -> Any:
        begin = starts[number] - first_row
        truth = None if arrays.truth is None else arrays.truth[begin : begin + arrays.chunks[number]]
        how = How(starts[number], starts[0] + sum(arrays.chunks), costs, kind, threads)
        return client.compute(make(arrays.names, blocks[number], truth, shown, about, how))

    return lambda folder: _make(client, submit, starts, folder, progress)


def _digest_name(first_row: int) -> str:
    return f"{first_row:012}.digest"


def _write(pool: Pool, starts: Sequence[int], folder: pathlib.Path, costs: Any, threads: int) -> None:
    """Writes the digests of a pool that is here."""
    table, ends = _cost_table(costs, pool.names), [*starts[1:], starts[0] + pool.sample_count]
    for begin, end in zip(starts, ends):
        rows = (begin - starts[0], end - starts[0])
        _core.digest(pool._core, str(folder / _digest_name(begin)), rows, begin, ends[-1], table, None, "", threads, None)


def _make(client: Any, submit: Submit, starts: Sequence[int], folder: pathlib.Path, progress: Progress) -> None:
    """Writes every part into the folder. Parts whose kind was only seen from their values may differ in it: where one
    process would see logits in all of them, those that looked like probabilities are made again."""
    known: dict[int, Made] = {}

    def taker(numbers: Sequence[int]) -> Callable[[int, Made], None]:
        def take(place: int, made: Made) -> None:
            number = numbers[place]
            path = folder / _digest_name(starts[number])
            with _writing(path):
                path.write_bytes(made.content)
            known[number] = replace(made, content=b"")

        return take

    everything = range(len(starts))
    futures = submitted(client, lambda number: submit(number, None), everything)
    gather(client, futures, taker(everything), stage="digesting", unit="parts", progress=progress)
    if are_logits([known[number] for number in everything]):
        again = [number for number in everything if known[number].detected and known[number].kind == "probabilities"]
        futures = submitted(client, lambda number: submit(number, "logits"), again)
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
        with _writing(folder / path.name):
            with path.open("rb") as file:
                os.fsync(file.fileno())
            if path == new[0]:
                _settle(folder)  # All others are there, also after a power cut, before the first rows are.
            path.replace(folder / path.name)
    with _writing(folder):
        _settle(folder)


def _settle(folder: pathlib.Path) -> None:
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # Mounts that settle files alone.
            raise
    finally:
        os.close(place)
