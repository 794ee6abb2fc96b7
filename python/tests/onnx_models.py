# SPDX-License-Identifier: MIT
"""Small ONNX files for the tests, made node by node."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def save(path, nodes, inputs, output, weights, output_type=TensorProto.FLOAT):
    """`inputs` are names with shapes; a text is a dimension of any size."""
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info("y", output_type, output)],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, path)
    return path


def linear(path, weights, batch="n"):
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    return save(path, nodes, {"x": [batch, weights.shape[0]]}, [batch, weights.shape[1]], {"w": weights})


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def perceptron(path):
    """20 -> 16 -> 5, with biases: 20 * 16 + 16 * 5 multiply-adds."""
    nodes = [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["h"], transB=1),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("Gemm", ["r", "w2", "b2"], ["y"]),
    ]
    weights = {"w1": random(16, 20), "b1": random(16), "w2": random(16, 5, seed=1), "b2": random(5)}
    return save(path, nodes, {"x": ["n", 20]}, ["n", 5], weights), 20 * 16 + 16 * 5


def convolutions(path):
    """28 x 28: six filters of 3 x 3 at stride 2, a depthwise one, a pointwise one, and a product of matrices."""
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", "w2"], ["c"], group=6),
        helper.make_node("Conv", ["c", "w3"], ["d"]),
        helper.make_node("MaxPool", ["d"], ["e"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Reshape", ["e", "shape"], ["f"]),
        helper.make_node("MatMul", ["f", "w4"], ["y"]),
    ]
    weights = {"w1": random(6, 1, 3, 3), "w2": random(6, 1, 3, 3), "w3": random(8, 6, 1, 1),
               "w4": random(8 * 6 * 6, 5) / 9, "shape": np.array([-1, 8 * 6 * 6])}  # fmt: skip
    by_hand = 14 * 14 * 6 * 9 + 12 * 12 * 6 * 9 + 12 * 12 * 8 * 6 + 8 * 6 * 6 * 5
    return save(path, nodes, {"x": ["n", 1, 28, 28]}, ["n", 5], weights), by_hand


def mixer(path):
    """Sixteen patches of 49 pixels: products over the pixels, over the patches, and over what remains."""
    nodes = [
        helper.make_node("Reshape", ["x", "patches"], ["p"]),
        helper.make_node("MatMul", ["p", "w1"], ["q"]),
        helper.make_node("Transpose", ["q"], ["t"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["t", "w2"], ["u"]),
        helper.make_node("Sigmoid", ["u"], ["v"]),
        helper.make_node("ReduceMean", ["v"], ["m"], axes=[2], keepdims=0),
        helper.make_node("MatMul", ["m", "w3"], ["y"]),
    ]
    weights = {"patches": np.array([-1, 16, 49]), "w1": random(49, 12), "w2": random(16, 7), "w3": random(12, 5)}
    return save(path, nodes, {"x": ["n", 1, 28, 28]}, ["n", 5], weights), 16 * 49 * 12 + 12 * 16 * 7 + 12 * 5
