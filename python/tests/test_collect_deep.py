# SPDX-License-Identifier: MIT
"""examples/deep in small: eight networks trained by torch, run by onnxruntime, pruned, served, attacked."""

import gzip
import json
import os
import pathlib
import struct

import numpy as np
import pytest

import hqe

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


WORDS = {
    "HQE_DEEP_TRAIN": "--images 400 --epochs 1 --data {0}",
    "HQE_DEEP_SERVE": "--images 50",
    "HQE_DEEP_ATTACK": "--images 24 --steps 2 --points 8",
    "HQE_DEEP_FOLDER": "{0}/deep",
    "HQE_TORCH_PYTHON": "/usr/bin/python3",
    "OMP_NUM_THREADS": "1",
    "PYTHONPATH": str(pathlib.Path(hqe.__file__).parents[1]),
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The notebook, executed in small, and the folder that it filled."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    if not pathlib.Path("/usr/lib/python3/dist-packages/torch").is_dir():
        pytest.skip("Debian's Python has no torch")
    folder = tmp_path_factory.mktemp("deep")
    images(folder)
    notebook = nbformat.read(ROOT / "examples/deep/deep.ipynb", as_version=4)
    resources = {"metadata": {"path": ROOT / "examples/deep"}}
    environment = os.environ | {key: words.format(folder) for key, words in WORDS.items()}
    client = nbclient.NotebookClient(notebook, timeout=900, resources=resources)
    client.execute(env=environment)
    return notebook, folder / "deep"


def outputs(notebook, kind):
    return [one for cell in notebook.cells for one in cell.get("outputs", []) if one["output_type"] == kind]


def test_the_notebook_shows_its_pictures(ran):
    shown = [output["data"] for output in outputs(ran[0], "execute_result")]
    assert sum("<svg" in data.get("text/html", "") for data in shown) == 1
    assert sum("<svg" in data.get("image/svg+xml", "") for data in shown) == 3


def test_networks_cost_what_is_counted_by_hand(ran):
    pool = hqe.Pool.open(ran[1] / "choose-pool")
    costs = {model.name: model.costs for model in hqe.inspect(pool).pool.models}
    assert len(costs) == 8
    assert round(costs["mlp"].gflops * 1e9) == 784 * 128 + 128 * 10
    assert round(costs["lenet"].gflops * 1e9) == 28 * 28 * 6 * 25 + 10 * 10 * 16 * 6 * 25 + 400 * 84 + 84 * 10
    over_patches, over_pixels = 48 * 16 * 32 * 2, 16 * 48 * 96 * 2
    assert round(costs["mixer"].gflops * 1e9) == 16 * 49 * 48 + 2 * (over_patches + over_pixels) + 48 * 10
    assert all(set(one) >= {"params", "gflops", "memory_mb"} for one in costs.values()), costs
    said = [output["text"] for output in outputs(ran[0], "stream")]
    table = next(text for text in said if "gflops" in text).splitlines()
    assert [line.split()[0] for line in table[1:9]] == sorted(costs) and table[10].startswith("all ")


def test_the_team_is_served_as_it_is_exported(ran):
    said = "".join(output["text"] for output in outputs(ran[0], "stream"))
    assert "50 of 50 answers as served" in said
    assert (ran[1] / "ensemble.onnx").exists()


def test_attacks_break_more_the_further_they_go_and_bounds_are_estimates(ran):
    found = json.loads((ran[1] / "attack.json").read_text())
    for norm in ("l2", "linf"):
        assert "lipschitz_estimated = true" in (ran[1] / f"steep-{norm}/pool.toml").read_text()
        of = found["norms"][norm]
        for who in (*of["lipschitz"], "team", "all"):
            for shares in (of[who]["pgd"], of[who]["fgsm"]):
                assert shares == sorted(shares, reverse=True) and len(shares) == len(of["radii"])
            right = [of[who]["pgd"][0], of[who]["fgsm"][0], len(of[who]["bound"]) / found["images"]]
            assert right == [right[0]] * 3  # Where nothing moves.
            assert of[who]["broken_within"] <= found["images"] / 4  # An estimate, and no proof.
        assert sum(of["all"]["pgd"]) < len(of["radii"]) * of["all"]["pgd"][0]
