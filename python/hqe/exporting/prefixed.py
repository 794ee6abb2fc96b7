# SPDX-License-Identifier: MIT
"""Every name of a model behind a prefix, so that several can stand in one graph.

onnx.compose.add_prefix does nearly that: it forgets weights that a branch or a loop reads from around
it, functions called there, and names of dimensions, by which runtimes plan memory."""

from __future__ import annotations

from typing import Any


def add_prefix(model: Any, prefix: str) -> None:
    """Renames in place. Functions keep the names inside them, which nobody else sees."""
    functions = {(one.domain, one.name) for one in model.functions}
    for one in model.functions:
        one.name = prefix + one.name
        _rename_calls(one.node, functions, prefix)
    _rename_graph(model.graph, functions, prefix)


def _rename_calls(nodes: Any, functions: set[tuple[str, str]], prefix: str) -> None:
    for node in nodes:
        if (node.domain, node.op_type) in functions:
            node.op_type = prefix + node.op_type
        for graph in _graphs_of(node):
            _rename_calls(graph.node, functions, prefix)


def _graphs_of(node: Any) -> list[Any]:
    return [graph for one in node.attribute for graph in ([one.g] if one.HasField("g") else []) + list(one.graphs)]


def _rename_graph(graph: Any, functions: set[tuple[str, str]], prefix: str) -> None:
    for node in graph.node:
        node.name = prefix + node.name if node.name else ""
        for names in (node.input, node.output):
            names[:] = [prefix + name if name else "" for name in names]
        if (node.domain, node.op_type) in functions:
            node.op_type = prefix + node.op_type
        for inner in _graphs_of(node):
            _rename_graph(inner, functions, prefix)
    tensors = [*graph.initializer, *(one.values for one in graph.sparse_initializer)]
    for named in (*tensors, *graph.input, *graph.output, *graph.value_info):
        named.name = prefix + named.name
    for value in (*graph.input, *graph.output, *graph.value_info):
        _rename_dimensions(value.type, prefix)
    for note in graph.quantization_annotation:
        note.tensor_name = prefix + note.tensor_name
        for pair in note.quant_parameter_tensor_names:
            pair.value = prefix + pair.value


def _rename_dimensions(kind: Any, prefix: str) -> None:
    which = kind.WhichOneof("value")
    if which in ("sequence_type", "optional_type"):
        _rename_dimensions(getattr(kind, which).elem_type, prefix)
    elif which == "map_type":
        _rename_dimensions(kind.map_type.value_type, prefix)
    elif which in ("tensor_type", "sparse_tensor_type"):
        for one in getattr(kind, which).shape.dim:
            if one.HasField("dim_param") and one.dim_param:
                one.dim_param = prefix + one.dim_param
