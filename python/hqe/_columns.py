# SPDX-License-Identifier: MIT
"""Columns of anybody's table as NumPy arrays, and what they hold."""

from __future__ import annotations

import difflib
import os
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from hqe import _core
from hqe._arrow import ArrowTable
from hqe.errors import InputError

Values = np.ndarray[Any, Any]


class Source(Protocol):
    """A table whose columns are read when they are asked for."""

    names: list[str]

    def __len__(self) -> int: ...

    def column(self, place: int) -> tuple[Values, Values | None]: ...


class _ArraySource:
    """Columns that NumPy can look into: those of a dict, or of pandas."""

    def __init__(self, names: list[str], columns: list[Any]) -> None:
        self.names = names
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns[0]) if self._columns else 0

    def column(self, place: int) -> tuple[Values, Values | None]:
        column = self._columns[place]
        values = np.asarray(column)
        if hasattr(column, "isna"):  # pandas knows more ways to be missing than NumPy does.
            gaps = np.asarray(column.isna(), dtype=bool)
        elif values.dtype.kind == "O":
            gaps = np.array([one is None or one != one for one in values], bool)
        else:
            gaps = np.zeros(len(values), bool)
        if not gaps.any():
            return values, None
        return values, gaps


def _is_pandas(table: Any) -> bool:
    return hasattr(table, "iloc") and hasattr(table, "columns")


def is_table(value: Any) -> bool:
    """Whether it has columns with names: a DataFrame, an Arrow table, a relation."""
    return hasattr(value, "columns") and (_is_pandas(value) or hasattr(value, "__arrow_c_stream__"))


_FILES: dict[int, str] = {}  # Of tables that read_table() read and that are still there.


def _read_from(table: Any, file: str) -> Any:
    """The table, whose file messages will name."""
    try:
        weakref.finalize(table, _FILES.pop, id(table), None)
        _FILES[id(table)] = file
    except TypeError:  # Nobody would say when it is gone, and another is in its place.
        pass
    return table


def name_of(table: Any) -> str:
    """What messages call a table: the file, where it is one or was read from one."""
    return os.fsdecode(table) if isinstance(table, (str, os.PathLike)) else _FILES.get(id(table), "table")


def source_of(table: Any) -> Source:
    """The columns of a table, or an InputError that says what would be one."""
    named = name_of(table)
    if isinstance(table, (str, os.PathLike)):
        table = read_table(table)
    source: Source
    if isinstance(table, Mapping):
        source = _ArraySource([str(name) for name in table], list(table.values()))
    elif _is_pandas(table):
        columns = [table.iloc[:, i] for i in range(len(table.columns))]
        source = _ArraySource([str(name) for name in table.columns], columns)
    elif hasattr(table, "__arrow_c_stream__"):
        source = ArrowTable(table)
    else:
        others = "Give a DataFrame, an Arrow table, a relation or a dict of columns"
        way_out = "Call its collect() first" if hasattr(table, "collect") else others
        raise InputError(f"table: {type(table).__name__} has no columns that can be read. {way_out}")
    if len(set(source.names)) != len(source.names):
        name = next(name for i, name in enumerate(source.names) if name in source.names[:i])
        raise InputError(f"{named}: two columns are called '{name}'. Rename one")
    if len(source) == 0:
        raise InputError(f"{named}: it has no rows. Write one row a sample")
    return source


_SUFFIXES = {".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".feather": "ipc", ".ipc": "ipc", ".csv": "csv"}


def _reader(form: str) -> Any:
    """The first package here that reads such files."""
    try:
        if form == "parquet":
            from pyarrow.parquet import read_table as read
        elif form == "ipc":
            from pyarrow.feather import read_table as read
        else:
            from pyarrow.csv import read_csv as read
        return read
    except ImportError:
        pass
    try:
        import polars

        return getattr(polars, f"read_{form}")
    except ImportError:
        pass
    try:
        if form != "ipc":
            import duckdb

            return getattr(duckdb, f"read_{form}")
    except ImportError:
        pass
    others = "pyarrow or polars" if form == "ipc" else "pyarrow, polars or duckdb"
    raise ImportError(f"reading such a file needs {others}: pip install pyarrow")


def read_table(path: str | os.PathLike[str]) -> Any:
    """The table in a Parquet, Arrow (Feather) or CSV file, for `hqe.Pool.from_table`.

    It is read by pyarrow, polars or duckdb, whichever is installed.

    >>> import os, tempfile, hqe
    >>> path = os.path.join(tempfile.mkdtemp(), "predictions.txt")
    >>> try: hqe.read_table(path)
    ... except hqe.InputError as error: print(str(error).partition(": ")[2])
    not a table that can be read. Give .parquet, .arrow, .feather or .csv
    """
    file = os.fspath(path)
    form = _SUFFIXES.get(Path(file).suffix.lower())
    if form is None:
        raise InputError(f"{file}: not a table that can be read. Give .parquet, .arrow, .feather or .csv")
    if not os.path.isfile(file):
        raise InputError(f"{file}: there is no such file. Check the path and its permissions")
    read = _reader(form)
    try:
        return _read_from(read(file), file)
    except Exception as error:  # Each package has its own ways to say that a file is broken.
        raise InputError(f"{file}: cannot be read ({str(error).strip().splitlines()[0]})") from error


def _kind_of_objects(values: Values, what: str) -> Values:
    types = list(map(type, values))
    words = {
        one: "text" if issubclass(one, str) else "truth values" if issubclass(one, (bool, np.bool_)) else "numbers"
        for one in set(types)
    }
    first = words[types[0]]
    if len(set(words.values())) > 1:
        other = next(i for i, one in enumerate(types) if words[one] != first)
        raise InputError(
            f"{what}: mixed types: row 0 holds {first}, row {other} (counting from 0) {words[types[other]]}. "
            "Make them alike, such as by astype(str)"
        )
    if first == "text":
        return values
    try:
        return values.astype(bool if first == "truth values" else float)
    except (TypeError, ValueError):
        raise InputError(f"{what}: values of type {type(values[0]).__name__}. Give numbers, booleans or text") from None


def settled(values: Values, what: str) -> Values:
    """Values as integers, booleans, floats with fractions, or an object array of text.

    Whole numbers stored as floats are integers; objects are what they hold, if that is one thing."""
    if values.ndim != 1:
        raise InputError(f"{what}: {values.ndim} dimensions. Give one value a row")
    if values.dtype.kind in "UT":
        return values.astype(object)
    if values.dtype.kind == "O" and len(values):
        values = _kind_of_objects(values, what)
    if values.dtype.kind == "f":
        wrong = np.flatnonzero(~np.isfinite(values))
        if len(wrong):
            raise InputError(
                f"{what}: row {wrong[0]} (counting from 0) holds {values[wrong[0]]}. Fill it in, or leave the row out"
            )
        if np.array_equal(values, np.round(values)) and np.abs(values).max(initial=0) < 2**53:
            return values.astype(np.int64)
    if values.dtype.kind not in "biufO":
        raise InputError(f"{what}: values of type {values.dtype}. Give numbers, booleans or text")
    return values


def word_of(values: Values) -> str:
    """What values are, for people."""
    return {"O": "text", "b": "truth values", "f": "fractions"}.get(values.dtype.kind, "whole numbers")


_MOST_NAMES: int = _core.max_model_count


class Table:
    """A table whose columns are asked for by name, with rows in the order of an id."""

    def __init__(self, table: Any, name: str | None = None) -> None:
        self.name = name or name_of(table)
        self._source = source = source_of(table)
        self._index: Any = getattr(table, "index", None) if _is_pandas(table) else None
        self.names = source.names
        self._places = {name: place for place, name in enumerate(source.names)}
        self.order: Values | None = None
        self._read: dict[str, Values] = {}

    def __len__(self) -> int:
        return len(self._source)

    def place(self, name: str) -> str:
        """Where messages say that a column is."""
        return f"{self.name}: column '{name}'"

    def check(self, name: str, option: str) -> str:
        """The name, if there is such a column."""
        if name not in self._places:
            near = difflib.get_close_matches(name, self.names, 3, 0.5) or self.names[:8]
            raise InputError(f"{self.name}: no column is called '{name}'. Correct {option}=: there is {', '.join(near)}")
        return name

    def row_names(self, column: str | None) -> list[str]:
        """What the first rows are called, where that is text: by an index of pandas, or by a column."""
        values = [] if self._index is None else list(self._index[:_MOST_NAMES])
        if column is not None and not any(isinstance(one, str) for one in values):
            values = self._source.column(self._places[column])[0][:_MOST_NAMES].tolist()
        return [one for one in values if isinstance(one, str)]

    def raw(self, name: str) -> Values:
        """A column as it lies, in the order of ids; refuses missing values by name and row."""
        values, gaps = self._source.column(self._places[name])
        if gaps is not None:
            row = int(np.flatnonzero(gaps)[0])
            raise InputError(
                f"{self.place(name)}: row {row} (counting from 0) has no value, nor have "
                f"{int(gaps.sum()) - 1} others. Fill them in, or leave these rows out"
            )
        return values if self.order is None else values[self.order]

    def column(self, name: str) -> Values:
        """The same, settled: integers, booleans, floats or text."""
        if name not in self._read:
            self._read[name] = settled(self.raw(name), self.place(name))
        return self._read[name]

    def sort_by(self, name: str) -> None:
        """Puts rows in the order of a column of ids, which are all different."""
        values = settled(self.raw(name), self.place(name))
        order = np.argsort(values, kind="stable")
        same = np.flatnonzero(values[order][1:] == values[order][:-1])
        if len(same):
            first, second = order[same[0]], order[same[0] + 1]
            raise InputError(
                f"{self.place(name)}: rows {first} and {second} (counting from 0) have the same id "
                f"'{values[first]}'. Leave one out, or name another column with id="
            )
        if not np.array_equal(order, np.arange(len(order))):
            self.order = order
        self._read.clear()
