# SPDX-License-Identifier: MIT
"""The members of a team as ONNX models: read, and seen to be fit for one graph."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hqe._options import KINDS
from hqe.errors import InputError, UsageError
from hqe.exporting.teams import Plan

FEWEST_OPSET = 13  # Of the nodes that count the vote.

Dimension = int | None  # None: of any size.
Forms = str | Mapping[str, str] | None


def onnx_package() -> Any:
    """onnx, whose absence is no surprise."""
    try:
        import onnx
        import onnx.checker
        import onnx.shape_inference
        import onnx.version_converter
    except ImportError:
        raise UsageError("onnx is not installed. pip install 'hqe[onnx]'") from None
    return onnx


@dataclass
class Value:
    """An input or an output."""

    name: str
    type: int
    shape: tuple[Dimension, ...]

    def __str__(self) -> str:
        onnx = onnx_package()
        shape = f"[{', '.join('?' if size is None else str(size) for size in self.shape)}]"
        return f"'{self.name}' {onnx.TensorProto.DataType.Name(self.type).lower()} {shape}"


@dataclass
class Member:
    """A model of the team. `form` says what `output` holds: probabilities, logits or labels; None
    where it is not known yet."""

    name: str
    path: pathlib.Path
    model: Any
    inputs: list[Value]
    output: Value
    form: str | None
    shared: dict[str, str] = field(default_factory=dict)  # Its inputs, by the ensemble's names.

    def opsets(self) -> dict[str, int]:
        """Versions by domain; ONNX's own is ""."""
        return {"" if one.domain == "ai.onnx" else one.domain: one.version for one in self.model.opset_import}


def read_members(plan: Plan, models: Any, outputs: Mapping[str, str] | None, forms: Forms) -> list[Member]:
    """The team's members, ascending. Models that are in no team are left alone."""
    files = _files(models)
    missing = [name for name in plan.members if name not in files]
    if missing:
        raise InputError(f"models: no file is given for the team's member '{missing[0]}'. There are {_listed(files)}")
    _check_names(plan, "outputs", outputs)
    _check_names(plan, "kinds", forms if isinstance(forms, Mapping) else None)
    members = []
    for name in plan.members:
        model = _loaded(name, files[name])
        output = _output(name, model, (outputs or {}).get(name), plan)
        form = forms if isinstance(forms, str) else (forms or {}).get(name)
        members.append(Member(name, files[name], model, _inputs(model), output, _form(name, plan, output, form)))
    return members


def _files(models: Any) -> dict[str, pathlib.Path]:
    if isinstance(models, Mapping):
        return {str(name): pathlib.Path(path) for name, path in models.items()}
    if isinstance(models, (str, os.PathLike)) or not isinstance(models, Sequence):
        raise UsageError("models: give a dict of .onnx files by name, or a list of files named like the members")
    return {pathlib.Path(path).stem: pathlib.Path(path) for path in models}


def _listed(names: Any) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"


def _check_names(plan: Plan, what: str, named: Mapping[str, Any] | None) -> None:
    for name in named or ():
        if name not in plan.members:
            raise UsageError(f"{what}: '{name}' is no member of the team. There are {_listed(plan.members)}")


def _loaded(name: str, path: pathlib.Path) -> Any:
    onnx = onnx_package()
    if not path.is_file():
        raise InputError(f"model '{name}': there is no file {path}. Check the path")
    try:
        onnx.checker.check_model(os.fspath(path))
        return onnx.load(os.fspath(path))
    except Exception as error:  # Whatever a stranger's file makes protobuf and onnx raise.
        raise InputError(f"model '{name}': {path} is no whole ONNX file ({first_line(error)})") from None


def first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _value(info: Any) -> Value:
    tensor = info.type.tensor_type
    sizes = [one.dim_value if one.HasField("dim_value") and one.dim_value > 0 else None for one in tensor.shape.dim]
    return Value(info.name, tensor.elem_type, tuple(sizes))


def _inputs(model: Any) -> list[Value]:
    weights = {one.name for one in model.graph.initializer} | {one.values.name for one in model.graph.sparse_initializer}
    return [_value(one) for one in model.graph.input if one.name not in weights]


def _output(name: str, model: Any, wanted: str | None, plan: Plan) -> Value:
    """The output that was asked for, else the first of floats, else of integers, as in collect."""
    onnx = onnx_package()
    types = onnx.TensorProto
    known = [one for one in model.graph.output if one.type.HasField("tensor_type")]
    if wanted is not None:
        found = [one for one in known if one.name == wanted]
        if not found:
            names = _listed(one.name for one in model.graph.output)
            raise UsageError(f"outputs: model '{name}' has no output '{wanted}' that is a tensor. There are {names}")
    else:
        floats = [one for one in known if one.type.tensor_type.elem_type in (types.FLOAT, types.DOUBLE, types.FLOAT16)]
        found = floats or [one for one in known if one.type.tensor_type.elem_type == types.INT64]
        if not found:
            raise InputError(f"model '{name}': none of its outputs is a tensor of scores. Export it without ZipMap")
    value = _value(found[0])
    if value.shape[-1:] == (None,):
        value = _inferred(model, value)
    _check_width(name, value, plan)
    return value


def _inferred(model: Any, value: Value) -> Value:
    """The same with the shape that onnx infers, where it can."""
    try:
        inferred = onnx_package().shape_inference.infer_shapes(model)
    except Exception:  # Too large, or of operators that nobody here knows.
        return value
    return next(_value(one) for one in inferred.graph.output if one.name == value.name)


def _check_width(name: str, value: Value, plan: Plan) -> None:
    if is_whole(value):
        if plan.adds_scores:
            raise InputError(f"model '{name}': its output {value} has labels, and a {plan.vote} vote needs scores")
        if len(value.shape) not in (1, 2) or value.shape[1:] not in ((), (1,), (None,)):
            raise InputError(f"model '{name}': its output is {value}. Labels come one a sample")
    elif len(value.shape) != 2:
        raise InputError(f"model '{name}': its output is {value}. Scores come one column a class")
    elif value.shape[1] not in (None, plan.class_count):
        raise InputError(f"model '{name}': gives {value.shape[1]} classes, and the team has {plan.class_count}")


def is_whole(value: Value) -> bool:
    """Whether it holds labels: whole numbers."""
    types = onnx_package().TensorProto
    return value.type not in (types.FLOAT, types.DOUBLE, types.FLOAT16, types.BFLOAT16)


def _form(name: str, plan: Plan, output: Value, wanted: str | None) -> str | None:
    if wanted not in (None, *KINDS):
        raise UsageError(f"kinds: '{wanted}' is none of {', '.join(KINDS)}")
    if is_whole(output):
        return "labels"
    if wanted == "labels":
        raise UsageError(f"kinds: the output of model '{name}' has floats, and no labels")
    return wanted or ("logits" if plan.kind == "logits" else None)


_PASSING = ("Identity", "Cast", "Dropout", "Flatten", "Reshape", "Squeeze")  # Values stay what they are.


def form_of_graph(member: Member) -> str | None:
    """What the last step of the graph tells of its output."""
    graph = member.model.graph
    makers = {name: node for node in graph.node for name in node.output}
    weights = {one.name for one in graph.initializer}
    node = makers.get(member.output.name)
    while node is not None and node.op_type in _PASSING and not node.domain:
        node = makers.get(node.input[0])
    if node is None or node.domain:
        return None
    if node.op_type == "Softmax":
        return "probabilities"
    # A sum or a product of what is no weight may as well be a mean of probabilities.
    has_weights = any(name in weights for name in node.input)
    return "logits" if node.op_type == "LogSoftmax" or (node.op_type in ("Gemm", "MatMul", "Add") and has_weights) else None


def settle_opsets(members: list[Member], opset: int | None) -> tuple[dict[str, int], int]:
    """Makes all members of one opset. Its versions by domain, and the version of the file's format."""
    onnx = onnx_package()
    target = max(FEWEST_OPSET, *(one.opsets().get("", 1) for one in members)) if opset is None else opset
    if not FEWEST_OPSET <= target <= onnx.defs.onnx_opset_version():
        raise UsageError(f"opset {target}: expected {FEWEST_OPSET} to {onnx.defs.onnx_opset_version()}, which this onnx knows")
    versions: dict[str, int] = {"": target}
    owners: dict[str, str] = {}
    for member in members:
        for domain, version in member.opsets().items():
            if domain and versions.setdefault(domain, version) != version:
                raise InputError(
                    f"model '{member.name}': has version {version} of {domain}, and '{owners[domain]}' {versions[domain]}. "
                    "Export both with the same"
                )
            owners.setdefault(domain, member.name)
        if "" in member.opsets() and member.opsets()[""] != target:
            _convert(member, target)
    imports = [onnx.helper.make_opsetid(domain, version) for domain, version in versions.items()]
    needed = onnx.helper.find_min_ir_version_for(imports, ignore_unknown=True)
    return versions, max(needed, *(one.model.ir_version for one in members))


def _convert(member: Member, target: int) -> None:
    version = member.opsets()[""]
    advice = f"Export it again with opset {target}, or say opset={version}"
    if member.model.functions:
        raise InputError(f"model '{member.name}': is of opset {version} and has functions, which onnx cannot convert. {advice}")
    try:
        member.model = onnx_package().version_converter.convert_version(member.model, target)
    except Exception as error:
        raise InputError(
            f"model '{member.name}': is of opset {version}, and onnx cannot make it {target} ({first_line(error)}). {advice}"
        ) from None
