# SPDX-License-Identifier: MIT
"""Tables with a row a model and sample, as tables with a row a sample."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from hqe._columns import Table, Values
from hqe.errors import InputError


def _natural(name: str) -> list[tuple[int, int, str]]:
    """m2 before m10: shuffled rows must not change the order of models."""
    parts = re.split(r"([0-9]+)", name)
    return [(0, int(part), part) if part[0] in "0123456789" else (1, 0, part) for part in parts if part]


def _rows_by_model(table: Table, model: str, id: str) -> dict[str, Values]:
    """Each model's rows, in the order of ids, which are the same for all."""
    said_by = np.array([str(one) for one in table.column(model).tolist()], object)
    ids = table.column(id)
    found: dict[str, Values] = {}
    for name in sorted(set(said_by.tolist()), key=_natural):
        rows = np.flatnonzero(said_by == name)
        rows = rows[np.argsort(ids[rows], kind="stable")]
        same = np.flatnonzero(ids[rows][1:] == ids[rows][:-1])
        if len(same):
            first, second = rows[same[0]], rows[same[0] + 1]
            raise InputError(
                f"{table.place(id)}: the id '{ids[first]}' of model '{name}' comes twice, in rows {first} and {second} "
                "(counting from 0). Leave one out, or name another column of ids with id="
            )
        found[name] = rows
    (first_name, expected), *others = found.items()
    for name, rows in others:
        missing = sorted(set(ids[expected].tolist()) ^ set(ids[rows].tolist()))
        if missing:
            has, lacks = (first_name, name) if missing[0] in ids[expected] else (name, first_name)
            raise InputError(
                f"{table.place(id)}: model '{lacks}' has no row of the id '{missing[0]}', which model '{has}' has. "
                "Give every model a row for every sample, or leave the sample out for all"
            )
    return found


def widened(table: Table, label: str | None, id: str | None, model: str, values: list[str]) -> dict[str, Any]:
    """A column a model, or a model and class, and those of ids and true labels."""
    if id is None:
        raise InputError(f"{table.name}: a table with a row a model and sample needs ids. Name their column with id=")
    by_model = _rows_by_model(table, model, id)
    first_name, first = next(iter(by_model.items()))
    wide: dict[str, Any] = {id: table.column(id)[first]}
    if label is not None:
        truth = table.column(label)
        wide[label] = truth[first]
        for name, rows in by_model.items():
            other = np.flatnonzero(truth[rows] != truth[first])
            if len(other):
                one, two = first[other[0]], rows[other[0]]
                raise InputError(
                    f"{table.place(label)}: the id '{table.column(id)[one]}' is '{truth[one]}' for model '{first_name}', "
                    f"but '{truth[two]}' for model '{name}'. Correct it; if this column holds what models said, "
                    "name the true labels with label="
                )
    for name, rows in by_model.items():
        for column in values:
            wide[name if len(values) == 1 else f"{name}.{column}"] = table.raw(column)[rows]
    return wide
