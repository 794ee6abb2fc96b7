# SPDX-License-Identifier: MIT
"""A study: one run from predictions to verdict."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from hqe import _core
from hqe._files import write
from hqe._tables import frame, stacked, team_columns
from hqe.documents import Picture
from hqe.errors import UsageError
from hqe.record import Record, read_document
from hqe.team import Team

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class SelectedTeam:
    """A team that was kept."""

    team: tuple[int, ...]
    score: float
    correct: int
    test_correct: int | None = None
    votes: int | None = None


class Selection(Sequence[SelectedTeam]):
    """The teams that one metric, or the consensus of several, kept: best score first.

    Beside the teams it has the figures of docs/formats.md: `precision`, `recall`, `selected`,
    `good`, `true_positive`, `base_rate`, `correct_min`, `correct_max`, `cost_reduction`, `tiers` or
    `threshold`, and for the consensus `distinct_metrics`.
    """

    metric: str
    selected: int
    good: int | None
    true_positive: int
    precision: float | None
    recall: float | None
    base_rate: float | None

    def __init__(self, core: _core.Selection, record: Record, sample_count: int) -> None:
        self._core = core
        self._record = record
        self._sample_count = sample_count

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._record, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._record]

    @property
    def teams(self) -> list[tuple[int, ...]]:
        """The teams as tuples of ids."""
        return self._core.teams(0, len(self))

    @property
    def members(self) -> np.ndarray[Any, Any] | None:
        """The teams as an array with a row a team; None where sizes differ. Like the other
        columns it cannot be written to."""
        sizes = np.diff(self._core.begins)
        if len(sizes) == 0 or (sizes != sizes[0]).any():
            return None
        return self._core.members.reshape(len(self), int(sizes[0]))

    @property
    def scores(self) -> np.ndarray[Any, Any]:
        """The teams' scores."""
        return self._core.scores

    @property
    def correct(self) -> np.ndarray[Any, Any]:
        """The teams' correct counts."""
        return self._correct

    @property
    def test_correct(self) -> np.ndarray[Any, Any] | None:
        """The teams' correct counts on the test pool; None without one."""
        return self._test_correct if len(self._test_correct) else None

    # The engine holds counts in 32 bits: each is made once, not for every team that is asked for.
    @cached_property
    def _correct(self) -> np.ndarray[Any, Any]:
        return self._core.correct

    @cached_property
    def _test_correct(self) -> np.ndarray[Any, Any]:
        return self._core.test_correct

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> SelectedTeam: ...
    @overload
    def __getitem__(self, index: slice) -> list[SelectedTeam]: ...
    def __getitem__(self, index: int | slice) -> SelectedTeam | list[SelectedTeam]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"team {index} of {len(self)}")
        return next(self._from(place, place + 1))

    def __iter__(self) -> Iterator[SelectedTeam]:
        return self._from(0, len(self))

    def _from(self, first: int, last: int) -> Iterator[SelectedTeam]:
        def column(values: Any) -> Sequence[Any]:
            return values[first:last].tolist() if len(values) else [None] * (last - first)

        core = self._core
        for row in zip(
            core.teams(first, last), column(core.scores), column(self._correct),
            column(self._test_correct), column(core.votes),
        ):  # fmt: skip
            yield SelectedTeam(*row)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a team. Needs pandas."""
        columns: dict[str, Any] = {"metric": [self.metric] * len(self)}
        columns |= team_columns(self._core, self._sample_count)
        if len(self._core.votes):
            columns["votes"] = self._core.votes
        if len(self._core.test_correct):
            columns["test_correct"] = self._core.test_correct
        return frame(columns)

    def __repr__(self) -> str:
        best = f", best {self[0].team}" if len(self) else ""
        return f"<hqe.Selection {self.metric}: {len(self)} teams{best}>"


class Recommended(Record):
    """What a study recommends: the record of docs/formats.md, which can be handed on."""

    _study: Study

    def to_team(self) -> Team:
        """The team with all that its vote rests on."""
        return self._study.to_team()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the team file that `team=` and the command's `--team` take."""
        self.to_team().save(path)


class Study:
    """The answer of `hqe.prune`.

    Attributes are the keys of the command's document (docs/formats.md): `pool`, `options`, `vote`,
    `reference`, `baselines`, `warnings`, `desired_size`, `metrics`, `test`, and those below.
    `print(study)` shows the command's tables.
    """

    pool: Record
    options: Record
    vote: str
    desired_size: int
    metrics: list[str]
    reference: Record
    baselines: Record
    warnings: list[str]

    _inputs: Sequence[str] = ()  # The pools' files.
    _file: Sequence[str] = ()  # Where it was loaded from.

    def __init__(self, core: _core.Study, inputs: Sequence[str] = ()) -> None:
        self._core = core
        self._inputs = inputs

    @cached_property
    def _document(self) -> Record:
        return read_document(self._core.summary())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._document, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._document]

    @cached_property
    def selections(self) -> dict[str, Selection]:
        """What each metric kept, by the metric's name."""
        return {
            record.metric: Selection(self._core.selection(i), record, self.pool.samples)
            for i, record in enumerate(self._document.selections)
        }

    @cached_property
    def consensus(self) -> Selection | None:
        """What more than half of the focal metrics kept; None with fewer than two of them."""
        core = self._core.consensus
        return None if core is None else Selection(core, self._document.consensus, self.pool.samples)

    @property
    def tiers(self) -> dict[str, list[Record]]:
        """What happened to the teams of each size, by metric; empty for the mean threshold."""
        return {name: one._record.get("tiers", []) for name, one in self.selections.items()}

    @property
    def best(self) -> Recommended | None:
        """What to ship: `team`, `names`, `decision`, `correct`, `why`, `verdicts`, `alternatives` ..;
        `best.save("team.json")` hands it on. None when no team is allowed."""
        if self._document.recommended is None:
            return None
        recommended = Recommended(self._document.recommended)
        recommended._study = self
        return recommended

    def to_team(self) -> Team:
        """What it recommends, as a team to apply and to save."""
        team = Team.of(self)
        team._inputs = self._inputs
        return team

    @property
    def test(self) -> Record | None:
        """The same counts on the test pool; None without one."""
        return self._document.get("test")

    @property
    def has_detail(self) -> bool:
        """Whether the study holds what pictures and the report need: every scored team."""
        return self._core.has_detail

    def names(self, team: Iterable[int]) -> tuple[str, ...]:
        """The names of a team's members."""
        return tuple(self.pool.models[model].name for model in team)

    def to_pandas(self, scored: bool = False) -> pandas.DataFrame:
        """One row a kept team, metric after metric, the consensus last; with `scored` one row a
        scored team, kept or pruned. Needs pandas."""
        if scored:
            return self._scored()
        selections = [*self.selections.values(), *([self.consensus] if self.consensus else [])]
        return stacked([one.to_pandas() for one in selections])

    def _scored(self) -> pandas.DataFrame:
        if not self.has_detail:
            raise UsageError("the study holds no scored teams. Prune with detail=True")
        fates = {"k": "kept", "p": "pruned"}
        frames = []
        for i in range(self._core.scored_count):
            core = self._core.scored(i)
            fate = [fates[letter] for letter in core.fates] or None
            columns: dict[str, Any] = {"metric": [core.metric] * len(core), "fate": fate}
            frames.append(frame(columns | team_columns(core, self.pool.samples)))
        return stacked(frames)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Study:
        """Read what `save`, or the command's `prune -o`, wrote."""
        study = cls(_core.load_study(os.fspath(path)))
        study._file = (os.fspath(path),)
        return study

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the study as the command's `prune -o` does, whole or not at all, and never over a
        file of its pool."""
        write(path, self._core.to_json(True), self._inputs)

    def to_json(self, detail: bool = False) -> str:
        """The document that the command's `--json` prints; with `detail`, that of its `-o`."""
        return self._core.to_json(detail)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write one page for a browser: no network needed."""
        write(path, self._core.page(), [*self._inputs, *self._file])

    def plot(self, figure: str = "scatter", metric: str | None = None) -> Picture:
        """A figure as SVG, which a notebook shows: "scatter", "tiers", "cofailure", "sweep", "pareto" or "exit"."""
        return Picture(self._core.plot(figure, metric or ""))

    def __getstate__(self) -> bytes:
        return zlib.compress(self._core.to_json(True).encode())

    def __setstate__(self, state: bytes) -> None:
        self._core = _core.study_from_json(zlib.decompress(state).decode())

    def _accuracy(self, correct: int) -> str:
        return _core.accuracy_text(correct, self.pool.samples)

    def __repr__(self) -> str:
        pool = self.pool
        lines = [
            f"<hqe.Study '{_core.message_text(pool.name)}': {len(pool.models)} models, {pool.samples} samples, "
            f"teams of {self.desired_size}, {self.vote} vote",
            f"  entire ensemble {self._accuracy(self.reference.correct)}",
        ]
        kept = [*self.selections.values(), *([self.consensus] if self.consensus else [])]
        lines += [f"  {one.metric}: {len(one)} teams kept" for one in kept]
        if self.best is not None:
            names = _core.message_text(", ".join(self.names(self.best.team)))
            lines.append(f"  best {self.best.team} ({names}) {self._accuracy(self.best.correct)}")
        return "\n".join(lines) + ">"

    def __str__(self) -> str:
        return self._core.text()

    def _repr_html_(self) -> str:
        from hqe._notebook import study_html

        return study_html(self)
