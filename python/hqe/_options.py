# SPDX-License-Identifier: MIT
"""Python values as the words of a command line, which the engine understands."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hqe import _core
from hqe.pool import Pool
from hqe.record import read_document

PRUNE = read_document(_core.prune_defaults())
SCORE = read_document(_core.score_defaults())

# What the command lets its users repeat; other lists are one word with commas.
_REPEATED = {
    "metrics": "metric",
    "methods": "method",
    "require": "require",
    "exclude": "exclude",
}

Member = int | str


def _word(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def size_word(size: Any) -> Any:
    """Sizes in a row as "2:4", as the command writes them."""
    if isinstance(size, str) or not isinstance(size, Iterable):
        return size
    sizes = [int(one) for one in size]
    if sizes and sizes == list(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]}:{sizes[-1]}"
    return sizes


def words(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each option as the words that the command would be given; None and False are left out."""
    result: list[tuple[str, str]] = []
    for name, value in options.items():
        if value is None:
            continue
        if isinstance(value, (bool, np.bool_)):
            result += [(name, "")] if value else []
        elif isinstance(value, Mapping):
            result += [(name, f"{key}={_word(limit)}") for key, limit in value.items()]
        elif name in _REPEATED:
            several = [value] if isinstance(value, (str, numbers.Integral)) else value
            result += [(_REPEATED[name], _word(one)) for one in several]
        elif isinstance(value, Iterable) and not isinstance(value, str):
            joined = ",".join(_word(one) for one in value)
            result += [(name, joined)] if joined else []
        else:
            result.append((name, _word(value)))
    return result


def members(pool: Pool, team: Iterable[Member]) -> list[int]:
    """A team of ids or names as ids."""
    if isinstance(team, str):
        team = team.split(",")
    return [pool._core.find_model(_word(member)) for member in team]
