# SPDX-License-Identifier: MIT
"""Documents that are tables: what inspect, front and explain answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hqe._notebook import escape, table_html
from hqe._tables import frame
from hqe.record import Record

if TYPE_CHECKING:
    import pandas


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


class Cascades(Document):
    """What `hqe.front(..., cascade=True)` answers: a row a rule. Only the first, the exact exit, is exact."""

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


class Picture(str):
    """An SVG as text, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<hqe.Picture: {len(self)} characters of SVG>"
