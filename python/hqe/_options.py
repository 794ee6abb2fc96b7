# SPDX-License-Identifier: MIT
"""Python values as words, which the library that reads options understands."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping
from string import Template
from typing import Any, TypeVar

import numpy as np

from hqe import _core
from hqe.pool import Pool
from hqe.record import read_document

PRUNE = read_document(_core.prune_defaults())
SCORE = read_document(_core.score_defaults())

_LARGE = 1000  # Models of a pool in which the usual size is wanted.
_quoted = [f'"{vote}"' for vote in _core.votes()]
_KNOWN = {
    "metrics": " ".join(_core.pruning_metrics()),
    "votes": f"{', '.join(_quoted[:-1])} or {_quoted[-1]}",
    "size": _core.default_size(_LARGE),
    "models": _core.most_models_for_every_team,
}
Function = TypeVar("Function", bound=Callable[..., Any])


def filled(function: Function) -> Function:
    """With what the engine knows in its docstring: the words that begin with $."""
    function.__doc__ = function.__doc__ and Template(function.__doc__).substitute(_KNOWN)
    return function


#: The kinds that a model itself may answer with.
KINDS: tuple[str, ...] = tuple(kind for kind in _core.kinds() if kind != "correctness")

# Each of these is a word of its own; other lists are one word with commas.
_REPEATED = {"metrics", "methods", "require", "exclude"}

Member = int | str


def _word(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):  # An Integral to Python, a mistake to people.
        return str(bool(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def _is_list(value: Any) -> bool:
    is_scalar = isinstance(value, str) or (isinstance(value, np.ndarray) and value.ndim == 0)
    return isinstance(value, Iterable) and not is_scalar


def thread_count(threads: Any) -> int:
    """A number of threads as the command reads it."""
    return _core.parse_threads(_word(threads))


def size_word(size: Any) -> Any:
    """Sizes in a row as "2:4", as the command writes them."""
    if not _is_list(size):
        return size
    sizes = [_word(one) for one in size]
    if not all(one.isdecimal() for one in sizes):
        return sizes
    first, last = (int(sizes[0]), int(sizes[-1])) if sizes else (0, -1)
    is_row = last - first == len(sizes) - 1 and sizes == [str(n) for n in range(first, last + 1)]
    return f"{first}:{last}" if sizes and is_row else sizes


def words(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each option with its word or words; None is left out."""
    result: list[tuple[str, str]] = []
    for name, value in options.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            result += [(name, f"{key}={_word(limit)}") for key, limit in value.items()]
        elif name in _REPEATED:
            several = value if _is_list(value) else [value]
            result += [(name, _word(one)) for one in several]
        elif _is_list(value):
            result.append((name, ",".join(_word(one) for one in value)))
        else:
            result.append((name, _word(value)))
    return result


def members(pool: Pool, team: Iterable[Member]) -> list[int]:
    """A team of ids or names as ids."""
    if isinstance(team, str):
        team = team.split(",")
    return [pool._core.find_model(_word(member)) for member in team]
