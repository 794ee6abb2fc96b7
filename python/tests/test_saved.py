# SPDX-License-Identifier: MIT
"""A saved study, comparison or cascade is a stranger's file: it is read or refused, and Python lives."""

import copy
import json
import pickle
import random

import pytest

import hqe

DEEP = "[" * 100_000 + "]" * 100_000

STUDY = {
    "a count above its samples": (["consensus", "teams", 3, "correct"], 25_000_000),
    "no samples": (["pool", "samples"], 0),
    "less than no samples": (["pool", "samples"], -1),
    "all bits of samples": (["pool", "samples"], 2**64 - 1),
    "more bits of samples": (["pool", "samples"], 2**64),
    "minutes of samples": (["pool", "samples"], 10**10),
    "a memory of samples": (["pool", "samples"], 10**11),
    "half a sample": (["pool", "samples"], 400.5),
    "samples in words": (["pool", "samples"], "400"),
    "a model that is not there": (["recommended", "team"], [0, 8]),
    "a model that would wrap": (["recommended", "team"], [0, 65_536]),
    "a member twice": (["recommended", "team"], [1, 1]),
    "nobody": (["reference", "team"], []),
    "no models": (["pool", "models"], []),
    "a class that is not there": (["deciding_samples", "samples", 0, "truth"], 4),
    "too few letters": (["scored", 0, "fate"], "k"),
    "other letters": (["scored", 0, "fate"], "x"),
    "a share above 1": (["selections", 0, "precision"], 1.5),
    "a score beyond reason": (["selections", 0, "teams", 0, "score"], 1e300),
    "no table": (["co_failures"], []),
    "a negative cost": (["pool", "models", 0, "costs"], {"params": -1}),
    "a seed that is no number": (["options", "seed"], "many"),
    "an unknown vote": (["vote"], "loud"),
}

COMPARISON = {
    "less than no samples": (["pool", "samples"], -1),
    "nothing to judge on": (["test_samples"], 0),
    "other splits": (["split_count"], 10**9),
    "an unknown method": (["methods", 0, "method"], "</script>"),
    "a rank beyond reason": (["methods", 0, "mean_rank"], 1e300),
    "a model that is not there": (["methods", 0, "team"], [0, 8]),
    "no splits": (["methods", 0, "splits"], []),
    "methods in words": (["methods"], "many"),
}


def changed(text, path, value):
    document = json.loads(text)
    entry = document
    for step in path[:-1]:
        entry = entry[step]
    entry[path[-1]] = copy.deepcopy(value)
    return json.dumps(document).replace('"DEEP"', DEEP)


@pytest.fixture(scope="module")
def study_text(pool):
    return hqe.prune(pool, size=3, detail=True).to_json(detail=True)


@pytest.fixture(scope="module")
def comparison(pool):
    return hqe.compare(pool, size=3, repeats=2, methods=["greedy_forward", "exhaustive", "random"])


@pytest.mark.parametrize("name", [*STUDY, "depth"])
def test_a_hostile_study_is_refused(study_text, name, tmp_path):
    path, value = STUDY.get(name, (["surprise"], "DEEP"))
    (tmp_path / "study.json").write_text(changed(study_text, path, value))
    with pytest.raises(hqe.InputError, match="study.json"):
        hqe.Study.load(tmp_path / "study.json")


@pytest.mark.parametrize("name", [*COMPARISON, "depth"])
def test_a_hostile_comparison_is_refused(comparison, name):
    path, value = COMPARISON.get(name, (["surprise"], "DEEP"))
    with pytest.raises(hqe.InputError, match="the comparison: "):
        hqe.Comparison(changed(comparison.to_json(), path, value))


def test_a_comparison_reads_its_own_text(comparison):
    assert hqe.Comparison(comparison.to_json()).to_json() == comparison.to_json()
    assert pickle.loads(pickle.dumps(comparison)).plot() == comparison.plot()


@pytest.fixture(scope="module")
def cascades(pool):
    return hqe.front(pool, cascade=True, team=[0, 1, 2, 3])


def test_saved_comparisons_and_cascades_are_loaded_and_shown(comparison, cascades, tmp_path):
    for document in (comparison, cascades):
        document.save(tmp_path / "one.json")
        again = type(document).load(tmp_path / "one.json")
        assert again == document and again.to_json() == document.to_json() == (tmp_path / "one.json").read_text()
        assert again.plot() == document.plot() and again.to_pandas().equals(document.to_pandas())
        again.report(tmp_path / "page.html")
        assert document.to_json() in (tmp_path / "page.html").read_text()
        with pytest.raises(hqe.UsageError, match="one.json"):
            again.report(tmp_path / "one.json")
    with pytest.raises(hqe.InputError, match="one.json: not a saved comparison"):
        hqe.Comparison.load(tmp_path / "one.json")
    with pytest.raises(hqe.InputError, match="absent.json"):
        hqe.Cascades.load(tmp_path / "absent.json")


@pytest.mark.parametrize("path, value", [
    (["rows", 0, "rule"], "agreement"), (["rows", 1, "selection", "samples"], 2**31), (["order", 0], 7),
    (["rows"], []), (["team"], [[0]]), (["schema"], 2), (["surprise"], "DEEP"),
])
def test_a_hostile_cascade_is_refused(cascades, path, value):
    with pytest.raises(hqe.InputError, match="the cascade: "):
        hqe.Cascades(changed(cascades.to_json(), path, value))


def test_cascades_read_their_own_text(cascades):
    assert hqe.Cascades(cascades.to_json()).to_json() == cascades.to_json()
    assert pickle.loads(pickle.dumps(cascades)).plot() == cascades.plot()


def test_whatever_is_changed_a_study_is_read_or_refused(study_text, tmp_path):
    document = json.loads(study_text)
    hostile = [-1, 0, 1.5, 2**31, 2**64 - 1, 1e300, True, None, "x", [], {}]
    rng = random.Random(5)
    for _ in range(300):
        path, entry = [], document
        while isinstance(entry, (dict, list)) and entry:
            step = rng.choice(list(entry) if isinstance(entry, dict) else range(len(entry)))
            path.append(step)
            entry = entry[step]
            if rng.random() < 0.1:
                break
        (tmp_path / "study.json").write_text(changed(study_text, path, rng.choice(hostile)))
        try:
            study = hqe.Study.load(tmp_path / "study.json")
        except hqe.InputError:
            continue
        assert str(study) and repr(study)
        study.report(tmp_path / "report.html")
