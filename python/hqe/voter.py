# SPDX-License-Identifier: MIT
"""One vote at a time, which says when the members left cannot change its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hqe import _core
from hqe.errors import UsageError

if TYPE_CHECKING:
    from hqe.team import Team


class Voter:
    """Counts a vote member by member. Once `is_decided`, `answer` is that of all members.

    `members`: how many there are; they go by their place in the team. `correct`: their correct
    counts on the selection samples, which break ties of plurality votes. `weights`: one a member,
    for the weighted vote, whose members give scores, or labels where `labels`. `largest_score`: the most that a member gives a class; 1.001 allows for
    rounding of float32 probabilities.

    >>> import hqe
    >>> voter = hqe.Voter("majority", members=3, classes=10)
    >>> voter.add(0, 7); voter.is_decided
    False
    >>> voter.add(2, 7); voter.is_decided, voter.answer
    (True, 7)
    """

    #: The names of a team's members in the order to run them; empty where it is not known.
    order: Sequence[str] = ()

    _places: Mapping[str, int] = {}
    _temperature: float | None = None

    def __init__(
        self,
        vote: str,
        members: int,
        classes: int,
        *,
        weights: Sequence[float] | None = None,
        correct: Sequence[int] | None = None,
        ties: str = "accuracy",
        labels: bool = False,
        largest_score: float = 1.001,
    ) -> None:
        counts = [0] * members if correct is None else [int(one) for one in correct]
        if len(counts) != members:
            raise UsageError(f"there are {len(counts)} correct counts for {members} members")
        shares = [] if weights is None else [float(one) for one in weights]
        self._core = _core.Voter(vote, ties, classes, labels, largest_score, shares, counts)

    @classmethod
    def of(cls, team: Team) -> Voter:
        """The vote of an `hqe.Team`: its `order` says whom to ask first, `scores` are at its temperature.

        >>> import numpy as np, hqe
        >>> pool = hqe.Pool({"a": np.array([0, 1, 1]), "b": np.array([0, 1, 0]), "c": np.array([1, 1, 1])}, [0, 1, 1])
        >>> voter = hqe.Voter.of(hqe.Team.of(pool, ["a", "b", "c"]))
        >>> voter.add("a", 1); voter.add("c", 1); voter.is_decided, voter.answer
        (True, 1)
        """
        voter = cls.__new__(cls)
        voter._core = _core.Voter.of(team._core)
        voter._places = {name: place for place, name in enumerate(team.members)}
        voter._temperature = team.temperature
        voter.order = [] if team.early_exit is None else list(team.early_exit.order)
        return voter

    def clear(self) -> None:
        """The next sample: nobody has answered."""
        self._core.clear()

    def add(self, member: int | str, output: Any) -> None:
        """What a member, by its place or the name it has in a team, says: a label (-1 = abstains),
        or one score a class."""
        if isinstance(member, str):
            if member not in self._places:
                raise UsageError(f"no member is called '{member}'. There is {', '.join(self._places) or 'none by name'}")
            member = self._places[member]
        if np.ndim(output) == 0:
            self._core.add_label(member, int(output))
        else:
            self._core.add_scores(member, np.ascontiguousarray(output, dtype=np.float64))

    @property
    def is_decided(self) -> bool:
        """True where nothing that is left can change the answer."""
        return self._core.is_decided

    @property
    def is_complete(self) -> bool:
        """True where everybody was added."""
        return self._core.is_complete

    @property
    def added(self) -> int:
        """How many members were added."""
        return self._core.added

    @property
    def answer(self) -> int:
        """The class, -1 = no answer. UsageError before it is decided."""
        return self._core.answer

    def scores(self) -> np.ndarray[Any, Any]:
        """The mean of the members' scores, once everybody was added: what `apply` gives."""
        out = np.empty(self._core.class_count)
        self._core.scores(out)
        if self._temperature is not None:
            _core.temper(out, self._temperature)
        return out
