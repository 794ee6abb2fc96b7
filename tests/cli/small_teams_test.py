# SPDX-License-Identifier: MIT
"""Scores at the ends: the team of all models, pools of two, models that all say the same."""

from files import label_pool, npy_bytes, small_pool, write_pool
from running import hqe, metrics, refuses

METRICS = metrics()
BASELINES = [metric for metric in METRICS if not metric.startswith("F-")]
ASKED = [word for metric in METRICS for word in ("--metric", metric)]


def test_score_knows_the_team_of_all_models(home):
    for place in (small_pool(home / "scores"), label_pool(home / "labels", abstain=0.1)):
        every = hqe("score", place, "--size", "2:5", *ASKED, "--focal", "--json", check=0).json["scores"]
        whole = hqe("score", place, "--size", "5", *ASKED, "--focal", "--json", check=0).json["scores"]
        for metric in METRICS:
            assert every[metric][-1] == whole[metric][0] and len(whole[metric]) == 1
            assert whole[metric][0]["team"] == [0, 1, 2, 3, 4]
            # Alone among the teams of its size: every focal score is scaled to a half.
            if metric.startswith("F-"):
                assert whole[metric][0]["score"] == 0.5 and whole[metric][0]["focal"]
        refuses(2, "score", place, "--size", "6", saying="5 models allow sizes 2 to 5")


def test_score_of_a_pair_is_the_same_in_a_pool_of_two_as_among_others(home):
    place = label_pool(home / "pool")
    among = hqe("score", place, "--size", "2", *ASKED, "--focal", "--json", check=0).json["scores"]
    for name in ("model_2", "model_3", "model_4"):
        (place / f"{name}.npy").unlink()
    alone = hqe("score", place, "--size", "2", *ASKED, "--focal", "--json", check=0).json["scores"]
    for metric in METRICS:
        assert alone[metric][0].get("focal") == among[metric][0].get("focal")
        if metric in BASELINES:
            assert alone[metric] == among[metric][:1]
    text = hqe("score", place, "--size", "2", check=0).out
    assert "model_0, model_1" in text
    (place / "model_1.npy").unlink()
    refuses(3, "score", place, "--size", "2", saying="at least two")


def test_models_that_always_say_the_same_one_thing_have_no_diversity_by_either_kappa(home):
    for said in (1, -1):
        place = write_pool(home / f"says {said}", {f"model_{i}.npy": npy_bytes([said] * 40, "<i8") for i in range(3)},
                           [sample % 2 for sample in range(40)])
        found = hqe("score", place, "--size", "2:3", "--metric", "CK", "--metric", "FK", "--json", check=0).json["scores"]
        assert [team["score"] for metric in ("CK", "FK") for team in found[metric]] == [0.0] * 8
