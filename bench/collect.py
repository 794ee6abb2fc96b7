# SPDX-License-Identifier: MIT
"""What hqe.collect costs over onnxruntime's own loop: ten thousand images through five ONNX networks.

    python bench/collect.py [REPEATS]

Both run in turn, and medians are compared: of wall time, and of processor time, because wall time lies on a busy machine.
Needs hqe, onnx and onnxruntime. The last lines are for machines:

    collect_processor_ratio RATIO
    collect_ratio RATIO     may be up to 1.1
"""

import pathlib
import sys
import tempfile
import time

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper, save

import hqe

IMAGES, BATCH = 10_000, 256


def network(path, filters, seed):
    """28 x 28 pixels, two convolutions, ten classes."""
    random = np.random.default_rng(seed)
    shapes = {"w1": (filters, 1, 3, 3), "w2": (filters, filters, 3, 3), "w3": (filters * 49, 10)}
    weights = {name: random.normal(size=shape).astype(np.float32) / float(np.prod(shape[1:])) ** 0.5 for name, shape in shapes.items()}
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", "w2"], ["c"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["d"]),
        helper.make_node("Flatten", ["d"], ["e"]),
        helper.make_node("MatMul", ["e", "w3"], ["y"]),
    ]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in (("x", ["n", 1, 28, 28]), ("y", ["n", 10]))]
    graph = helper.make_graph(nodes, "network", ends[:1], ends[1:], [numpy_helper.from_array(v, k) for k, v in weights.items()])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


def plain_loop(models, images, folder):
    for name, path in models.items():
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        batches = [session.run(["y"], {"x": images[start : start + BATCH]})[0] for start in range(0, IMAGES, BATCH)]
        np.save(folder / f"{name}.npy", np.concatenate(batches))


def seconds(work):
    """Of wall and of processor time."""
    begin = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begin[0], time.process_time() - begin[1]


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = {f"m{i}": network(folder / f"{i}.onnx", 8 + 4 * i, i) for i in range(5)}
        images = np.random.default_rng(0).random((IMAGES, 1, 28, 28), np.float32)
        pairs = []
        for turn in range(repeats):
            ours = folder / f"pool-{turn}"
            pairs.append((
                seconds(lambda: plain_loop(models, images, folder)),
                seconds(lambda: hqe.collect(models, images, out=ours, batch_size=BATCH, costs=False)),
            ))  # fmt: skip
        for name in models:
            shares = np.exp(np.load(folder / f"{name}.npy"))
            np.testing.assert_allclose(np.load(ours / f"{name}.npy"), shares / shares.sum(axis=1, keepdims=True), rtol=1e-5)
        times = np.array(pairs)  # [turn][theirs, ours][wall, processor]
    plain, collected = np.median(times, axis=0)
    ratios = np.median(times[:, 1] / times[:, 0], axis=0)
    print(f"medians of {repeats}: onnxruntime's loop {plain[0]:.2f} s, {plain[1]:.2f} s of processor time; "
          f"hqe.collect {collected[0]:.2f} s, {collected[1]:.2f} s")  # fmt: skip
    print(f"collect_processor_ratio {ratios[1]:.3f}")
    print(f"collect_ratio {ratios[0]:.3f}")


main()
