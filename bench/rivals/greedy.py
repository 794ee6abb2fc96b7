# SPDX-License-Identifier: MIT
"""Greedy forward selection of a team that votes by plurality, as one writes it in NumPy.

    python greedy.py POOL --size 5

Predicted labels are in memory, one-hot, before the clock starts. Each step tries every model that is not yet a member and
takes the one that leaves the most answers right; ties go to the lower class and to the more accurate model. Prints one JSON
object with the processor time of one selection.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np


def load(folder):
    """One-hot labels of each model in id order, and the true labels."""
    truth = np.load(folder / "labels.npy")
    names = sorted(path for path in folder.glob("*.npy") if path.name != "labels.npy")
    labels = [np.load(name) for name in names]
    classes = 1 + max(column.max() for column in [truth, *labels])
    return [np.eye(classes, dtype=np.float32)[column] for column in labels], truth


def greedy(votes, truth, size):
    right = [int((one.argmax(axis=1) == truth).sum()) for one in votes]
    best_first = sorted(range(len(votes)), key=lambda model: (-right[model], model))
    team, sums = [], np.zeros_like(votes[0])
    for _ in range(size):
        candidates = [model for model in best_first if model not in team]
        correct = [int(((sums + votes[model]).argmax(axis=1) == truth).sum()) for model in candidates]
        chosen = candidates[int(np.argmax(correct))]
        team.append(chosen)
        sums += votes[chosen]
    return sorted(team)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    votes, truth = load(arguments.pool)
    seconds = []
    for _ in range(arguments.repeats):
        begin = time.process_time()
        team = greedy(votes, truth, arguments.size)
        seconds.append(time.process_time() - begin)
    print(json.dumps({"team": team, "processor_seconds": statistics.median(seconds)}))


if __name__ == "__main__":
    main()
