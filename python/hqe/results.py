# SPDX-License-Identifier: MIT
"""What score, evaluate, sweep, compare and apply answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hqe import _core
from hqe._notebook import table_html
from hqe._tables import frame
from hqe.documents import Picture, SavedDocument
from hqe.record import Record

if TYPE_CHECKING:
    import pandas


class Scores:
    """Scores of every team of some sizes: `scores[metric]` is a column beside `teams`."""

    def __init__(self, core: _core.Scores) -> None:
        self._core = core
        self._places = {metric: i for i, metric in enumerate(core.metrics)}

    @cached_property
    def teams(self) -> list[tuple[int, ...]]:
        """In size, then team order."""
        return self._core.teams

    @property
    def metrics(self) -> list[str]:
        """What was scored."""
        return self._core.metrics

    @property
    def warnings(self) -> list[str]:
        """Sentences for people."""
        return self._core.warnings

    def __getitem__(self, metric: str) -> np.ndarray[Any, Any]:
        """One metric's column, which shares the engine's memory."""
        return self._core.column(self._places[metric])

    def focal(self, metric: str) -> list[dict[int, float]]:
        """Beside `teams`: the unscaled score by focal model, those that never fail left out."""
        column = self._core.focal(self._places[metric])
        result, begin = [], 0
        for team in self.teams if len(column) else []:
            scores = zip(team, column[begin : begin + len(team)].tolist())
            result.append({model: score for model, score in scores if score == score})
            begin += len(team)
        return result

    def to_json(self) -> str:
        """The document that the command's `score --json` prints."""
        return self._core.to_json()

    def to_pandas(self) -> pandas.DataFrame:
        """One row a team, one column a metric. Needs pandas."""
        sizes = [len(team) for team in self.teams]
        columns = {metric: self[metric] for metric in self.metrics}
        return frame({"team": self.teams, "size": sizes, **columns})

    def __repr__(self) -> str:
        return f"<hqe.Scores of {len(self.teams)} teams: {', '.join(self.metrics)}>"


class Evaluation:
    """Exact correct counts: `correct[i]` is that of `teams[i]`."""

    def __init__(self, core: _core.Evaluation, sample_count: int) -> None:
        self._core = core
        self._sample_count = sample_count

    @property
    def vote(self) -> str:
        """The vote that was used."""
        return self._core.vote

    @cached_property
    def teams(self) -> list[tuple[int, ...]]:
        """In size, then team order."""
        return self._core.teams

    @property
    def correct(self) -> np.ndarray[Any, Any]:
        """A column that shares the engine's memory."""
        return self._core.correct

    @property
    def warnings(self) -> list[str]:
        """Sentences for people."""
        return self._core.warnings

    def to_json(self) -> str:
        """The document that the command's `evaluate --json` prints."""
        return self._core.to_json()

    def to_pandas(self) -> pandas.DataFrame:
        """One row a team. Needs pandas."""
        return frame(
            {
                "team": self.teams,
                "size": [len(team) for team in self.teams],
                "correct": self.correct,
                "accuracy": self.correct / self._sample_count,
            }
        )

    def __repr__(self) -> str:
        return f"<hqe.Evaluation of {len(self.teams)} teams, {self.vote} vote>"


class Sweep(Record):
    """The document of the command's `sweep --json`; `rows` holds a record a setting."""

    def to_pandas(self) -> pandas.DataFrame:
        """One row a size, beta and metric. Needs pandas."""
        return frame(self["rows"])

    def __repr__(self) -> str:
        return f"<hqe.Sweep: {len(self['rows'])} rows>"


class Comparison(SavedDocument):
    """The document of the command's `compare --json`; `methods` holds a record a method, best first."""

    @staticmethod
    def _checked(text: str) -> str:
        return _core.checked_comparison(text)

    @staticmethod
    def _read(path: str) -> str:
        return _core.read_comparison(path)

    def _rows(self) -> list[dict[str, Any]]:
        nested = ("weights", "interval", "costs", "splits", "certificate")
        rows = []
        for method in self["methods"]:
            interval = method["interval"] or {"low": None, "high": None}
            row = {key: value for key, value in method.items() if key not in nested}
            rows.append(row | {"low": interval["low"], "high": interval["high"]})
        return rows

    def plot(self) -> Picture:
        """The picture of ranks as SVG, which a notebook shows."""
        return Picture(_core.plot_ranks(self._text))

    def _repr_html_(self) -> str:
        shown = ("title", "mean_rank", "test_accuracy", "low", "high", "gain", "size", "note", "not_computed")
        rows = [{key: row[key] for key in shown} for row in self._rows()]
        return f"<div>{table_html(rows, self['test_samples'])}{self.plot()}</div>"

    def __repr__(self) -> str:
        best = next((m["title"] for m in self["methods"] if m["mean_rank"] is not None), "nothing")
        return f"<hqe.Comparison of {len(self['methods'])} methods: {best} is first>"


@dataclass(frozen=True)
class Combined:
    """A team's combined predictions, one a sample."""

    team: tuple[int, ...]
    vote: str
    #: How many are right; None where the pool has no labels.
    correct: int | None
    #: -1 where the team has no answer.
    labels: np.ndarray[Any, Any]
    #: N x C means of the members' scores, at the team's temperature; None for votes over labels, and where scores=False.
    scores: np.ndarray[Any, Any] | None
    #: Of the answers; None for votes over labels, and where scores=False.
    probabilities: np.ndarray[Any, Any] | None
    #: How far the answer is ahead of the next class, in probability or votes; NaN without an answer. None where
    #: scores=False and scores vote.
    margins: np.ndarray[Any, Any] | None
    #: How many members predict the answer themselves.
    agreeing: np.ndarray[Any, Any]
    #: The accuracy that the team's file promises; None without one.
    expected: Record | None = None
    warnings: Sequence[str] = ()
