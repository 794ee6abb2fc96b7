# SPDX-License-Identifier: MIT
"""The tournament and the front, as a user runs them."""

import json

from files import small_pool
from harness import folder, hqe, refuses, shared_pool, test


def synth(home, *words):
    hqe("synth", "--models", "8", "--samples", "400", "--classes", "3", *words, "-o", home, check=0)
    return home


@test("compare ranks every method and says which are worse")
def _():
    with folder() as home:
        found = hqe("compare", synth(home / "pool"), "--size", "3", "--repeats", "3", "--json", check=0).json
        assert found["schema"] == 1 and found["command"] == "compare"
        assert len(found["methods"]) == 27
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


@test("compare gives the same bytes for any number of threads, but for seconds")
def _():
    with folder() as home:
        words = ["compare", synth(home / "pool"), "--size", "3", "--repeats", "2", "--no-times", "--json"]
        assert hqe(*words, "--threads", "1", check=0).out == hqe(*words, "--threads", "2", check=0).out
        assert hqe(*words, env={"HQE_TARGET": "scalar"}, check=0).out == hqe(*words, check=0).out
        assert '"seconds":null' in hqe(*words, check=0).out


@test("compare --test judges on the other pool, with McNemar's test")
def _():
    with folder() as home:
        pool, other = synth(home / "pool"), synth(home / "test", "--seed", "9")
        found = hqe("compare", pool, "--test", other, "--size", "3", "--json", check=0).json
        assert found["judged_on"] == "test" and found["split_count"] == 1 and found["test"]["samples"] == 400
        assert found["critical_difference"] is None
        tested = [method for method in found["methods"] if method["p_value"] is not None]
        assert len(tested) == 25  # all but the best and the random team
        assert all(0 <= method["p_value"] <= 1 for method in tested)


@test("tables of compare and front fit 100 columns, and CSV has a row a method")
def _():
    with folder() as home:
        pool = synth(home / "pool")
        for words in (["compare", pool, "--size", "3", "--repeats", "2"], ["front", pool]):
            for more in ([], ["--by-name"]):
                for line in hqe(*words, *more, check=0).out.splitlines():
                    assert len(line) <= 100, line
        rows = hqe("compare", pool, "--size", "3", "--repeats", "2", "--csv", check=0).out.splitlines()
        assert len(rows) == 28 and rows[0].startswith("method,team,")


@test("the ranks of a saved comparison are drawn, and nothing else is")
def _():
    with folder() as home:
        pool = small_pool(home / "pool")
        hqe("compare", pool, "--size", "2", "--repeats", "2", "-o", home / "compare.json", "--quiet", check=0)
        hqe("plot", home / "compare.json", "--figure", "ranks", "-o", home / "ranks.svg", check=0)
        assert "critical difference" in (home / "ranks.svg").read_text()
        refuses(3, "plot", home / "compare.json", "--figure", "scatter", "-o", home / "x.svg", saying="not a saved study")
        hqe("inspect", pool, "-o", home / "inspect.json", "--quiet", check=0)
        refuses(3, "plot", home / "inspect.json", "--figure", "ranks", "-o", home / "x.svg", saying="hqe compare")
        (home / "cut.json").write_text((home / "compare.json").read_text()[:200])
        refuses(3, "plot", home / "cut.json", "--figure", "ranks", "-o", home / "x.svg", saying="not a saved comparison")


@test("wrong requests to compare are refused with the way out")
def _():
    with folder() as home:
        pool = small_pool(home / "pool")
        refuses(2, "compare", pool, "--method", "best", saying="greedy_forward")
        refuses(2, "compare", pool, "--size", "40", saying="out of range")
        refuses(2, "compare", pool, "--time-limit", "-1", saying="positive")
        refuses(2, "compare", pool, "--budget", "params=1", "--size", "2", saying="params")


@test("the front of a pool with costs holds one entry a cost and says that it is exact")
def _():
    found = hqe("front", shared_pool("imagenet-10"), "--json", check=0).json
    assert found["is_exact"] and found["team_count"] == 1023
    assert [front["cost"] for front in found["fronts"]] == ["size", "params", "gflops"]
    for front in found["fronts"]:
        values = [(row["value"], row["correct"]) for row in front["teams"]]
        assert values == sorted(values) and len({value for value, _ in values}) == len(values)
        assert [correct for _, correct in values] == sorted({correct for _, correct in values})


@test("a budget that no team fits leaves nothing, and the exit code says so")
def _():
    with folder() as home:
        pool = small_pool(home / "pool")
        (pool / "pool.toml").write_text("".join(f"[cost.model_{id}]\nparams = 10\n" for id in range(5)))
        done = hqe("compare", pool, "--size", "2", "--repeats", "2", "--budget", "params=1", check=4)
        assert "no team is allowed" in done.out and "One split" not in done.out
        done = hqe("compare", pool, "--size", "2", "--repeats", "2", "--method", "kappa", check=0)
        assert "One split" not in done.out


@test("a time limit leaves a bound above what was found, and a long search without one ends too")
def _():
    pool = shared_pool("imagenet-67")
    found = hqe("compare", pool, "--size", "4", "--method", "branch-and-bound", "--repeats", "1", "--time-limit", "0.2", "--json",
                check=0).json
    method = found["methods"][0]
    assert method["certificate"]["upper_bound"] >= method["selection_correct"]
    json.dumps(found)
