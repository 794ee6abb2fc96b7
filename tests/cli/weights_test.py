# SPDX-License-Identifier: MIT
"""Weights of votes, as a user gives them: for labels and for scores, a number a model or a member."""

import math
import struct

import pytest

from files import label_pool, npy_bytes, small_pool, write_pool
from running import hqe, refuses

WAYS = [["evaluate"], ["front"], ["explain", "--team", "0,1"], ["prune", "--size", "2"],
        ["prune", "--size", "2", "--choose", "consensus"], ["prune", "--size", "2", "--merit", "balanced"],
        ["prune", "--size", "2", "--holdout", "0.5"], ["prune", "--size", "2", "--folds", "3"],
        ["prune", "--size", "2", "--stability", "10"], ["prune", "--size", "2", "--test", "POOL"],
        ["sweep", "--size", "2:3", "--beta", "0.1"], ["compare", "--size", "2", "--repeats", "2", "--no-times"],
        ["compare", "--size", "2", "--test", "POOL", "--no-times"]]


def counted(pool, team, *words):
    found = hqe("evaluate", pool, "--team", team, *words, "--json", check=0).json
    return found["teams"][0]["correct"]


def without_vote(found):
    """A document without the words that say which vote it was, nor how early it is decided: sums of weights that round
    need a lead above rounding, where whole votes may tie."""
    for key in ("options", "vote"):
        found.pop(key, None)
    for key in ("vote", "weights", "serving"):
        (found.get("recommended") or {}).pop(key, None)
    for method in found.get("methods", []):
        for choice in (method, *method.get("splits", [])):
            choice.pop("weights", None)
    return found


def test_equal_weights_on_labels_give_pluralitys_answers_in_every_command(home):
    pool = label_pool(home / "pool", abstain=0.1)
    for way in WAYS:
        words = [way[0], pool, *(pool if word == "POOL" else word for word in way[1:]), "--json"]
        # Votes of compare's weighted choices are products: they stay exact with powers of two alone.
        weights = ",".join(["0.5" if way[0] == "compare" else "0.3"] * 5)
        weighted = hqe(*words, "--vote", "weighted", "--vote-weights", weights, check=0).json
        assert without_vote(weighted) == without_vote(hqe(*words, check=0).json), way


def test_weights_by_accuracy_and_log_odds_work_in_every_command_on_labels(home):
    pool = label_pool(home / "pool", abstain=0.1)
    for weights in ("accuracy", "log-odds"):
        for way in WAYS:
            words = [way[0], pool, *(pool if word == "POOL" else word for word in way[1:])]
            document = hqe(*words, "--vote-weights", weights, "--json", check=0).json
            asked = (document.get("options") or {}).get("vote_weights")
            assert asked in (None, "log-odds" if weights == "log-odds" else []), way
            if way[0] == "prune":
                assert document["vote"] == document["recommended"]["vote"] == "weighted"
                assert all(weight >= 0 for weight in document["recommended"]["weights"])


@pytest.mark.parametrize("make", [small_pool, label_pool], ids=["scores", "labels"])
def test_the_log_odds_of_accuracies_are_weights_like_any_other(home, make):
    pool = make(home / "pool", models=6)
    right = [model["correct"] for model in hqe("inspect", pool, "--json", check=0).json["pool"]["models"]]
    # Who never fails counts as failing on half a sample.
    weights = [max(0.0, math.log(min(count, 119.5) / max(120 - count, 0.5))) for count in right]
    listed = hqe("evaluate", pool, "--vote-weights", ",".join(map(repr, weights)), "--json", check=0).json["teams"]
    assert hqe("evaluate", pool, "--vote-weights", "log-odds", "--json", check=0).json["teams"] == listed


@pytest.mark.parametrize("make", [small_pool, label_pool], ids=["scores", "labels"])
def test_one_weight_a_member_follows_the_teams_order_as_given(home, make):
    pool = make(home / "pool", models=7)
    for team, listed in (("5,2", "0,0,3,0,0,1,0"), ("2,5", "0,0,1,0,0,3,0")):
        by_member = counted(pool, team, "--vote-weights", "1,3")
        assert by_member == counted(pool, team, "--vote-weights", listed)
        document = hqe("apply", pool, "--team", team, "--vote-weights", "1,3", "-o", home / "a.npy", "--json", check=0).json
        assert document["correct"] == by_member
    by_name = counted(pool, "model_5,model_2", "--vote-weights", "1,3")
    assert by_name == counted(pool, "5,2", "--vote-weights", "1,3") != counted(pool, "2,5", "--vote-weights", "1,3")
    everybody = counted(pool, "6,5,4,3,2,1,0", "--vote-weights", "1,2,3,4,5,6,7")
    assert everybody == counted(pool, "0,1,2,3,4,5,6", "--vote-weights", "7,6,5,4,3,2,1")


def test_weighted_labels_are_counted_as_a_plain_loop_counts_them(home):
    pool = label_pool(home / "pool", abstain=0.2)
    labels = struct.unpack("<120q", (pool / "labels.npy").read_bytes()[128:])
    said = [struct.unpack("<120q", (pool / f"model_{m}.npy").read_bytes()[128:]) for m in range(5)]
    correct = [sum(a == b for a, b in zip(row, labels)) for row in said]
    weights = [2, 0, 3, 1, 1]
    for row in hqe("evaluate", pool, "--vote-weights", "2,0,3,1,1", "--json", check=0).json["teams"]:
        right = 0
        for sample, label in enumerate(labels):
            scores = {}
            for member in row["team"]:
                answer = said[member][sample]
                if answer >= 0 and weights[member]:
                    votes, strength = scores.get(answer, (0, 0))
                    scores[answer] = votes + weights[member], strength + weights[member] * correct[member]
            best = min(scores, key=lambda answer: (-scores[answer][0], -scores[answer][1], answer), default=-1)
            right += best == label
        assert row["correct"] == right, row


@pytest.mark.parametrize("make", [small_pool, label_pool], ids=["scores", "labels"])
@pytest.mark.parametrize("more", [[], ["--vote", "weighted"]], ids=["plain", "weighted"])
def test_what_compare_returns_with_weights_counts_the_same_in_evaluate_and_apply(home, make, more):
    pool = make(home / "pool", models=8)
    found = hqe("compare", pool, "--size", "4", "--repeats", "2", *more, "--no-times", "--json", check=0).json
    weighted = [method for method in found["methods"] if method["weights"]]
    assert weighted
    for method in weighted:
        team, weights = (",".join(map(str, method[key])) for key in ("team", "weights"))
        words = ["--vote", "weighted", "--vote-weights", weights]
        assert counted(pool, team, *words) == method["selection_correct"], method
        document = hqe("apply", pool, "--team", team, *words, "-o", home / "a.npy", "--json", check=0).json
        assert document["correct"] == method["selection_correct"]


def test_a_team_without_weight_is_never_right_on_labels(home):
    pool = write_pool(home / "pool", {f"m{i}.npy": npy_bytes([0, 1, 1, 0], "<i8") for i in range(3)}, [0, 1, 1, 0])
    counts = {tuple(row["team"]): row["correct"]
              for row in hqe("evaluate", pool, "--vote-weights", "0,0,1", "--json", check=0).json["teams"]}
    assert counts == {(0,): 0, (1,): 0, (2,): 4, (0, 1): 0, (0, 2): 4, (1, 2): 4, (0, 1, 2): 4}


def test_unusable_weights_are_refused_saying_what_is_expected(home):
    for pool in (small_pool(home / "scores"), label_pool(home / "labels")):
        refuses(2, "evaluate", pool, "--vote-weights", "1,2", saying=["2 vote weights for 5 models", "one number a model"])
        for words in (["evaluate", pool], ["apply", pool, "-o", home / "a.npy"]):
            refuses(2, *words, "--team", "1,3", "--vote-weights", "1,2,3",
                    saying=["3 vote weights for a team of 2 in a pool of 5 models", "one number a member", "one a model"])
            refuses(2, *words, "--team", "1,3", "--vote-weights", "1,-2", saying=["weight of model_3 is", "0 or between"])
            refuses(2, *words, "--team", "1,3", "--vote-weights", "0,0", saying="every vote weight is 0")
            refuses(2, *words, "--team", "1,3", "--vote-weights", "1,nan", saying=["--vote-weights", "nan", "number"])
        refuses(2, "evaluate", pool, "--team", "1,3", "--team", "0,2", "--vote-weights", "1,2", saying="one number a model")
        refuses(2, "evaluate", pool, "--team", "1,3", "--size", "2", "--vote-weights", "1,2", saying="one number a model")
        refuses(2, "explain", pool, "--team", "1,3", "--vote-weights", "1,2", saying="one number a model")
        refuses(2, "prune", pool, "--vote-weights", "odds", saying=["--vote-weights", "odds"])
    refuses(2, "prune", home / "labels", "--vote", "weighted", "--merit", "logloss", saying="logloss")
    refuses(2, "apply", home / "labels", "--team", "0,1", "--vote", "weighted", "--scores", "-o", home / "s.npy", saying="--scores")
    assert not (home / "s.npy").exists() and not (home / "a.npy").exists()


def test_a_saved_study_with_log_odds_is_read_back(home):
    pool = label_pool(home / "pool")
    hqe("prune", pool, "--size", "2", "--vote-weights", "log-odds", "-o", home / "study.json", "--quiet", check=0)
    hqe("report", home / "study.json", "-o", home / "report.html", check=0)
    text = (home / "study.json").read_text()
    assert '"vote_weights":"log-odds"' in text
    (home / "study.json").write_text(text.replace('"vote_weights":"log-odds"', '"vote_weights":"odds"'))
    refuses(3, "report", home / "study.json", "-o", home / "other.html", saying="vote_weights")
