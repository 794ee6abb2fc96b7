#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the networks, the team and all of them together cost, and how often they are right.

    python examples/deep/table.py FOLDER

FOLDER has the pools choose-pool and judge-pool that `python -m hqe collect` made. The team is chosen on one and judged
on the other.
"""

import sys
from pathlib import Path

import hqe

COSTS = {"params": ",.0f", "gflops": ".6f", "latency_ms": ".3f", "memory_mb": ".3f"}


def line(name, costs, correct, samples):
    words = [f"{format(costs[key], shape) if key in costs else '':>12}" for key, shape in COSTS.items()]
    print(f"{name:28}{''.join(words)}{correct / samples:>11.2%}")


def main():
    folder = Path(sys.argv[1])
    pool, judge = hqe.Pool.open(folder / "choose-pool"), hqe.Pool.open(folder / "judge-pool")
    study = hqe.prune(pool, test=judge, detail=False)
    models = study.pool.models
    teams = [(model.id,) for model in models] + [study.best.team, tuple(range(len(models)))]
    names = [model.name for model in models] + ["team: " + "+".join(study.best.names), "all"]
    print(f"{'':28}{''.join(f'{key:>12}' for key in COSTS)}{'accuracy':>11}")
    for name, team in zip(names, teams):
        costs = {key: sum(models[i].costs[key] for i in team) for key in COSTS if all(key in models[i].costs for i in team)}
        correct = hqe.apply(judge, team).correct
        line(name, costs, correct, judge.sample_count)
    print(study.best.why)


main()
