# SPDX-License-Identifier: MIT
"""Every key of every file in ../shared/goldens comes out of the command."""

import functools
import json

import pytest

from running import SHARED, hqe, shared_pool

CLOSE = 1e-9


@functools.lru_cache
def golden(name):
    shared_pool(name)
    return json.loads((SHARED / "goldens" / f"{name}.json").read_text())


def key(team):
    return ",".join(map(str, team))


def close(got, expected, what):
    assert abs(got - expected) <= CLOSE, (what, got, expected)


@functools.lru_cache
def scores(name):
    """metric -> team -> row, sizes 2..M-1."""
    size = len(golden(name)["models"])
    document = hqe("score", shared_pool(name), "--size", f"2:{size - 1}", "--focal", "--json", check=0).json
    return {metric: {key(row["team"]): row for row in rows} for metric, rows in document["scores"].items()}


def check_correct(name):
    document = hqe("inspect", shared_pool(name), "--json", check=0).json
    expected = golden(name)
    assert [model["correct"] for model in document["models"]] == expected["correct"]
    assert document["pool"]["samples"] == expected["samples"]
    assert [model["name"] for model in document["models"]] == expected["models"]
    prune = hqe("prune", shared_pool(name), "--json", check=0).json
    assert prune["reference"]["correct"] == expected["reference_correct"] and prune["vote"] == expected["vote"]


def check_team_correct(name):
    size = len(golden(name)["correct"])
    for golden_key, words in (("team_correct", []), ("team_correct_majority", ["--vote", "majority"])):
        expected = golden(name)[golden_key]
        rows = hqe("evaluate", shared_pool(name), "--size", f"2:{size}", *words, "--json", check=0).json["teams"]
        assert {key(row["team"]): row["correct"] for row in rows} == expected, golden_key


def check_baseline(name):
    for metric, teams in golden(name)["baseline_diversity"].items():
        got = scores(name)[metric]
        assert set(got) == set(teams), metric
        for team, value in teams.items():
            close(got[team]["score"], value, (metric, team))


def check_focal_raw(name):
    for metric, teams in golden(name)["focal_negative_correlation"].items():
        for team, by_focal in teams.items():
            got = scores(name)[f"F-{metric}"][team]["focal"]
            assert set(got) == set(by_focal), (metric, team)
            for focal, value in by_focal.items():
                close(got[focal], value, (metric, team, focal))


def check_focal_scaled(name):
    for metric, teams in golden(name)["focal_diversity_scaled_over_all_teams"].items():
        got = scores(name)[f"F-{metric}"]
        assert set(got) == set(teams), metric
        for team, value in teams.items():
            close(got[team]["score"], value, (metric, team))


def check_mean_threshold(name):
    metrics = dict(golden(name)["mean_threshold"])
    good = metrics.pop("good")
    words = [word for metric in metrics for word in ("--metric", metric)]
    document = hqe("prune", shared_pool(name), "--by", "mean", *words, "--json", check=0).json
    assert [selection["metric"] for selection in document["selections"]] == list(metrics)
    for selection in document["selections"]:
        expected = metrics[selection["metric"]]
        close(selection["threshold"], expected["threshold"], selection["metric"])
        assert selection["selected"] == len(selection["teams"]) == expected["selected"]
        assert (selection["true_positive"], selection["good"]) == (expected["true_positive"], good)


def check_tiers(metric, selection, scored, expected):
    """Every tier: its counts, the fate and the score of each candidate."""
    fates = {key(team): letter for team, letter in zip(scored["teams"], scored["fate"], strict=True)}
    values = {key(team): score for team, score in zip(scored["teams"], scored["score"], strict=True)}
    for tier, golden_tier in zip(selection["tiers"], expected["tiers"], strict=True):
        for count in ("size", "candidates", "pruned"):
            assert tier[count] == golden_tier[count], (metric, count)
        of_tier = {team for team in fates if team.count(",") + 1 == tier["size"]}
        assert {team for team in of_tier if fates[team] == "k"} == set(golden_tier["kept"]), (metric, tier["size"])
        assert set(golden_tier["score"]) == of_tier
        for team, value in golden_tier["score"].items():
            close(values[team], value, (metric, team))


def check_hierarchical(name, run, home):
    words = ["--size", run["desired_size"], "--beta", run["beta"], "--weights", run["weights"], "--scale", run["scale"]]
    for metric in run["metrics"]:
        words += ["--metric", metric]
    printed = hqe("prune", shared_pool(name), *words, "--json", "-o", home / "study.json").json
    saved = json.loads((home / "study.json").read_text())
    selections = {selection["metric"]: selection for selection in printed["selections"]}
    scored = {entry["metric"]: entry for entry in saved["scored"] if "fate" in entry}
    assert set(selections) == set(run["metrics"])
    for metric, expected in run["metrics"].items():
        selection = selections[metric]
        check_tiers(metric, selection, scored[metric], expected)
        assert {key(team["team"]) for team in selection["teams"]} == set(expected["tiers"][-1]["kept"])
        assert selection["selected"] == len(selection["teams"]) == expected["selected"]
        assert (selection["true_positive"], selection["good"]) == (expected["true_positive"], run["good"])
    majority = run["majority_f"]
    assert sorted(team["team"] for team in printed["consensus"]["teams"]) == [
        [int(member) for member in team.split(",")] for team in majority["selected"]]
    assert printed["consensus"]["true_positive"] == majority["true_positive"]


CHECKS = {"correct counts of models": check_correct, "correct counts of teams": check_team_correct,
          "baseline diversity": check_baseline, "unscaled focal scores": check_focal_raw,
          "focal diversity": check_focal_scaled, "mean threshold": check_mean_threshold}
NAMES = ("cifar10-10", "cora-10-val", "imagenet-10", "mnist-7-val")


@pytest.mark.parametrize("what", CHECKS)
@pytest.mark.parametrize("name", NAMES)
def test_the_golden_agrees(name, what):
    CHECKS[what](name)


@pytest.mark.parametrize("name", NAMES)
def test_the_golden_agrees_on_hierarchical_pruning(name, home):
    for run in golden(name)["hierarchical"]:
        check_hierarchical(name, run, home)


def test_no_key_of_a_golden_goes_unchecked():
    if not (SHARED / "goldens").is_dir():
        pytest.skip("../shared is absent")
    known = {"pool", "models", "samples", "vote", "correct", "reference_correct", "team_correct", "team_correct_majority",
             "baseline_diversity", "focal_negative_correlation", "focal_diversity_scaled_over_all_teams", "mean_threshold",
             "hierarchical"}
    files = sorted((SHARED / "goldens").glob("*.json"))
    assert files
    for path in files:
        assert set(json.loads(path.read_text())) <= known, path.name
