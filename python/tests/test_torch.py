# SPDX-License-Identifier: MIT
"""hqe.torch, with Debian's torch where our Python has none; and its networks as one ONNX file."""

import numpy as np
import pytest

import hqe


@pytest.fixture(scope="module")
def ran(run_with_torch):
    """torch_ensembles.py, run once for all tests."""
    return run_with_torch("torch_ensembles.py")


@pytest.mark.parametrize("name", ["networks", "voters", "fine", "saved", "refused", "docstrings", "snippets"])
def test_an_ensemble_of_modules(ran, name):
    assert not ran[1][name], ran[1][name]


def test_networks_of_torch_become_one_file_that_answers_as_apply(ran, tmp_path):
    pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    folder = ran[0] / "networks"
    files = sorted(folder.glob("*.onnx"))
    made = hqe.export_onnx(folder / "study.json", files, tmp_path / "ensemble.onnx", check=np.load(folder / "x.npy"))
    assert len(files) == 5 and len(made.members) == 3 and made.checked.samples == 500
    assert made.checked.differing <= made.checked.near_ties <= 2 and made.checked.largest_difference < 1e-6
