# SPDX-License-Identifier: MIT
"""The tournament of methods over all pools, and the proofs of branch and bound."""

import statistics
import sys
import time
from math import comb

from asking import hqe, percent, pool, table

# Pool and size: the paper's for the pools that resemble the paper's; elsewhere the largest, at most 5, of which all
# teams are still counted (2,000,000).
TOURNAMENTS = [
    ("cifar10-10", 5), ("imagenet-10", 5), ("cora-10-val", 4), ("cora-10-test", 4), ("mnist-7-val", 3), ("mnist-7-test", 3),
    ("cifar10.1-30", 5), ("cifar10-30", 5), ("adult-43", 5), ("mmlu-pro-31", 5), ("imagenetv2-66", 4), ("imagenet-67", 4),
]
ALWAYS_SHOWN = ("most_accurate", "random", "exhaustive", "hierarchical_f_gd", "consensus")


def print_proofs():
    print("## Proofs\n")
    print("`hqe compare POOL --size S --method branch-and-bound` on the entire pool `cifar10-30` (30 networks, 10,000 samples) "
          "proves the best teams; `make soak` repeats it.\n")
    rows = []
    for size in (5, 8):
        found = hqe("compare", pool("cifar10-30"), "--size", size, "--repeats", 1, "--method", "branch-and-bound", "--time-limit", 60)
        best, = found["methods"]
        certificate = best["certificate"]
        rows.append([size, ",".join(map(str, best["team"])), f"{best['selection_correct']:,.0f}", f"{certificate['upper_bound']:,}",
                     "yes" if certificate["is_proven"] else "no", f"{certificate['counted']:,} of {comb(30, size):,}"])
    table(["size", "best team", "correct", "no team has more than", "proven", "teams counted, of all"], rows)


def print_tournament(name, size):
    """Prints one pool's table; returns the methods that have a rank, best first."""
    begin = time.perf_counter()
    found = hqe("compare", pool(name), "--size", size, "--no-times")
    print(f"{name}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    ranked = [method for method in found["methods"] if method["mean_rank"] is not None]
    print(f"#### `{name}`: teams of {size}, {found['split_count']} splits\n")
    left_out = ", ".join(method["title"] for method in found["methods"] if method["mean_rank"] is None)
    worse = sum(method["verdict"] == "worse" for method in ranked)
    print(f"Entire ensemble {percent(found['reference']['test_accuracy'])} % held out. Of {len(ranked)} methods {worse} are worse "
          f"than the first by more than chance. Not computed: {left_out or 'nothing'}.\n")
    shown = [method for place, method in enumerate(ranked) if place < 5 or method["method"] in ALWAYS_SHOWN]
    table(["place", "method", "held-out accuracy, %", "95 % interval", "gain, points", "mean rank", "verdict", "could see, points"],
          [[ranked.index(m) + 1, m["title"], percent(m["test_accuracy"]),
            f"{percent(m['interval']['low'])} to {percent(m['interval']['high'])}", f"{100 * m['gain']:+.2f}", f"{m['mean_rank']:.2f}",
            m["verdict"].replace("_", " "), "" if m["detectable"] is None else f"{100 * m['detectable']:.2f}"] for m in shown])
    return ranked


def print_tournaments(names):
    print("## The tournament\n")
    print("Every method chooses on one half of the samples and is judged on the other. The first five, and always the most "
          "accurate models, a random team, exhaustive search, F-GD and the consensus; in the order of mean ranks.\n")
    played = {name: print_tournament(name, size) for name, size in TOURNAMENTS if not names or name in names}
    print("#### All pools together\n")
    print("Relative rank: mean rank divided by the number of ranked methods (0 = always first, 1 = always last), mean over the "
          "pools on which the method could be computed. Gain: over the entire ensemble, held out, in points.\n")
    results = {}
    for ranked in played.values():
        for method in ranked:
            results.setdefault(method["title"], []).append((method["mean_rank"] / len(ranked), 100 * method["gain"], method["verdict"] == "worse"))
    rows = sorted((statistics.fmean(rank for rank, _, _ in of), title) for title, of in results.items())
    table(["method", "pools", "relative rank", "median gain", "least gain", "pools with a gain", "worse than the first"],
          [[title, len(results[title]), f"{rank:.3f}", f"{statistics.median(gain for _, gain, _ in results[title]):+.2f}",
            f"{min(gain for _, gain, _ in results[title]):+.2f}", sum(gain > 0 for _, gain, _ in results[title]),
            sum(worse for _, _, worse in results[title])] for rank, title in rows])
