# SPDX-License-Identifier: MIT
"""What running a model costs, measured. What cannot be known is left out."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from hqe.collecting.data import torch_module
from hqe.collecting.models import Call, Model

WARM_UP = 0.05  # Seconds.
MEASURED = 0.3  # Seconds, at least five calls.
FEWEST_CALLS, MOST_CALLS = 5, 200
ONE_THREAD = 1.2  # More processor time than this share of the wall time was not one thread's.


def _wait_for_devices() -> None:
    torch = torch_module()
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.synchronize()


def _timed(call: Call, inputs: Any) -> tuple[float, float]:
    """Milliseconds of wall and of processor time."""
    wall, processor = time.perf_counter(), time.process_time()
    call(inputs)
    _wait_for_devices()
    return 1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - processor)


def _repeated(call: Call, inputs: Any, seconds: float, fewest: int) -> np.ndarray[Any, Any]:
    begin, times = time.perf_counter(), []
    while len(times) < fewest or (time.perf_counter() - begin < seconds and len(times) < MOST_CALLS):
        times.append(_timed(call, inputs))
    return np.array(times)


def latency(model: Model, inputs: Any, rows: int) -> dict[str, float]:
    """Of one call on `inputs`, which hold `rows` samples: medians, and the distance of the quartiles."""
    with model.one_thread() as call:
        _repeated(call, inputs, WARM_UP, 1)
        wall, processor = _repeated(call, inputs, MEASURED, FEWEST_CALLS).T
    if np.median(processor) > ONE_THREAD * np.median(wall):
        return {}  # Several threads worked, whom we do not know how to hold back.
    low, high = np.percentile(wall, [25, 75])
    times = {
        "latency_ms": np.median(wall),
        "latency_spread_ms": high - low,
        "latency_batch": rows,
        "cpu_ms": np.median(processor),
    }
    return {key: float(f"{value:.4g}") for key, value in times.items()}


def measured(model: Model, inputs: Any) -> dict[str, float]:
    """The costs of a model, with one sample to run it on."""
    costs: dict[str, float] = {}
    for measure in (
        model.size,
        lambda: {"gflops": count / 1e9} if (count := model.multiply_adds(inputs)) is not None else {},
        lambda: latency(model, inputs, 1),
    ):
        try:
            costs.update(measure())
        except Exception:  # Whatever a model raises here: its predictions are good, its cost unknown.
            continue
    order = ("params", "gflops", "latency_ms", "latency_spread_ms", "latency_batch", "cpu_ms", "memory_mb", "file_bytes")
    return {key: costs[key] for key in order if key in costs}
