# SPDX-License-Identifier: MIT
"""How to serve the recommended team: its temperature in documents and in words."""

from files import label_pool, small_pool
from running import hqe


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
        assert hqe("prune", *words, "--size", "3", "--json", check=0).json["recommended"]["serving"] is None
        assert "calibration" not in hqe("prune", *words, "--size", "3", check=0).out
