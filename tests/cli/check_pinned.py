#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: tests/cli/check_pinned.py HQE [NAME]...

Compares the studies behind the pinned outputs with plain.py: every tier's counts, every kept team and
its score for each metric, and the correct counts of fifty teams, of the baselines and of the entire
ensemble. Of imagenet-67 it checks the study of size 4, whose tiers are those of the pinned one: Python
has no room for ten million teams. Takes minutes: run it when pinned outputs are approved.
"""

import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import harness  # noqa: E402
import pinned_test  # noqa: E402
import plain  # noqa: E402


def check_selection(scorer, selection, size, beta):
    tiers, kept = plain.prune(scorer, selection["metric"].removeprefix("F-"), size, beta)
    assert tiers == [(tier["size"], tier["candidates"], tier["pruned"]) for tier in selection["tiers"]], tiers
    got = {tuple(team["team"]): team["score"] for team in selection["teams"]}
    assert set(got) == set(kept), "other teams are kept"
    worst = max(abs(got[team] - kept[team]) for team in kept)
    assert worst <= 1e-9, worst
    return len(kept)


def check_counts(pool, counted, rng):
    """How often teams were right on `pool`."""
    entries = [counted["reference"], counted["baselines"]["best_single"], counted["baselines"]["most_accurate"]]
    if counted["baselines"]["best_of_size"]:
        entries.append(counted["baselines"]["best_of_size"])
    entries.append(counted["recommended"])
    for selection in [*counted["selections"], counted["consensus"]]:
        entries += rng.sample(selection["teams"], min(10, len(selection["teams"])))
    for entry in entries:
        right = pool.team_correct(entry["team"])
        assert right == entry["correct"], (entry, right)
    assert [model["correct"] for model in counted["pool"]["models"]] == pool.correct
    return len(entries)


def check(name):
    words = pinned_test.words_of(name)
    if name == "imagenet-67":
        words[words.index("--size") + 1] = "4"
    document = harness.hqe("prune", *words, "--json", check=0).json
    pool = plain.PlainPool(pathlib.Path(words[0]))
    rng = random.Random(5)
    counts = check_counts(pool, document, rng)
    if "test" in document:
        test_pool = plain.PlainPool(pathlib.Path(words[words.index("--test") + 1]), selection_pool=pool)
        counts += check_counts(test_pool, document["test"], rng)
    scorer = plain.PlainScorer(pool)
    for selection in document["selections"]:
        kept = check_selection(scorer, selection, document["desired_size"], document["options"]["beta"])
        print(f"{name} {selection['metric']}: {kept} teams and their scores agree", flush=True)
    print(f"{name}: {counts} correct counts agree", flush=True)


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    harness.BINARY = pathlib.Path(sys.argv[1]).resolve()
    for name in sys.argv[2:] or pinned_test.PINNED:
        check(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
