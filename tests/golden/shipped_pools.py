#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The essentials of the pools that ship, pinned: what a clone alone can check.

    tests/golden/shipped_pools.py HQE            compares what the command HQE finds with tests/golden/shipped
    tests/golden/shipped_pools.py HQE --write    writes it there anew
    tests/golden/shipped_pools.py --plain        compares tests/golden/shipped with tests/cli/plain.py: no engine, a few minutes

A file has one line a fact: how often each model, each baseline and the entire ensemble is right, on the
samples that choose and on those that judge; the tiers of each metric; each team it kept with score and
counts; each team of the consensus with votes and counts. What is recommended stands in tests/golden/cli, as tables.
"""

import difflib
import functools
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/golden/shipped"
sys.path.insert(0, str(ROOT / "tests/cli"))
sys.dont_write_bytecode = True

import plain  # noqa: E402

# name -> size of the teams; a pool is examples/NAME/validation, judged by examples/NAME/test.
POOLS = {"fashion-mnist": 5, "cora-10": 4}
BETA = 0.1
BASELINES = ("best_single", "most_accurate", "best_of_size")


def folders(name):
    return [ROOT / "examples" / name / part for part in ("validation", "test")]


def study(command, name):
    validation, test = folders(name)
    words = ["prune", validation, "--test", test, "--size", POOLS[name], "--beta", BETA, "--json"]
    return json.loads(subprocess.run([command, *map(str, words)], capture_output=True, check=True).stdout)


def counted(word, entries, test_entries, *columns):
    """A line an entry: its team, its values of `columns`, its counts on both halves."""
    for entry, test_entry in zip(entries, test_entries, strict=True):
        assert entry["team"] == test_entry["team"], (entry, test_entry)
        values = [f"{entry[column]:.9f}" if column == "score" else str(entry[column]) for column in columns]
        yield " ".join([word, ",".join(map(str, entry["team"])), *values, str(entry["correct"]), str(test_entry["correct"])])


def facts(document):
    test = document["test"]
    models = [[{"team": [model["id"]], "correct": model["correct"]} for model in half["pool"]["models"]] for half in (document, test)]
    yield from counted("model", *models)
    yield from counted("entire_ensemble", [document["reference"]], [test["reference"]])
    for word in BASELINES:
        yield from counted(word, [document["baselines"][word]], [test["baselines"][word]])
    for selection, judged in zip(document["selections"], test["selections"], strict=True):
        for tier in selection["tiers"]:
            yield f"{selection['metric']} tier {tier['size']} {tier['candidates']} {tier['pruned']}"
        yield from counted(selection["metric"], selection["teams"], judged["teams"], "score")
    yield from counted(document["consensus"]["metric"], document["consensus"]["teams"], test["consensus"]["teams"], "votes")


def compare(command, name):
    """Raises with the difference when the command finds something else than what is pinned."""
    pinned = (FOLDER / f"{name}.txt").read_text().splitlines()
    lines = list(difflib.unified_diff(pinned, list(facts(study(command, name))), "pinned", "now", lineterm="", n=0))
    if lines:
        raise AssertionError("\n".join(lines[:40]) + f"\nIf this is meant: tests/golden/shipped_pools.py {command} --write")


def check_plainly(name):
    """Raises when a pinned fact is not what the plain implementation finds."""
    pool = plain.PlainPool(folders(name)[0])
    halves = pool, plain.PlainPool(folders(name)[1], selection_pool=pool)
    scorer = plain.PlainScorer(pool)
    pinned = [line.split() for line in (FOLDER / f"{name}.txt").read_text().splitlines()]
    votes = {}
    for metric in dict.fromkeys(words[0] for words in pinned if words[0].startswith("F-")):
        tiers, kept = plain.prune(scorer, metric.removeprefix("F-"), POOLS[name], BETA)
        stated = [words[1:] for words in pinned if words[0] == metric]
        assert [["tier", *map(str, tier)] for tier in tiers] == [words for words in stated if words[0] == "tier"], (metric, tiers)
        scores = {team_of(words[0]): float(words[1]) for words in stated if words[0] != "tier"}
        assert set(scores) == set(kept), f"{metric}: other teams are kept"
        assert max(abs(scores[team] - kept[team]) for team in kept) <= 1e-9 / 2 + 1e-12, f"{metric}: other scores"
        for team in kept:
            votes[team] = votes.get(team, 0) + 1
    consensus = {team_of(words[1]): int(words[2]) for words in pinned if words[0] == "MAJORITY-F"}
    assert consensus == {team: count for team, count in votes.items() if count >= 3}, "another consensus"
    correct = functools.cache(lambda team: [half.team_correct(team) for half in halves])
    for words in pinned:
        if words[1] != "tier":
            right = correct(team_of(words[1]))
            assert right == [int(word) for word in words[-2:]], (words, right)


def team_of(text):
    return tuple(map(int, text.split(",")))


def main():
    words = sys.argv[1:]
    if not words or len(words) > 2 or words[1:] not in ([], ["--write"]):
        print(__doc__)
        return 2
    failed = 0
    for name in POOLS:
        try:
            if words[1:]:
                FOLDER.mkdir(exist_ok=True)
                (FOLDER / f"{name}.txt").write_text("\n".join(facts(study(words[0], name))) + "\n")
            elif words[0] == "--plain":
                check_plainly(name)
            else:
                compare(words[0], name)
        except AssertionError as error:
            failed += 1
            print(f"FAILED: {name}: {error}")
    print(f"{len(POOLS) - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
