# SPDX-License-Identifier: MIT
"""A team as it is handed on: by the names of its members, with all that its vote rests on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hqe import _core
from hqe._files import files_of, write
from hqe._options import Member, members, thread_count, words
from hqe._progress import Progress, listener
from hqe.errors import UsageError
from hqe.pool import Pool
from hqe.record import Record, read_document

if TYPE_CHECKING:
    from hqe.study import Study

#: What `team=` takes: ids or names, a Team, the path of a team file or study (it ends in .json), or
#: what a study recommends.
TeamLike = Any


class Team:
    """A team: `Team.load` reads a team file or a study, `Team.of` makes one, `save` writes it.

    >>> import numpy as np, hqe
    >>> pool = hqe.Pool({"a": np.array([0, 1, 1]), "b": np.array([0, 1, 0]), "c": np.array([1, 1, 1])}, [0, 1, 1])
    >>> team = hqe.Team.of(pool, ["a", "c"])
    >>> team.members, team.vote, team.expected.accuracy
    (['a', 'c'], 'plurality', 1.0)
    """

    _inputs: Sequence[str] = ()  # The pool's files.

    def __init__(self, core: _core.TeamFile) -> None:
        self._core = core

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Team:
        """Read a team file, or what a saved study recommends."""
        return cls(_core.load_team(os.fspath(path)))

    @classmethod
    def from_json(cls, text: str) -> Team:
        """The team of a document, as `to_json` gives it."""
        return cls(_core.team_from_json(text))

    @classmethod
    def of(
        cls,
        source: Study | Pool,
        team: TeamLike = None,
        vote: str | None = None,
        *,
        vote_weights: str | Sequence[float] | None = None,
        ties: str | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Team:
        """What a study recommends, or any team of a pool, which is then measured on it."""
        asked = words(dict(vote=vote, vote_weights=vote_weights, ties=ties))
        if not isinstance(source, Pool):
            if team is not None or asked:
                raise UsageError("a study has its team and its vote. Leave the others out")
            return cls(_core.team_of_study(source._core))
        if team is None:
            raise UsageError("which team of the pool? Give team=[0, 2, 5]")
        ids, file = find_team(source, team)
        with listener(progress) as hear:
            made = cls(_core.team_of_pool(source._core, ids, file, asked, thread_count(threads), hear))
        made._inputs = files_of(source)
        return made

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the team file that the command's `--team` takes, whole or not at all."""
        write(path, self.to_json(), self._inputs)

    def to_json(self) -> str:
        """The document that `save` writes, checksum included."""
        return self._core.to_json()

    @cached_property
    def document(self) -> Record:
        """The document as nested records; docs/formats.md describes every key."""
        return read_document(self.to_json())

    @property
    def name(self) -> str:
        """Of the pool that it was chosen on."""
        return self.document["name"]

    @property
    def kind(self) -> str:
        """ "probabilities", "logits", "labels" or "correctness"."""
        return self.document["kind"]

    @property
    def members(self) -> list[str]:
        """The names of its models."""
        return [member["name"] for member in self.document["members"]]

    @property
    def correct(self) -> list[int]:
        """How many of the selection samples each member gets right; breaks ties of label votes."""
        return [member["correct"] for member in self.document["members"]]

    @property
    def samples(self) -> int:
        """How many selection samples there were."""
        return self.document["samples"]

    @property
    def vote(self) -> str:
        """ "soft", "weighted", "plurality" or "majority"."""
        return self.document["vote"]

    @property
    def ties(self) -> str:
        """Who wins a tie of label votes: "accuracy" or "label"."""
        return self.document["ties"]

    @property
    def weights(self) -> list[float] | None:
        """One a member where the vote is weighted."""
        return self.document["weights"]

    @property
    def temperature(self) -> float | None:
        """Of its shares; None for votes over labels."""
        return self.document["temperature"]

    @property
    def class_count(self) -> int:
        """C."""
        return self.document["class_count"]

    @property
    def classes(self) -> list[str] | None:
        """The classes' names; None where unknown."""
        return self.document["classes"]

    @property
    def early_exit(self) -> Record | None:
        """In which `order` to run the members, and what that saves."""
        return self.document["early_exit"]

    @property
    def expected(self) -> Record:
        """The `accuracy` to expect, its `interval`, and what it was `judged_on`."""
        return self.document["expected"]

    @property
    def costs(self) -> Record:
        """For each known cost its `sum` and `reduction`."""
        return self.document["costs"]

    @property
    def warnings(self) -> list[str]:
        """What it lacks, having been made from a digest."""
        return list(self.document.get("warnings", ()))

    def __len__(self) -> int:
        return len(self.document["members"])

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, Team) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return Team.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        return f"<hqe.Team {_core.message_text(', '.join(self.members))}: {self.vote} vote>"


def _file_of(team: Any) -> _core.TeamFile | None:
    """The file that a team is, or names; None where it is a list of models."""
    if isinstance(team, str) and not team.endswith(".json"):
        return None
    if isinstance(team, (str, os.PathLike)):
        team = Team.load(team)
    elif hasattr(team, "to_team"):  # A study, or what it recommends.
        team = team.to_team()
    return team._core if isinstance(team, Team) else None


def find_team(pool: Pool, team: TeamLike) -> tuple[list[int], _core.TeamFile | None]:
    """The ids of a team in the pool, and the file that says how it votes."""
    file = _file_of(team)
    if file is not None:
        return _core.match_team(file, pool._core), file
    models: Iterable[Member] = team
    return members(pool, models), None
