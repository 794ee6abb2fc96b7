# SPDX-License-Identifier: MIT
"""A team as one ONNX model."""

from __future__ import annotations

import json
from typing import Any

from hqe import _core
from hqe.exporting.members import Member, Value, onnx_package
from hqe.exporting.prefixed import add_prefix
from hqe.exporting.teams import Plan
from hqe.exporting.votes import Nodes, add_vote

BATCH = "batch"  # The first dimension of everything, where it is of any size.


def batch_size(inputs: list[Value]) -> int | None:
    """The samples that the graph takes at once; None: any number."""
    return next((one.shape[0] for one in inputs if one.shape and one.shape[0] is not None), None)


def build(plan: Plan, members: list[Member], inputs: list[Value], versions: dict[str, int], ir_version: int) -> Any:
    """The members side by side on shared inputs, and the vote behind them. Uses the members up."""
    onnx = onnx_package()
    helper = onnx.helper
    nodes, model, outputs = Nodes(versions[""]), onnx.ModelProto(), []
    graph = model.graph
    graph.name = "hqe"
    graph.input.extend(_info(one, inputs) for one in inputs)
    for place, member in enumerate(members):
        prefix = f"{place}_{member.name}/"
        add_prefix(member.model, prefix)
        graph.node.extend(_feeding(member, prefix, inputs))
        for part in ("node", "initializer", "sparse_initializer", "value_info", "quantization_annotation"):
            getattr(graph, part).extend(getattr(member.model.graph, part))
        model.functions.extend(member.model.functions)
        outputs.append(prefix + member.output.name)
        member.model = None  # Weights are held once.
    names = add_vote(nodes, plan, members, outputs)
    graph.node.extend(nodes.nodes)
    graph.initializer.extend(nodes.constants)
    shapes = {"label": [_first(inputs)], "probabilities": [_first(inputs), plan.class_count]}
    types = {"label": onnx.TensorProto.INT64, "probabilities": onnx.TensorProto.FLOAT}
    graph.output.extend(helper.make_tensor_value_info(name, types[name], shapes[name]) for name in names)
    model.ir_version = ir_version
    model.opset_import.extend(helper.make_opsetid(domain, version) for domain, version in versions.items())
    _describe(model, plan)
    return model


def _first(inputs: list[Value]) -> int | str:
    return batch_size(inputs) or BATCH


def _info(one: Value, inputs: list[Value]) -> Any:
    shape = [f"{one.name}_{i}" if size is None else size for i, size in enumerate(one.shape)]
    if shape:
        shape[0] = _first(inputs)
    return onnx_package().helper.make_tensor_value_info(one.name, one.type, shape)


def _feeding(member: Member, prefix: str, inputs: list[Value]) -> list[Any]:
    """Hands the shared inputs to a member, in the precision that it takes."""
    helper = onnx_package().helper
    types = {one.name: one.type for one in inputs}
    own = {one.name: one.type for one in member.inputs}
    result = []
    for outer, inner in member.shared.items():
        same = types[outer] == own[inner]
        words = {} if same else {"to": own[inner]}
        operation = "Identity" if same else "Cast"
        result.append(helper.make_node(operation, [outer], [prefix + inner], name=f"{prefix}hqe/{inner}", **words))
    return result


def _describe(model: Any, plan: Plan) -> None:
    model.producer_name, model.producer_version = "hqe", _core.version()
    model.doc_string = f"{len(plan.members)} models, {plan.vote} vote: {', '.join(plan.members)}"
    notes = {"hqe.team": json.dumps(plan.document, ensure_ascii=False), "hqe.version": _core.version()}
    onnx_package().helper.set_model_props(model, notes)
