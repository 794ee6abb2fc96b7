# SPDX-License-Identifier: MIT
"""The wheel in an environment that has NumPy, pytest and nothing else: arrays, goldens, a saved study. Run by name, for each
Python that is found; the other tests need more."""

import json
import pathlib
import tempfile
import warnings

import numpy as np

import hqe


def test_arrays_of_every_kind():
    random = np.random.default_rng(7)
    labels = random.integers(0, 4, 300)
    raw = random.random((6, 300, 4)) + 0.6 * np.eye(4)[labels]
    scores = raw / raw.sum(axis=2, keepdims=True)
    plain = [(one.argmax(axis=1) == labels).sum() for one in scores]
    for values in (scores, np.asfortranarray(scores), scores.astype("f4"), scores.astype(">f8")):
        assert [model.correct for model in hqe.inspect(hqe.Pool(values, labels)).models] == plain
    half = hqe.Pool(list(scores.astype("f2")), labels)
    assert half.kind == "probabilities" and hqe.prune(half, size=2).best is not None
    evaluation = hqe.evaluate(hqe.Pool(scores, labels))
    for team, correct in zip(evaluation.teams, evaluation.correct):
        assert correct == (scores[list(team)].sum(axis=0).argmax(axis=1) == labels).sum()


def test_a_study_there_and_back():
    right = np.random.default_rng(1).random((5, 300)) < 0.75
    study = hqe.prune(hqe.Pool(right, kind="correctness"), size=2)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "study.json")
        study.save(path)
        assert hqe.Study.load(path).to_json(True) == study.to_json(True)
        study.report(pathlib.Path(folder, "report.html"))
    assert "<svg" in study._repr_html_() and not study.consensus.scores.flags.owndata
    try:
        hqe.prune(hqe.Pool(right, kind="correctness"), size=9)
    except ValueError as error:
        assert isinstance(error, hqe.UsageError) and "sizes 2 to 4" in str(error)


def test_a_table_of_columns():
    random = np.random.default_rng(3)
    words = np.array(["ash", "beech", "cedar"])
    y = random.integers(0, 3, 200)
    answers = {f"m{i}": np.where(random.random(200) < 0.8, y, random.integers(0, 3, 200)) for i in range(4)}
    table = {"id": np.arange(200)[::-1], "y": words[y]} | {name: words[one] for name, one in answers.items()}
    pool = hqe.Pool.from_table(table, label="y", id="id")
    assert pool.classes == list(words)
    assert [model.correct for model in hqe.inspect(pool).models] == [(one == y).sum() for one in answers.values()]
    try:
        hqe.read_table(__file__ + ".parquet")
    except hqe.InputError as error:
        assert "no such file" in str(error)


def test_functions_become_a_pool():
    random = np.random.default_rng(2)
    x, weights = random.random((200, 4)), random.normal(size=(3, 4, 3)) * 5
    models = {f"m{i}": lambda batch, w=w: batch @ w for i, w in enumerate(weights)}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        made = hqe.collect(models | {"none": "none.onnx"}, x, np.arange(200) % 3, folder)
        assert made.failed == {"none": "onnxruntime is not installed. pip install 'hqe[onnx]'"}
        again = hqe.collect(models, x, np.arange(200) % 3, folder)
        assert hqe.prune(again.open(), size=2).pool.models[0].costs.latency_ms > 0


def test_a_golden_pool(shared):
    golden = json.loads((shared / "goldens/cifar10-10.json").read_text())
    pool = hqe.Pool.open(shared / "pools/cifar10-10")
    evaluation = hqe.evaluate(pool, size=range(2, 11))
    teams = [",".join(map(str, team)) for team in evaluation.teams]
    assert dict(zip(teams, evaluation.correct.tolist())) == golden["team_correct"]
    run = golden["hierarchical"][0]
    study = hqe.prune(
        pool, size=run["desired_size"], beta=run["beta"], metrics=list(run["metrics"]),
        weights=run["weights"], scale=run["scale"],
    )  # fmt: skip
    for metric, expected in run["metrics"].items():
        assert study.selections[metric].selected == expected["selected"]
        assert study.selections[metric].true_positive == expected["true_positive"]
