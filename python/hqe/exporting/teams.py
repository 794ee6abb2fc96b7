# SPDX-License-Identifier: MIT
"""What of a team it takes to run it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hqe import _core
from hqe.errors import InputError, UsageError
from hqe.team import Team

VOTES: tuple[str, ...] = tuple(_core.votes())
LEAST_SHARE = 1e-15  # What tempering takes smaller ones as.
LIMB = 2**40  # Strengths are counted in limbs: their sums are larger numbers than an integer of 64 bits.


@dataclass(frozen=True)
class Plan:
    """The vote of a team. Members ascend as in the pool that chose them, and everything that is one a
    member follows them; `weights` are 1 each unless the vote is weighted."""

    members: tuple[str, ...]
    correct: tuple[int, ...]
    kind: str
    vote: str
    ties: str
    weights: tuple[float, ...]
    temperature: float | None
    class_count: int
    classes: tuple[str, ...] | None
    order: tuple[int, ...]  # In which to run the members, as places.
    largest_score: float  # The most that a member gives a class.
    text: str  # The team's document.

    @property
    def adds_scores(self) -> bool:
        """Whether scores are added up, and not votes counted."""
        return _core.adds_scores(self.vote, self.kind)

    @property
    def all_weights(self) -> float:
        total = 0.0
        for weight in self.weights:
            total += weight
        return total

    def strengths(self) -> list[int]:
        """What each member adds to its class where votes of labels tie, in whole numbers: its weight,
        rounded to 52 binary digits of the heaviest, times its correct count."""
        if self.ties == "label":
            return [0] * len(self.members)
        if self.vote != "weighted":
            return list(self.correct)
        exponent = math.frexp(max(self.weights))[1]
        scaled = [math.floor(math.ldexp(weight, 52 - exponent) + 0.5) for weight in self.weights]
        return [weight * count for weight, count in zip(scaled, self.correct)]


def plan_of(team: Any) -> Plan:
    """Of a team, the path of a team file or of a study, or a study."""
    return _plan(*_document(team))


def team_file(team: Any) -> list[str]:
    """The path, where the team is one."""
    return [os.fspath(team)] if isinstance(team, (str, os.PathLike)) else []


def _document(team: Any) -> tuple[dict[str, Any], str]:
    """The team's document, and its text. A document that somebody holds is taken as it is."""
    if isinstance(team, (str, os.PathLike)):
        team = Team.load(team)
    elif hasattr(team, "to_team"):  # A study, or what it recommends.
        team = team.to_team()
    if isinstance(team, Team):
        return team.document, team.to_json()
    if not isinstance(team, Mapping):
        raise UsageError(f"team: {type(team).__name__} is no team. Give a team, a study, or the path of either's file")
    return dict(team), json.dumps(team, ensure_ascii=False)


def _plan(document: dict[str, Any], text: str) -> Plan:
    try:
        plan = _unchecked(document, text)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"team: not a team's document ({type(error).__name__}: {error})") from None
    if plan.vote not in VOTES:
        raise InputError(f"team: the vote '{plan.vote}' is none of {', '.join(VOTES)}")
    count = len(plan.members)
    if not count or len(set(plan.members)) != count or len(plan.weights) != count:
        raise InputError("team: it needs members of different names and, in a weighted vote, one weight each")
    if plan.kind == "correctness":
        raise UsageError("the team was chosen by who is right (kind correctness), which says nothing of classes to answer")
    return plan


def _unchecked(document: dict[str, Any], text: str) -> Plan:
    members = tuple(str(one["name"]) for one in document["members"])
    vote = document["vote"]
    early_exit = document.get("early_exit") or {}
    order = tuple(members.index(name) for name in early_exit.get("order") or members)
    temperature = document.get("temperature")
    classes = document.get("classes")
    weights = document["weights"] if vote == "weighted" else [1.0] * len(members)
    if sorted(order) != list(range(len(members))):
        raise ValueError("early_exit.order does not name every member once")
    bound = early_exit.get("bound")
    return Plan(
        members=members,
        correct=tuple(int(one["correct"]) for one in document["members"]),
        kind=document["kind"],
        vote=vote,
        ties=document.get("ties", "accuracy"),
        weights=tuple(float(one) for one in weights),
        temperature=None if temperature is None else float(temperature),
        class_count=int(document["class_count"]),
        classes=None if classes is None else tuple(map(str, classes)),
        order=order,
        largest_score=(1.0 if document["kind"] == "logits" else 1.001) if bound is None else float(bound),
        text=text,
    )
