# SPDX-License-Identifier: MIT
"""Torch modules, data sets and loaders, with Debian's torch where our Python has none."""

import numpy as np
import pytest

import hqe

@pytest.fixture(scope="module")
def ran(run_with_torch):
    """torch_scripts.py, run once for all tests."""
    return run_with_torch("torch_scripts.py")


def passed(ran, name):
    assert not ran[1][name], ran[1][name]


def test_torch_onnx_and_a_function_agree_and_so_does_the_decision(ran, tmp_path):
    passed(ran, "agree")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    pytest.importorskip("onnx", reason="onnx is not installed")
    pools = ran[0] / "agree"
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


def test_multiply_adds_of_modules_are_those_counted_by_hand(ran):
    passed(ran, "costs")


def test_bad_modules_devices_and_loaders_are_named(ran):
    passed(ran, "refused")


def test_estimated_lipschitz_bounds_are_near_known_ones_and_radii_are_called_estimated(ran):
    passed(ran, "lipschitz")


def test_a_model_without_gradients_is_named_and_kept(ran):
    passed(ran, "without_gradients")


def test_the_code_for_torch_in_the_document_runs(ran):
    passed(ran, "snippets")
