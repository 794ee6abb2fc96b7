# SPDX-License-Identifier: MIT
"""Arrays as .npy files, by the standard library alone."""

import ast
import math
import struct

CODES = {"|i1": "b", "<i2": "h", "<i4": "i", "<i8": "q", "|u1": "B", "<u2": "H", "<f4": "f"}
HEADER = b"\x93NUMPY\x01\x00"


def first_column(data):
    """The numbers of a vector, or of the first column of a matrix. Raises ValueError when `data` is neither."""
    if data[:8] != HEADER:
        raise ValueError("it is not a .npy file of version 1")
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:begin].decode("latin-1"))
    shape, code = header["shape"], CODES.get(header["descr"])
    if code is None or header["fortran_order"] or len(shape) not in (1, 2):
        raise ValueError(f"it holds {header}, not rows of numbers")
    numbers = struct.unpack(f"<{math.prod(shape)}{code}", data[begin:])
    return list(numbers[::math.prod(shape[1:])])


def integers(numbers):
    """A vector in the narrowest signed type that holds it, as NumPy writes it."""
    low, high = min(numbers), max(numbers)
    descr = next(each for each in ("|i1", "<i2", "<i4", "<i8")
                 if -(1 << 8 * int(each[2]) - 1) <= low and high < 1 << 8 * int(each[2]) - 1)
    return _npy(descr, (len(numbers),), numbers)


def probabilities(rows):
    """A matrix of float32, as NumPy writes it."""
    return _npy("<f4", (len(rows), len(rows[0])), [number for row in rows for number in row])


def _npy(descr, shape, numbers):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape!r}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    body = struct.pack(f"<{len(numbers)}{CODES[descr]}", *numbers)
    return HEADER + struct.pack("<H", len(header)) + header.encode() + body
