# SPDX-License-Identifier: MIT
"""Estimators of XGBoost and LightGBM, and data sets of Hugging Face, as their libraries make them."""

import warnings

import numpy as np
import pytest

import hqe

RANDOM = np.random.default_rng(11)
X = RANDOM.random((300, 6), np.float32)
Y = (X[:, 0] + X[:, 1] + RANDOM.normal(0, 0.2, 300) > 1).astype(int) + (X[:, 2] > 0.7)


def collected(folder, models, data=X, labels=Y, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error", hqe.CollectWarning)
        return hqe.collect(models, data, labels, folder, **{"batch_size": 64, "costs": False} | options)


def linear(batch):
    return np.asarray(batch, np.float64)[:, :3] * 9


@pytest.fixture(scope="module")
def boosted():
    xgboost = pytest.importorskip("xgboost", reason="xgboost is not installed")
    lightgbm = pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    few = {"n_estimators": 8, "max_depth": 3, "n_jobs": 1}
    return {
        "xgboost": xgboost.XGBClassifier(**few).fit(X, Y),
        "random forest": xgboost.XGBRFClassifier(**few).fit(X, Y),
        "lightgbm": lightgbm.LGBMClassifier(**few, verbose=-1).fit(X, Y),
        "dart": lightgbm.LGBMClassifier(**few, boosting_type="dart", verbose=-1).fit(X, Y),
    }


def test_boosted_trees_of_other_libraries_are_collected_and_pruned(boosted, tmp_path):
    made = collected(tmp_path / "pool", boosted, costs=True)
    pool = made.open()
    assert made.models == list(boosted) and made.kind == "probabilities" and pool.classes == ["0", "1", "2"]
    for name, model in boosted.items():
        np.testing.assert_allclose(np.load(made.folder / f"{name}.npy"), model.predict_proba(X), rtol=1e-6)
        assert made.costs[name]["cpu_ms"] > 0 and "params" not in made.costs[name]  # Not known, so not said.
    assert [one.correct for one in hqe.inspect(pool).models] == [int((m.predict(X) == Y).sum()) for m in boosted.values()]
    assert set(hqe.prune(pool, size=2).best.names) <= set(boosted)


def test_classes_are_words_where_the_estimator_knows_words(boosted, tmp_path):
    import lightgbm

    words = np.array(["cat", "dog", "eel"])[Y]
    model = lightgbm.LGBMClassifier(n_estimators=5, n_jobs=1, verbose=-1).fit(X, words)
    made = collected(tmp_path / "pool", {"a": model, "b": model}, labels=words)
    assert made.open().classes == ["cat", "dog", "eel"]
    with pytest.warns(hqe.CollectWarning, match="'xgboost': knows the classes 0, 1, 2, and others cat, dog, eel"):
        hqe.collect({"a": model, "xgboost": boosted["xgboost"]}, X, words, tmp_path / "two", costs=False)


def test_boosters_give_what_they_predict_or_are_named(boosted, tmp_path):
    """A LightGBM booster takes arrays and gives probabilities; one of XGBoost takes matrices of its own."""
    boosters = {"light": boosted["lightgbm"].booster_, "heavy": boosted["xgboost"].get_booster()}
    with pytest.warns(hqe.CollectWarning, match="'heavy': batch 0: .*DMatrix"):
        made = hqe.collect(boosters, X, Y, tmp_path / "pool", costs=False)
    assert made.models == ["light"] and made.kind == "probabilities"
    np.testing.assert_allclose(np.load(made.folder / "light.npy"), boosted["lightgbm"].predict_proba(X), rtol=1e-6)


@pytest.fixture(scope="module")
def data_set():
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    features = datasets.Features({"image": datasets.Sequence(datasets.Value("float32")), "label": datasets.ClassLabel(3)})
    return datasets.Dataset.from_dict({"image": list(X), "label": Y}, features=features)


def test_data_sets_of_hugging_face_give_the_same_files_however_they_come(data_set, tmp_path):
    expected = collected(tmp_path / "array", {"a": linear, "b": linear})
    kinds = {
        "lists": data_set,
        "numpy": data_set.with_format("numpy"),
        "streamed": data_set.to_iterable_dataset(),
        "shards": data_set.to_iterable_dataset(num_shards=3),
    }
    for name, data in kinds.items():
        made = collected(tmp_path / name, {"a": linear, "b": linear}, data, None)
        assert made.sample_count == 300 and made.open().names == ["a", "b"]
        for file in ("a", "b", "labels"):
            np.testing.assert_allclose(np.load(made.folder / f"{file}.npy"), np.load(expected.folder / f"{file}.npy"), rtol=1e-12)


def test_a_data_set_of_files_is_read_batch_by_batch(data_set, tmp_path):
    import datasets

    data_set.save_to_disk(tmp_path / "saved")
    loaded = datasets.load_from_disk(tmp_path / "saved")
    sizes = []
    made = collected(tmp_path / "pool", {"a": lambda x: (sizes.append(len(x)), linear(x))[1]}, loaded, None)
    assert sizes == [64, 64, 64, 64, 44]
    np.testing.assert_array_equal(np.load(made.folder / "labels.npy"), Y)


def test_what_is_wrong_with_a_data_set_is_said(data_set, tmp_path):
    import datasets

    splits = datasets.DatasetDict({"train": data_set, "test": data_set})
    more = data_set.add_column("id", list(range(300)))
    for data, options, message in (
        (splits, {}, "a dict of train, test. Give one of them, as in data\\['train'\\]"),
        (more, {}, "the columns are image, label, id. Say which is the input"),
        (more.to_iterable_dataset(), {}, "the columns are image, label, id. Say which is the input"),
        (data_set, {"input_column": "pixels"}, "there is no column 'pixels'; there is image, label"),
        (data_set.select([]), {}, "there are no samples"),
    ):
        with pytest.raises(hqe.InputError, match=f"data: {message}"):
            collected(tmp_path / "pool", {"a": linear}, data, None, **options)
    made = collected(tmp_path / "pool", {"a": linear}, more, None, input_column="image", label_column="label")
    assert made.sample_count == 300
