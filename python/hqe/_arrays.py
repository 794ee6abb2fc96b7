# SPDX-License-Identifier: MIT
"""Anybody's arrays as the engine sees them, without a copy where their memory can be seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from hqe import _core
from hqe._columns import settled
from hqe.errors import InputError


class _Bfloat16:
    """The bits of bfloat16 numbers in an int16 array."""

    def __init__(self, bits: np.ndarray[Any, Any]) -> None:
        self.bits = bits


def _seen_by_numpy(values: Any) -> Any:
    """A torch tensor as something NumPy can look into; anything else as it is."""
    if type(values).__module__.partition(".")[0] != "torch":
        return values
    import torch

    values = values.detach().cpu()
    if values.dtype == torch.bfloat16:  # NumPy knows no such type: the bits, then.
        return _Bfloat16(values.view(torch.int16).numpy())
    return values.numpy()


def _as_numpy(values: Any, what: str) -> np.ndarray[Any, Any]:
    if isinstance(values, np.ndarray):
        if np.ma.is_masked(values):
            raise InputError(f"{what}: some values are masked. Fill them in")
        return values
    if hasattr(values, "__dlpack__"):
        try:
            return np.from_dlpack(values)
        except (BufferError, RuntimeError, TypeError, ValueError):
            pass  # Not in host memory, or of a type NumPy lacks: perhaps __array__ copes.
    try:
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"{what}: not an array of numbers ({error})") from error


def rows_of(predictions: Any) -> list[Any]:
    """One array a model, from a list of them or from one array with the models along axis 0."""
    if hasattr(predictions, "__dlpack__") or hasattr(predictions, "__array__"):
        predictions = _seen_by_numpy(predictions)
        if isinstance(predictions, _Bfloat16):
            return [_Bfloat16(row) for row in predictions.bits]
        array = _as_numpy(predictions, "predictions")
        if array.ndim not in (2, 3):
            raise InputError(
                f"predictions: one array of {array.ndim} dimensions. "
                "Give M x N x C, M x N, or one array a model"
            )
        return list(array)
    try:
        return list(predictions)
    except TypeError as error:
        raise InputError(f"predictions: {error}. Give a dict, a list or one array") from error


def seen(values: Any, what: str) -> Any:
    """Anybody's array as NumPy's, or as the bits of bfloat16. `what` is for messages."""
    values = values if isinstance(values, _Bfloat16) else _seen_by_numpy(values)
    return values if isinstance(values, _Bfloat16) else _as_numpy(values, what)


def _coded(text: np.ndarray[Any, Any], what: str) -> tuple[np.ndarray[Any, Any], list[str]]:
    """Text as places in a sorted list of words: what they mean is the engine's to say."""
    words = sorted(set(text.tolist()))
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise InputError(f"{what}: '{word}' is not whole Unicode characters. Rename it") from None
    places = {word: place for place, word in enumerate(words)}
    return np.fromiter(map(places.__getitem__, text.tolist()), np.int32, len(text)), words


def core_array(values: Any, what: str) -> _core.Array:
    """The engine's view of what `seen` saw, which it keeps alive."""
    array = values.bits if isinstance(values, _Bfloat16) else values
    words = None
    if array.dtype.kind in "OUT" and array.ndim == 1:
        array = settled(array, what)
        if array.dtype.kind == "O" and len(array):
            array, words = _coded(array, what)
    if isinstance(values, _Bfloat16):
        type_name = "bf2"
    elif array.dtype.name == "bfloat16":  # ml_dtypes, as JAX uses it.
        array, type_name = array.view(np.int16), "bf2"
    elif array.dtype.kind in "biuf":
        type_name = f"{array.dtype.kind}{array.dtype.itemsize}"
    else:
        raise InputError(f"{what}: values of type {array.dtype}. Give integers, booleans, floats or text")
    if array.ndim not in (1, 2):
        raise InputError(
            f"{what}: an array of {array.ndim} dimensions. "
            "Give one of 1 dimension (labels) or 2 (samples x classes)"
        )
    address = array.__array_interface__["data"][0]
    swapped = not array.dtype.isnative
    return _core.make_array(address, type_name, swapped, array.shape, array.strides, array, words)


class _Beside:
    """Columns at equal distances in memory as one array, with what keeps them alive."""

    def __init__(self, columns: list[np.ndarray[Any, Any]], step: int) -> None:
        self.columns = columns
        first = columns[0]
        self.__array_interface__ = {
            "version": 3, "shape": (len(first), len(columns)), "strides": (first.strides[0], step),
            "typestr": first.dtype.str, "data": (first.__array_interface__["data"][0], True),
        }  # fmt: skip


def side_by_side(columns: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """Columns as one N x C array: where they lie, if they lie at equal distances."""
    addresses = [one.__array_interface__["data"][0] for one in columns]
    steps = {int(step) for step in np.diff(addresses)}
    alike = {(one.dtype.str, one.strides) for one in columns}
    if len(steps) == 1 and len(alike) == 1 and columns[0].dtype.kind == "f":
        return np.asarray(_Beside(columns, steps.pop()))
    return np.column_stack(columns)
