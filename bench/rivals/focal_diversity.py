# SPDX-License-Identifier: MIT
"""Focal diversity as Algorithm 1 of the paper says it, in plain NumPy and scikit-learn.

    python focal_diversity.py POOL --share 0.05 --seed 1

For every team and every focal member: three draws of 100 of the samples that the member fails on,
and on each draw the team's F-CK, F-BD, F-KW and F-GD. Predictions are loaded and turned into labels
before the clock starts. A random share of the teams is timed; seconds of all teams are scaled from
it. Prints one JSON object; --all-negatives takes every failure once in place of the draws and adds
the focal negative correlations, so that they can be compared with another program's.
"""

import argparse
import itertools
import json
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import cohen_kappa_score

DRAWS, REPEATS = 100, 3


def load(folder):
    """Labels predicted by each model in id order, and the true ones."""
    truth = np.load(folder / "labels.npy")
    names = sorted(path for path in folder.glob("*.npy") if path.name != "labels.npy")
    return [np.load(name).argmax(axis=1) for name in names], truth


def kappa(predictions, failures):
    pairs = itertools.combinations(range(len(predictions)), 2)
    values = [cohen_kappa_score(predictions[i], predictions[j]) for i, j in pairs]
    # Two models that predict one and the same label everywhere agree: scikit-learn says NaN.
    return 1 - np.mean([1.0 if np.isnan(value) else value for value in values])


def binary_disagreement(predictions, failures):
    pairs = itertools.combinations(failures, 2)
    return np.mean([np.mean(a != b) for a, b in pairs])


def kohavi_wolpert(predictions, failures):
    failing = np.sum(failures, axis=0)
    size = len(failures)
    return np.mean(failing * (size - failing)) / size**2


def generalized_diversity(predictions, failures):
    failing = np.sum(failures, axis=0)
    size = len(failures)
    one = np.mean(failing) / size
    two = np.mean(failing * (failing - 1)) / (size * (size - 1))
    return 1 - two / one


METRICS = {"F-CK": kappa, "F-BD": binary_disagreement, "F-KW": kohavi_wolpert, "F-GD": generalized_diversity}


def focal_negative_correlations(team, predictions, truth, negatives, draws_of):
    """metric -> one value a focal member: the mean over its draws."""
    result = {metric: [] for metric in METRICS}
    for focal in team:
        values = {metric: [] for metric in METRICS}
        for samples in draws_of(negatives[focal]):
            told = [predictions[member][samples] for member in team]
            failures = [labels != truth[samples] for labels in told]
            for metric, diversity in METRICS.items():
                values[metric].append(diversity(told, failures))
        for metric in METRICS:
            result[metric].append(float(np.mean(values[metric])))
    return result


def focal_diversity(teams, correlations, correct):
    """Scaled over the teams of one size that hold the focal member, then the mean weighted by rank."""
    scores = {}
    for metric in METRICS:
        extremes = {}
        for team, values in zip(teams, correlations):
            for focal, value in zip(team, values[metric]):
                extremes.setdefault((len(team), focal), []).append(value)
        for team, values in zip(teams, correlations):
            ranks = np.argsort(np.argsort([correct[member] for member in team])) + 1
            scaled = []
            for focal, value in zip(team, values[metric]):
                known = extremes[len(team), focal]
                spread = max(known) - min(known)
                scaled.append((value - min(known)) / spread if spread > 1e-12 else 0.5)
            scores[metric, team] = np.average(scaled, weights=ranks)
    return scores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--share", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all-negatives", action="store_true")
    arguments = parser.parse_args()
    predictions, truth = load(arguments.pool)
    random = np.random.default_rng(arguments.seed)
    teams = [team for size in range(2, len(predictions)) for team in itertools.combinations(range(len(predictions)), size)]
    chosen = [teams[i] for i in sorted(random.choice(len(teams), max(1, round(arguments.share * len(teams))), replace=False))]

    def draws_of(negatives):
        if arguments.all_negatives:
            return [negatives]
        return [random.choice(negatives, DRAWS) for _ in range(REPEATS)]

    begin = time.perf_counter()
    negatives = [np.flatnonzero(labels != truth) for labels in predictions]
    correlations = [focal_negative_correlations(team, predictions, truth, negatives, draws_of) for team in chosen]
    focal_diversity(chosen, correlations, [np.sum(labels == truth) for labels in predictions])
    seconds = time.perf_counter() - begin
    result = {"timed_teams": len(chosen), "teams": len(teams), "seconds": seconds,
              "seconds_of_all": seconds * len(teams) / len(chosen)}
    if arguments.all_negatives:
        result["correlations"] = {",".join(map(str, team)): values for team, values in zip(chosen, correlations)}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
