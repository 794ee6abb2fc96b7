# SPDX-License-Identifier: MIT
"""What cannot become one file is refused by name, and leaves nothing behind."""

import json
import sys

import numpy as np
import pytest

import hqe

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import onnx_models
import trained_models
from onnx import TensorProto, helper
from test_export import X, plain_team

NAMES = ["a", "b", "c"]


@pytest.fixture(scope="module")
def weights():
    return dict(zip(NAMES, trained_models.networks().values()))


@pytest.fixture
def files(weights, tmp_path):
    return {name: trained_models.write(tmp_path / f"{name}.onnx", weights[name]) for name in NAMES}


def refused(error, message, tmp_path, team, files, **options):
    (tmp_path / "ensemble.onnx").write_bytes(b"of old")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(error, match=message):
        hqe.export_onnx(team, files, tmp_path / "ensemble.onnx", triton=tmp_path / "repository", **options)
    assert sorted(tmp_path.rglob("*")) == before and (tmp_path / "ensemble.onnx").read_bytes() == b"of old"


def test_files_that_are_missing_broken_or_of_another_task(files, weights, tmp_path):
    team = plain_team(NAMES)
    refused(hqe.InputError, "no file is given for the team's member 'c'. There are 'a', 'b'", tmp_path, team,
            {name: files[name] for name in "ab"})  # fmt: skip
    refused(hqe.InputError, "model 'b': there is no file .*none.onnx", tmp_path, team, files | {"b": tmp_path / "none.onnx"})
    (tmp_path / "text.onnx").write_text("rubbish")
    refused(hqe.InputError, "model 'b': .*text.onnx is no whole ONNX file", tmp_path, team, files | {"b": tmp_path / "text.onnx"})
    half = files["a"].read_bytes()
    (tmp_path / "half.onnx").write_bytes(half[: len(half) // 2])
    refused(hqe.InputError, "model 'c': .*half.onnx is no whole ONNX file", tmp_path, team, files | {"c": tmp_path / "half.onnx"})
    (tmp_path / "empty.onnx").write_bytes(b"")
    refused(hqe.InputError, "model 'c': .*is no whole ONNX file", tmp_path, team, files | {"c": tmp_path / "empty.onnx"})
    model = onnx.load(files["a"])
    model.graph.input[0].type.tensor_type.ClearField("shape")
    onnx.save(model, tmp_path / "shapeless.onnx")
    refused(hqe.InputError, "model 'a': .*Field 'shape'", tmp_path, team, files | {"a": tmp_path / "shapeless.onnx"})
    w1, b1, w2, b2 = weights["b"]
    wide = [w1, b1, np.hstack([w2, w2]), np.hstack([b2, b2])]
    trained_models.write(tmp_path / "wide.onnx", wide)
    refused(hqe.InputError, "model 'b': gives 8 classes, and the team has 4", tmp_path, team, files | {"b": tmp_path / "wide.onnx"})
    trained_models.write(tmp_path / "label.onnx", weights["a"], last="ArgMax")
    refused(hqe.InputError, "model 'a': its output 'y' int64 .* has labels, and a soft vote needs scores", tmp_path, team,
            files | {"a": tmp_path / "label.onnx"})  # fmt: skip
    truth = [helper.make_node("Cast", ["x"], ["y"], to=TensorProto.BOOL)]
    onnx_models.save(tmp_path / "bool.onnx", truth, {"x": ["n", 6]}, ["n", 6], {}, TensorProto.BOOL)
    refused(hqe.InputError, "model 'a': none of its outputs is a tensor of scores", tmp_path, team, files | {"a": tmp_path / "bool.onnx"})


def test_inputs_that_differ(files, weights, tmp_path):
    team = plain_team(NAMES)
    other = files | {"b": trained_models.write(tmp_path / "other.onnx", weights["b"], names=("data", "y"))}
    refused(hqe.InputError, r"model 'b': takes 'data' float \[\?, 6\], and 'a' takes 'x' .*inputs=\{'b': \{'data': 'x'\}\}",
            tmp_path, team, other)  # fmt: skip
    for inputs, message in (({"z": "x"}, "'z' is no member"), ({"b": {"rows": "x"}}, "model 'b' has no input 'rows'"),
                            ({"b": {"data": "label"}}, "is called like an output")):  # fmt: skip
        refused(ValueError, message, tmp_path, team, other, inputs=inputs)
    square = [helper.make_node("Reshape", ["x", "flat"], ["f"]), helper.make_node("MatMul", ["f", "w"], ["y"])]
    values = {"w": onnx_models.random(6, 4), "flat": np.array([-1, 6])}
    onnx_models.save(tmp_path / "square.onnx", square, {"x": ["n", 2, 3]}, ["n", 4], values)
    refused(hqe.InputError, r"model 'c': its input is 'x' float \[\?, 2, 3\], and that of 'a' .*inputs=\{'c': \{'x': 'x_of_c'\}\}",
            tmp_path, team, files | {"c": tmp_path / "square.onnx"})  # fmt: skip
    two = files | {"c": tmp_path / "square.onnx"}
    made = hqe.export_onnx(team, two, tmp_path / "two.onnx", inputs={"c": {"x": "picture"}},
                           check={"x": X, "picture": X.reshape(-1, 2, 3)})  # fmt: skip
    assert made.inputs == ("x", "picture")
    refused(hqe.UsageError, "inputs x, picture. Give a dict", tmp_path, team, two, inputs={"c": {"x": "picture"}}, check=X)
    refused(hqe.UsageError, "nothing for the input 'picture'", tmp_path, team, two, inputs={"c": {"x": "picture"}}, check={"x": X})


def test_outputs_kinds_and_opsets_that_are_not_there(files, weights, tmp_path):
    team = plain_team(NAMES)
    refused(hqe.UsageError, "model 'b' has no output 'logits' that is a tensor. There are 'y'", tmp_path, team, files,
            outputs={"b": "logits"})  # fmt: skip
    refused(hqe.UsageError, "outputs: 'z' is no member", tmp_path, team, files, outputs={"z": "y"})
    refused(hqe.UsageError, "kinds: 'shares' is none of", tmp_path, team, files, kinds="shares")
    refused(hqe.UsageError, "opset 7: expected 13 to", tmp_path, team, files, opset=7)
    mean = [helper.make_node("MatMul", ["x", "w"], ["a"]), helper.make_node("Sigmoid", ["a"], ["y"])]
    onnx_models.save(tmp_path / "mean.onnx", mean, {"x": ["n", 6]}, ["n", 4], {"w": onnx_models.random(6, 4)})
    unsure = files | {"b": tmp_path / "mean.onnx"}
    refused(hqe.InputError, "model 'b': whether it gives probabilities or logits cannot be told", tmp_path, team, unsure)
    refused(hqe.InputError, "model 'b': returned values in .0, 1. that do not sum to 1", tmp_path, team, unsure, check=X)
    hqe.export_onnx(team, unsure, tmp_path / "said.onnx", kinds={"b": "logits"}, check=X)
    model = onnx.load(files["c"])
    model.opset_import.append(helper.make_opsetid("ai.onnx.ml", 2))
    onnx.save(model, tmp_path / "old.onnx")
    model.opset_import[1].version = 3
    onnx.save(model, tmp_path / "new.onnx")
    refused(hqe.InputError, "model 'c': has version 3 of ai.onnx.ml, and 'b' 2", tmp_path, team,
            files | {"b": tmp_path / "old.onnx", "c": tmp_path / "new.onnx"})  # fmt: skip


def test_teams_that_are_none(files, tmp_path):
    (tmp_path / "text.json").write_text("rubbish")
    (tmp_path / "other.json").write_text('{"command": "sweep"}')
    refused(hqe.InputError, "text.json: this is not JSON", tmp_path, tmp_path / "text.json", files)
    refused(hqe.InputError, "other.json: ", tmp_path, tmp_path / "other.json", files)
    refused(hqe.InputError, "none.json: ", tmp_path, tmp_path / "none.json", files)
    refused(hqe.UsageError, "list is no team", tmp_path, [0, 1], files)
    refused(hqe.InputError, "team: not a team's document", tmp_path, {"members": [{"name": "a"}]}, files)
    refused(hqe.UsageError, "kind correctness", tmp_path, plain_team(NAMES, kind="correctness", vote="plurality"), files)
    refused(hqe.InputError, "one weight each", tmp_path, plain_team(NAMES, vote="weighted", weights=[1, 2]), files)


def test_nothing_is_written_over_what_is_read_nor_where_nothing_can_be(files, tmp_path):
    team = plain_team(NAMES)
    (tmp_path / "team.json").write_text(json.dumps(team))
    for path in (files["b"], tmp_path / "team.json"):
        content = path.read_bytes()
        with pytest.raises(hqe.UsageError, match="is read, and would be replaced"):
            hqe.export_onnx(tmp_path / "team.json", files, path)
        assert path.read_bytes() == content
    with pytest.raises(hqe.OutputError, match="cannot be written"):
        hqe.export_onnx(team, files, tmp_path / "team.json/ensemble.onnx")
    (tmp_path / "folder").mkdir()
    with pytest.raises(hqe.OutputError, match="cannot be written"):
        hqe.export_onnx(team, files, tmp_path / "folder", triton=tmp_path / "repository")
    assert not list(tmp_path.glob(".hqe-*")) and not (tmp_path / "repository").exists()


@pytest.mark.parametrize("package, message", [("onnx", "onnx is not installed"), ("onnxruntime", "check: onnxruntime is not")])
def test_packages_that_are_not_there_are_named(files, tmp_path, monkeypatch, package, message):
    monkeypatch.setitem(sys.modules, package, None)
    refused(hqe.UsageError, message, tmp_path, plain_team(NAMES), files, check=X)


def test_a_graph_that_answers_otherwise_is_not_written(files, tmp_path, monkeypatch):
    from hqe.exporting import votes

    def last_largest(nodes, value, output=None):
        return nodes.add("ArgMax", nodes.add("Neg", value), axis=1, keepdims=0, output=output)

    monkeypatch.setattr(votes.Nodes, "first_largest", last_largest)
    refused(hqe.OutputError, "not written, since it gives [0-9]+ of 700 samples another label", tmp_path, plain_team(NAMES), files, check=X)
