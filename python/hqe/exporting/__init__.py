# SPDX-License-Identifier: MIT
"""From a team to one ONNX file."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hqe.errors import InputError
from hqe.exporting.checking import Checked, check_answers, check_columns, form_of, said_by_members
from hqe.exporting.files import check_model, never_over, put_in_place, room_beside, save_model
from hqe.exporting.graph import build
from hqe.exporting.inputs import Mapped, share_inputs
from hqe.exporting.members import Forms, Member, form_of_graph, read_members, settle_opsets
from hqe.exporting.teams import Plan, plan_of, team_file
from hqe.exporting.triton import check_name, config, write_repository


@dataclass(frozen=True)
class Exported:
    """What `export_onnx` wrote: `path`, and `triton`, the model's folder in the repository; `members`,
    names of the `inputs` and `outputs`, `opset` and `ir_version` of the file; `checked`, how it answered
    (`samples`, `near_ties`, `differing`, `largest_difference`), None where it was not asked."""

    path: pathlib.Path
    triton: pathlib.Path | None
    members: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    opset: int
    ir_version: int
    checked: Checked | None


def export_onnx(
    team: Any,
    models: Any,
    out: str | os.PathLike[str] = "ensemble.onnx",
    *,
    inputs: Mapped = None,
    outputs: Mapping[str, str] | None = None,
    kinds: Forms = None,
    check: Any = None,
    opset: int | None = None,
    triton: str | os.PathLike[str] | None = None,
    name: str | None = None,
) -> Exported:
    """Writes a team's members and their vote as one ONNX file: shared inputs, `label` and, where the
    vote has shares, `probabilities` out. Needs onnx, and onnxruntime for `check`.

    team: a Team, a Study, or the path of either's file. models: `.onnx` files by the members' names, or
    a list of files named like them; others are left alone. inputs: where members call their inputs
    differently, `{"member": {"its name": "the ensemble's"}}`; outputs: `{"member": "its output"}`, else
    the first of floats; kinds: "probabilities" or "logits", or so by member, else what `check` or the
    graph tells. check: inputs as an array, or by name: the labels must be those of `apply`, near-ties
    aside, or nothing is written. opset: that of the newest member. triton: a model repository to put
    it into as `name`. docs/deploy.md has the rest.

    >>> import numpy as np, os, tempfile, hqe
    >>> from onnx import TensorProto, helper, numpy_helper, save
    >>> folder = tempfile.TemporaryDirectory()
    >>> def model(name, weights):
    ...     ends = [helper.make_tensor_value_info(n, TensorProto.FLOAT, ["n", s]) for n, s in (("x", 4), ("y", 3))]
    ...     nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    ...     graph = helper.make_graph(nodes, name, ends[:1], ends[1:], [numpy_helper.from_array(weights, "w")])
    ...     path = os.path.join(folder.name, name + ".onnx")
    ...     save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    ...     return path
    >>> random = np.random.default_rng(0)
    >>> models = {name: model(name, random.random((4, 3), np.float32) * 9) for name in "abcd"}
    >>> x, y = random.random((200, 4), np.float32), random.integers(0, 3, 200)
    >>> pool = hqe.collect(models, x, y, os.path.join(folder.name, "pool"), costs=False).open()
    >>> study = hqe.prune(pool, size=2)
    >>> made = hqe.export_onnx(study, models, os.path.join(folder.name, "ensemble.onnx"), check=x)
    >>> made.inputs, made.outputs, made.opset, made.checked.samples
    (('x',), ('label', 'probabilities'), 17, 200)
    """
    plan, path = plan_of(team), pathlib.Path(out)
    members = read_members(plan, models, outputs, kinds)
    for target in (path, path.with_name(path.name + ".data")):
        never_over(target, [*team_file(team), *(one.path for one in members)])
    shared = share_inputs(members, inputs)
    columns = None if check is None else check_columns(check, shared)
    said = None if columns is None else said_by_members(members, columns)
    _settle_forms(plan, members, said)
    title = name or path.stem
    check_name(title)
    text = None if triton is None else config(title, plan, shared)
    versions, ir_version = settle_opsets(members, opset)
    model = build(plan, members, shared, versions, ir_version)
    with room_beside(path) as room:
        files = save_model(model, room, path.name)
        ends = [tuple(one.name for one in side) for side in (model.graph.input, model.graph.output)]
        del model
        check_model(room / path.name)
        checked = None
        if columns is not None and said is not None:
            checked = check_answers(plan, members, said, room / path.name, columns)
        place = None
        if triton is not None and text is not None:
            place = write_repository(triton, title, text, plan, room, files)
        for one in files:
            put_in_place(room / one, path.with_name(one))
    return Exported(path, place, plan.members, ends[0], ends[1], versions[""], ir_version, checked)


def _settle_forms(plan: Plan, members: list[Member], said: list[Any] | None) -> None:
    """Probabilities or logits: as was said, as the samples tell, or as the graph tells."""
    if not plan.adds_scores:
        return
    for place, member in enumerate(members):
        if member.form is None:
            member.form = form_of_graph(member) if said is None else form_of(member, said[place])
        if member.form is None:
            raise InputError(
                f"model '{member.name}': whether it gives probabilities or logits cannot be told from its graph. "
                f"Say kinds={{'{member.name}': 'logits'}}, or give samples (check)"
            )


__all__ = ["Checked", "Exported", "export_onnx"]
