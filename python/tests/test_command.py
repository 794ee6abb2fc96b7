# SPDX-License-Identifier: MIT
"""Python and the command give the same documents for the same pools and options."""

import inspect
import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

import hqe

from conftest import DEMO, ROOT

VALIDATION, TEST = DEMO / "validation", DEMO / "test"
CASES = {
    "defaults": ({}, []),
    "a size and a beta": ({"size": 3, "beta": 0.2}, ["--size", 3, "--beta", 0.2]),
    "a percentage": ({"beta": "15%"}, ["--beta", "15%"]),
    "a beta a tier": ({"size": 3, "beta": [0.2, 0.1]}, ["--size", 3, "--beta", "0.2,0.1"]),
    "auto": ({"size": "auto", "beta": "auto"}, ["--size", "auto", "--beta", "auto"]),
    "metrics": ({"metrics": ["gd", "F-GD"]}, ["--metric", "gd", "--metric", "F-GD"]),
    "a mean threshold": ({"by": "mean", "metrics": "F-BD"}, ["--by", "mean", "--metric", "F-BD"]),
    "a vote": ({"vote": "majority"}, ["--vote", "majority"]),
    "ties": ({"vote": "plurality", "ties": "label"}, ["--vote", "plurality", "--ties", "label"]),
    "vote weights": (
        {"vote_weights": np.linspace(0.1, 1, 14)},
        ["--vote-weights", ",".join(map(repr, np.linspace(0.1, 1, 14).tolist()))],
    ),
    "weights and scale": (
        {"weights": "uniform", "scale": "all", "size": 3},
        ["--weights", "uniform", "--scale", "all", "--size", 3],
    ),
    "limits": (
        {"keep": 40, "keep_last_tier": True, "max_evaluate": 1000},
        ["--keep", 40, "--keep-last-tier", "--max-evaluate", 1000],
    ),
    "samples": ({"sample": "50x2", "seed": 3}, ["--sample", "50x2", "--seed", 3]),
    "wishes": (
        {"require": [9], "exclude": ["logistic"], "budget": {"latency_ms": 0.5}},
        ["--require", 9, "--exclude", "logistic", "--budget", "latency_ms=0.5"],
    ),
}


@pytest.fixture(scope="module")
def validation():
    return hqe.Pool.open(VALIDATION)


@pytest.mark.parametrize("case", CASES)
def test_prune_answers_as_the_command_does(command, validation, case):
    options, words = CASES[case]
    study = hqe.prune(validation, detail=False, **options)
    assert study.to_json() == command("prune", VALIDATION, *words)


def test_a_test_pool_counts_alike(command, validation):
    study = hqe.prune(validation, size=3, test=hqe.Pool.open(TEST))
    document = command("prune", VALIDATION, "--size", 3, "--test", TEST)
    assert study.to_json() == document
    expected = json.loads(document)["test"]
    assert study.test.recommended.correct == expected["recommended"]["correct"]
    assert study.consensus.test_correct.tolist() == [
        row["correct"] for row in expected["consensus"]["teams"]
    ]


def test_arrays_in_memory_give_the_documents_of_files(command, validation, tmp_path):
    arrays = {name: np.load(VALIDATION / f"{name}.npy") for name in validation.names}
    pool = hqe.Pool(arrays, np.load(VALIDATION / "labels.npy"), name=tmp_path.name)
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
    np.save(tmp_path / "labels.npy", np.load(VALIDATION / "labels.npy"))
    models = ", ".join(f'"{name}"' for name in arrays)
    (tmp_path / "pool.toml").write_text(f"models = [{models}]\n")
    assert hqe.prune(pool).to_json() == command("prune", tmp_path)


def test_a_saved_study_is_the_file_that_the_command_writes(command, validation, tmp_path):
    command("prune", VALIDATION, "--size", 3, "-o", tmp_path / "command.json")
    hqe.prune(validation, size=3).save(tmp_path / "python.json")
    written = (tmp_path / "python.json").read_bytes()
    assert written == (tmp_path / "command.json").read_bytes()
    hqe.Study.load(tmp_path / "command.json").save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == written


def test_the_report_is_the_page_that_the_command_writes(command, validation, tmp_path):
    command("prune", VALIDATION, "--size", 3, "--report", tmp_path / "command.html")
    hqe.prune(validation, size=3).report(tmp_path / "python.html")
    assert (tmp_path / "python.html").read_bytes() == (tmp_path / "command.html").read_bytes()


def plain(record):
    """A record without its tuples."""
    return json.loads(json.dumps(record))


def test_the_other_verbs_answer_as_the_command_does(command, validation):
    scores = hqe.score(validation, "2:3", metrics=["F-GD", "ENT"], focal=True, weights="uniform")
    words = ["--size", "2:3", "--metric", "F-GD", "--metric", "ENT", "--focal", "--weights", "uniform"]
    assert scores.to_json() == command("score", VALIDATION, *words)
    evaluation = hqe.evaluate(validation, teams=[(0, "conv-net"), (9, 10, 12)], vote="majority")
    words = ["--team", "0,conv-net", "--team", "9,10,12", "--vote", "majority"]
    assert evaluation.to_json() == command("evaluate", VALIDATION, *words)
    assert hqe.evaluate(validation, size=2).to_json() == command("evaluate", VALIDATION, "--size", 2)
    for size in ("3:4", range(3, 5), [3, 4]):
        swept = hqe.sweep(validation, size, "5%:15%:5%", metrics="F-GD")
        words = ["--size", "3:4", "--beta", "5%:15%:5%", "--metric", "F-GD"]
        assert plain(swept) == json.loads(command("sweep", VALIDATION, *words))
    assert plain(hqe.inspect(validation)) == json.loads(command("inspect", VALIDATION))
    explained = hqe.explain(validation, [(0, 1), (9, 10, 12)], size=3)
    words = ["--team", "0,1", "--team", "9,10,12", "--size", 3]
    assert plain(explained) == json.loads(command("explain", VALIDATION, *words))


def test_tournaments_and_fronts_are_those_of_the_command(command, validation):
    methods = ["random", "exhaustive", "greedy_forward"]
    compared = hqe.compare(validation, size=2, methods=methods, repeats=2, seed=3, no_times=True)
    words = ["--size", 2, "--repeats", 2, "--seed", 3, "--no-times"]
    words += [word for method in methods for word in ("--method", method)]
    assert plain(compared) == json.loads(command("compare", VALIDATION, *words))
    assert compared.to_json() == command("compare", VALIDATION, *words)
    assert plain(hqe.front(validation)) == json.loads(command("front", VALIDATION))


def test_combined_predictions_are_those_of_the_command(command, validation, tmp_path):
    team, words = (9, 10, 12), ["--team", "9,10,12", "-o"]
    command("apply", VALIDATION, *words, tmp_path / "labels.npy")
    command("apply", VALIDATION, *words, tmp_path / "scores.npy", "--scores")
    combined = hqe.apply(validation, team)
    assert np.array_equal(combined.labels, np.load(tmp_path / "labels.npy"))
    assert np.array_equal(combined.scores, np.load(tmp_path / "scores.npy"))


def test_options_are_those_of_the_command(command):
    """Each of ours is in `hqe prune --help`, and whatever else stands there is taken too."""
    binary = pathlib.Path(os.environ.get("HQE_COMMAND", ROOT / "build/release/cli/hqe"))
    help_text = subprocess.run([binary, "prune", "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^\s+(?:-\w,\s*)?--([\w-]+)", help_text, re.MULTILINE))
    ours = {"metric" if name == "metrics" else name.replace("_", "-") for name in inspect.signature(hqe.prune).parameters}
    assert ours - {"pool", "detail", "progress", "options"} <= options
    elsewhere = {"help", "json", "csv", "quiet", "verbose", "by-name", "by-id", "top", "output", "report", "labels", "kind", "test", "threads",
                 "label-column", "id-column", "model-column", "columns"}
    pool = hqe.Pool.open(VALIDATION)
    for name in options - elsewhere - ours:
        try:
            hqe.prune(pool, size=2, detail=False, **{name.replace("-", "_"): "nonsense"})
        except hqe.UsageError as error:
            assert name.replace("-", "_") in str(error)


def test_what_prune_says_of_its_choices_and_defaults_is_what_the_engine_has():
    about = dict(re.findall(r"^    (\w+): ((?:.|\n {8})*)", hqe.prune.__doc__, re.MULTILINE))
    pool = hqe.Pool.open(VALIDATION)
    for name in ("metrics", "vote", "by", "choose", "prefer", "ties", "weights", "scale"):
        with pytest.raises(hqe.UsageError) as raised:
            hqe.prune(pool, **{name: "nonsense"})
        listed = re.split(r",? ", re.search(r"one of ([^.]*)\.?$", str(raised.value))[1])
        quoted = about[name].split(";")[0] if name == "metrics" else about[name]
        said = re.findall(r"\b(?:F-)?[A-Z]{2,}\b" if name == "metrics" else r'"(\w+)"', quoted)
        assert said == listed, name
    with pytest.raises(hqe.UsageError) as raised:
        hqe.score(pool, 2, metrics="nonsense")
    pruning = about["metrics"].split(": ")[1].split(";")[0]
    more = re.search(rf"one of {pruning} ([A-Z ]+)\.$", str(raised.value))[1]
    for name in more.split():  # For scores alone: docs/metrics.md, to which the words of `score` lead.
        assert f"\n| {name}, " in (ROOT / "docs/metrics.md").read_text(), name
    assert f"None: {hqe._core.default_size(1000)}, at most half" in about["size"]
