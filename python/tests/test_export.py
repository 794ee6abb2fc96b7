# SPDX-License-Identifier: MIT
"""A team becomes one ONNX file that answers as `apply` does."""

import json

import numpy as np
import pytest

import hqe

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import trained_models
from onnx import TensorProto, helper, numpy_helper

X, Y = trained_models.samples(700, 1)
NEW, _ = trained_models.samples(2000, 2)
LAST = {"net 0": None, "net 1": "Softmax", "net 2": "LogSoftmax", "net 3": None, "net 4": "Softmax"}
OPSET = {"net 0": 11, "net 1": 13, "net 2": 17, "net 3": 18, "net 4": 17}


@pytest.fixture(scope="module")
def networks():
    return trained_models.networks()


@pytest.fixture(scope="module")
def files(networks, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {
        name: trained_models.write(folder / f"{name}.onnx", weights, last=LAST[name], opset=OPSET[name])
        for name, weights in networks.items()
    }


@pytest.fixture(scope="module")
def pool(files, tmp_path_factory):
    return hqe.collect(files, X, Y, tmp_path_factory.mktemp("chosen") / "pool", costs=False).open()


def run(path, **inputs):
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [one.name for one in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs)))


def tempered(shares, temperature):
    powers = np.maximum(shares, 1e-15) ** (1 / temperature)
    return powers / powers.sum(axis=1, keepdims=True)


def team_of(study, **changes):
    """The document of the recommended team, with some keys changed."""
    from hqe.exporting.teams import plan_of

    return plan_of(study).document | changes


@pytest.mark.parametrize("vote", ["soft", "weighted", "plurality", "majority"])
def test_the_file_answers_new_samples_as_apply_does(files, pool, tmp_path, vote):
    study = hqe.prune(pool, size=3, vote=vote, choose="consensus")
    made = hqe.export_onnx(study, files, tmp_path / "ensemble.onnx", check=X)
    assert made.members == tuple(study.best.names) and len(made.members) == 3
    assert made.checked.samples == len(X) and made.checked.near_ties <= 3
    new = hqe.collect(files, NEW, np.zeros(len(NEW), int), tmp_path / "new", costs=False).open()
    ties = {} if study.best.weights is None else {"vote_weights": study.best.weights}
    combined = hqe.apply(new, study.best.names, vote, ties="label", **ties)
    said = run(made.path, x=NEW)
    if vote in ("soft", "weighted"):
        order = np.sort(combined.scores, axis=1)
        clear = order[:, -1] - order[:, -2] > 1e-5
        assert clear.sum() > 0.99 * len(NEW)
        expected = tempered(combined.scores, study.best.serving.temperature)
        assert said["probabilities"].dtype == np.float32
        np.testing.assert_allclose(said["probabilities"], expected, atol=1e-6, rtol=0)
    else:
        answers = [np.load(new_file).argmax(1) for new_file in (tmp_path / f"new/{name}.npy" for name in study.best.names)]
        clear = np.array([len(set(row)) < 3 for row in np.transpose(answers)])  # Three of a mind each: a tie.
        assert list(said) == ["label"] and 0 < (~clear).sum()
        if vote == "majority":
            assert (said["label"][~clear] == -1).all()
    assert (said["label"] == combined.labels)[clear].all()


def test_logits_are_voted_by_their_softmax(files, networks, tmp_path):
    plain = {
        name: trained_models.write(tmp_path / f"{name}.onnx", weights) for name, weights in list(networks.items())[:4]
    }
    pool = hqe.collect(plain, X, Y, tmp_path / "pool", kind="logits", costs=False).open()
    study = hqe.prune(pool, size=3, choose="consensus")
    made = hqe.export_onnx(study, plain, tmp_path / "ensemble.onnx")  # The kind says what the outputs are.
    combined = hqe.apply(pool, study.best.team)
    said = run(made.path, x=X)
    assert (said["label"] == combined.labels).all()
    expected = tempered(combined.scores, study.best.serving.temperature)
    np.testing.assert_allclose(said["probabilities"], expected, atol=1e-6, rtol=0)


def test_without_a_temperature_probabilities_are_the_shares(files, pool, tmp_path):
    study = hqe.prune(pool, size=3, choose="consensus")
    made = hqe.export_onnx(team_of(study, temperature=None), files, tmp_path / "ensemble.onnx")
    np.testing.assert_allclose(run(made.path, x=X)["probabilities"], hqe.apply(pool, study.best.team).scores, atol=1e-6)


def test_the_file_says_what_it_is(files, pool, tmp_path):
    study = hqe.prune(pool, size=3, choose="consensus")
    made = hqe.export_onnx(study, files, tmp_path / "ensemble.onnx")
    model = onnx.load(made.path)
    onnx.checker.check_model(model, full_check=True)
    assert {one.domain: one.version for one in model.opset_import} == {"": made.opset} and made.opset == 18
    assert model.ir_version == made.ir_version == 8
    notes = {one.key: one.value for one in model.metadata_props}
    assert json.loads(notes["hqe.team"]) == team_of(study) and notes["hqe.version"] == hqe.__version__
    assert [one.name for one in model.graph.input] == ["x"]
    session = onnxruntime.InferenceSession(str(made.path), providers=["CPUExecutionProvider"])
    assert [one.shape for one in session.get_outputs()] == [["batch"], ["batch", 4]]
    older = hqe.export_onnx(study, files, tmp_path / "ensemble.onnx", opset=18)
    assert older.opset == 18 and not list(tmp_path.glob(".hqe-*"))


def table(path, labels, opset=17):
    """A model that looks its answers up."""
    graph = helper.make_graph(
        [helper.make_node("Gather", ["answers", "place"], ["y"])], "graph",
        [helper.make_tensor_value_info("place", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info("y", TensorProto.INT64, ["n"])],
        [numpy_helper.from_array(labels.astype(np.int64), "answers")],
    )  # fmt: skip
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8), path)
    return path


WEIGHTS = {"equal": [1, 1, 1, 1, 1], "whole": [3, 1, 2, 0, 1], "fractions": [0.1, 0.2, 0.3, 0.3, 0.1], "none": None}


@pytest.mark.parametrize("opset", [13, 18])
@pytest.mark.parametrize("ties", ["accuracy", "label"])
@pytest.mark.parametrize("vote, weights", [("plurality", "none"), ("majority", "none"),
                                           ("weighted", "equal"), ("weighted", "whole"), ("weighted", "fractions")])  # fmt: skip
def test_labels_tie_and_abstain_as_in_apply(tmp_path, vote, weights, ties, opset):
    random = np.random.default_rng(5)
    answers = random.integers(-1, 4, (5, 3000))
    truth = random.integers(0, 4, 3000)
    answers[1, :300], answers[3, :90] = truth[:300], truth[:90]  # Some are better than others.
    pool = hqe.Pool({f"m{i}": row for i, row in enumerate(answers)}, truth, classes=list("abcd"))
    files = {f"m{i}": table(tmp_path / f"m{i}.onnx", row, opset) for i, row in enumerate(answers)}
    options = {} if WEIGHTS[weights] is None else {"vote_weights": WEIGHTS[weights]}
    combined = hqe.apply(pool, range(5), vote, ties=ties, **options)
    correct = [int((row == truth).sum()) for row in answers]
    team = {
        "schema": 1, "command": "team", "name": "tables", "kind": "labels", "samples": 3000, "vote": vote, "ties": ties,
        "members": [{"name": f"m{i}", "correct": count} for i, count in enumerate(correct)],
        "weights": WEIGHTS[weights], "temperature": None, "class_count": 4, "classes": list("abcd"), "early_exit": None,
    }  # fmt: skip
    places = np.arange(3000)
    made = hqe.export_onnx(team, files, tmp_path / "ensemble.onnx", check=places)
    said = run(made.path, place=places)["label"]
    assert (said == combined.labels).all() and (said == -1).any()
    assert made.checked.near_ties == made.checked.differing == 0


def test_weights_too_fine_for_one_integer_still_break_ties(tmp_path):
    """Two pairs of voters with equal weights, and correct counts that differ by one in 2^40."""
    answers = np.array([[0], [1], [0], [1]])
    files = {f"m{i}": table(tmp_path / f"m{i}.onnx", row) for i, row in enumerate(answers)}
    for counts, winner in (((2**40, 2**40 + 1, 5, 5), 1), ((2**40 + 1, 2**40, 5, 5), 0), ((2**40,) * 2 + (5, 5), 0)):
        team = {
            "schema": 1, "command": "team", "kind": "labels", "vote": "weighted", "ties": "accuracy", "class_count": 2,
            "members": [{"name": f"m{i}", "correct": count} for i, count in enumerate(counts)], "weights": [0.3, 0.3, 0.7, 0.7],
        }  # fmt: skip
        made = hqe.export_onnx(team, files, tmp_path / "ensemble.onnx", check=np.array([0]))
        assert run(made.path, place=np.array([0]))["label"].tolist() == [winner]


def test_inputs_of_other_names_are_shared_by_a_mapping(networks, tmp_path):
    names = list(networks)[:3]
    taken = {"net 0": "x", "net 1": "data", "net 2": "x"}
    files = {
        name: trained_models.write(tmp_path / f"{name}.onnx", networks[name], names=(taken[name], "y")) for name in names
    }
    team = plain_team(names)
    one = hqe.export_onnx(team, files, tmp_path / "one.onnx", inputs={"net 1": {"data": "x"}}, check=X)
    assert one.inputs == ("x",)
    same = hqe.export_onnx(team, files, tmp_path / "same.onnx", inputs="rows", check=X)
    assert same.inputs == ("rows",)
    two = hqe.export_onnx(team, files, tmp_path / "two.onnx", inputs={"net 1": "data"}, check={"x": X, "data": X[::-1]})
    assert two.inputs == ("x", "data")
    assert (run(one.path, x=X)["probabilities"] == run(same.path, rows=X)["probabilities"]).all()
    assert (run(two.path, x=X, data=X)["probabilities"] == run(one.path, x=X)["probabilities"]).all()


def plain_team(names, **changes):
    team = {
        "schema": 1, "command": "team", "name": "p", "kind": "probabilities", "samples": 10, "vote": "soft", "ties": "accuracy",
        "members": [{"name": name, "correct": 1} for name in names], "weights": None, "temperature": None,
        "class_count": trained_models.CLASSES, "classes": None, "early_exit": None,
    }  # fmt: skip
    return team | changes


def test_precisions_and_fixed_batches_meet_in_one_graph(networks, tmp_path):
    files = {
        "net 0": trained_models.write(tmp_path / "0.onnx", networks["net 0"], precision=np.float64),
        "net 1": trained_models.write(tmp_path / "1.onnx", networks["net 1"]),
        "net 2": trained_models.write(tmp_path / "2.onnx", networks["net 2"], batch=50),
    }
    made = hqe.export_onnx(plain_team(files), files, tmp_path / "ensemble.onnx", check=X.astype(np.float64))
    assert made.checked.samples == len(X)
    session = onnxruntime.InferenceSession(str(made.path), providers=["CPUExecutionProvider"])
    assert session.get_inputs()[0].type == "tensor(double)" and session.get_inputs()[0].shape == [50, 6]


def branching(path, weights):
    """A member whose branches read weights from around them, and which calls a function of its own."""
    w1, b1, w2, b2 = weights
    info = helper.make_tensor_value_info
    branch = lambda name: helper.make_graph([helper.make_node("Gemm", ["b", "w2", "b2"], [name])], name, [],
                                            [info(name, TensorProto.FLOAT, ["rows", 4])])  # noqa: E731 # fmt: skip
    function = helper.make_function("own", "bend", ["v"], ["o"], [helper.make_node("Tanh", ["v"], ["o"])],
                                    [helper.make_opsetid("", 17)])  # fmt: skip
    nodes = [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["a"]),
        helper.make_node("bend", ["a"], ["b"], domain="own"),
        helper.make_node("If", ["yes"], ["y"], then_branch=branch("t"), else_branch=branch("e")),
    ]
    arrays = dict(w1=w1, b1=b1, w2=w2, b2=b2, yes=np.array(True))
    tensors = [numpy_helper.from_array(value, name) for name, value in arrays.items()]
    graph = helper.make_graph(nodes, "graph", [info("x", TensorProto.FLOAT, ["n", 6])], [info("y", TensorProto.FLOAT, ["n", 4])], tensors)
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, functions=[function], ir_version=8), path)
    return path


def test_branches_and_functions_of_two_members_do_not_meet(networks, tmp_path):
    files = {name: branching(tmp_path / f"{name}.onnx", networks[name]) for name in ("net 0", "net 1")}
    plain = {name: trained_models.write(tmp_path / f"plain {name}.onnx", networks[name]) for name in files}
    made = hqe.export_onnx(plain_team(files), files, tmp_path / "ensemble.onnx", check=X)
    other = hqe.export_onnx(plain_team(files), plain, tmp_path / "plain.onnx", kinds="logits")
    np.testing.assert_allclose(run(made.path, x=X)["probabilities"], run(other.path, x=X)["probabilities"], atol=1e-6)


def test_weights_beside_the_file_are_read_and_large_ones_written_so(networks, tmp_path, monkeypatch):
    from hqe.exporting import files as writing

    names = ["net 0", "net 1"]
    files = {name: trained_models.write(tmp_path / f"{name}.onnx", networks[name]) for name in names}
    (tmp_path / "beside").mkdir()
    model = onnx.load(files["net 0"])
    onnx.save_model(model, tmp_path / "beside/a.onnx", save_as_external_data=True, location="a.data", size_threshold=0)
    small = hqe.export_onnx(plain_team(names), files, tmp_path / "small.onnx")
    files["net 0"] = tmp_path / "beside/a.onnx"
    monkeypatch.setattr(writing, "LARGEST_FILE", 100)
    monkeypatch.setattr(writing, "FEWEST_BYTES", 0)
    large = hqe.export_onnx(plain_team(names), files, tmp_path / "out/large.onnx", triton=tmp_path / "repository", check=X)
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == ["large.onnx", "large.onnx.data"]
    assert len({one.stat().st_mode for one in (tmp_path / "out").iterdir()}) == 1
    expected = run(small.path, x=X)["probabilities"]
    for path in (large.path, large.triton / "1/model.onnx"):
        assert (run(path, x=X)["probabilities"] == expected).all()
    (tmp_path / "beside/a.data").unlink()
    with pytest.raises(hqe.InputError, match="model 'net 0': .*is no whole ONNX file"):
        hqe.export_onnx(plain_team(names), files, tmp_path / "lost.onnx")
