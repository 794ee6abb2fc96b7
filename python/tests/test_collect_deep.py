# SPDX-License-Identifier: MIT
"""examples/deep in small: eight networks trained by torch, run by onnxruntime, pruned."""

import gzip
import os
import pathlib
import struct
import subprocess
import sys

import numpy as np
import pytest

import hqe
from hqe.__main__ import main

from conftest import ROOT

pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


def write_idx(path, values):
    header = struct.pack(">BBBB", 0, 0, 8, values.ndim) + struct.pack(f">{values.ndim}I", *values.shape)
    path.write_bytes(gzip.compress(header + values.tobytes(), 1))


def images(folder):
    """Bright stripes at the height of the class, in noise."""
    random = np.random.default_rng(0)
    for name, count in (("train", 400), ("t10k", 200)):
        labels = random.integers(0, 10, count).astype(np.uint8)
        pixels = random.integers(0, 120, (count, 28, 28)).astype(np.uint8)
        for image, label in zip(pixels, labels):
            image[2 * label + 4 : 2 * label + 6] += 100
        write_idx(folder / f"{name}-images-idx3-ubyte.gz", pixels)
        write_idx(folder / f"{name}-labels-idx1-ubyte.gz", labels)


def test_the_deep_example_goes_from_training_to_a_table(tmp_path, monkeypatch, capsys):
    if not pathlib.Path("/usr/lib/python3/dist-packages/torch").is_dir():
        pytest.skip("Debian's Python has no torch")
    images(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ["-o", "deep", "--images", "400", "--epochs", "1", "--data", tmp_path]
    done = subprocess.run(
        ["/usr/bin/python3", ROOT / "examples/deep/train.py", *words],
        capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    models = sorted(str(path) for path in (tmp_path / "deep/models").glob("*.onnx"))
    assert len(models) == 8
    for half in ("choose", "judge"):
        data = ["--data", f"deep/{half}/x.npy", "--labels", f"deep/{half}/y.npy", "-o", f"deep/{half}-pool"]
        assert main(["collect", *models, *data, *(["--no-costs"] if half == "judge" else [])]) == 0
    costs = {model.name: model.costs for model in hqe.inspect(hqe.Pool.open("deep/choose-pool")).pool.models}
    assert round(costs["mlp"].gflops * 1e9) == 784 * 128 + 128 * 10
    assert round(costs["lenet"].gflops * 1e9) == 28 * 28 * 6 * 25 + 10 * 10 * 16 * 6 * 25 + 400 * 84 + 84 * 10
    over_patches, over_pixels = 48 * 16 * 32 * 2, 16 * 48 * 96 * 2
    assert round(costs["mixer"].gflops * 1e9) == 16 * 49 * 48 + 2 * (over_patches + over_pixels) + 48 * 10
    assert all(set(one) >= {"params", "gflops", "memory_mb"} for one in costs.values()), costs
    monkeypatch.setattr(sys, "argv", ["table.py", "deep"])
    capsys.readouterr()
    exec(compile((ROOT / "examples/deep/table.py").read_text(), "table.py", "exec"), {"__name__": "table"})
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said[1:9]] == sorted(costs) and said[10].startswith("all ")
