# SPDX-License-Identifier: MIT
"""The written graph against the members' own answers, voted by the engine."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hqe.collecting.models import OnnxModel, Session
from hqe.collecting.outputs import Agreement, Failure, Shaper, Values
from hqe.errors import InputError, OutputError, UsageError
from hqe.exporting.members import Member, Value
from hqe.exporting.teams import LEAST_SHARE, Plan
from hqe.pool import Pool
from hqe.verbs import apply
from hqe.voter import Voter

NEAR = 1e-5  # Leads that small are at the mercy of float32, whose sums depend on the runtime.
BATCH = 256

Columns = dict[str, Values]


@dataclass(frozen=True)
class Checked:
    """How the graph answered: on so many `samples`, of which `near_ties` are led by less than 1e-5, and
    `differing` of these got another label. `largest_difference` of any probability; None without."""

    samples: int
    near_ties: int
    differing: int
    largest_difference: float | None

    def __str__(self) -> str:
        """For people."""
        near = f"{self.near_ties} near-ties, {self.differing} of them with another label"
        shares = "" if self.largest_difference is None else f", probabilities within {self.largest_difference:.1g}"
        return f"checked on {self.samples:,} samples: the labels are those of apply but for {near}{shares}"


def check_columns(check: Any, inputs: list[Value]) -> Columns:
    """The samples by the names of the ensemble's inputs."""
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        raise UsageError("check: onnxruntime is not installed. pip install 'hqe[onnx]'") from None
    if not isinstance(check, Mapping):
        if len(inputs) != 1:
            names = ", ".join(one.name for one in inputs)
            raise UsageError(f"check: the ensemble has the inputs {names}. Give a dict with an array each")
        check = {inputs[0].name: check}
    missing = [one.name for one in inputs if one.name not in check]
    if missing:
        raise UsageError(f"check: there is nothing for the input '{missing[0]}'")
    columns = {one.name: np.asarray(check[one.name]) for one in inputs}
    if any(one.ndim == 0 for one in columns.values()) or len({len(one) for one in columns.values()}) != 1:
        raise InputError("check: the inputs do not have one row a sample each")
    if not len(next(iter(columns.values()))):
        raise InputError("check: there are no samples")
    return columns


def _opened(name: str, path: pathlib.Path) -> Session:
    try:
        return Session(OnnxModel(path)._session(0))
    except Failure as error:
        raise InputError(f"model '{name}': {error}") from None


def _in_batches(run: Callable[[Columns], list[Any]], columns: Columns) -> list[Values]:
    rows = len(next(iter(columns.values())))
    parts = [run({name: one[start : start + BATCH] for name, one in columns.items()}) for start in range(0, rows, BATCH)]
    return [np.concatenate(one) for one in zip(*parts)]


def said_by_members(members: list[Member], columns: Columns) -> list[Values]:
    """What each member's own file gives for the samples."""
    outputs = []
    for member in members:
        session = _opened(member.name, member.path)
        own = {inner: columns[outer] for outer, inner in member.shared.items()}
        try:
            outputs += _in_batches(lambda part: session.run([member.output.name], part), own)
        except Exception as error:
            raise InputError(f"check: model '{member.name}' cannot run on it ({str(error).strip().splitlines()[0]})") from None
    return outputs


def form_of(member: Member, output: Values) -> str:
    """What the samples tell of a member's output, as collect tells it."""
    shaper = Shaper(None, None, Agreement("probabilities", None, 0))
    try:
        return shaper._look(output)
    except Failure as error:
        raise InputError(f"model '{member.name}': {error}") from None


def check_answers(plan: Plan, members: list[Member], outputs: list[Values], path: pathlib.Path, columns: Columns) -> Checked:
    """Runs the graph and holds it against `outputs` of the members. OutputError where a label differs
    that is no near-tie."""
    names = ["label", "probabilities"] if plan.adds_scores else ["label"]
    session = _opened("ensemble", path)
    answers = _in_batches(lambda part: session.run(names, part), columns)
    rows = [_rows(plan, member, output) for member, output in zip(members, outputs)]
    largest = None
    if plan.adds_scores:
        labels, shares = _voted_scores(plan, rows)
        order = np.sort(shares, axis=1)
        leads = order[:, -1] - order[:, -2] if shares.shape[1] > 1 else np.ones(len(shares))
        largest = float(np.abs(tempered(shares, plan.temperature) - answers[1]).max())
    else:
        labels = _voted_labels(plan, rows)
        leads = np.min([_lead(one) for one in outputs], axis=0)
    near, differs = leads <= NEAR, labels != answers[0]
    wrong = differs & ~near
    if wrong.any():
        sample = int(wrong.argmax())
        raise OutputError(
            f"{path.name}: not written, since it gives {int(wrong.sum())} of {len(labels)} samples another label than the vote "
            f"of its members (sample {sample}: {answers[0][sample]}, not {labels[sample]})"
        )
    return Checked(len(labels), int(near.sum()), int(differs.sum()), largest)


def _rows(plan: Plan, member: Member, output: Values) -> Values:
    """A member's output as a row of a pool of the team's kind."""
    kind = plan.kind if plan.adds_scores else "labels"
    shaper = Shaper(member.form, None, Agreement(kind, plan.class_count, 0))
    answer = output[:, 0] if member.form == "labels" and output.ndim == 2 else output
    try:
        return shaper.rows(shaper.taken(answer, len(output), 0), 0)
    except Failure as error:
        raise InputError(f"check: model '{member.name}': {error}") from None


def _voted_scores(plan: Plan, rows: list[Values]) -> tuple[Values, Values]:
    pool = Pool(rows, kind=plan.kind)
    weights = list(plan.weights) if plan.vote == "weighted" else None
    combined = apply(pool, range(len(rows)), plan.vote, vote_weights=weights)
    assert combined.scores is not None
    return combined.labels, combined.scores


def _voted_labels(plan: Plan, rows: list[Values]) -> Values:
    """Counted by the engine, ties broken as in the pool that chose the team."""
    weights = plan.weights if plan.vote == "weighted" else None
    voter = Voter(
        plan.vote, len(rows), plan.class_count, weights=weights, correct=plan.correct, ties=plan.ties, labels=True
    )
    labels = np.empty(len(rows[0]), np.int64)
    for sample, answers in enumerate(np.stack(rows, axis=1).tolist()):
        voter.clear()
        for member, answer in enumerate(answers):
            voter.add(member, answer)
        labels[sample] = voter.answer
    return labels


def _lead(output: Values) -> Values:
    """By how much a member prefers its answer, of its largest score."""
    if output.ndim < 2 or output.dtype.kind not in "f" or output.shape[1] < 2:
        return np.ones(len(output))
    order = np.sort(output.astype(np.float64), axis=1)
    lead: Values = (order[:, -1] - order[:, -2]) / np.maximum(1, np.abs(order[:, -1]))
    return lead


def tempered(shares: Values, temperature: float | None) -> Values:
    """Shares as probabilities that hold."""
    if temperature is None:
        return shares
    powers = np.log(np.maximum(shares, LEAST_SHARE)) / temperature
    powers = np.exp(powers - powers.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]
