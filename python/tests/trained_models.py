# SPDX-License-Identifier: MIT
"""Small networks, trained by plain gradient descent in NumPy and written as ONNX files."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CLASSES = 4
FEATURES = 6


def samples(count, seed):
    """Points around four centres that overlap, and which centre each belongs to."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, CLASSES, count)
    centres = np.random.default_rng(99).normal(size=(CLASSES, FEATURES))
    return (centres[labels] + random.normal(size=(count, FEATURES)) * 1.1).astype(np.float32), labels


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def train(x, y, hidden, seed, steps=150, rate=0.5):
    """Weights of a network with one hidden layer, (w1, b1, w2, b2)."""
    random = np.random.default_rng(seed)
    x, wanted = x.astype(np.float64), np.eye(CLASSES)[y]
    w1, b1 = random.normal(size=(FEATURES, hidden)) / 2, np.zeros(hidden)
    w2, b2 = random.normal(size=(hidden, CLASSES)) / 2, np.zeros(CLASSES)
    for _ in range(steps):
        inner = np.tanh(x @ w1 + b1)
        error = (_softmax(inner @ w2 + b2) - wanted) / len(x)
        back = error @ w2.T * (1 - inner**2)
        w2, b2 = w2 - rate * inner.T @ error, b2 - rate * error.sum(axis=0)
        w1, b1 = w1 - rate * x.T @ back, b1 - rate * back.sum(axis=0)
    return [one.astype(np.float32) for one in (w1, b1, w2, b2)]


def write(path, weights, *, last=None, opset=17, ir_version=8, names=("x", "y"), batch="n", precision=np.float32):
    """`last`: Softmax, LogSoftmax, ArgMax or nothing. `names` of the input and the output."""
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(precision))
    taken, given = names
    nodes = [
        helper.make_node("Gemm", [taken, "w1", "b1"], ["a"]),
        helper.make_node("Tanh", ["a"], ["b"]),
        helper.make_node("Gemm", ["b", "w2", "b2"], ["c" if last else given]),
    ]
    if last:
        words = {"axis": 1, "keepdims": 0} if last == "ArgMax" else {"axis": 1}
        nodes.append(helper.make_node(last, ["c"], [given], **words))
    tensors = [numpy_helper.from_array(one.astype(precision), name) for one, name in zip(weights, ("w1", "b1", "w2", "b2"))]
    result = [batch] if last == "ArgMax" else [batch, weights[3].shape[0]]
    graph = helper.make_graph(
        nodes, "graph",
        [helper.make_tensor_value_info(taken, kind, [batch, FEATURES])],
        [helper.make_tensor_value_info(given, TensorProto.INT64 if last == "ArgMax" else kind, result)],
        tensors,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version)
    onnx.save(model, path)
    return path


def networks():
    """Weights by name: each has seen other samples, so that they err differently."""
    result = {}
    for place, hidden in enumerate((3, 5, 8, 12, 4)):
        x, y = samples(150, 10 + place)
        result[f"net {place}"] = train(x, y, hidden, place)
    return result
