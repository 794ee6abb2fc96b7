# SPDX-License-Identifier: MIT
"""Columns of whatever speaks the Arrow C stream interface, through ctypes: no other package is needed.

Numbers without gaps in one piece are seen where they lie. The layouts are those of
https://arrow.apache.org/docs/format/CDataInterface.html and its columnar format.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import numpy as np

from hqe.errors import InputError


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))),
    ("private_data", ctypes.c_void_p),
]

_NUMBERS = {
    "c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8",
    "e": "f2", "f": "f4", "g": "f8",
}  # fmt: skip


class _Owned:
    """One of Arrow's structures, given back when nobody looks at it any more."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __del__(self) -> None:
        if self.value.release:
            self.value.release(ctypes.byref(self.value))


class _Memory:
    """Part of a buffer as NumPy can see it, with what keeps it alive."""

    def __init__(self, address: int, dtype: str, count: int, owner: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3, "shape": (count,), "typestr": np.dtype(dtype).str, "data": (address, True),
        }  # fmt: skip


def _seen(address: int | None, dtype: str, offset: int, count: int, owner: Any) -> np.ndarray[Any, Any]:
    if count == 0 or not address:
        return np.zeros(count, dtype)
    size = np.dtype(dtype).itemsize
    return np.asarray(_Memory(address + offset * size, dtype, count, owner))


def _bits(address: int, offset: int, count: int, owner: Any) -> np.ndarray[Any, Any]:
    packed = _seen(address, "u1", offset // 8, (offset % 8 + count + 7) // 8, owner)
    bits: np.ndarray[Any, Any] = np.unpackbits(packed, bitorder="little")[offset % 8 :][:count]
    return bits.astype(bool)


def _decimals(array: _Array, form: str, what: str, owner: Any) -> np.ndarray[Any, Any]:
    """Numbers of 128 bits with a scale, as DuckDB has them; those that fit into 64."""
    _, scale, *width = (int(part) for part in form[2:].split(","))
    halves = _seen(array.buffers[1], "<i8", 2 * array.offset, 2 * array.length, owner).reshape(-1, 2)
    if width not in ([], [128]) or (halves[:, 1] != halves[:, 0] >> 63).any():
        raise InputError(f"{what}: decimals of more than 64 bits. Cast them to double")
    return halves[:, 0] / 10.0**scale


def _texts(array: _Array, form: str, owner: Any) -> np.ndarray[Any, Any]:
    count, offset = array.length, array.offset
    wide = "i8" if form == "U" else "i4"
    ends = _seen(array.buffers[1], wide, offset, count + 1, owner).tolist()
    if not count or not array.buffers[2]:
        return np.full(count, "", object)
    data = _seen(array.buffers[2], "u1", 0, ends[-1], owner).tobytes()
    return np.array([data[a:b].decode() for a, b in zip(ends, ends[1:])] + [None], object)[:-1]


def _text_views(array: _Array, owner: Any) -> np.ndarray[Any, Any]:
    """16 bytes a text: its length, then the text itself, or its first bytes, a buffer and a place."""
    count = array.length
    views = _seen(array.buffers[1], "u1", array.offset * 16, count * 16, owner).tobytes()
    buffer_count = array.n_buffers - 3
    sizes = _seen(array.buffers[array.n_buffers - 1], "i8", 0, max(0, buffer_count), owner)
    buffers = [_seen(array.buffers[2 + i], "u1", 0, int(sizes[i]), owner).tobytes() for i in range(buffer_count)]
    known: dict[bytes, str] = {}  # Labels are few: most are decoded once.
    texts = []
    for view in np.frombuffer(views, "V16").tolist():
        text = known.get(view)
        if text is None:
            length, _, buffer, place = struct.unpack("<iiii", view)
            data = view[4 : 4 + length] if length <= 12 else buffers[buffer][place : place + length]
            text = known[view] = data.decode()
        texts.append(text)
    return np.array([*texts, None], object)[:-1]


def _chunk(array: _Array, schema: _Schema, what: str, owner: Any) -> tuple[Any, Any]:
    """One piece of a column: its values, and where there is none (or None: there is everywhere)."""
    form, count, offset = schema.format.decode(), array.length, array.offset
    gaps = None
    if form == "n":
        return np.zeros(count), np.ones(count, bool)
    if array.null_count != 0 and array.n_buffers and array.buffers[0]:
        gaps = ~_bits(array.buffers[0], offset, count, owner)
        gaps = gaps if gaps.any() else None
    if schema.dictionary:
        codes = _seen(array.buffers[1], _NUMBERS[form], offset, count, owner)
        words, word_gaps = _chunk(array.dictionary.contents, schema.dictionary.contents, what, owner)
        codes = codes if gaps is None else np.where(gaps, 0, codes)
        if word_gaps is not None:
            gaps = word_gaps[codes] if gaps is None else gaps | word_gaps[codes]
        return (words[codes] if len(words) else np.full(count, None, object)), gaps
    if form in _NUMBERS:
        return _seen(array.buffers[1], _NUMBERS[form], offset, count, owner), gaps
    if form == "b":
        return _bits(array.buffers[1], offset, count, owner), gaps
    if form.startswith("d:"):
        return _decimals(array, form, what, owner), gaps
    if form in ("u", "U"):
        return _texts(array, form, owner), gaps
    if form == "vu":
        return _text_views(array, owner), gaps
    raise InputError(
        f"{what}: values of Arrow's type '{form}'. Give numbers, booleans or text, or name the columns to take with models="
    )


def _pointer(capsule: Any) -> Any:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(get(capsule, b"arrow_array_stream"), ctypes.POINTER(_Stream))


def _checked(code: int, stream: Any) -> None:
    if code:
        said = stream.contents.get_last_error(stream)
        raise InputError(f"table: the Arrow stream broke off ({(said or b'').decode(errors='replace') or code})")


class ArrowTable:
    """A table of columns, read when they are asked for."""

    def __init__(self, table: Any) -> None:
        capsule = table.__arrow_c_stream__()  # Gives the stream back when it goes.
        stream = _pointer(capsule)
        self._schema = _Owned(_Schema())
        _checked(stream.contents.get_schema(stream, ctypes.byref(self._schema.value)), stream)
        schema = self._schema.value
        if schema.format != b"+s":
            raise InputError("table: a stream of values, not of columns. Give a table or a DataFrame")
        self.names = [(schema.children[i].contents.name or b"").decode() for i in range(schema.n_children)]
        self._chunks = []
        while True:
            chunk = _Owned(_Array())
            _checked(stream.contents.get_next(stream, ctypes.byref(chunk.value)), stream)
            if not chunk.value.release:
                break
            self._chunks.append(chunk)

    def __len__(self) -> int:
        return sum(chunk.value.length for chunk in self._chunks)

    def column(self, place: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any] | None]:
        """The values of one column and where they are missing."""
        schema = self._schema.value.children[place].contents
        what = f"table: column '{self.names[place]}'"
        pieces = []
        for chunk in self._chunks:
            child = chunk.value.children[place].contents
            # A slice of a struct: its children are not sliced.
            part = _Array.from_buffer_copy(child)
            part.offset += chunk.value.offset
            part.length = chunk.value.length
            pieces.append(_chunk(part, schema, what, chunk))
        if not pieces:
            return np.zeros(0), None
        if len(pieces) == 1:
            return pieces[0]
        gaps = None
        if any(one is not None for _, one in pieces):
            gaps = np.concatenate([np.zeros(len(v), bool) if g is None else g for v, g in pieces])
        return np.concatenate([values for values, _ in pieces]), gaps
