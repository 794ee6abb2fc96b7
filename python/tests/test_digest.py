# SPDX-License-Identifier: MIT
"""A digest is a pool, in Python too."""

import json

import pytest

import hqe

from conftest import DEMO


def without_serving(study):
    document = json.loads(study.to_json())
    document["recommended"].pop("serving", None)
    return document


@pytest.fixture(scope="module")
def whole(tmp_path_factory, pool):
    path = tmp_path_factory.mktemp("digest") / "whole.digest"
    told = hqe.digest(pool, path)
    assert told.bytes == path.stat().st_size and told.samples == 400 and told.first_row == 0
    return hqe.Pool.open(path)


def test_every_verb_answers_a_digest_as_it_answers_the_predictions(pool, whole):
    assert without_serving(hqe.prune(whole, size=3)) == without_serving(hqe.prune(pool, size=3))
    asked = dict(size=3, repeats=2, no_times=True)
    assert hqe.compare(whole, **asked) == hqe.compare(pool, **asked)
    assert hqe.sweep(whole, "2:3", "0.1:0.3:0.1") == hqe.sweep(pool, "2:3", "0.1:0.3:0.1")
    assert hqe.score(whole, 2).to_json() == hqe.score(pool, 2).to_json()
    assert hqe.evaluate(whole, 2).to_json() == hqe.evaluate(pool, 2).to_json()
    assert hqe.explain(whole, [(0, 1)]) == hqe.explain(pool, [(0, 1)])
    assert hqe.front(whole) == hqe.front(pool)
    assert hqe.inspect(whole) == hqe.inspect(pool)


def test_a_digest_tells_a_teams_labels_and_who_agrees(pool, whole):
    told, expected = hqe.apply(whole, (0, 1, 4), scores=False), hqe.apply(pool, (0, 1, 4))
    assert told.labels.tobytes() == expected.labels.tobytes() and told.agreeing.tobytes() == expected.agreeing.tobytes()
    assert told.correct == expected.correct
    assert told.scores is None and told.probabilities is None and told.margins is None
    assert hqe.apply(whole, (0, 1, 4), "plurality", scores=False).margins is not None


def test_a_team_of_a_digest_says_what_it_lacks(pool, whole):
    assert not hqe.Team.of(pool, (0, 1)).warnings
    assert "a digest does not keep" in hqe.Team.of(whole, (0, 1)).warnings[0]


def test_others_read_a_digest(tmp_path, pool):
    numpy = pytest.importorskip("safetensors.numpy")
    hqe.digest(pool, tmp_path / "a.digest")
    tensors = numpy.load_file(tmp_path / "a.digest")
    about = json.loads(tensors["about"].tobytes())
    assert (about["format"], about["sample_count"], about["pool_rows"]) == ("hqe.digest", 400, 400)
    assert [model["name"] for model in about["models"]] == list(pool.names)
    assert tensors["truth"].shape == (400,)


def test_digests_in_a_folder_are_one_pool_and_pickle(tmp_path, pool):
    import pickle

    hqe.digest(pool, tmp_path / "b.digest", rows=(0, 150))
    hqe.digest(pool, tmp_path / "a.digest", rows=range(150, 400))
    assert hqe.inspect(hqe.Pool.open(tmp_path)) == hqe.inspect(pool)
    assert hqe.inspect(pickle.loads(pickle.dumps(hqe.Pool.open(tmp_path)))) == hqe.inspect(pool)
    part = pickle.loads(pickle.dumps(hqe.Pool.open(tmp_path / "a.digest")))
    assert part.sample_count == 250


def test_shards_say_where_their_rows_belong(tmp_path, scores):
    predictions, labels = scores
    for begin in (0, 100, 200, 300):
        shard = hqe.Pool(predictions[:, begin : begin + 100], labels[begin : begin + 100])
        told = hqe.digest(shard, tmp_path / f"{9 - begin // 100}.digest", first_row=begin)
        assert told.first_row == begin
    assert hqe.inspect(hqe.Pool.open(tmp_path)) == hqe.inspect(hqe.Pool(predictions, labels))


def test_costs_can_be_given(tmp_path, pool):
    costs = {name: {"params": 10.0 + place} for place, name in enumerate(pool.names)}
    hqe.digest(pool, tmp_path / "a.digest", costs=costs)
    models = hqe.inspect(hqe.Pool.open(tmp_path)).pool.models
    assert [model.costs.params for model in models] == [10.0 + place for place in range(8)]


def test_a_path_is_a_pool_to_digest(tmp_path):
    told = hqe.digest(DEMO / "validation", tmp_path / "a.digest")
    assert told.bytes < told.prediction_bytes / 2


def test_what_cannot_be_digested_is_refused(tmp_path, pool, whole):
    refused = {
        "must end in .digest": lambda: hqe.digest(pool, tmp_path / "a.npy"),
        "is a digest already": lambda: hqe.digest(whole, tmp_path / "a.digest"),
        "the pool has 400": lambda: hqe.digest(pool, tmp_path / "a.digest", rows=(390, 401)),
        "expected (first, end)": lambda: hqe.digest(pool, tmp_path / "a.digest", rows=(1, 2, 3)),
        "at most 2^31": lambda: hqe.digest(pool, tmp_path / "a.digest", first_row=2**31),
        "the scores of every class": lambda: hqe.apply(whole, (0, 1)),
    }
    for saying, call in refused.items():
        with pytest.raises(hqe.UsageError) as caught:
            call()
        assert saying in str(caught.value)
    with pytest.raises(hqe.InputError, match="there are no true labels"):
        hqe.digest(hqe.Pool([[0, 1], [1, 1], [0, 0]]), tmp_path / "a.digest")
    assert list(tmp_path.iterdir()) == []
