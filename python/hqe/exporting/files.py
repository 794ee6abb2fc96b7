# SPDX-License-Identifier: MIT
"""Models in files: whole, or not there."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from hqe.errors import InputError, OutputError, UsageError
from hqe.exporting.members import first_line, onnx_package

LARGEST_FILE = 2_000_000_000  # Protobuf reads nothing above 2^31 bytes.
FEWEST_BYTES = 1024  # Of a tensor that leaves the model for a file of its own.


@contextmanager
def room_beside(path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A folder on the same disk, for files that are not ready. Gone afterwards, whatever happens."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = tempfile.mkdtemp(prefix=".hqe-", dir=path.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        yield pathlib.Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def never_over(path: pathlib.Path, inputs: Sequence[str | os.PathLike[str]]) -> None:
    """Refuses a result in place of what it is made of, or of a folder."""
    if path.is_dir():
        raise OutputError(f"{path}: cannot be written (it is a folder)")
    for one in inputs:
        if path.exists() and pathlib.Path(one).exists() and path.samefile(one):
            raise UsageError(f"{path}: is read, and would be replaced by the result")


def save_model(model: Any, folder: pathlib.Path, name: str) -> list[str]:
    """Writes `name`, with its weights in `name`.data where they are too large for one file. The names
    of the files, the model last."""
    onnx = onnx_package()
    size = sum(len(one.raw_data) for one in model.graph.initializer)
    path = os.fspath(folder / name)
    try:
        if size > LARGEST_FILE:
            onnx.save_model(model, path, save_as_external_data=True, location=f"{name}.data", size_threshold=FEWEST_BYTES)
            os.chmod(f"{path}.data", os.stat(path).st_mode)  # onnx shows weights to nobody else.
            return [f"{name}.data", name]
        onnx.save_model(model, path)
    except OSError as error:
        raise OutputError(f"{name}: cannot be written ({error.strerror})") from None
    except ValueError as error:  # Protobuf's word for too large.
        raise InputError(f"the members do not fit into one ONNX file ({first_line(error)})") from None
    return [name]


def check_model(path: pathlib.Path) -> None:
    """By ONNX's own rules."""
    try:
        onnx_package().checker.check_model(os.fspath(path))
    except Exception as error:
        raise InputError(f"the members make no valid ONNX model together ({first_line(error)})") from None


def put_in_place(source: pathlib.Path, target: pathlib.Path) -> None:
    """Gives a finished file its name."""
    try:
        with open(source, "rb") as file:
            os.fsync(file.fileno())
        os.replace(source, target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written ({error.strerror})") from None
