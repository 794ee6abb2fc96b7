# SPDX-License-Identifier: MIT
"""Multiply-adds of a torch model, counted while it runs.

Counted are the products of sums: convolutions and products of matrices, wherever the model makes
them, in a module or in a function. What is fused into one operation that we do not know is not
guessed: the count is then None.
"""

from __future__ import annotations

import math
from typing import Any

from hqe.collecting.data import torch_module

_FUSED = ("attention", "transformer", "lstm", "gru", "rnn", "einsum", "quant", "fft", "cdist", "scaled_mm", "mha")


def _convolution(arguments: Any, result: Any) -> float:
    weight = arguments[1]
    transposed = len(arguments) > 6 and arguments[6] is True
    places = arguments[0] if transposed else result
    return float(places.numel() // places.shape[1]) * weight.numel()


def _product(first: Any, second: Any, result: Any) -> float:
    return float(result.numel()) * first.shape[-1]


# Operation -> multiply-adds, of its arguments and its result.
_COUNTS: dict[str, Any] = {
    "convolution": _convolution,
    "mm": lambda a, r: _product(a[0], a[1], r),
    "bmm": lambda a, r: _product(a[0], a[1], r),
    "mv": lambda a, r: _product(a[0], a[1], r),
    "matmul": lambda a, r: _product(a[0], a[1], r),
    "linear": lambda a, r: _product(a[0], a[1], r),
    "dot": lambda a, r: float(a[0].numel()),
    "addmm": lambda a, r: _product(a[1], a[2], r),
    "addmv": lambda a, r: _product(a[1], a[2], r),
    "baddbmm": lambda a, r: _product(a[1], a[2], r),
    "addbmm": lambda a, r: _product(a[1], a[2], r) * a[1].shape[0],
}


def multiply_adds(call: Any, inputs: Any) -> float | None:
    """Of one run on `inputs`."""
    torch = torch_module()
    try:
        from torch.utils._python_dispatch import TorchDispatchMode
    except ImportError:
        return None

    class Counter(TorchDispatchMode):  # type: ignore[misc]
        total = 0.0

        def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = operation(*args, **(kwargs or {}))
            space, _, name = operation._schema.name.partition("::")
            if name in _COUNTS and space == "aten":
                self.total += _COUNTS[name](args, result)
            elif space not in ("aten", "prim", "prims", "profiler") or any(word in name for word in _FUSED):
                self.total = math.nan
            return result

    fast_path = getattr(getattr(torch.backends, "mha", None), "set_fastpath_enabled", None)
    before = torch.backends.mha.get_fastpath_enabled() if fast_path else None
    try:
        if fast_path:
            fast_path(False)  # Attention as the products that it is made of.
        with Counter() as counter:
            call(inputs)
    finally:
        if fast_path:
            fast_path(before)
    return counter.total if math.isfinite(counter.total) else None
