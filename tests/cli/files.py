# SPDX-License-Identifier: MIT
"""Prediction files of every format, good and bad, written with the standard library alone."""

import json
import pickle
import random
import struct
import zipfile

CODES = {"<f4": "f", "<f8": "d", "<f2": "e", "<i8": "q", "<i4": "i", "<i2": "h", "|i1": "b", "|u1": "B", "|b1": "?"}


def npy_bytes(rows, descr="<f4", shape=None, fortran=False):
    """`rows`: a list of numbers, or of lists."""
    two_dimensional = bool(rows) and isinstance(rows[0], (list, tuple))
    if shape is None:
        shape = (len(rows), len(rows[0])) if two_dimensional else (len(rows),)
    flat = [number for row in rows for number in row] if two_dimensional else list(rows)
    if fortran and two_dimensional:
        flat = [row[column] for column in range(len(rows[0])) for row in rows]
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {tuple(shape)!r}, }}"
    header = header + " " * (-(len(header) + 11) % 64) + "\n"
    code = CODES.get(descr)
    body = struct.pack(f"<{len(flat)}{code}", *flat) if code else b"\0" * 8 * len(flat)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body


def npz_bytes(rows, descr="<f4"):
    import io
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("arr_0.npy", npy_bytes(rows, descr))
    return out.getvalue()


def safetensors_bytes(rows):
    shape = [len(rows), len(rows[0])] if isinstance(rows[0], (list, tuple)) else [len(rows)]
    is_matrix = len(shape) == 2
    flat = [number for row in rows for number in row] if is_matrix else rows
    body = struct.pack(f"<{len(flat)}{'f' if is_matrix else 'q'}", *flat)
    header = json.dumps({"predictions": {"dtype": "F32" if is_matrix else "I64", "shape": shape,
                                         "data_offsets": [0, len(body)]}}).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + body


def csv_bytes(rows, header=True):
    lines = []
    if isinstance(rows[0], (list, tuple)):
        if header:
            lines.append(",".join(f"class_{column}" for column in range(len(rows[0]))))
        lines += [",".join(map(repr, row)) for row in rows]
    else:
        lines += (["label"] if header else []) + [str(label) for label in rows]
    return ("\n".join(lines) + "\n").encode()


class _Global:
    """Pickles as a reference to module.name."""

    def __init__(self, module, name):
        self.module, self.name = module, name


def _pickle(value, out):
    """Protocol 2, as torch writes it, but without torch."""
    if isinstance(value, _Global):
        out += b"c" + f"{value.module}\n{value.name}\n".encode()
    elif isinstance(value, _Reduce):
        _pickle(value.callable, out)
        _pickle(value.arguments, out)
        out += b"R"
    elif isinstance(value, _Persistent):
        _pickle(value.identity, out)
        out += b"Q"
    elif isinstance(value, tuple):
        out += b"("
        for item in value:
            _pickle(item, out)
        out += b"t"
    elif isinstance(value, dict):
        out += b"}("
        for key, item in value.items():
            _pickle(key, out)
            _pickle(item, out)
        out += b"u"
    elif isinstance(value, bool):
        out += b"\x88" if value else b"\x89"
    elif isinstance(value, int):
        out += b"J" + struct.pack("<i", value)
    elif isinstance(value, str):
        out += b"X" + struct.pack("<I", len(value.encode())) + value.encode()
    else:
        raise TypeError(type(value))


class _Reduce:
    def __init__(self, function, arguments):
        self.callable, self.arguments = function, arguments


class _Persistent:
    def __init__(self, identity):
        self.identity = identity


def pt_bytes(rows, transposed_half=False, foreign=None):
    """A torch archive with one tensor; float16 stored column by column when `transposed_half`."""
    import io
    is_matrix = isinstance(rows[0], (list, tuple))
    count, columns = len(rows), len(rows[0]) if is_matrix else 1
    if transposed_half:
        flat = [row[column] for column in range(columns) for row in rows]
        body, storage, strides = struct.pack(f"<{len(flat)}e", *flat), "HalfStorage", (1, count)
    elif is_matrix:
        flat = [number for row in rows for number in row]
        body, storage, strides = struct.pack(f"<{len(flat)}f", *flat), "FloatStorage", (columns, 1)
    else:
        flat = rows
        body, storage, strides = struct.pack(f"<{len(flat)}q", *flat), "LongStorage", (1,)
    shape = (count, columns) if is_matrix else (count,)
    identity = ("storage", _Global("torch", storage), "0", "cpu", len(flat))
    tensor = _Reduce(_Global("torch._utils", "_rebuild_tensor_v2"),
                     (_Persistent(identity), 0, shape, strides, False,
                      _Reduce(_Global("collections", "OrderedDict"), ())))
    stream = bytearray(b"\x80\x02")
    _pickle(_Reduce(_Global(*foreign), ("true",)) if foreign else tensor, stream)
    stream += b"."
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("archive/data.pkl", bytes(stream))
        archive.writestr("archive/data/0", body)
        archive.writestr("archive/version", "3\n")
    return out.getvalue()


def legacy_pt_bytes():
    """The format of torch before 1.6: pickles one after another."""
    return b"".join(pickle.dumps(part, 2) for part in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}, {}))


def half(value):
    """The nearest number that float16 holds: all formats can store it exactly."""
    return struct.unpack("<e", struct.pack("<e", value))[0]


def probability_rows(seed, samples, classes, labels, skill):
    """Rows of multiples of 1/64 that sum to 1: exact in every float format and as decimal text."""
    rng = random.Random(seed)
    rows = []
    for sample in range(samples):
        units = [0] * classes
        for _ in range(64):
            units[labels[sample] if rng.random() < skill else rng.randrange(classes)] += 1
        rows.append([unit / 64 for unit in units])
    return rows


def write_pool(folder, models, labels, toml=""):
    """`models`: name with extension -> bytes. `labels`: a list of numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "labels.npy").write_bytes(npy_bytes(labels, "<i8"))
    for name, content in models.items():
        (folder / name).write_bytes(content)
    if toml:
        (folder / "pool.toml").write_text(toml)
    return folder


def small_pool(folder, models=5, samples=120, classes=3):
    """Probabilities of models of different skill; good for any command."""
    rng = random.Random(7)
    labels = [rng.randrange(classes) for _ in range(samples)]
    files = {f"model_{i}.npy": npy_bytes(probability_rows(i, samples, classes, labels, 0.10 + 0.04 * i))
             for i in range(models)}
    return write_pool(folder, files, labels)


def label_pool(folder, models=5, samples=120, classes=3, abstain=0.0):
    rng = random.Random(11)
    labels = [rng.randrange(classes) for _ in range(samples)]
    files = {}
    for i in range(models):
        said = []
        for label in labels:
            draw = rng.random()
            said.append(-1 if draw < abstain else label if rng.random() < 0.5 + 0.07 * i else rng.randrange(classes))
        files[f"model_{i}.npy"] = npy_bytes(said, "<i8")
    return write_pool(folder, files, labels)
