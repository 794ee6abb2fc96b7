# SPDX-License-Identifier: MIT
"""python -m hqe export, hqe export, and the repository for Triton."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import hqe

pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import trained_models
from conftest import ROOT
from test_export import X, Y, plain_team, run, table


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Models, a pool and a study that recommends three of them."""
    (tmp_path / "models").mkdir()
    for name, weights in trained_models.networks().items():
        trained_models.write(tmp_path / f"models/{name}.onnx", weights)
    np.save(tmp_path / "x.npy", X)
    models = {path.stem: path for path in sorted((tmp_path / "models").iterdir())}
    pool = hqe.collect(models, X, Y, tmp_path / "pool", costs=False).open()
    hqe.prune(pool, size=3, choose="consensus").save(tmp_path / "study.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def models_of(folder):
    return [str(path.relative_to(folder)) for path in sorted((folder / "models").iterdir())]


def main(*words):
    from hqe.__main__ import main

    try:
        return main([str(word) for word in words])
    except SystemExit as asked:  # argparse ends so.
        return asked.code


def test_the_command_writes_checks_and_says_so(folder, capsys):
    assert main("export", "study.json", *models_of(folder), "-o", "out.onnx", "--check", "x.npy", "--triton", "repository") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "out.onnx: 3 models, label and probabilities, opset 17, IR version 8"
    assert lines[1].startswith("checked on 700 samples: the labels are those of apply but for 0 near-ties")
    assert lines[2] == "repository/out: for Triton"
    study = hqe.Study.load("study.json")
    assert (run(folder / "out.onnx", x=X)["label"] == hqe.apply(hqe.Pool.open("pool"), study.best.team).labels).all()


def test_the_installed_command_hands_over_to_python(folder):
    binary = pathlib.Path(os.environ.get("HQE_COMMAND", ROOT / "build/release/cli/hqe"))
    if not binary.is_file():
        pytest.skip("the hqe command is not built")
    here = {"HQE_PYTHON": sys.executable, "PYTHONPATH": str(pathlib.Path(hqe.__file__).parents[1])}
    words = [binary, "export", "study.json", *models_of(folder), "-o", "an ensemble.onnx"]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | here)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("an ensemble.onnx: 3 models") and (folder / "an ensemble.onnx").is_file()


@pytest.mark.parametrize("words, code, message", [
    (["none.json", "models/net 0.onnx"], 3, "none.json"),
    (["study.json"], 2, "MODEL.onnx"),
    (["study.json", "models/net 0.onnx"], 3, "no file is given for the team's member"),
    (["study.json", "MODELS", "--check", "none.npy"], 3, "none.npy: cannot be read"),
    (["study.json", "MODELS", "--check", "z=x.npy"], 2, "there is nothing for the input 'x'"),
    (["study.json", "MODELS", "--input", "net 0=x"], 2, "expected MODEL:ITS=NAME"),
    (["study.json", "MODELS", "--input", "net 9:x=x"], 2, "'net 9' is no member"),
    (["study.json", "MODELS", "--scores", "y"], 2, "expected a name, = and a value"),
    (["study.json", "MODELS", "--kind", "shares"], 2, "'shares' is none of"),
    (["study.json", "MODELS", "--name", "a/b"], 2, "'a/b' is no name for a model"),
    (["study.json", "MODELS", "-o", "x.npy/out.onnx"], 1, "cannot be written"),
    (["study.json", "MODELS", "--triton", "x.npy"], 1, "cannot be written"),
])  # fmt: skip
def test_the_command_ends_with_the_code_of_its_error(folder, capsys, words, code, message):
    before = sorted(folder.rglob("*"))
    every = [one for word in words for one in (models_of(folder) if word == "MODELS" else [word])]
    assert main("export", *every) == code
    assert message in capsys.readouterr().err
    assert sorted(folder.rglob("*")) == before


def triton_message():
    """Triton's own description of config.pbtxt, which its client carries; grpc is not needed to read it."""
    found = importlib.util.find_spec("tritonclient")
    if found is None:
        pytest.skip("tritonclient is not installed")
    path = pathlib.Path(found.submodule_search_locations[0]) / "grpc/model_config_pb2.py"
    spec = importlib.util.spec_from_file_location("model_config_pb2", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parsed(path):
    from google.protobuf import text_format

    return text_format.Parse(path.read_text(), triton_message().ModelConfig())


def test_triton_reads_its_configuration(folder):
    names = ["net 0", "net 1"]
    files = {name: folder / f"models/{name}.onnx" for name in names}
    team = plain_team(names, classes=["a cat", 'a "dog"', "ein Über", "d\ne"])
    made = hqe.export_onnx(team, files, folder / "out.onnx", triton=folder / "repository", name='of "two"', check=X)
    assert made.triton == folder / 'repository/of "two"'
    config = parsed(made.triton / "config.pbtxt")
    assert (config.name, config.backend, config.max_batch_size) == ('of "two"', "onnxruntime", 64)
    assert config.WhichOneof("scheduling_choice") == "dynamic_batching"
    types = triton_message()
    assert [(one.name, one.data_type, list(one.dims)) for one in config.input] == [("x", types.TYPE_FP32, [6])]
    assert [(one.name, one.data_type, list(one.dims)) for one in config.output] == [
        ("label", types.TYPE_INT64, [1]), ("probabilities", types.TYPE_FP32, [4])]  # fmt: skip
    assert config.output[0].HasField("reshape") and not config.output[0].reshape.shape
    assert config.output[1].label_filename == "labels.txt"
    assert (made.triton / "labels.txt").read_text().splitlines() == ["a cat", 'a "dog"', "ein Über", "d e"]
    assert sorted(one.name for one in made.triton.iterdir()) == ["1", "config.pbtxt", "labels.txt"]
    assert (made.triton / "1/model.onnx").read_bytes() == (folder / "out.onnx").read_bytes()
    hqe.export_onnx(team, files, folder / "out.onnx", triton=folder / "repository", name='of "two"')  # Again, over it.


def test_triton_is_told_of_fixed_batches_and_of_numbers_alone(folder):
    weights = trained_models.networks()["net 0"]
    files = {"a": trained_models.write(folder / "a.onnx", weights, batch=8)}
    config = parsed(hqe.export_onnx(plain_team(["a"]), files, folder / "o.onnx", triton=folder / "r").triton / "config.pbtxt")
    assert config.max_batch_size == 0 and config.WhichOneof("scheduling_choice") is None
    assert [list(one.dims) for one in (*config.input, *config.output)] == [[8, 6], [8], [8, 4]]
    files = {"a": table(folder / "t.onnx", np.array([0, 1, 2]))}
    team = plain_team(["a"], kind="labels", vote="plurality")
    config = parsed(hqe.export_onnx(team, files, folder / "p.onnx", triton=folder / "r").triton / "config.pbtxt")
    assert [list(one.dims) for one in (*config.input, *config.output)] == [[1], [1]]
    assert config.input[0].HasField("reshape") and config.max_batch_size == 64


def test_what_is_not_pythons_becomes_the_command(tmp_path):
    """`python -m hqe prune ...` is `hqe prune ...`, which comes back to this Python for what is Python's."""
    command = tmp_path / "hqe"
    command.write_text('#!/bin/sh\necho "$HQE_PYTHON|$*"\n')
    command.chmod(0o755)
    program = (
        "import sys, sysconfig, hqe.__main__ as main; folder = sys.argv.pop();"
        "sysconfig.get_path = lambda name: folder; main.main()"
    )
    done = subprocess.run([sys.executable, "-c", program, "prune", "a pool", tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == f"{sys.executable}|prune a pool\n"
