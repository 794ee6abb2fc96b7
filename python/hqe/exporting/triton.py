# SPDX-License-Identifier: MIT
"""The ensemble as an entry of a Triton model repository."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
from collections.abc import Sequence
from typing import Any

from hqe.errors import InputError, OutputError, UsageError
from hqe.exporting.files import put_in_place, room_beside
from hqe.exporting.graph import batch_size
from hqe.exporting.members import Value, onnx_package
from hqe.exporting.teams import Plan

MOST_AT_ONCE = 64  # Samples that the server may put into one batch.

_TYPES = {"FLOAT": "FP32", "DOUBLE": "FP64", "FLOAT16": "FP16", "BFLOAT16": "BF16", "STRING": "STRING", "BOOL": "BOOL",
          **{f"{sign}INT{bits}": f"{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)}}  # fmt: skip


def check_name(name: str) -> None:
    if not name or name.startswith(".") or any(one in name for one in "/\\\0"):
        raise UsageError(f"triton: '{name}' is no name for a model: it becomes that of a folder")


def config(name: str, plan: Plan, inputs: list[Value]) -> str:
    """The text of config.pbtxt."""
    is_batched = batch_size(inputs) is None
    lines = [f"name: {_text(name)}", 'backend: "onnxruntime"', f"max_batch_size: {MOST_AT_ONCE if is_batched else 0}"]
    lines += [_part("input", one.name, _type(one), _sizes(one, is_batched)) for one in inputs]
    # A number a sample has no dimension beside the batch's, and Triton wants one.
    label = ("dims: [ 1 ]", "reshape { shape: [ ] }") if is_batched else (f"dims: [ {batch_size(inputs)} ]",)
    lines.append(_part("output", "label", "INT64", *label))
    if plan.adds_scores:
        sizes = ([] if is_batched else [batch_size(inputs)]) + [plan.class_count]
        names = [] if plan.classes is None else ['label_filename: "labels.txt"']
        lines.append(_part("output", "probabilities", "FP32", f"dims: {_list(sizes)}", *names))
    if is_batched:
        lines.append("dynamic_batching { }")
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _list(sizes: Sequence[Any]) -> str:
    return f"[ {', '.join(map(str, sizes))} ]"


def _part(what: str, name: str, kind: str, *more: str) -> str:
    return f"{what} {{\n" + "".join(f"  {line}\n" for line in (f"name: {_text(name)}", f"data_type: TYPE_{kind}", *more)) + "}"


def _type(one: Value) -> str:
    word = onnx_package().TensorProto.DataType.Name(one.type)
    if word not in _TYPES:
        raise InputError(f"triton: the input {one} is of a type that Triton does not know")
    return _TYPES[word]


def _sizes(one: Value, is_batched: bool) -> str:
    sizes = [-1 if size is None else size for size in one.shape[1 if is_batched else 0 :]]
    return f"dims: {_list(sizes)}" if sizes else "dims: [ 1 ]\n  reshape { shape: [ ] }"


def write_repository(
    folder: str | os.PathLike[str], name: str, text: str, plan: Plan, room: pathlib.Path, files: list[str]
) -> pathlib.Path:
    """FOLDER/name with the model, copied from `room`, as version 1. The configuration comes last."""
    target = pathlib.Path(folder) / name
    model = files[-1]
    with room_beside(target / "config.pbtxt") as own:
        try:
            (target / "1").mkdir(exist_ok=True)
            for one in files:
                shutil.copyfile(room / one, own / one)
            (own / "config.pbtxt").write_text(text, "utf-8")
            if plan.adds_scores and plan.classes is not None:
                words = [" ".join(word.splitlines()) for word in plan.classes]
                (own / "labels.txt").write_text("\n".join(words) + "\n", "utf-8")
        except OSError as error:
            raise OutputError(f"{target}: cannot be written ({error.strerror})") from None
        for one in files:
            put_in_place(own / one, target / "1" / ("model.onnx" if one == model else one))
        for extra in ("labels.txt", "config.pbtxt"):
            if (own / extra).exists():
                put_in_place(own / extra, target / extra)
    return target
