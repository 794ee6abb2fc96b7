# SPDX-License-Identifier: MIT
"""What the graph of an ONNX file weighs and computes, by the shapes that onnx infers."""

from __future__ import annotations

import math
import pathlib
from typing import Any

import numpy as np

from hqe.collecting.models import Session, as_numpy

# What multiplies nothing with weights, or so little that nobody counts it.
_FREE = frozenset(
    """Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh AveragePool BatchNormalization BitShift Cast CastLike
    Ceil Celu CenterCropPad Clip Compress Concat Constant ConstantOfShape Cos Cosh CumSum DepthToSpace DequantizeLinear
    Div Dropout DynamicQuantizeLinear Elu Equal Erf Exp Expand EyeLike Flatten Floor Gather GatherElements GatherND Gelu
    GlobalAveragePool GlobalLpPool GlobalMaxPool Greater GreaterOrEqual GroupNormalization HardSigmoid HardSwish Hardmax
    Identity InstanceNormalization IsInf IsNaN LRN LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax
    LpNormalization LpPool Max MaxPool MaxUnpool Mean MeanVarianceNormalization Min Mish Mod Mul Neg NonZero Not OneHot Or
    PRelu Pad Pow QuantizeLinear RMSNormalization Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp
    ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize ReverseSequence Round Scatter
    ScatterElements ScatterND Selu Shape Shrink Sigmoid Sign Sin Sinh Size Slice Softmax Softplus Softsign SpaceToDepth
    Split Sqrt Squeeze Sub Sum Swish Tan Tanh ThresholdedRelu Tile TopK Transpose Trilu Unique Unsqueeze Upsample Where
    Xor""".split()
)
# Operation -> which inputs hold the two factors.
_CONVOLUTIONS = {"Conv": (0, 1), "ConvInteger": (0, 1), "QLinearConv": (0, 3), "ConvTranspose": (0, 1)}
_PRODUCTS = {"MatMul": (0, 1), "MatMulInteger": (0, 1), "QLinearMatMul": (0, 3), "Gemm": (0, 1)}
_RECURRENT = ("LSTM", "GRU", "RNN")


def _load(path: pathlib.Path) -> Any:
    """The graph without weights that lie in other files; None where onnx is not installed."""
    try:
        import onnx
    except ImportError:
        return None
    return onnx.load(str(path), load_external_data=False)


def weights(path: pathlib.Path) -> dict[str, float]:
    """params, memory_mb and file_bytes; the last alone where onnx is not installed."""
    graph = _load(path)
    if graph is None:
        return {"file_bytes": path.stat().st_size}
    from onnx import helper

    tensors = [*graph.graph.initializer]
    tensors += [one.t for node in graph.graph.node if node.op_type == "Constant" for one in node.attribute if one.name == "value"]
    others = {entry.value for one in tensors for entry in one.external_data if entry.key == "location"}
    params, size = 0, 0
    for one in tensors:
        kind = helper.tensor_dtype_to_np_dtype(one.data_type)
        count = math.prod(one.dims)
        size += count * kind.itemsize
        if kind.kind == "f" or (kind.itemsize == 1 and kind.kind in "iu"):  # Wider integers are shapes.
            params += count
    file_bytes = path.stat().st_size + sum((path.parent / other).stat().st_size for other in others)
    return {"params": params, "memory_mb": size / 1e6, "file_bytes": file_bytes}


def _with_input(model: Any, inputs: Any) -> tuple[Any, int]:
    """The model for inputs of this shape, and how many samples it then takes at once."""
    weights = {one.name for one in model.graph.initializer}
    free = [one for one in model.graph.input if one.name not in weights]
    at_once = 1
    for one in free:
        values = inputs[one.name] if isinstance(inputs, dict) else inputs
        shape = as_numpy(values).shape
        dimensions = one.type.tensor_type.shape.dim
        for place, dimension in enumerate(dimensions):
            if not dimension.HasField("dim_value") or dimension.dim_value < 1:
                dimension.dim_value = shape[place]
        at_once = dimensions[0].dim_value if dimensions else 1
    return model, at_once


class _Shapes:
    def __init__(self, model: Any) -> None:
        graph = model.graph
        self._known = {one.name: tuple(one.dims) for one in graph.initializer}
        for one in [*graph.input, *graph.value_info, *graph.output]:
            tensor = one.type.tensor_type
            if tensor.HasField("shape"):
                sizes = tuple(d.dim_value if d.HasField("dim_value") else -1 for d in tensor.shape.dim)
                self._known.setdefault(one.name, sizes)

    def __call__(self, name: str) -> tuple[int, ...]:
        shape = self._known.get(name, (-1,))
        if -1 in shape:
            raise LookupError(name)
        return shape


class _RealShapes(_Shapes):
    """The shapes of one run. onnx gives up where the graph computes a shape, as exported networks like to."""

    def __init__(self, model: Any, inputs: Any, rows: int) -> None:
        super().__init__(model)
        import onnxruntime
        from onnx import ValueInfoProto

        counted = {*_CONVOLUTIONS, *_PRODUCTS, *_RECURRENT}
        names = {name for node in model.graph.node if node.op_type in counted for name in [*node.input, *node.output]}
        unknown = [name for name in sorted(names) if name and -1 in self._known.get(name, (-1,))]
        model.graph.output.extend(ValueInfoProto(name=name) for name in unknown)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        feed = {name: np.repeat(column, rows, axis=0) for name, column in Session(session).feed(inputs).items()}
        for name, value in zip(unknown, session.run(unknown, feed)):
            self._known[name] = value.shape


def _of_node(node: Any, shapes: _Shapes) -> int:
    """Multiply-adds; LookupError where they cannot be known."""
    name = node.op_type
    if node.domain not in ("", "ai.onnx"):
        raise LookupError(name)
    if name in _CONVOLUTIONS:
        data, weight = (shapes(node.input[i]) for i in _CONVOLUTIONS[name])
        places = data if name == "ConvTranspose" else shapes(node.output[0])
        return places[0] * math.prod(places[2:]) * math.prod(weight)
    if name in _PRODUCTS:
        first = shapes(node.input[_PRODUCTS[name][0]])
        flipped = any(one.name == "transA" and one.i for one in node.attribute)
        return math.prod(shapes(node.output[0])) * first[0 if flipped else -1]
    if name in _RECURRENT:
        steps, batch = shapes(node.input[0])[:2]
        return steps * batch * (math.prod(shapes(node.input[1])) + math.prod(shapes(node.input[2])))
    if name not in _FREE:
        raise LookupError(name)
    return 0


def multiply_adds(path: pathlib.Path, inputs: Any) -> float | None:
    """Of one sample, which `inputs` holds."""
    model = _load(path)
    if model is None:
        return None
    from onnx import shape_inference

    model, at_once = _with_input(model, inputs)
    del model.graph.value_info[:]  # They may say "any number" where the input now says which.
    for one in model.graph.output:
        one.type.tensor_type.ClearField("shape")
    model = shape_inference.infer_shapes(model, data_prop=True)
    for shapes in (lambda: _Shapes(model), lambda: _RealShapes(model, inputs, at_once)):
        try:
            known = shapes()
            return sum(_of_node(node, known) for node in model.graph.node) / at_once
        except LookupError:
            continue
    return None
