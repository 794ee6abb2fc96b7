#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains eight small networks on Fashion-MNIST and leaves what `python -m hqe collect` takes.

    python3 examples/deep/train.py [-o FOLDER] [--images N] [--epochs E] [--data FOLDER]

FOLDER gets models/<name>.onnx, their weights for torch as <name>.pt, and x.npy and y.npy of two halves of the test images: choose/ and judge/.
Needs torch (Debian: python3-torch) and the images (dataset-fashion-mnist). Minutes on two cores.
"""

import argparse
import gzip
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import torch
from networks import networks

BATCH = 64


def read(path):
    """Images or labels of an idx file."""
    content = gzip.decompress(path.read_bytes())
    dimensions = content[3]
    shape = np.frombuffer(content, ">u4", dimensions, 4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def images(folder, name):
    pixels = read(folder / f"{name}-images-idx3-ubyte.gz")[:, None].astype(np.float32) / 255
    return pixels, read(folder / f"{name}-labels-idx1-ubyte.gz").astype(np.int64)


def train(network, x, y, epochs):
    """Adam, with a step that shrinks to nothing."""
    optimiser = torch.optim.Adam(network.parameters(), 2e-3)
    steps = epochs * -(-len(x) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1 - step / steps)
    network.train()
    for _ in range(epochs):
        for places in torch.randperm(len(x)).split(BATCH):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(network(x[places]), y[places]).backward()
            optimiser.step()
            schedule.step()
    return network.eval()


def export(network, path):
    axes = {"x": {0: "n"}, "y": {0: "n"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(network, torch.zeros(2, 1, 28, 28), str(path), input_names=["x"], output_names=["y"],
                          dynamic_axes=axes, opset_version=13)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=Path("deep"))
    parser.add_argument("--images", type=int, default=10_000, help="to train with (%(default)s)")
    parser.add_argument("--epochs", type=int, default=3, help="(%(default)s)")
    parser.add_argument("--data", type=Path, default=Path("/usr/share/datasets/fashion-mnist"))
    asked = parser.parse_args()

    if not asked.data.is_dir():
        sys.exit(f"{asked.data} is missing: apt-get install dataset-fashion-mnist, or pass --data")
    x, y = (torch.from_numpy(one[: asked.images]) for one in images(asked.data, "train"))
    test_x, test_y = images(asked.data, "t10k")
    half = len(test_x) // 2
    for name, part in (("choose", slice(half)), ("judge", slice(half, None))):
        folder = asked.output / name
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "x.npy", test_x[part])
        np.save(folder / "y.npy", test_y[part])
    (asked.output / "models").mkdir(exist_ok=True)
    for name, network in networks().items():
        begin = time.monotonic()
        train(network, x, y, asked.epochs)
        export(network, asked.output / "models" / f"{name}.onnx")
        torch.save(network.state_dict(), asked.output / "models" / f"{name}.pt")
        print(f"{name}: {time.monotonic() - begin:.0f} s", flush=True)


main()
