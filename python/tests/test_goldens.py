# SPDX-License-Identifier: MIT
"""The goldens come out of Python."""

import pytest

import hqe

NAMES = ["cifar10-10", "imagenet-10", "mnist-7-val", "cora-10-val"]
pytestmark = pytest.mark.parametrize("golden", NAMES, indirect=True)


@pytest.fixture
def pool(shared, golden, request):
    return hqe.Pool.open(shared / "pools" / request.node.callspec.params["golden"])


def key(team):
    return ",".join(map(str, team))


def members(keys):
    return [tuple(map(int, key.split(","))) if isinstance(key, str) else tuple(key) for key in keys]


def test_every_team_is_counted_alike(pool, golden):
    assert pool.names == golden["models"]
    for vote, name in ((None, "team_correct"), ("majority", "team_correct_majority")):
        evaluation = hqe.evaluate(pool, size=range(2, len(pool) + 1), vote=vote)
        found = {key(team): count for team, count in zip(evaluation.teams, evaluation.correct.tolist())}
        assert found == golden[name]


def test_every_score_is_alike(pool, golden):
    scores = hqe.score(pool, size=f"2:{len(pool) - 1}", focal=True)
    teams = [key(team) for team in scores.teams]
    for metric, expected in golden["baseline_diversity"].items():
        assert dict(zip(teams, scores[metric])) == pytest.approx(expected, abs=1e-12)
    for metric, expected in golden["focal_diversity_scaled_over_all_teams"].items():
        assert dict(zip(teams, scores[f"F-{metric.removeprefix('F-')}"])) == pytest.approx(expected, abs=1e-12)
    for metric, by_team in golden["focal_negative_correlation"].items():
        found = dict(zip(teams, scores.focal(f"F-{metric.removeprefix('F-')}")))
        for team, expected in by_team.items():
            assert {str(f): q for f, q in found[team].items()} == pytest.approx(expected, abs=1e-12)


def test_every_hierarchical_run_selects_alike(pool, golden):
    for run in golden["hierarchical"]:
        study = hqe.prune(
            pool, size=run["desired_size"], beta=run["beta"], metrics=list(run["metrics"]),
            weights=run["weights"], scale=run["scale"], detail=False,
        )  # fmt: skip
        for metric, expected in run["metrics"].items():
            selection = study.selections[metric]
            assert sorted(selection.teams) == sorted(members(expected["tiers"][-1]["kept"]))
            assert selection.selected == expected["selected"]
            assert selection.true_positive == expected["true_positive"]
            assert selection.good == run["good"]
        if run.get("majority_f"):
            assert sorted(study.consensus.teams) == members(run["majority_f"]["selected"])
            assert study.consensus.true_positive == run["majority_f"]["true_positive"]
