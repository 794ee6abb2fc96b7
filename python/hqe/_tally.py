# SPDX-License-Identifier: MIT
"""Votes of a batch of tensors, counted member by member: what hqe.Voter does for one sample.

The rules are those of src/hqe/serving/exit_rule.cpp; the tests hold both against each other."""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch

from hqe.exporting.teams import LEAST_SHARE, LIMB, Plan


class Tally(ABC):
    """`left` are the rows that nobody has decided; `rows` how many there are, once somebody was added."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._added: list[int] = []
        self.rows = 0
        self.left = torch.empty(0, dtype=torch.long)
        self.members_run = self.left
        self._labels = self.left

    def add(self, place: int, output: torch.Tensor, stop: bool) -> None:
        """What a member says of the rows that are left. With `stop`, those that it decides leave."""
        if not self._added:
            self.rows = len(output)
            self.left = torch.arange(self.rows, device=output.device)
            self.members_run = torch.zeros(self.rows, dtype=torch.long, device=output.device)
            self._labels = torch.full((self.rows,), -1, dtype=torch.long, device=output.device)
        self._added = sorted([*self._added, place])
        self._keep(place, output.to(self.left.device))
        self.members_run[self.left] += 1
        is_last = len(self._added) == len(self._plan.members)
        if not stop and not is_last:
            return
        labels, decided = self._outcome()
        self._labels[self.left] = labels
        if stop and not is_last:
            self.left = self.left[~decided]

    def labels(self) -> torch.Tensor:
        return self._labels

    def _missing(self) -> list[int]:
        return [place for place in range(len(self._plan.members)) if place not in self._added]

    def _left_weight(self) -> float:
        total = 0.0
        for place in self._missing():
            total += self._plan.weights[place]
        return total

    def _deciding_lead(self, largest: float) -> float:
        """A lead decides where it exceeds this: what is left to give, and what rounding can do."""
        size = len(self._plan.members)
        rounding = (1 + len(self._missing())) * (size + 4) * 2.0**-50 * self._plan.all_weights * largest
        return self._left_weight() * largest + rounding

    @abstractmethod
    def _keep(self, place: int, output: torch.Tensor) -> None:
        """Notes what a member says of the rows that are left."""

    @abstractmethod
    def _outcome(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Of the rows that are left: the answer as it stands, and whether nothing can change it."""

    def probabilities(self) -> torch.Tensor | None:
        """The shares of the classes, where the vote has them."""
        return None


class Scores(Tally):
    """Scores are added up, members ascending."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._said: dict[int, torch.Tensor] = {}

    def _keep(self, place: int, output: torch.Tensor) -> None:
        if len(self.left) == self.rows:
            self._said[place] = output
        else:
            whole = output.new_full((self.rows, output.shape[1]), float("nan"))
            self._said[place] = whole.index_copy(0, self.left, output)

    def _sums(self, rows: torch.Tensor) -> torch.Tensor:
        total: torch.Tensor | None = None
        for place in self._added:
            given = self._plan.weights[place] * self._said[place][rows]
            total = given if total is None else total + given
        assert total is not None
        return total

    def _outcome(self) -> tuple[torch.Tensor, torch.Tensor]:
        sums = self._sums(self.left)
        labels = sums.argmax(dim=1)  # The lowest class of equal ones.
        if self._left_weight() == 0 or sums.shape[1] == 1:
            return labels, torch.ones_like(labels, dtype=torch.bool)
        best = sums.topk(2, dim=1).values
        return labels, best[:, 0] - best[:, 1] > self._deciding_lead(self._plan.largest_score)

    def probabilities(self) -> torch.Tensor:
        whole = self.members_run == len(self._plan.members)
        first = next(iter(self._said.values()))
        if not bool(whole.any()) and self.rows:
            return torch.full_like(first, float("nan"))
        shares = self._sums(torch.arange(self.rows, device=first.device)) / (self._plan.all_weights or 1)
        if self._plan.temperature is not None:
            shares = (shares.clamp_min(LEAST_SHARE).log() / self._plan.temperature).softmax(dim=1)
        return torch.where(whole[:, None], shares, torch.full_like(shares, float("nan")))


class Votes(Tally):
    """Labels are counted."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._strengths = plan.strengths()
        self._said: dict[int, torch.Tensor] = {}

    def _keep(self, place: int, output: torch.Tensor) -> None:
        self._said[place] = torch.full_like(self._labels, -1).index_copy(0, self.left, output)

    def _votes(self) -> list[tuple[int, torch.Tensor]]:
        """Places of those added, and which class each votes for: nobody's class is -1."""
        classes = torch.arange(self._plan.class_count, device=self.left.device)
        return [(place, self._said[place][self.left, None] == classes) for place in self._added]

    def _outcome(self) -> tuple[torch.Tensor, torch.Tensor]:
        votes = self._votes()
        counts = torch.zeros(len(self.left), self._plan.class_count, dtype=torch.float64, device=self.left.device)
        for place, vote in votes:
            counts = counts + self._plan.weights[place] * vote.double()
        best = counts.max(dim=1, keepdim=True).values
        if self._plan.vote == "majority":
            return self._majority(counts, best[:, 0])
        leading = counts == best
        columns = self._columns(votes)
        for column in columns:
            held = column.where(leading, torch.full_like(column, -1))
            leading = held == held.max(dim=1, keepdim=True).values
        labels = leading.long().argmax(dim=1)
        answered = best[:, 0] > 0
        decided = torch.ones_like(answered) if self._left_weight() == 0 else answered & self._ahead(counts, columns, labels)
        return labels.where(answered, torch.full_like(labels, -1)), decided

    def _majority(self, counts: torch.Tensor, best: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        labels, size = counts.argmax(dim=1), len(self._plan.members)
        reached = 2 * best > size
        decided = reached | (2 * (best + self._left_weight()) <= size)
        return labels.where(reached, torch.full_like(labels, -1)), decided

    def _columns(self, votes: list[tuple[int, torch.Tensor]]) -> list[torch.Tensor]:
        """What breaks ties: sums of the voters' strengths, a column of classes a limb, the highest first."""
        rest, largest, columns = list(self._strengths), sum(self._strengths), []
        carry: torch.Tensor | int = 0
        while largest:
            column = carry + sum(vote.long() * (rest[place] % LIMB) for place, vote in votes)
            carry = column.div(LIMB, rounding_mode="floor")
            columns.append(column - carry * LIMB)
            rest, largest = [one // LIMB for one in rest], largest // LIMB
        return columns[::-1]

    def _ahead(self, counts: torch.Tensor, columns: list[torch.Tensor], labels: torch.Tensor) -> torch.Tensor:
        """Whether the leader stays ahead though every vote that is left goes to one rival."""
        leader = labels[:, None]
        votes = counts.gather(1, leader)
        if self._plan.vote == "weighted":
            ahead = votes - counts > self._deciding_lead(1.0)
        else:  # Whole votes: one limb is enough for counts of samples.
            column = torch.zeros_like(counts, dtype=torch.long)
            for one in columns:
                column = column * LIMB + one
            left = sum(self._strengths[place] for place in self._missing())
            strength, rivals = column.gather(1, leader), column + left
            others = torch.arange(counts.shape[1], device=counts.device)
            breaks = (strength > rivals) | ((strength == rivals) & (leader < others))
            total = counts + self._left_weight()
            ahead = (votes > total) | ((votes == total) & breaks)
        return ahead.scatter(1, leader, True).all(dim=1)
