# SPDX-License-Identifier: MIT
"""Torch modules, data sets and loaders, with Debian's torch where our Python has none."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import hqe

SCRIPTS = pathlib.Path(__file__).with_name("torch_scripts.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where torch_scripts.py has run, once for all tests."""
    script = "import importlib.util as u, sys; print(*sys.version_info[:2], u.find_spec('torch') is not None)"
    for python in (sys.executable, "/usr/bin/python3"):
        if not pathlib.Path(python).exists():
            continue
        found = subprocess.run([python, "-c", script], capture_output=True, text=True).stdout
        if found.split() == [*map(str, sys.version_info[:2]), "True"]:
            break
    else:
        pytest.skip("no Python of this version has torch")
    folder = tmp_path_factory.mktemp("torch")
    environment = {"PYTHONPATH": str(pathlib.Path(hqe.__file__).parents[1]), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([python, SCRIPTS, folder], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    (folder / "raised.json").write_text(done.stdout)
    return folder


def passed(folder, name):
    raised = json.loads((folder / "raised.json").read_text())[name]
    assert not raised, raised


def test_torch_onnx_and_a_function_agree_and_so_does_the_decision(folder, tmp_path):
    passed(folder, "agree")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    pytest.importorskip("onnx", reason="onnx is not installed")
    pools = folder / "agree"
    names = ("perceptron", "convolutions", "mixer")
    x, y = np.load(pools / "x.npy"), np.load(pools / "y.npy")
    made = hqe.collect({name: pools / f"{name}.onnx" for name in names}, x, y, tmp_path / "onnx")
    by_hand = (144 * 20 + 20 * 4, 6 * 6 * 6 * 9 + 4 * 4 * 6 * 9 + 4 * 4 * 6 * 2 * 4 + 2 * 8 * 8 * 4, 9 * 16 * 10 + 10 * 9 * 5 + 10 * 4)
    for name, count in zip(names, by_hand):
        first, second = (np.load(place / f"{name}.npy") for place in (pools / "torch", tmp_path / "onnx"))
        np.testing.assert_allclose(first, second, atol=1e-5)
        assert round(made.costs[name]["gflops"] * 1e9) == count, name
    best = [hqe.prune(hqe.Pool.open(pools / name)).best for name in ("torch", "function", "loader")]
    best.append(hqe.prune(hqe.Pool.open(tmp_path / "onnx")).best)
    assert len({(one.decision, tuple(one.names), one.correct) for one in best}) == 1


def test_multiply_adds_of_modules_are_those_counted_by_hand(folder):
    passed(folder, "costs")


def test_bad_modules_devices_and_loaders_are_named(folder):
    passed(folder, "refused")


def test_estimated_lipschitz_bounds_are_near_known_ones_and_radii_are_called_estimated(folder):
    passed(folder, "lipschitz")


def test_a_model_without_gradients_is_named_and_kept(folder):
    passed(folder, "without_gradients")


def test_the_code_for_torch_in_the_document_runs(folder):
    passed(folder, "snippets")
