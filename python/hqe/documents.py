# SPDX-License-Identifier: MIT
"""Documents that are tables: what inspect, front and explain answer; and those that are read back."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hqe import _core
from hqe._files import write
from hqe._notebook import escape, table_html
from hqe._tables import frame
from hqe.record import Record, read_document

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Self


class Document(Record):
    """A document whose main part is a table: `to_pandas()`, and shown so in a notebook."""

    def _rows(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def _names(self, team: Any) -> str:
        return ", ".join(self["pool"]["models"][model]["name"] for model in team)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a DataFrame. Needs pandas."""
        return frame(self._rows())

    def _repr_html_(self) -> str:
        pool = self["pool"]
        notes = "".join(f"<p>{escape(note)}</p>" for note in self["warnings"])
        head = f"<b>{escape(pool['name'])}</b>: {len(pool['models'])} models, {pool['samples']} samples"
        return f"<div>{head}{table_html(self._rows(), pool['samples'])}{notes}</div>"


class Picture(str):
    """An SVG as text, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<hqe.Picture: {len(self)} characters of SVG>"


class SavedDocument(Document):
    """A document that can be saved, loaded and shown as a page."""

    _inputs: Sequence[str] = ()  # The pools' files.
    _file: Sequence[str] = ()  # Where it was loaded from.

    def __init__(self, text: str, inputs: Sequence[str] = ()) -> None:
        # Read by the engine first, which refuses what is no such document.
        self._text = self._checked(text)
        super().__init__(read_document(self._text))
        self._inputs = inputs

    @staticmethod
    def _checked(text: str) -> str:
        raise NotImplementedError

    @staticmethod
    def _read(path: str) -> str:
        raise NotImplementedError

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save`, or the command's `-o`, wrote."""
        document = cls(cls._read(os.fspath(path)))
        document._file = (os.fspath(path),)
        return document

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the document as the command's `-o` does, whole or not at all, and never over a file
        of its pools."""
        write(path, self._text, self._inputs)

    def to_json(self) -> str:
        """The document that the command's `--json` prints."""
        return self._text

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write one page for a browser: no network needed."""
        write(path, _core.page_of_document(self._text), [*self._inputs, *self._file])

    def plot(self) -> Picture:
        """Its picture as SVG, which a notebook shows."""
        raise NotImplementedError

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self._text,)


class Inspection(Document):
    """What `hqe.inspect` answers: a row a model."""

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for model, known in zip(self["models"], self["pool"]["models"]):
            row = {key: model[key] for key in ("id", "name", "correct", "accuracy", "failures", "abstentions")}
            rows.append(row | dict(known["costs"]) | {"notes": "; ".join(model["notes"])})
        return rows


class Front(Document):
    """What `hqe.front` answers: a row a cost and a team that no other beats at it."""

    def _rows(self) -> list[dict[str, Any]]:
        samples = self["pool"]["samples"]
        return [
            {
                "cost": front["cost"],
                "value": one["value"],
                "team": one["team"],
                "names": self._names(one["team"]),
                "correct": one["correct"],
                "accuracy": one["correct"] / samples,
            }
            for front in self["fronts"]
            for one in front["teams"]
        ]


class Cascades(SavedDocument):
    """What `hqe.front(..., cascade=True)` answers: a row a rule. Only the first, the exact exit, is exact."""

    @staticmethod
    def _checked(text: str) -> str:
        return _core.checked_cascade(text)

    @staticmethod
    def _read(path: str) -> str:
        return _core.read_cascade(path)

    def plot(self) -> Picture:
        """Accuracy against expected cost as SVG, which a notebook shows."""
        return Picture(_core.plot_cascades(self._text))

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for row in self["rows"]:
            told = {"rule": row["says"], "is_exact": row["is_exact"]}
            for where, prefix in (("held_out", "held_out_"), ("selection", "")):
                run = row[where]
                if run is None:
                    continue
                told |= {prefix + key: run[key] for key in ("expected_models", "expected_cost", "accuracy")}
                told |= {prefix + "low": run["interval"]["low"], prefix + "high": run["interval"]["high"]}
                told |= {prefix + key: run[key] for key in ("difference", "changed")}
            rows.append(told)
        return rows


class Explanation(Document):
    """What `hqe.explain` answers: a row a team and a metric's opinion of it."""

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "team": one["team"],
                "names": self._names(one["team"]),
                "correct": one["correct"],
                **{key: opinion.get(key) for key in ("metric", "fate", "tier", "score", "rank", "candidates", "why")},
            }
            for one in self["teams"]
            for opinion in one["opinions"]
        ]
