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


def test_front_weighs_cascades_of_a_team(home):
    """The same for any number of threads; only the exact exit changes no answer."""
    place = small_pool(home / "scores")
    words = ("front", place, "--cascade", "--team", "0,1,2", "--test", place)
    done = hqe(*words, "--json", check=0)
    found = done.json
    assert found["command"] == "cascade" and found["team"] == [0, 1, 2] and not found["is_recommended"]
    exit = hqe("order", place, "--team", "0,1,2", "--json", check=0).json["early_exit"]
    assert found["order"] == exit["order"] and found["names"] == exit["names"]
    exact, *others = found["rows"]
    assert exact["is_exact"] and exact["selection"]["expected_models"] == exit["expected_models"]
    assert exact["selection"]["correct"] == found["correct"] and exact["selection"]["changed"] == 0
    assert not any(row["is_exact"] for row in others)
    costs = [row["selection"]["expected_cost"] for row in others]
    correct = [row["selection"]["correct"] for row in others]
    assert costs == sorted(costs, reverse=True) and correct == sorted(correct, reverse=True)
    for row in found["rows"]:
        assert row["held_out"] == row["selection"]  # The same samples.
        assert row["selection"]["interval"]["low"] < row["selection"]["accuracy"] < row["selection"]["interval"]["high"]
    assert hqe(*words, "--json", "--threads", "1", check=0).out == done.out
    rows = hqe(*words, "--csv", check=0).out.splitlines()
    assert len(rows) == 1 + len(found["rows"]) and rows[1].startswith("exact,,,")
    text = hqe(*words, check=0).out
    assert "exact exit" in text and "NOT" in text and max(map(len, text.splitlines())) <= 100


def test_cascades_are_of_the_recommended_team_unless_one_is_named(home):
    place = label_pool(home / "labels")
    found = hqe("front", place, "--cascade", "--json", check=0).json
    team = hqe("prune", place, "--json", check=0).json["recommended"]["team"]
    assert found["is_recommended"] and found["team"] == team
    assert {row["rule"] for row in found["rows"]} <= {"exact", "agreement"}


def test_cascades_have_a_page(home):
    place = small_pool(home / "scores")
    hqe("front", place, "--cascade", "--team", "0,1,2", "--report", home / "page.html", "--quiet", check=0)
    page = (home / "page.html").read_text()
    assert '"command":"cascade"' in page and page.lower().startswith("<!doctype html>")


def test_the_words_of_cascades_go_with_cascades(home):
    place = small_pool(home / "scores")
    for words in (["--team", "0,1"], ["--test", place], ["--report", home / "page.html"]):
        refuses(2, "front", place, *words, saying="--cascade")
    refuses(2, "front", place, "--cascade", "--team", "0,99", saying="99")
    refuses(3, "front", place, "--cascade", "--team", "0,1,2", "--test", label_pool(home / "labels"), saying="test pool")
    assert not (home / "page.html").exists()
