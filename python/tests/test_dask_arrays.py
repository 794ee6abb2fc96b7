# SPDX-License-Identifier: MIT
"""The kind of a pool and what its labels mean are settled over all parts: Dask gives what one process gives."""

import functools

import numpy as np
import pytest

pytest.importorskip("distributed", reason="Dask is not installed")
import dask.array

import hqe
import hqe.dask

from hqe.dask.parts import Counted, Shown, part_of

import dask_cluster
from dask_cluster import study_of

ROWS, CHUNK = 60, 20


def lazy(arrays):
    """The arrays as Dask's, in chunks of rows."""
    if isinstance(arrays, dict):
        return {name: dask.array.from_array(array, chunks=(CHUNK, *array.shape[1:])) for name, array in arrays.items()}
    return dask.array.from_array(arrays, chunks=(2, CHUNK, *arrays.shape[2:]))


def answers(pool):
    return study_of(pool), repr(hqe.inspect(pool))


def refusal(make):
    with pytest.raises(hqe.Error) as caught:
        answers(make())
    return type(caught.value), str(caught.value)


RANDOM = np.random.default_rng(1)
TRUTH = np.sort(RANDOM.integers(0, 3, ROWS))  # As where rows are sorted by class: no chunk shows all.
MIXED = RANDOM.permutation(TRUTH)
WORDS = np.array(["cat", "dog", "eel"])


def shares(truth):
    raw = RANDOM.random((4, ROWS, 3))
    raw[:, np.arange(ROWS), truth] += 1.5 * RANDOM.random((4, ROWS))
    return raw / raw.sum(axis=2, keepdims=True)


def by_name(arrays):
    return {f"net_{number}": array for number, array in enumerate(arrays)}


def outside(arrays, rows_of):
    """Some rows of each model outside [0,1]."""
    arrays = arrays.copy()
    for number, array in enumerate(arrays):
        array[rows_of(number)] = 9 * array[rows_of(number)] - 2
    return by_name(arrays)


SHARES, SORTED = shares(MIXED), shares(TRUTH)
SAID = np.where(RANDOM.random((4, ROWS)) < 0.7, TRUTH, 2)
BITS = np.where(RANDOM.random((4, ROWS)) < 0.8, TRUTH > 0, TRUTH == 0)
ONE_SHARE = np.where(np.arange(ROWS) == 55, 0.25, BITS.astype(float))

POOLS = {
    "probabilities": (by_name(SHARES), MIXED),
    "logits that the last part shows": (outside(SHARES, lambda _: slice(40, None)), MIXED),
    "logits of which some do not sum to 1": (outside(0.7 * SHARES, lambda _: slice(50, None)), MIXED),
    "logits that each part shows of other models": (outside(SHARES, lambda number: 20 * (number % 3)), MIXED),
    "probabilities and words": (by_name(SORTED), WORDS[TRUTH]),
    "probabilities and words that are named": (by_name(SORTED), WORDS[TRUTH], {"classes": list(WORDS)}),
    "probabilities and classes from 1": (by_name(SORTED), TRUTH + 1),
    "logits and classes from 1": (outside(SORTED, lambda number: 20 * (number % 3)), TRUTH + 1),
    "whole floats": (by_name(BITS.astype(float)), (TRUTH > 0).astype(int)),
    "one share among whole floats": (by_name(ONE_SHARE), (TRUTH > 0).astype(int)),
    "shares beside both columns": (
        {**by_name(ONE_SHARE), "both": np.stack([0.3 + 0 * TRUTH, 0.7 + 0 * TRUTH], axis=1)},
        (TRUTH > 0).astype(int),
    ),
    "labels that do not begin at 0": (by_name(SAID + 7), TRUTH + 7),
    "labels in one column": (by_name(SAID[:, :, None] + 7), TRUTH + 7),
    "labels -1 and 1": (by_name(np.where(BITS, 1, -1)), np.where(TRUTH > 0, 1, -1)),
    "labels as words": (by_name(WORDS[SAID]), WORDS[TRUTH]),
    "correctness": (by_name(BITS.astype(int)), None, {"kind": "correctness"}),
    "declared logits": (by_name(SHARES), MIXED, {"kind": "logits"}),
    "one array of scores": (SHARES.astype("f4"), MIXED),
    "one array of labels": (SAID + 7, TRUTH + 7),
}


@pytest.mark.parametrize("name", POOLS)
def test_what_arrays_mean_is_settled_over_all_parts(name, client, tmp_path):
    arrays, labels, *about = POOLS[name]
    about = about[0] if about else {}
    pool = hqe.Pool(arrays, labels, **about)
    parts = hqe.dask.digest(lazy(arrays), client, tmp_path / "digests", labels, **about)
    assert len(list((tmp_path / "digests").iterdir())) == ROWS // CHUNK
    assert (parts.names, parts.has_names, parts.kind, parts.kind_detected) == (pool.names, pool.has_names, pool.kind, pool.kind_detected)
    assert answers(parts) == answers(pool)


def test_true_labels_may_be_a_dask_array_too(client, tmp_path):
    labels = dask.array.from_array(WORDS[TRUTH], chunks=7)
    parts = hqe.dask.digest(lazy(SORTED), client, tmp_path / "digests", labels, first_row=0)
    assert answers(parts) == answers(hqe.Pool(SORTED, WORDS[TRUTH]))


WRONG = {
    "neither kind": (by_name(0.7 * SHARES), MIXED),
    "one model of logits": ({**by_name(SHARES), "net_1": outside(SHARES, lambda _: 5)["net_1"]}, MIXED),
    "a true label beyond the columns": (by_name(SORTED), np.where(np.arange(ROWS) == 59, 7, TRUTH)),
    "too few true labels": (by_name(SHARES), MIXED[1:]),
    "off by one": (by_name(SAID + 1), TRUTH),
    "integers in columns": (by_name((9 * SHARES).astype(int)), MIXED),
    "labels beside scores": ({"net": SHARES[0], "said": SAID[0]}, MIXED),
    "no true labels": (by_name(SHARES), None),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_one_process_refuses_is_refused_in_its_words(name, client, tmp_path):
    arrays, labels = WRONG[name]
    kind, told = refusal(lambda: hqe.dask.digest(lazy(arrays), client, tmp_path / "digests", labels))
    one_kind, one_told = refusal(lambda: hqe.Pool(arrays, labels))
    assert kind is one_kind and told.split("counted from their first: ")[-1] == one_told
    assert not list(tmp_path.glob("digests/*"))


def test_a_row_that_is_wrong_is_named_with_its_part(client, tmp_path):
    arrays = by_name(SHARES.copy())
    arrays["net_2"][33] = np.nan
    with pytest.raises(hqe.InputError, match="rows 1020 to 1039, counted from their first: model 'net_2': row 13, column 0 .*: NaN found"):
        hqe.dask.digest(lazy(arrays), client, tmp_path / "digests", MIXED, first_row=1000)
    with pytest.raises(hqe.InputError, match="one array of 4 dimensions. Give M x N x C"):
        hqe.dask.digest(dask.array.zeros((2, 3, 4, 5)), client, tmp_path / "digests")
    with pytest.raises(hqe.InputError, match="Call its compute_chunk_sizes"):
        hqe.dask.digest({"a": lazy(by_name(SHARES))["net_0"][dask.array.ones(ROWS) > 0]}, client, tmp_path / "digests")


def shards_of(arrays, labels, place, toml=()):
    """A folder for each chunk of rows."""
    for begin in range(0, ROWS, CHUNK):
        folder = place / str(begin)
        folder.mkdir(parents=True)
        np.save(folder / "labels.npy", labels[begin : begin + CHUNK])
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array[begin : begin + CHUNK])
        kind = 'kind = "probabilities"\n' if begin in toml else ""
        (folder / "pool.toml").write_text(f'name = "pool"\n{kind}')
    return [place / str(begin) for begin in range(0, ROWS, CHUNK)]


LATE, UNSURE, ELSEWHERE = [name for name in POOLS if name.startswith("logits") and "from 1" not in name]


@pytest.mark.parametrize("name", [LATE, UNSURE, ELSEWHERE])
def test_files_of_logits_are_logits_where_one_part_shows_it(name, client, tmp_path):
    arrays, labels = POOLS[name]
    shards = shards_of(arrays, labels, tmp_path / "shards")
    assert answers(hqe.dask.digest(shards, client, tmp_path / "digests")) == answers(hqe.Pool(arrays, labels))


def test_pools_that_functions_make_are_logits_where_one_part_shows_it(client, tmp_path):
    arrays, labels = POOLS[LATE]
    parts = [(CHUNK, functools.partial(hqe.Pool.open, shard)) for shard in shards_of(arrays, labels, tmp_path / "shards")]
    assert answers(hqe.dask.digest(parts, client, tmp_path / "digests")) == answers(hqe.Pool(arrays, labels))


def test_rows_of_one_pool_are_logits_where_any_of_them_shows_it(client, tmp_path):
    """The first rows, at which opening looks, are plain probabilities; then each part shows it of some models."""
    labels = np.tile(MIXED, 3)
    arrays = {name: np.concatenate([SHARES[0], SHARES[1], array]) for name, array in POOLS[ELSEWHERE][0].items()}
    folder = tmp_path / "pool"
    folder.mkdir()
    for name, array in {**arrays, "labels": labels}.items():
        np.save(folder / f"{name}.npy", array)
    pool = hqe.dask.digest(folder, client, tmp_path / "digests", rows=CHUNK)
    assert pool.kind == "logits" and answers(pool) == answers(hqe.Pool(arrays, labels))


def test_what_files_declare_stays(client, tmp_path):
    arrays, labels = POOLS[UNSURE]
    shards = shards_of(arrays, labels, tmp_path / "shards", toml=[0])
    with pytest.raises(hqe.InputError, match="the probabilities sum to 0.7, not to 1"):
        hqe.dask.digest(shards, client, tmp_path / "digests")
    arrays, labels = POOLS[LATE]
    shards = shards_of(arrays, labels, tmp_path / "others", toml=[0])
    with pytest.raises(hqe.InputError, match='holds logits, not probabilities. .* kind="logits"'):
        hqe.dask.digest(shards, client, tmp_path / "digests")


SHOWN_BY_ALL = [
    "probabilities and classes from 1", "logits and classes from 1", "probabilities and words that are named", "whole floats",
    "one share among whole floats", "labels that do not begin at 0", "labels -1 and 1", "labels as words",
]  # fmt: skip


@pytest.mark.parametrize("name", SHOWN_BY_ALL)
def test_files_sorted_by_class_mean_what_all_of_them_show(name, client, tmp_path):
    """No folder shows every class, or every kind of number."""
    arrays, labels, *about = POOLS[name]
    shards = shards_of(arrays, labels, tmp_path / "shards")
    for shard in shards if about else []:
        (shard / "pool.toml").write_text(f'name = "pool"\nclasses = {[str(word) for word in about[0]["classes"]]}\n')
    pool = hqe.dask.digest(shards, client, tmp_path / "digests")
    expected = hqe.Pool(arrays, labels, **(about[0] if about else {}))
    assert (pool.kind, pool.classes) == (expected.kind, expected.classes)
    assert answers(pool) == answers(expected)


def test_labels_that_begin_at_0_in_another_folder_do_so_in_all(client, tmp_path):
    """The true ones do, or predicted ones alone."""
    for number, (said, truth) in enumerate([(SAID, TRUTH), (np.where(SAID == 2, 0, SAID + 1), TRUTH + 1)]):
        place = tmp_path / str(number)
        pool = hqe.dask.digest(shards_of(by_name(said), truth, place / "shards"), client, place / "digests")
        assert answers(pool) == answers(hqe.Pool(by_name(said), truth))


def test_models_on_data_sorted_by_class_have_the_labels_of_all(client, tmp_path):
    place = {name: (array + 1).tolist() for name, array in by_name(SAID).items()}
    parts = [
        hqe.dask.Collecting(
            {name: functools.partial(dask_cluster.of_rows, rows) for name, rows in place.items()},
            np.arange(begin, begin + CHUNK),
            TRUTH[begin : begin + CHUNK] + 1,
        )
        for begin in range(0, ROWS, CHUNK)
    ]
    pool = hqe.dask.digest(parts, client, tmp_path / "digests")
    assert pool.classes == ["1", "2", "3"]
    assert hqe.evaluate(pool, 2).correct.tolist() == hqe.evaluate(hqe.Pool(by_name(SAID + 1), TRUTH + 1), 2).correct.tolist()


@pytest.mark.parametrize("estimator", [dask_cluster.Knowing, dask_cluster.Weighing])
@pytest.mark.parametrize("classes", [[0, 1, 2], [1, 2, 3], [10, 20, 30], list(WORDS)])
@pytest.mark.parametrize("is_column", [False, True])
def test_models_that_know_classes_settle_the_labels_of_data_sorted_by_class(estimator, classes, is_column, client, tmp_path):
    models = {name: estimator(classes, said) for name, said in by_name(SAID).items()}
    truth = np.array(classes)[TRUTH]
    truth = truth[:, None] if is_column else truth
    parts = [
        hqe.dask.Collecting(models, np.arange(begin, begin + CHUNK), truth[begin : begin + CHUNK]) for begin in range(0, ROWS, CHUNK)
    ]
    assert {part.counted() for part in parts} == {Counted(CHUNK)}
    expected = hqe.collect(models, np.arange(ROWS), truth, tmp_path / "pool", costs=False).open()
    pool = hqe.dask.digest(parts, client, tmp_path / "digests")
    assert pool.classes == expected.classes == [str(one) for one in classes]
    assert hqe.evaluate(pool, 2).correct.tolist() == hqe.evaluate(expected, 2).correct.tolist()
    beside = part_of(shards_of(by_name(SAID), TRUTH + 7, tmp_path / "beside")[0]).counted().shown
    (tmp_path / "folder").mkdir()
    assert parts[1].pool(tmp_path / "folder", beside).classes == expected.classes


def test_columns_of_labels_show_what_labels_do():
    for labels in (TRUTH + 1, (TRUTH + 1)[:, None], (TRUTH + 1).tolist(), lambda: TRUTH + 1):
        assert hqe.dask.Collecting({"a": len}, None, labels).counted() == Counted(ROWS, Shown(truth=frozenset([1, 2, 3])))
    for labels in (WORDS[TRUTH], WORDS[TRUTH].astype(object), TRUTH * 0.5, np.stack([TRUTH, TRUTH], axis=1)):
        assert hqe.dask.Collecting({"a": len}, None, labels).counted() == Counted(ROWS)


def test_chunks_without_rows_are_no_parts(client, tmp_path):
    chunks = (20, 0, 40, 0)
    arrays = {name: dask.array.from_array(array, chunks=(ROWS, 3)).rechunk((chunks, 3)) for name, array in by_name(SORTED).items()}
    assert 0 in arrays["net_0"].chunks[0]
    pool = hqe.dask.digest(arrays, client, tmp_path / "digests", TRUTH)
    assert len(list((tmp_path / "digests").iterdir())) == 2
    assert answers(pool) == answers(hqe.Pool(by_name(SORTED), TRUTH))
