# SPDX-License-Identifier: MIT
"""ONNX files become a pool: through onnxruntime, with costs read off the graph, from the command line."""

import os
import subprocess
import sys

import numpy as np
import pytest

import hqe

pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import onnx_models
from conftest import ROOT
from onnx import TensorProto, helper

X = onnx_models.random(90, 4, seed=2)
WEIGHTS = onnx_models.random(4, 3, seed=3) * 5
Y = (X @ WEIGHTS).argmax(1)


def test_a_file_and_a_function_agree_and_so_does_the_decision(tmp_path):
    files, functions = {}, {}
    for place in range(4):
        weights = WEIGHTS + onnx_models.random(4, 3, seed=10 + place) * 3
        files[f"m{place}"] = onnx_models.linear(tmp_path / f"{place}.onnx", weights)
        functions[f"m{place}"] = lambda x, weights=weights: x @ weights
    by_file = hqe.collect(files, X, Y, tmp_path / "files", batch_size=32, costs=False).open()
    by_function = hqe.collect(functions, X, Y, tmp_path / "functions", batch_size=32, costs=False).open()
    for name in files:
        first, second = (np.load(tmp_path / f"{folder}/{name}.npy") for folder in ("files", "functions"))
        assert first.dtype == np.float32
        np.testing.assert_allclose(first, second, atol=1e-5)
    first, second = hqe.prune(by_file).best, hqe.prune(by_function).best
    assert (first.decision, first.names, first.correct) == (second.decision, second.names, second.correct)


@pytest.mark.parametrize("batch", [1, 32, 50, 200])
def test_a_graph_for_one_size_of_batch_takes_any_number_of_samples(tmp_path, batch):
    path = onnx_models.linear(tmp_path / "m.onnx", WEIGHTS, batch)
    hqe.collect({"m": path}, X.astype(np.float64), Y, tmp_path / "pool", batch_size=32, kind="logits")
    np.testing.assert_allclose(np.load(tmp_path / "pool/m.npy"), X @ WEIGHTS, rtol=1e-4, atol=1e-5)
    assert "gflops = 1.2e-08\n" in (tmp_path / "pool/pool.toml").read_text()  # Of one sample.


@pytest.mark.parametrize("make, shape", [
    (onnx_models.perceptron, (20,)), (onnx_models.convolutions, (1, 28, 28)), (onnx_models.mixer, (1, 28, 28)),
])  # fmt: skip
def test_multiply_adds_of_a_graph_are_those_counted_by_hand(tmp_path, make, shape):
    path, by_hand = make(tmp_path / "m.onnx")
    x = onnx_models.random(40, *shape)
    made = hqe.collect({"m": path}, x, out=tmp_path / "pool")
    costs = made.costs["m"]
    assert costs["gflops"] * 1e9 == pytest.approx(by_hand, rel=1e-12)
    assert costs["file_bytes"] == path.stat().st_size
    weights = [node for node in onnx_models.onnx.load(path).graph.initializer if node.data_type == TensorProto.FLOAT]
    assert costs["params"] == sum(int(np.prod(one.dims)) for one in weights)
    assert costs["memory_mb"] * 1e6 >= 4 * costs["params"]
    assert costs["latency_batch"] == 1 and costs["latency_ms"] > 0 and costs["cpu_ms"] > 0
    assert costs["latency_spread_ms"] >= 0


def test_costs_reach_the_pool(tmp_path):
    models = {f"m{i}": onnx_models.linear(tmp_path / f"{i}.onnx", WEIGHTS + i) for i in range(3)}
    pool = hqe.collect(models, X, Y, tmp_path / "pool").open()
    costs = hqe.inspect(pool).pool.models[0].costs
    assert costs.params == 12 and costs.gflops == 12e-9 and costs.latency_ms > 0 and costs.memory_mb == 48e-6


def test_shapes_that_the_graph_computes_are_those_of_a_run(tmp_path):
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Constant", [], ["zero"], value=onnx_models.numpy_helper.from_array(np.array([0]))),
        helper.make_node("Constant", [], ["one"], value=onnx_models.numpy_helper.from_array(np.array([1]))),
        helper.make_node("Constant", [], ["rest"], value=onnx_models.numpy_helper.from_array(np.array([-1]))),
        helper.make_node("Slice", ["s", "zero", "one"], ["n"]),
        helper.make_node("Mul", ["n", "one"], ["count"]),
        helper.make_node("Concat", ["count", "rest"], ["wanted"], axis=0),
        helper.make_node("Reshape", ["x", "wanted"], ["flat"]),
        helper.make_node("MatMul", ["flat", "w"], ["y"]),
    ]
    for batch in ("n", 5):
        path = onnx_models.save(tmp_path / f"{batch}.onnx", nodes, {"x": [batch, 2, 2]}, [batch, 3], {"w": WEIGHTS})
        made = hqe.collect({"m": path}, X.reshape(90, 2, 2).astype(np.float64), Y, tmp_path / str(batch))
        assert round(made.costs["m"]["gflops"] * 1e9) == 12


def test_what_a_graph_computes_but_nobody_can_count_is_left_out(tmp_path):
    nodes = [helper.make_node("Einsum", ["x", "w"], ["y"], equation="nk,kc->nc")]
    path = onnx_models.save(tmp_path / "m.onnx", nodes, {"x": ["n", 4]}, ["n", 3], {"w": WEIGHTS})
    made = hqe.collect({"m": path}, X, Y, tmp_path / "pool")
    assert "gflops" not in made.costs["m"] and made.costs["m"]["params"] == 12


def bad_files(folder):
    (folder / "text.onnx").write_text("rubbish")
    two = [helper.make_node("Add", ["x", "z"], ["y"])]
    onnx_models.save(folder / "two.onnx", two, {"x": ["n", 4], "z": ["n", 4]}, ["n", 4], {})
    wide = onnx_models.random(9, 3)
    onnx_models.linear(folder / "wide.onnx", wide)
    text = [helper.make_node("Cast", ["x"], ["y"], to=TensorProto.BOOL)]
    onnx_models.save(folder / "bool.onnx", text, {"x": ["n", 4]}, ["n", 4], {}, TensorProto.BOOL)
    return {
        "none": "there is no file",
        "text": "onnxruntime cannot open it",
        "two": "batch 0: it has the inputs x, z. Wrap it in a function that feeds them",
        "wide": "batch 0: InvalidArgument",
        "bool": "its outputs are tensor(bool), and none is a tensor of scores",
    }


def run(folder, *words):
    words = [sys.executable, "-m", "hqe", "collect", *map(str, words)]
    environment = os.environ | {"PYTHONPATH": os.path.dirname(os.path.dirname(hqe.__file__))}
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment)


def test_the_command_collects_what_works_and_names_what_does_not(tmp_path):
    expected = bad_files(tmp_path)
    for name in ("good", "better"):
        onnx_models.linear(tmp_path / f"{name}.onnx", WEIGHTS)
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "y.npy", Y)
    files = [f"{name}.onnx" for name in ("good", *expected, "better")]
    done = run(tmp_path, *files, "--data", "x.npy", "--labels", "y.npy", "-o", "pool", "--no-costs")
    assert done.returncode == 3 and done.stdout == "pool: 2 models, 90 samples, probabilities\nNext: hqe prune pool\n"
    for name, message in expected.items():
        line = next(line for line in done.stderr.splitlines() if line.startswith(f"hqe: model '{name}': "))
        assert message in line
    assert hqe.Pool.open(tmp_path / "pool").names == ["good", "better"]


def test_the_installed_command_hands_over_to_python(tmp_path):
    binary = os.environ.get("HQE_COMMAND", ROOT / "build/release/cli/hqe")
    if not os.path.isfile(binary):
        pytest.skip("the hqe command is not built")
    onnx_models.linear(tmp_path / "m.onnx", WEIGHTS)
    np.save(tmp_path / "x.npy", X)
    here = {"HQE_PYTHON": sys.executable, "PYTHONPATH": os.path.dirname(os.path.dirname(hqe.__file__))}
    words = [binary, "collect", "m.onnx", "--data", "x.npy", "-o", "a pool", "--no-costs"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=os.environ | here)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "a pool: 1 models, 90 samples, probabilities\n"


@pytest.mark.parametrize(
    "words, code, message",
    [
        (["m.onnx"], 2, "--data"),
        (["m.onnx", "a/m.onnx", "--data", "x.npy"], 2, "are both called 'm'. Rename one"),
        (["m.onnx", "--data", "none.npy"], 3, "none.npy: cannot be read"),
        (["m.onnx", "--data", "x.npy", "--batch-size", "0"], 2, "expected a whole number from 1"),
        (["m.onnx", "--data", "x.npy", "-o", "x.npy"], 1, "cannot be made a folder"),
        (["m.onnx", "--data", "x.npy"], 3, "no model gave predictions. model 'm': there is no file m.onnx"),
    ],
)
def test_the_command_ends_with_the_code_of_its_error(tmp_path, monkeypatch, capsys, words, code, message):
    from hqe.__main__ import main

    np.save(tmp_path / "x.npy", X)
    monkeypatch.chdir(tmp_path)
    try:
        ended = main(["collect", *words])
    except SystemExit as asked:  # argparse ends so.
        ended = asked.code
    assert ended == code and message in capsys.readouterr().err
