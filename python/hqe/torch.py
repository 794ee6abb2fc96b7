# SPDX-License-Identifier: MIT
"""A team of torch modules as one module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import nn

from hqe._tally import Scores, Tally, Votes
from hqe.errors import InputError, UsageError
from hqe.exporting.teams import Plan, plan_of

__all__ = ["Answer", "Ensemble"]

WIDEST = 1.01  # No score of a member is above this: the widest tolerance of sums.


class Answer(NamedTuple):
    """What an ensemble says of a batch."""

    #: One a sample: the class, -1 = no answer.
    label: torch.Tensor
    #: N x C shares in double precision, tempered where the team has a temperature; NaN in the rows of
    #: samples that were decided early, whose shares nobody knows. None for votes over labels.
    probabilities: torch.Tensor | None
    #: How many members ran for each sample.
    members_run: torch.Tensor


class Ensemble(nn.Module):  # type: ignore[misc]
    """The members of a team and their vote: `ensemble(x)` is an `Answer`, with the labels of `apply`.

    team: a Team, a Study, or the path of either's file. modules: the members by name; others are left
    alone. They give a column of scores a class, or labels for votes of labels. kinds: "probabilities"
    or "logits", or so by member; without it what the team's kind is or the first batch looks like.

    early_exit: members run in the team's order, each only on the samples that are not decided yet. The
    label is that of all members, always. In training mode everybody runs.

    The ensemble is made in eval mode, in which predictions are collected, and its members with it.
    `state_dict()` has the members' weights as `members.0.` and so on, in the team's order, and nothing
    else; devices are the modules' own business.

    >>> import numpy as np, torch, hqe
    >>> from hqe.torch import Ensemble
    >>> _ = torch.manual_seed(0)
    >>> modules = {name: torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Softmax(1)) for name in "abcd"}
    >>> x = torch.rand(200, 4)
    >>> said = {name: module(x).detach() for name, module in modules.items()}
    >>> study = hqe.prune(hqe.Pool(said, np.arange(200) % 3), size=2, choose="consensus")
    >>> ensemble = Ensemble(study, modules, early_exit=True)
    >>> bool((ensemble(x).label.numpy() == hqe.apply(hqe.Pool(said, np.arange(200) % 3), study.best.team).labels).all())
    True
    """

    def __init__(self, team: Any, modules: Mapping[str, nn.Module], *, early_exit: bool = False, kinds: Any = None) -> None:
        super().__init__()
        plan = plan_of(team)
        if not isinstance(modules, Mapping):
            raise UsageError("modules: give a dict of torch modules by the members' names")
        for name in plan.members:
            if name not in modules:
                known = ", ".join(f"'{one}'" for one in modules)
                raise InputError(f"modules: none is given for the team's member '{name}'. There are {known}")
            if not isinstance(modules[name], nn.Module):
                raise UsageError(f"modules: '{name}' is no torch.nn.Module but a {type(modules[name]).__name__}")
        self.team = plan.document
        self.early_exit = bool(early_exit)
        self.members = nn.ModuleList([modules[name] for name in plan.members])
        self._plan = plan
        self._forms = _forms(plan, kinds)
        self.eval()

    def forward(self, inputs: Any) -> Answer:
        """Of a batch: a tensor, or a dict of tensors, given to every member as it is."""
        plan = self._plan
        order = plan.order if self.early_exit and not self.training else range(len(plan.members))
        tally: Tally = Scores(plan) if plan.adds_scores else Votes(plan)
        for number, place in enumerate(order):
            left = tally.left
            if number and not len(left):
                break
            output = self._said(place, inputs if number == 0 or len(left) == tally.rows else _some(inputs, left))
            tally.add(place, output, stop=self.early_exit and not self.training)
        return Answer(tally.labels(), tally.probabilities(), tally.members_run)

    def _said(self, place: int, inputs: Any) -> torch.Tensor:
        """A member's scores as probabilities, or its labels."""
        plan, name = self._plan, self._plan.members[place]
        output = _tensor(name, self.members[place](inputs))
        if not plan.adds_scores and not output.is_floating_point():
            return _checked_labels(plan, name, output)
        if output.ndim != 2 or output.shape[1] != plan.class_count or not output.is_floating_point():
            raise InputError(f"model '{name}': returned {tuple(output.shape)} of {output.dtype}, not scores of {plan.class_count} classes")
        if not plan.adds_scores:
            return output.argmax(dim=1)
        scores = _double(output)
        if self._forms[place] is None:
            self._forms[place] = _look(name, scores)
        if self._forms[place] == "logits":
            scores = scores.softmax(dim=1)
        most = plan.largest_score if self.early_exit else WIDEST
        if not bool(((scores >= 0) & (scores <= most)).all()):
            raise InputError(f"model '{name}': returned NaN, or scores that are no probabilities. Say kinds={{'{name}': 'logits'}}")
        return scores

    def extra_repr(self) -> str:
        return f"{self._plan.vote} vote of {', '.join(self._plan.members)}, early_exit={self.early_exit}"


def _forms(plan: Plan, kinds: Any) -> list[str | None]:
    named = kinds if isinstance(kinds, Mapping) else dict.fromkeys(plan.members, kinds)
    for name, kind in named.items():
        if name not in plan.members:
            raise UsageError(f"kinds: '{name}' is no member of the team")
        if kind not in (None, "probabilities", "logits"):
            raise UsageError(f"kinds: '{kind}' is none of probabilities, logits")
    default = "logits" if plan.kind == "logits" else None
    return [named.get(name) or default for name in plan.members]


def _tensor(name: str, output: Any) -> torch.Tensor:
    """The scores in what a module returns, as collect finds them."""
    if isinstance(output, Mapping) and "logits" in output:
        output = output["logits"]
    elif isinstance(output, tuple) and output:
        output = output[0]
    elif hasattr(output, "logits"):
        output = output.logits
    if not isinstance(output, torch.Tensor):
        raise InputError(f"model '{name}': returned a {type(output).__name__} and no tensor")
    return output


def _double(values: torch.Tensor) -> torch.Tensor:
    try:
        return values.double()
    except TypeError:  # A device that has no such numbers.
        return values.cpu().double()


def _checked_labels(plan: Plan, name: str, output: torch.Tensor) -> torch.Tensor:
    labels = output[:, 0] if output.ndim == 2 and output.shape[1] == 1 else output
    if labels.ndim != 1 or bool(((labels < -1) | (labels >= plan.class_count)).any()):
        raise InputError(f"model '{name}': returned {tuple(output.shape)} of {output.dtype}, not labels of {plan.class_count} classes")
    return labels.long()


def _look(name: str, scores: torch.Tensor) -> str:
    """What a batch of scores holds, as collect tells it."""
    sums = scores.sum(dim=1)
    if bool((((sums - 1).abs() <= 1e-3) & (scores >= 0).all(dim=1)).all()):
        return "probabilities"
    if bool(((scores >= 0) & (scores <= 1)).all()):
        raise InputError(
            f"model '{name}': returned values in [0, 1] that do not sum to 1: neither probabilities nor certainly logits. "
            f"Say kinds={{'{name}': 'logits'}}"
        )
    return "logits"


def _some(inputs: Any, rows: torch.Tensor) -> Any:
    if isinstance(inputs, Mapping):
        return {key: _some(value, rows) for key, value in inputs.items()}
    if isinstance(inputs, torch.Tensor):
        return inputs[rows.to(inputs.device)]
    raise UsageError(f"early_exit needs a tensor, or a dict of tensors, to pick samples from, and no {type(inputs).__name__}")
