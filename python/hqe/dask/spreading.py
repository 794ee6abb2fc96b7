# SPDX-License-Identifier: MIT
"""Comparisons and sweeps, spread over workers."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from distributed import Client

from hqe import _core
from hqe._files import files_of
from hqe._options import size_word, thread_count, words
from hqe._progress import Progress
from hqe.dask.gathering import check_client, gather, submitted
from hqe.errors import InputError, UsageError
from hqe.pool import Pool
from hqe.record import read_document
from hqe.results import Comparison, Sweep
from hqe.verbs import Fractions, Sizes

PoolLike = Pool | str | os.PathLike[str]


@dataclass(frozen=True)
class Sent:
    """A pool on its way: its paths and what must be in them, or its arrays."""

    opened: tuple[Any, ...] | None
    content: str
    pool: Pool | None


def _content(pool: Pool) -> str:
    """A checksum of the files of a pool."""
    state = hashlib.blake2b(digest_size=16)
    for path in pool._core.files:
        state.update(os.path.basename(path).encode(errors="surrogateescape") + b"\0")
        with open(path, "rb") as file:
            while piece := file.read(1 << 22):
                state.update(piece)
    return state.hexdigest()


def _sent(pool: Pool | None) -> Sent | None:
    if pool is None:
        return None
    if pool._opened is None:
        return Sent(None, "", pool)
    return Sent(pool.__getstate__()["files"], _content(pool), None)


_lock = threading.Lock()
_arrived: dict[Any, Pool] = {}  # The pools that this worker opened last, by their files as they were then.


def _stamp(pool: Pool) -> tuple[Any, ...]:
    found = [(path, os.stat(path)) for path in pool._core.files]
    return tuple((path, about.st_ino, about.st_size, about.st_mtime_ns) for path, about in found)


def _arrive(sent: Sent | None) -> Pool | None:
    """On a worker: the pool, where it is the one that was meant."""
    if sent is None or sent.opened is None:
        return None if sent is None else sent.pool
    pool = Pool.open(*sent.opened)
    key = (sent.content, _stamp(pool))
    with _lock:
        if key in _arrived:
            return _arrived[key]
        if _content(pool) != sent.content:
            raise InputError(f"{sent.opened[0]}: holds other bytes on a worker. Give every worker the same files")
        while len(_arrived) >= 2:
            _arrived.pop(next(iter(_arrived)))
        _arrived[key] = pool
        return pool


def _play(pool: Sent, test: Sent | None, asked: list[tuple[str, str]], number: int, threads: int) -> str:
    """On a worker: one round of a comparison."""
    here, other = _arrive(pool), _arrive(test)
    assert here is not None
    return _core.play_rounds(here._core, _core.compare_options(asked), [number], None if other is None else other._core, threads)


def _sweep(pool: Sent, sizes: list[int], beta: float, asked: list[tuple[str, str]], threads: int) -> str:
    """On a worker: a sweep of one beta."""
    here = _arrive(pool)
    assert here is not None
    return _core.sweep(here._core, sizes, [beta], _core.prune_options(asked, False, False), threads, None)


def _opened(pool: PoolLike) -> Pool:
    return pool if isinstance(pool, Pool) else Pool.open(pool)


def _pieces(client: Any, futures: Sequence[Any], stage: str, unit: str, progress: Progress) -> list[tuple[str, str]]:
    """Texts with their names, in the order of the work, whoever came first."""
    texts: dict[int, Any] = {}
    gather(client, futures, texts.__setitem__, stage=stage, unit=unit, progress=progress)
    return [(f"{unit} {number}", str(text)) for number, text in sorted(texts.items())]


def compare(
    pool: PoolLike,
    client: Client,
    size: int | None = None,
    methods: str | Sequence[str] | None = None,
    test: PoolLike | None = None,
    *,
    threads: int = 1,
    progress: Progress = None,
    **options: Any,
) -> Comparison:
    """`hqe.compare` with its splits spread over workers: the same bytes, but for seconds (`no_times=True`).

    pool, test: pools, or paths of predictions or digests. What was opened is opened again by the workers, at the
    same path, and refused where it holds other bytes there; arrays in memory are sent. With `test` there is one
    round, and so one worker.
    threads: of one round; a worker plays as many at once as it has threads. Other options are those of `hqe.compare`.
    """
    cluster = check_client(client)
    here, other = _opened(pool), None if test is None else _opened(test)
    asked = words(dict(size=size, methods=methods, **options))
    core = _core.compare_options(asked)
    sent, sent_test = _sent(here), _sent(other)
    numbers = range(_core.round_count(core, other is not None))
    each = thread_count(threads)
    futures = submitted(
        cluster, lambda number: cluster.submit(_play, sent, sent_test, asked, number, each, pure=False), numbers
    )
    pieces = _pieces(cluster, futures, "comparing methods", "rounds", progress)
    answer = _core.compare_rounds(here._core, core, pieces, None if other is None else other._core, 0)
    return Comparison(answer, files_of(here, other))


def sweep(
    pool: PoolLike,
    client: Client,
    size: Sizes,
    beta: Fractions,
    *,
    threads: int = 1,
    progress: Progress = None,
    **options: Any,
) -> Sweep:
    """`hqe.sweep` with a piece of work for each beta: the same bytes. Arguments are those of `compare` and of
    `hqe.sweep`."""
    cluster = check_client(client)
    here = _opened(pool)
    asked = dict(words(dict(size=size_word(size), beta=beta)))
    if set(asked) != {"size", "beta"}:
        raise UsageError("sweep needs sizes and betas, such as '3:5' and '0.05:0.35:0.05'")
    sizes = _core.parse_sizes("size", asked["size"])
    betas = sorted(set(_core.parse_fraction_range("beta", asked["beta"])))
    others = words(options)
    core = _core.prune_options(others, False, False)
    sent, each = _sent(here), thread_count(threads)
    futures = submitted(cluster, lambda one: cluster.submit(_sweep, sent, sizes, one, others, each, pure=False), betas)
    pieces = _pieces(cluster, futures, "sweeping", "betas", progress)
    return Sweep(read_document(_core.sweep_of_rows(here._core, sizes, betas, core, pieces, 0)))
