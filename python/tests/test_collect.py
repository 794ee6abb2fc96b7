# SPDX-License-Identifier: MIT
"""Models and data become a pool; whatever is wrong with one of them is said."""

import os
import warnings

import numpy as np
import pytest

import hqe
from hqe.collecting.costs import latency
from hqe.collecting.models import Model

RANDOM = np.random.default_rng(5)
X = RANDOM.random((100, 4), np.float32)
Y = RANDOM.integers(0, 3, 100)
WEIGHTS = RANDOM.normal(size=(4, 3)).astype(np.float32)


def softmax(logits):
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def linear(x):
    return np.asarray(x, np.float32) @ WEIGHTS * 9


def shares(x):
    return softmax(linear(x).astype(np.float64))


def collected(folder, models, data=X, labels=Y, **options):
    options = {"batch_size": 32, "costs": False} | options
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return hqe.collect(models, data, labels, folder / "pool", **options)


def test_logits_and_probabilities_become_one_pool_of_probabilities(tmp_path):
    made = collected(tmp_path, {"b": linear, "a": shares})
    assert made.open().names == ["b", "a"] and made.open().kind == "probabilities"
    assert not made.open().kind_detected and made.sample_count == 100
    written = {name: np.load(tmp_path / f"pool/{name}.npy") for name in ("a", "b")}
    assert (written["a"].dtype, written["b"].dtype) == (np.float64, np.float32)
    np.testing.assert_array_equal(written["a"], shares(X))
    np.testing.assert_allclose(written["b"], shares(X), rtol=1e-5)
    correct = [model.correct for model in hqe.inspect(made.open()).models]
    assert correct == [int((linear(X).argmax(1) == Y).sum())] * 2
    assert sorted(os.listdir(tmp_path / "pool")) == ["a.npy", "b.npy", "labels.npy", "pool.toml"]


def test_logits_and_labels_are_written_as_asked(tmp_path):
    made = collected(tmp_path / "1", {"a": linear, "b": linear}, kind="logits")
    np.testing.assert_array_equal(np.load(made.folder / "a.npy"), linear(X))
    assert made.open().kind == "logits"
    made = collected(tmp_path / "2", {"a": linear, "b": shares}, kind="labels")
    np.testing.assert_array_equal(np.load(made.folder / "b.npy"), linear(X).argmax(1))
    made = collected(tmp_path / "3", {"a": lambda x: linear(x).argmax(1), "b": lambda x: linear(x).argmax(1)})
    assert made.open().kind == made.kind == "labels"


class Columns:
    """As a Hugging Face data set: slices give dicts of columns."""

    column_names = ["image", "label"]

    def __len__(self):
        return 100

    def __getitem__(self, place):
        return {"image": list(X[place]), "label": Y[place].tolist()}


class Samples:
    """As a torch data set: an index gives a sample and its label."""

    def __len__(self):
        return 100

    def __getitem__(self, place):
        return X[place], int(Y[place])


class Loader:
    """Batches of several sizes, as often as one likes."""

    def __iter__(self):
        for start, stop in ((0, 30), (30, 31), (31, 100)):
            yield X[start:stop], Y[start:stop]


def test_every_kind_of_data_gives_the_same_files(tmp_path):
    np.save(tmp_path / "x.npy", X)
    kinds = {
        "array": (X, Y),
        "memmap": (np.load(tmp_path / "x.npy", mmap_mode="r"), Y),
        "columns": (Columns(), None),
        "samples": (Samples(), None),
        "loader": (Loader(), None),
        "batches": ([X[:50], X[50:]], Y.tolist()),
        "generator": (iter(list(Loader())), None),
        "dicts": ([{"x": X[:50], "target": Y[:50]}, {"x": X[50:], "target": Y[50:]}], None),
    }
    for name, (data, labels) in kinds.items():
        made = collected(tmp_path / name, {"a": shares, "b": shares}, data, labels)
        np.testing.assert_allclose(np.load(made.folder / "b.npy"), shares(X), rtol=1e-6, err_msg=name)
        np.testing.assert_array_equal(np.load(made.folder / "labels.npy"), Y, err_msg=name)
        assert made.open().names == ["a", "b"]


def test_what_can_be_read_once_is_read_once_and_the_rest_model_by_model(tmp_path):
    seen = []
    watched = {name: (lambda x, name=name: (seen.append(name), shares(x))[1]) for name in "ab"}
    collected(tmp_path / "1", watched, [X[:50], X[50:]])
    assert seen == ["a", "a", "b", "b"]
    seen.clear()
    collected(tmp_path / "2", watched, iter([X[:50], X[50:]]))
    assert seen == ["a", "b", "a", "b"]


def test_estimators_are_asked_for_what_they_know_best(tmp_path):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.linear_model import LogisticRegression, Perceptron
    from sklearn.neighbors import NearestCentroid
    from sklearn.svm import LinearSVC

    words = np.array(["cat", "dog", "eel"])[Y]
    fitted = {"logistic": LogisticRegression(), "margin": LinearSVC(), "other": Perceptron()}
    fitted = {name: one.fit(X, words) for name, one in fitted.items()}
    made = collected(tmp_path / "words", fitted, X.astype(np.float64), words)
    assert made.open().classes == ["cat", "dog", "eel"]
    for model, one in zip(hqe.inspect(made.open()).models, fitted.values()):
        assert model.correct == round(100 * one.score(X, words))
    np.testing.assert_allclose(np.load(made.folder / "logistic.npy"), fitted["logistic"].predict_proba(X), rtol=1e-6)

    two = (Y > 0).astype(int) * 7  # A decision between two classes has one column.
    made = collected(tmp_path / "two", {"a": LinearSVC().fit(X, two), "b": LogisticRegression().fit(X, two)}, X, two)
    assert np.load(made.folder / "a.npy").shape == (100, 2) and made.open().classes == ["0", "7"]

    class OnlyLabels(NearestCentroid):
        predict_proba = decision_function = None

    made = collected(tmp_path / "labels", {"a": OnlyLabels().fit(X, words), "b": OnlyLabels().fit(X, words)}, X, words)
    assert made.open().kind == "labels"


def failing(x):
    raise RuntimeError("out of luck")


def at_second_batch(answer):
    """A model that is good for one batch."""
    calls = []

    def call(x):
        calls.append(1)
        return shares(x) if len(calls) == 1 else answer(x)

    return call


def with_nan(x):
    answer = shares(x)
    answer[3, 1] = np.nan
    return answer


BAD_MODELS = {
    "raises": (failing, "batch 0: RuntimeError: out of luck"),
    "raises later": (at_second_batch(failing), "batch 1: RuntimeError: out of luck"),
    "NaN": (at_second_batch(with_nan), "batch 1: sample 35: returned NaN or infinity"),
    "rows": (lambda x: shares(x)[1:], "batch 0: returned 31 rows for 32 samples"),
    "classes": (lambda x: shares(x)[:, :2], "batch 0: returned 2 columns for 3 classes"),
    "classes later": (at_second_batch(lambda x: np.full((len(x), 4), 0.25)), "batch 1: returned 4 columns, and 3 before"),
    "sums later": (at_second_batch(lambda x: shares(x) / 2), "batch 1: sample 32: no probabilities, their sum is 0.5"),
    "sigmoids": (lambda x: np.full((len(x), 3), 0.7), "neither probabilities nor certainly logits"),
    "one number": (lambda x: x[:, 0], "batch 0: returned an array of shape (32,). Return one column a class"),
    "only labels": (lambda x: linear(x).argmax(1), "gives labels only, in a pool of probabilities. Say kind='labels'"),
    "cube": (lambda x: np.zeros((len(x), 3, 3)), "returned an array of shape (32, 3, 3)"),
    "nothing": (lambda x: None, "returned values of type object"),
    "texts": (lambda x: ["cat"] * len(x), "returned values of type <U3"),
    "number": (7, "int cannot be run. Give an estimator, a torch module, a .onnx path or a function"),
    "class": (dict, "dict is a class. Give a fitted model of it"),
    "pickle": ("model.pkl", "model.pkl: only .onnx files can be run. Load it, and give the model"),
}


def test_a_bad_model_is_named_with_its_batch_and_the_rest_goes_on(tmp_path):
    models = {"good": shares} | {name: model for name, (model, _) in BAD_MODELS.items()} | {"last": shares}
    with pytest.warns(hqe.CollectWarning) as warned:
        made = hqe.collect(models, X, Y, tmp_path / "pool", batch_size=32, costs=False)
    assert made.models == ["good", "last"] and list(made.failed) == list(BAD_MODELS)
    for name, (_, message) in BAD_MODELS.items():
        assert message in made.failed[name], (name, made.failed[name])
        assert any(f"model '{name}': " in str(one.message) for one in warned)
    assert sorted(os.listdir(made.folder)) == ["good.npy", "labels.npy", "last.npy", "pool.toml"]
    assert made.open().names == ["good", "last"]


def test_estimators_that_disagree_about_classes_are_named(tmp_path):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.linear_model import LogisticRegression

    models = {"a": LogisticRegression().fit(X, Y), "b": LogisticRegression().fit(X, Y + 1), "c": LogisticRegression()}
    with pytest.warns(hqe.CollectWarning):
        made = hqe.collect(models, X, Y, tmp_path / "pool", costs=False)
    assert made.failed["b"] == "knows the classes 1, 2, 3, and others 0, 1, 2"
    assert "batch 0: NotFittedError" in made.failed["c"]


def broken():
    yield X[:10]
    raise OSError("disk on fire")


BAD_DATA = {
    "no samples": (X[:0], None, "data: there are no samples"),
    "an empty iterator": (iter([]), None, "data: there are no samples"),
    "a number": (3, None, "data: int is nothing that batches can be taken from"),
    "a path": ("x.npy", None, "data: a path. Open it first, as in np.load"),
    "an array of no dimension": (np.array(3.0), None, "data: a single number"),
    "data that breaks": (broken(), None, "data: batch 1: OSError: disk on fire"),
    "three parts": ([(X, Y, Y)], None, "data: 3 parts. Give the inputs, or the inputs and the true labels"),
    "many columns": ([{"x": X, "z": X}], None, "Say which is the input, as in input_column='x'"),
    "few labels": (X, Y[:9], "labels: 9 for 100 samples. Give one a sample"),
    "float labels": (X, Y * 0.5, "labels: floats. Give the numbers of classes as integers"),
    "negative labels": (X, Y - 1, "the label -1 is no class"),
    "one-hot labels": (X, np.eye(3, dtype=int)[Y], "labels: an array of shape (100, 3). Give one true label a sample"),
    "labels beyond": (X, Y + 5, "returned 3 columns, but there is a true label 7"),
    "labels beyond, with the data": ([(X, Y + 5)], None, "the label 7 is none of 3 classes"),
    "bad labels with the data": ([(X[:50], Y[:50]), (X[50:], Y[50:] * 0.5)], None, "labels: batch 1: floats"),
}


@pytest.mark.parametrize("what", BAD_DATA)
def test_bad_data_is_an_input_error(tmp_path, what):
    data, labels, message = BAD_DATA[what]
    with pytest.raises(hqe.InputError) as raised:
        collected(tmp_path, {"a": shares}, data, labels)
    assert message in str(raised.value)
    assert not (tmp_path / "pool/pool.toml").exists() or "is none of" in message


def test_a_column_is_chosen_by_name(tmp_path):
    data = [{"z": X * 0, "x": X, "kind": Y}]
    made = collected(tmp_path, {"a": shares}, data, None, input_column="x", label_column="kind")
    np.testing.assert_array_equal(np.load(made.folder / "labels.npy"), Y)
    with pytest.raises(hqe.InputError, match="there is no column 'y'; there is z, x, kind"):
        collected(tmp_path, {"a": shares}, data, None, input_column="y")


@pytest.mark.parametrize(
    "models, options, message",
    [
        ({}, {}, "give a dict of models by name"),
        ([shares], {}, "give a dict of models by name"),
        ({"labels": shares}, {}, "'labels' is no name for a model"),
        ({".a": shares}, {}, "'.a' is no name for a model"),
        ({"a/b": shares}, {}, "'a/b' is no name for a model"),
        ({"a": shares}, {"kind": "guesses"}, "expected one of probabilities, logits, labels"),
        ({"a": shares}, {"batch_size": 0}, "batch_size 0: expected a whole number from 1"),
    ],
)
def test_a_wrong_request_is_a_usage_error(tmp_path, models, options, message):
    with pytest.raises(hqe.UsageError) as raised:
        collected(tmp_path, models, **options)
    assert message in str(raised.value) and not (tmp_path / "pool").exists()


def test_no_model_at_all_is_an_error(tmp_path):
    with pytest.raises(hqe.InputError, match="no model gave predictions. model 'a': batch 0: RuntimeError: out of luck"):
        collected(tmp_path, {"a": failing})


def test_a_folder_that_cannot_be_made_is_an_output_error(tmp_path):
    (tmp_path / "pool").write_text("a file")
    with pytest.raises(hqe.OutputError, match="cannot be made a folder"):
        collected(tmp_path, {"a": shares})


def test_a_full_disk_is_an_output_error_and_the_next_run_goes_on(tmp_path):
    import resource

    x = np.tile(X, (50, 1))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(hqe.OutputError, match="a.npy: cannot be written"):
            collected(tmp_path, {"a": linear}, x, None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert os.listdir(tmp_path / "pool") == [".hqe-a.part"]
    collected(tmp_path, {"a": linear}, x, None)
    assert np.load(tmp_path / "pool/a.npy").shape == (5000, 3)


def test_progress_tells_every_batch(tmp_path, capsys):
    told = []
    collected(tmp_path, {"a": shares, "b": shares}, progress=lambda *words: told.append(words))
    assert told[0] == ("a (1 of 2)", 32, 100) and told[-1] == ("b (2 of 2)", 100, 100) and len(told) == 8
    assert capsys.readouterr().err == ""  # No terminal, no bar.


def test_the_line_for_a_terminal_says_how_long_the_rest_takes(capsys):
    from hqe._progress import _Line

    line = _Line()
    line("a", 10, 100)
    line._told, line._begin = 1e-9, line._begin - 10
    line("a", 20, 100)
    line.close()
    said = capsys.readouterr().err
    assert "a: 10 % of 100 samples" in said and "a: 20 % of 100 samples, 1 min left" in said.replace("80 s", "1 min")


def test_latency_is_of_one_thread_with_its_spread_and_processor_time(tmp_path):
    made = collected(tmp_path, {"a": shares}, costs=True)
    costs = made.costs["a"]
    assert list(costs) == ["latency_ms", "latency_spread_ms", "latency_batch", "cpu_ms"]
    assert costs["latency_batch"] == 1 and 0 < costs["latency_ms"] < 1000
    assert f"latency_ms = {costs['latency_ms']!r}" in (made.folder / "pool.toml").read_text()


def test_the_latency_of_several_threads_is_left_out(monkeypatch):
    from hqe.collecting import costs

    monkeypatch.setattr(costs, "_timed", lambda call, inputs: (1.0, 1.9))
    monkeypatch.setattr(costs, "MEASURED", 0)
    assert latency(Model(shares), X[:1], 1) == {}


def test_a_pool_toml_that_somebody_changed_is_left_alone(tmp_path):
    made = collected(tmp_path, {"a": shares, "b": shares})
    toml = made.folder / "pool.toml"
    collected(tmp_path, {"a": shares, "b": shares, "c": shares})
    assert '"c"' in toml.read_text()
    mine = 'about = "mine"\n'
    toml.write_text(mine)
    with pytest.warns(hqe.CollectWarning, match="somebody has changed it, so it is left alone"):
        hqe.collect({"a": shares}, X, Y, made.folder, costs=False)
    assert toml.read_text() == mine


def test_memory_does_not_grow_with_the_data(tmp_path):
    import tracemalloc

    def peak(batches):
        data = (np.ones((1000, 50), np.float32) for _ in range(batches))
        tracemalloc.start()
        hqe.collect({"a": lambda x: x / 50}, data, out=tmp_path / str(batches), costs=False)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(2)
    assert peak(200) < 1.2 * peak(20)  # A tenth of what is written would be 4 MB.
