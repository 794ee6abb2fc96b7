# SPDX-License-Identifier: MIT
"""The engine's documents as Python values."""

from __future__ import annotations

import json
from typing import Any


class Record(dict[str, Any]):
    """An object of one of the command's JSON documents: a dict whose keys are attributes too.

    docs/formats.md describes every key.

    >>> from hqe import Record
    >>> figures = Record(team=(0, 2), correct=90)
    >>> figures.correct, figures["team"]
    (90, (0, 2))
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no '{name}' here; there is {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        return f"Record({', '.join(f'{key}={value!r}' for key, value in self.items())})"


def _record(content: dict[str, Any]) -> Record:
    team = content.get("team")
    if isinstance(team, list):
        content["team"] = tuple(team)  # A team can be looked up in a set or a dict.
    return Record(content)


def read_document(text: str) -> Record:
    """A JSON document as nested records; teams are tuples."""
    document: Record = json.loads(text, object_hook=_record)
    return document
