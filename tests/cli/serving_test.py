# SPDX-License-Identifier: MIT
"""How to serve the recommended team: temperature and early exit, in documents and in words."""

from files import label_pool, small_pool
from running import hqe, refuses


def test_prune_says_at_which_temperature_to_serve_a_soft_vote(home):
    """The same for any number of threads."""
    place = small_pool(home / "scores")
    words = ("prune", place, "--size", "3", "--test", place)
    done = hqe(*words, "--json", check=0)
    serving = done.json["recommended"]["serving"]
    assert 1 / 20 <= serving["temperature"] <= 20
    for figures in (serving, serving["test"]):
        assert figures["log_loss"]["after"] <= figures["log_loss"]["before"]
        for side in ("before", "after"):
            bins = [one[side] for one in figures["reliability"]]
            assert len(bins) == 15 and sum(one["count"] for one in bins) == figures["samples"]
            assert sum(one["correct"] for one in bins) == done.json["recommended"]["correct"]
    assert serving["test"]["log_loss"] == serving["log_loss"]  # The same samples.
    assert hqe(*words, "--json", "--threads", "1", check=0).out == done.out
    assert "  log-loss" in hqe(*words, check=0).out


def test_votes_without_shares_say_nothing_of_a_temperature(home):
    scores = small_pool(home / "scores")
    for words in ((scores, "--vote", "plurality"), (label_pool(home / "labels"),)):
        serving = hqe("prune", *words, "--size", "3", "--json", check=0).json["recommended"]["serving"]
        assert list(serving) == ["temperature", "early_exit"] and serving["temperature"] is None
        assert "calibration" not in hqe("prune", *words, "--size", "3", check=0).out


def test_order_says_what_prune_says_of_the_same_team(home):
    for place in (small_pool(home / "scores"), label_pool(home / "labels")):
        document = hqe("prune", place, "--size", "3", "--choose", "consensus", "--beta", "0", "--json", check=0).json
        exit = document["recommended"]["serving"]["early_exit"]
        assert sorted(exit["order"]) == document["recommended"]["team"]
        assert exit["names"] == [document["pool"]["models"][one]["name"] for one in exit["order"]]
        team = ",".join(map(str, document["recommended"]["team"]))
        order = hqe("order", place, "--team", team, "--json", check=0).json
        assert order["command"] == "order" and order["early_exit"] == exit
        assert exit["decided_after"] == sorted(exit["decided_after"]) and exit["decided_after"][-1] == 1
        assert 1 <= exit["expected_models"] <= len(exit["order"])
        assert hqe("order", place, "--team", team, "--json", "--threads", "1", check=0).json == order
        rows = hqe("order", place, "--team", team, "--csv", check=0).out.splitlines()
        assert rows[0] == "place,id,name,decided" and len(rows) == 1 + len(exit["order"])


def test_order_is_judged_on_a_test_pool(home):
    place = small_pool(home / "pool")
    words = ("order", place, "--team", "0,1,2", "--test", place)
    exit = hqe(*words, "--json", check=0).json["early_exit"]
    assert exit["held_out"]["by"] == "test" and exit["held_out"]["expected_models"] == exit["expected_models"]
    assert "on the test pool" in hqe(*words, check=0).out
    refuses(2, "order", place, saying="--team")
    refuses(2, "order", place, "--team", "0,99", saying="99")
    refuses(3, "order", place, "--team", "0,1,2", "--test", label_pool(home / "labels"), saying="test pool")


def test_order_takes_one_weight_a_member(home):
    words = ("order", label_pool(home / "labels"), "--team", "2,0,1", "--vote", "weighted", "--json")
    exit = hqe(*words, "--vote-weights", "5,1,1", check=0).json["early_exit"]
    assert exit["order"] == [2, 0, 1] and exit["decided_after"][0] == 1  # It alone outweighs the others.
    refuses(2, *words, "--vote-weights", "5,1", saying="weights")
