# SPDX-License-Identifier: MIT
"""The vote as nodes of a graph, as docs/spec.md, section 2, has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hqe.exporting.members import Member, is_whole, onnx_package
from hqe.exporting.teams import LEAST_SHARE, LIMB, Plan


class Nodes:
    """Nodes that are being made, and their constants."""

    def __init__(self, opset: int) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._opset = opset

    def add(self, operation: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        name = output or f"hqe/{operation}_{len(self.nodes)}"
        self.nodes.append(onnx_package().helper.make_node(operation, list(inputs), [name], name=f"hqe/{name}", **attributes))
        return name

    def constant(self, value: Any, kind: Any) -> str:
        name = f"hqe/constant_{len(self.constants)}"
        self.constants.append(onnx_package().numpy_helper.from_array(np.asarray(value, kind), name))
        return name

    def cast(self, value: str, kind: str, output: str | None = None) -> str:
        return self.add("Cast", value, to=getattr(onnx_package().TensorProto, kind), output=output)

    def largest(self, value: str) -> str:
        """Of each row, as a column."""
        if self._opset < 18:
            return self.add("ReduceMax", value, axes=[1], keepdims=1)
        return self.add("ReduceMax", value, self.constant([1], np.int64), keepdims=1)

    def first_largest(self, value: str, output: str | None = None) -> str:
        """The lowest class of each row that has the largest value."""
        return self.add("ArgMax", value, axis=1, keepdims=0, select_last_index=0, output=output)


def add_vote(nodes: Nodes, plan: Plan, members: list[Member], outputs: list[str]) -> list[str]:
    """Appends the vote over `outputs`, one a member. The names of what comes out."""
    if plan.adds_scores:
        _add_scores(nodes, plan, members, outputs)
        return ["label", "probabilities"]
    labels = [_labels(nodes, member, output) for member, output in zip(members, outputs)]
    _count_labels(nodes, plan, labels)
    return ["label"]


def _add_scores(nodes: Nodes, plan: Plan, members: list[Member], outputs: list[str]) -> None:
    sums = ""
    for member, output, weight in zip(members, outputs, plan.weights):
        scores = nodes.cast(output, "DOUBLE")
        if member.form == "logits":
            scores = nodes.add("Softmax", scores, axis=1)
        if weight != 1:
            scores = nodes.add("Mul", scores, nodes.constant(weight, np.float64))
        sums = nodes.add("Add", sums, scores) if sums else scores
    nodes.first_largest(sums, output="label")
    # Members without any weight have nothing to say: their shares stay 0.
    shares = nodes.add("Div", sums, nodes.constant(plan.all_weights or 1, np.float64))
    if plan.temperature is not None:
        least = nodes.add("Max", shares, nodes.constant(LEAST_SHARE, np.float64))
        powers = nodes.add("Mul", nodes.add("Log", least), nodes.constant(1 / plan.temperature, np.float64))
        shares = nodes.add("Softmax", powers, axis=1)
    nodes.cast(shares, "FLOAT", output="probabilities")


def _labels(nodes: Nodes, member: Member, output: str) -> str:
    """A column of one member's answers."""
    if is_whole(member.output):
        whole = nodes.cast(output, "INT64")
        return nodes.add("Reshape", whole, nodes.constant([-1, 1], np.int64))
    return nodes.add("ArgMax", output, axis=1, keepdims=1, select_last_index=0)


def _count_labels(nodes: Nodes, plan: Plan, labels: list[str]) -> None:
    classes = nodes.constant(np.arange(plan.class_count)[None], np.int64)
    votes = [nodes.add("Equal", one, classes) for one in labels]  # Nobody's class is -1: abstains.
    counts = _weighed(nodes, votes, plan.weights, np.float64)
    best = nodes.largest(counts)
    leading = nodes.add("Equal", counts, best)
    needed = len(plan.members) / 2 if plan.vote == "majority" else 0
    strengths = plan.strengths()
    if plan.vote != "majority" and any(strengths):
        for column in _strengths(nodes, votes, strengths):
            held = nodes.add("Where", leading, column, nodes.constant(-1, np.int64))
            leading = nodes.add("Equal", held, nodes.largest(held))
    label = nodes.first_largest(nodes.cast(leading, "INT32"))
    one_each = nodes.add("Reshape", best, nodes.constant([-1], np.int64))
    answered = nodes.add("Greater", one_each, nodes.constant(needed, np.float64))
    nodes.add("Where", answered, label, nodes.constant(-1, np.int64), output="label")


def _weighed(nodes: Nodes, votes: list[str], weights: Any, kind: Any) -> str:
    """What each class gets, members ascending."""
    nothing, total = nodes.constant(0, kind), ""
    for vote, weight in zip(votes, weights):
        given = nodes.add("Where", vote, nodes.constant(weight, kind), nothing)
        total = nodes.add("Add", total, given) if total else given
    return total


def _strengths(nodes: Nodes, votes: list[str], strengths: list[int]) -> list[str]:
    """What each class's voters add up to where votes tie: a column a limb, the highest first."""
    columns, carry, rest = [], "", list(strengths)
    base = nodes.constant(LIMB, np.int64)
    largest = sum(strengths)
    while largest:
        column = _weighed(nodes, votes, [one % LIMB for one in rest], np.int64)
        if carry:
            column = nodes.add("Add", column, carry)
        carry = nodes.add("Div", column, base)
        columns.append(nodes.add("Sub", column, nodes.add("Mul", carry, base)))
        rest, largest = [one // LIMB for one in rest], largest // LIMB
    return columns[::-1]
