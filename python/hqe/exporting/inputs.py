# SPDX-License-Identifier: MIT
"""What the ensemble takes, and which member takes what of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hqe.errors import InputError, UsageError
from hqe.exporting.members import Dimension, Member, Value, onnx_package

RESERVED = ("label", "probabilities")  # The ensemble's outputs.

Mapped = str | Mapping[str, str | Mapping[str, str]] | None


def share_inputs(members: list[Member], asked: Mapped) -> list[Value]:
    """Settles `shared` of each member. Without a word of `asked` about it, a member takes what the
    first takes."""
    _check(members, asked)
    shared: dict[str, Value] = {}
    owners: dict[str, Member] = {}
    for member in members:
        mapped = _mapped(member, asked)
        member.shared = {mapped.get(one.name, one.name): one.name for one in member.inputs}
        if len(member.shared) != len(member.inputs):
            raise UsageError(f"inputs: model '{member.name}' would take one input twice")
        if not mapped and set(member.shared) != set(members[0].shared):
            raise InputError(_differ(member, members[0]))
        for one in member.inputs:
            name = next(outer for outer, inner in member.shared.items() if inner == one.name)
            if name in RESERVED:
                raise InputError(
                    f"model '{member.name}': its input '{name}' is called like an output of the ensemble. "
                    f"Give it another name: {_example(member, one.name, name + '_in')}"
                )
            shared[name] = one if name not in shared else _both(shared[name], one, name, member, owners[name])
            owners.setdefault(name, member)
    return [Value(name, one.type, one.shape) for name, one in shared.items()]


def _check(members: list[Member], asked: Mapped) -> None:
    known = {member.name: member for member in members}
    for name, mapped in asked.items() if isinstance(asked, Mapping) else ():
        if name not in known:
            raise UsageError(f"inputs: '{name}' is no member of the team")
        for one in mapped if isinstance(mapped, Mapping) else ():
            if one not in {value.name for value in known[name].inputs}:
                raise UsageError(f"inputs: model '{name}' has no input '{one}'. There are {_names(known[name])}")


def _mapped(member: Member, asked: Mapped) -> Mapping[str, str]:
    mapped = asked.get(member.name, {}) if isinstance(asked, Mapping) else asked or {}
    if not isinstance(mapped, str):
        return mapped
    if len(member.inputs) != 1:
        raise UsageError(f"inputs: model '{member.name}' has the inputs {_names(member)}. Say which is which")
    return {member.inputs[0].name: mapped}


def _names(member: Member) -> str:
    return ", ".join(str(one) for one in member.inputs) or "none"


def _example(member: Member, inner: str, outer: str) -> str:
    return f"inputs={{'{member.name}': {{'{inner}': '{outer}'}}}}"


def _differ(member: Member, first: Member) -> str:
    said = f"model '{member.name}': takes {_names(member)}, and '{first.name}' takes {_names(first)}. "
    if not member.inputs or not first.inputs:
        return said + "Export both with an input"
    inner, outer = member.inputs[0].name, first.inputs[0].name
    return (
        f"{said}Where these are the same, say {_example(member, inner, outer)}; "
        f"for an input of its own {_example(member, inner, inner)}"
    )


def _both(known: Value, one: Value, name: str, member: Member, owner: Member) -> Value:
    """What serves both: the wider type of floats, the narrower shape."""
    shape = _shape(known.shape, one.shape)
    kind = _type(known.type, one.type)
    if kind is None or shape is None:
        raise InputError(
            f"model '{member.name}': its input is {one}, and that of '{owner.name}' {known}. "
            f"Give it one of its own: {_example(member, one.name, name + '_of_' + member.name)}"
        )
    return Value(name, kind, shape)


def _type(first: int, second: int) -> int | None:
    types = onnx_package().TensorProto
    floats = [types.FLOAT16, types.FLOAT, types.DOUBLE]  # Ascending.
    if first == second:
        return first
    return max(first, second, key=floats.index) if first in floats and second in floats else None


def _shape(first: Sequence[Dimension], second: Sequence[Dimension]) -> tuple[Dimension, ...] | None:
    if len(first) != len(second):
        return None
    sizes: list[Dimension] = []
    for one, other in zip(first, second):
        if one is not None and other is not None and one != other:
            return None
        sizes.append(other if one is None else one)
    return tuple(sizes)
