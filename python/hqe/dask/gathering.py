# SPDX-License-Identifier: MIT
"""Calls on workers, and what comes back of them."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from distributed import Client, KilledWorker, as_completed
from distributed.comm.core import CommClosedError

from hqe._progress import Progress, counting_listener
from hqe.errors import Error, UsageError

LOST = (asyncio.CancelledError, concurrent.futures.CancelledError, CommClosedError, ConnectionError, TimeoutError)


def check_client(client: Any) -> Any:
    """The client, where it is one that waits. Dask's own types are not strict enough to be used further."""
    if not isinstance(client, Client) or client.asynchronous:
        raise UsageError("client: expected a distributed.Client, such as Client('tcp://127.0.0.1:8786')")
    if client.status in ("closing", "closed"):
        raise UsageError("client: it is closed. Make another")
    return client


def _lost(client: Any, progress: str) -> Error:
    where = getattr(client.scheduler, "address", None) or "the scheduler"
    return Error(f"{where} was lost ({progress}), and with it what was under way. Start it again, then this")


def submitted(client: Any, submit: Callable[[Any], Any], work: Sequence[Any]) -> list[Any]:
    """A future for each piece of work."""
    futures: list[Any] = []
    try:
        for piece in work:
            futures.append(submit(piece))
    except (*LOST, OSError) as error:
        if not isinstance(error, LOST) and client.status == "running":
            raise  # Not of the way there: of what was to be sent.
        raise _lost(client, f"{len(futures)} of {len(work)} pieces of work were sent") from error
    return futures


def thread_count(client: Any) -> int:
    """Of all workers."""
    try:
        return sum(client.nthreads().values())
    except (*LOST, OSError) as error:
        raise _lost(client, "nothing was sent") from error


def _result(future: Any, client: Any, progress: str) -> Any:
    try:
        return future.result()
    except KilledWorker as error:
        raise Error(
            f"{error.last_worker.address} died of a piece of work, as others did before ({progress}). Memory may be too small: "
            "give workers more, or make smaller parts"
        ) from error
    except LOST as error:
        if future.status == "error":
            raise  # What somebody's own function raised on its worker.
        raise _lost(client, progress) from error


def gather(
    client: Any,
    futures: Sequence[Any],
    take: Callable[[int, Any], object],
    *,
    stage: str,
    unit: str,
    progress: Progress,
) -> None:
    """Hands each result to `take`, with its place, as it comes, and each once, however many workers were at it. Nothing
    is left on the workers, whatever happens."""
    places = {future.key: place for place, future in enumerate(futures)}
    done = 0
    try:
        with counting_listener(progress, stage, len(futures), unit) as tell:
            tell(0)
            for future in as_completed(futures):  # type: ignore[no-untyped-call]
                take(places[future.key], _result(future, client, f"{done} of {len(futures)} {unit} were done"))
                future.release()
                done += 1
                tell(done)
    finally:
        if done < len(futures) and client.status == "running":
            with contextlib.suppress(*LOST):
                client.cancel([future for future in futures if not future.done()], force=True)
        for future in futures:
            future.release()
