# SPDX-License-Identifier: MIT
"""The files of a pool while they grow."""

from __future__ import annotations

import fcntl
import os
import pathlib
import struct
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from hqe.errors import InputError, OutputError, UsageError

HEADER = 128  # Of every file, so that the number of rows can be filled in when it is known.


def _header(row: np.ndarray[Any, Any], rows: int) -> bytes:
    shape = (rows, *row.shape[1:])
    text = f"{{'descr': '{row.dtype.str}', 'fortran_order': False, 'shape': {shape}, }}"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", HEADER - 10)
    return start + text.encode().ljust(HEADER - 11) + b"\n"


def _read_part(path: pathlib.Path) -> np.ndarray[Any, Any] | None:
    """The whole rows that an earlier run wrote; None where there is none, or the file is not ours."""
    try:
        with open(path, "rb") as file:
            if np.lib.format.read_magic(file) != (1, 0):
                return None
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            if file.tell() != HEADER or dtype.hasobject:
                return None
        width = dtype.itemsize * int(np.prod(shape[1:], dtype=np.int64))
        rows = (path.stat().st_size - HEADER) // width
        if rows < 1:
            return None
        return np.memmap(path, dtype, "r", HEADER, (rows, *shape[1:]))
    except (OSError, ValueError, ZeroDivisionError):
        return None


Naming = Callable[[], None]
"""Gives a file its name, once the disk has what is in it."""


def _settled(file: Any, path: pathlib.Path, final: pathlib.Path) -> Naming:
    """Waits until the disk has what was written to `path`."""
    try:
        with file:
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OutputError(f"{final}: cannot be written ({error.strerror})") from error

    def name() -> None:
        try:
            os.replace(path, final)
        except OSError as error:
            raise OutputError(f"{final}: cannot be written ({error.strerror})") from error

    return name


def write_text(path: pathlib.Path, text: str) -> Naming:
    """It is there whole or not at all. What a killed run leaves, the next writes over: no model has such a name."""
    part = path.parent / f".hqe-{path.name}.new"
    try:
        file = open(part, "wb")
        file.write(text.encode())
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from error
    return _settled(file, part, path)


class Part:
    """`<name>.npy`, or the hidden file that becomes it. `saved` is what an earlier run wrote, and
    `finished` whether that is everything."""

    def __init__(self, folder: pathlib.Path, name: str) -> None:
        self.final = folder / f"{name}.npy"
        self._path = folder / f".hqe-{name}.part"
        self._file: Any = None
        self.finished = self.final.exists()
        self.saved = self._read_final() if self.finished else _read_part(self._path)
        self._row = None if self.saved is None else np.empty_like(self.saved, shape=(0, *self.saved.shape[1:]))

    def _read_final(self) -> np.ndarray[Any, Any]:
        try:
            values: np.ndarray[Any, Any] = np.load(self.final, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise InputError(f"{self.final}: cannot be read ({error}). Remove it to collect it again") from None
        return values

    def _end_of(self, rows: int) -> int:
        """Where the file ends after so many rows."""
        assert self._row is not None
        return HEADER + rows * self._row.dtype.itemsize * int(np.prod(self._row.shape[1:], dtype=np.int64))

    def write(self, start: int, values: np.ndarray[Any, Any]) -> None:
        """Puts rows behind the `start` first ones; whatever stood there is given up."""
        try:
            if self._file is None:
                self.saved, self._row = None, values[:0].copy()
                self._file = open(self._path, "r+b" if start else "wb", buffering=0)
                if not start:
                    self._file.write(_header(self._row, 0))
                self._file.truncate(self._end_of(start))
                self._file.seek(0, os.SEEK_END)
            view = memoryview(np.ascontiguousarray(values, self._row.dtype)).cast("B")
            while view:
                view = view[self._file.write(view) :]
        except OSError as error:
            raise OutputError(f"{self.final}: cannot be written ({error.strerror})") from error

    def finish(self, rows: int) -> Callable[[], Naming]:
        """Fills in the number of rows. What is returned waits for the disk."""
        try:
            if self._file is None:
                self._file = open(self._path, "r+b", buffering=0)
            self._file.truncate(self._end_of(rows))
            self._file.seek(0)
            self._file.write(_header(self._row, rows))
        except OSError as error:
            raise OutputError(f"{self.final}: cannot be written ({error.strerror})") from error
        file, self._file = self._file, None
        return lambda: _settled(file, self._path, self.final)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def discard(self) -> None:
        """No half model stays."""
        self.close()
        self.saved = None
        self._path.unlink(missing_ok=True)


def save_whole(path: pathlib.Path, values: np.ndarray[Any, Any]) -> None:
    part = Part(path.parent, path.stem)
    part.write(0, values)
    part.finish(len(values))()()


class Disk:
    """Work that waits for the disk, done while models run. Two files wait for it side by side, but they get
    their names in order. After an error nothing more gets one."""

    def __init__(self) -> None:
        self._workers = ThreadPoolExecutor(2, "hqe collect")
        self._begun: list[Future[None]] = []

    def later(self, write: Callable[[], Naming]) -> Future[None]:
        """Raises what went wrong before, where that is known by now."""
        while self._begun and self._begun[0].done():
            self._begun.pop(0).result()
        before = self._begun[-1] if self._begun else None

        def run() -> None:
            name = write()
            if before is not None:
                before.result()
            name()

        self._begun.append(self._workers.submit(run))
        return self._begun[-1]

    def settle(self) -> None:
        """Everything is done, or the first error is raised."""
        for one in self._begun:
            one.result()
        self._begun.clear()

    def __enter__(self) -> Disk:
        return self

    def __exit__(self, *_: object) -> None:
        self._workers.shutdown()


@contextmanager
def folder_of(out: str | os.PathLike[str]) -> Iterator[pathlib.Path]:
    """The folder, made where it is not there, and for us alone as long as this lasts."""
    folder = pathlib.Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made a folder ({error.strerror}). Choose another place") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{folder}: another hqe collect is at work there. Wait for it") from None
        except OSError:
            pass  # A file system without locks.
        yield folder
    finally:
        os.close(handle)
