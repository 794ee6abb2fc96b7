# SPDX-License-Identifier: MIT
"""The tournament and the front, as a user runs them."""

import json

from files import small_pool
from running import hqe, methods, refuses, shared_pool


def synth(home, *words):
    hqe("synth", "--models", "8", "--samples", "400", "--classes", "3", *words, "-o", home, check=0)
    return home


def test_compare_ranks_every_method_and_says_which_are_worse(home):
    found = hqe("compare", synth(home / "pool"), "--size", "3", "--repeats", "3", "--json", check=0).json
    assert found["schema"] == 1 and found["command"] == "compare"
    assert sorted(method["method"] for method in found["methods"]) == sorted(methods())
    assert found["selection_samples"] == found["test_samples"] == 200
    ranks = [method["mean_rank"] for method in found["methods"]]
    assert all(rank is not None for rank in ranks) and ranks == sorted(ranks)
    for method in found["methods"]:
        assert {"method", "team", "selection_correct", "test_correct", "mean_rank", "seconds"} <= method.keys()
        assert method["seconds"] >= 0 and len(method["splits"]) == 3
        assert method["interval"]["low"] <= method["test_accuracy"] <= method["interval"]["high"]
    by_name = {method["method"]: method for method in found["methods"]}
    assert by_name["branch_and_bound"]["team"] == by_name["exhaustive"]["team"]
    assert by_name["branch_and_bound"]["certificate"]["is_proven"]
    assert by_name["random"]["team"] is None and "exact mean of 56 teams" in by_name["random"]["note"]
    assert sum(by_name["caruana"]["weights"]) >= len(by_name["caruana"]["team"])
    assert found["significance_test"] == "corrected resampled t-test"
    best = found["methods"][0]
    assert best["verdict"] == "best" and best["p_value"] is None and best["detectable"] is None
    for method in found["methods"][1:]:
        assert method["verdict"] in ("better", "same", "worse", "cannot_tell")
        if method["detectable"] is not None:
            ahead = best["test_accuracy"] - method["test_accuracy"]
            assert (method["verdict"] == "worse") == (ahead > method["detectable"])


def test_compare_names_its_winner_as_prune_names_its_decision(home):
    out = hqe("compare", synth(home / "pool"), "--size", "3", "--repeats", "2", check=0).out
    found = hqe("compare", home / "pool", "--size", "3", "--repeats", "2", "--json", check=0).json
    winner = next(method for method in found["methods"] if method["team"])
    names = ", ".join(found["pool"]["models"][id]["name"] for id in winner["team"])
    assert out.splitlines()[2].startswith(f"Ship these {len(winner['team'])}: {names}")
    assert f"Chosen by {winner['title']}, the best of {len(methods())} methods by mean rank" in out


def test_sizes_of_a_front_are_whole_numbers(home):
    rows = hqe("front", synth(home / "pool"), "--by-id", check=0).out.split("team size\n")[1].splitlines()[1:]
    assert rows and all(row.split()[1].isdigit() for row in rows if row.strip())


def test_compare_gives_the_same_bytes_for_any_number_of_threads_but_for_seconds(home):
    words = ["compare", synth(home / "pool"), "--size", "3", "--repeats", "2", "--no-times", "--json"]
    assert hqe(*words, "--threads", "1", check=0).out == hqe(*words, "--threads", "2", check=0).out
    assert hqe(*words, env={"HQE_TARGET": "scalar"}, check=0).out == hqe(*words, check=0).out
    assert '"seconds":null' in hqe(*words, check=0).out


def test_compare_test_judges_on_the_other_pool_with_mcnemars_test(home):
    pool, other = synth(home / "pool"), synth(home / "test", "--seed", "9")
    found = hqe("compare", pool, "--test", other, "--size", "3", "--json", check=0).json
    assert found["judged_on"] == "test" and found["split_count"] == 1 and found["test"]["samples"] == 400
    assert found["significance_test"] == "McNemar's exact test"
    tested = [method for method in found["methods"] if method["p_value"] is not None]
    assert len(tested) == len(methods()) - 2  # all but the best and the random team
    assert all(0 <= method["p_value"] <= 1 for method in tested)


def test_tables_of_compare_and_front_fit_100_columns_and_csv_has_a_row_a_method(home):
    pool = synth(home / "pool")
    for words in (["compare", pool, "--size", "3", "--repeats", "2"], ["front", pool]):
        for more in ([], ["--by-id"]):
            for line in hqe(*words, *more, check=0).out.splitlines():
                assert len(line) <= 100, line
    rows = hqe("compare", pool, "--size", "3", "--repeats", "2", "--csv", check=0).out.splitlines()
    assert len(rows) == 1 + len(methods()) and rows[0].startswith("method,team,")
    assert ",best," in rows[1] and all("corrected resampled t-test" in row for row in rows[1:])


def test_the_ranks_of_a_saved_comparison_are_drawn_and_nothing_else_is(home):
    pool = small_pool(home / "pool")
    hqe("compare", pool, "--size", "2", "--repeats", "2", "-o", home / "compare.json", "--quiet", check=0)
    hqe("plot", home / "compare.json", "--figure", "ranks", "-o", home / "ranks.svg", check=0)
    assert "corrected resampled t-test" in (home / "ranks.svg").read_text()
    refuses(3, "plot", home / "compare.json", "--figure", "scatter", "-o", home / "x.svg", saying="not a saved study")
    hqe("inspect", pool, "-o", home / "inspect.json", "--quiet", check=0)
    refuses(3, "plot", home / "inspect.json", "--figure", "ranks", "-o", home / "x.svg", saying="hqe compare")
    (home / "cut.json").write_text((home / "compare.json").read_text()[:200])
    refuses(3, "plot", home / "cut.json", "--figure", "ranks", "-o", home / "x.svg", saying="not a saved comparison")


def test_wrong_requests_to_compare_are_refused_with_the_way_out(home):
    pool = small_pool(home / "pool")
    refuses(2, "compare", pool, "--method", "best", saying="greedy_forward")
    refuses(2, "compare", pool, "--size", "40", saying="out of range")
    refuses(2, "compare", pool, "--time-limit", "-1", saying="positive")
    refuses(2, "compare", pool, "--budget", "params=1", "--size", "2", saying="params")


def test_the_front_has_one_entry_a_cost_and_is_exact():
    """The front of a pool with costs holds one entry a cost and says that it is exact."""
    found = hqe("front", shared_pool("imagenet-10"), "--json", check=0).json
    assert found["is_exact"] and found["team_count"] == 1023
    assert [front["cost"] for front in found["fronts"]] == ["size", "params", "gflops"]
    for front in found["fronts"]:
        values = [(row["value"], row["correct"]) for row in front["teams"]]
        assert values == sorted(values) and len({value for value, _ in values}) == len(values)
        assert [correct for _, correct in values] == sorted({correct for _, correct in values})


def test_a_budget_that_no_team_fits_leaves_nothing_and_the_exit_code_says_so(home):
    pool = small_pool(home / "pool")
    (pool / "pool.toml").write_text("".join(f"[cost.model_{id}]\nparams = 10\n" for id in range(5)))
    done = hqe("compare", pool, "--size", "2", "--repeats", "2", "--budget", "params=1", check=4)
    assert "no team is allowed" in done.out and "One split" not in done.out
    done = hqe("compare", pool, "--size", "2", "--repeats", "2", "--method", "kappa", check=0)
    assert "One split" not in done.out


def test_a_time_limit_leaves_a_bound_above_what_was_found():
    """A time limit leaves a bound above what was found, and a long search without one ends too."""
    pool = shared_pool("imagenet-67")
    found = hqe("compare", pool, "--size", "4", "--method", "branch-and-bound", "--repeats", "1", "--time-limit", "0.2", "--json",
                check=0).json
    method = found["methods"][0]
    assert method["certificate"]["upper_bound"] >= method["selection_correct"]
    json.dumps(found)
