# SPDX-License-Identifier: MIT
"""Every table of the paper beside what this program finds on the pools that resemble the paper's."""

import time

import numbers_of_the_paper as paper
from asking import accuracy, digits, hqe, percent, pool, prune, run, table

FOCAL = ["F-CK", "F-BD", "F-KW", "F-GD"]


def example_teams():
    print("### Example teams\n")
    for name, title, teams in (("cifar10-10", "CIFAR-10", paper.EXAMPLES_CIFAR10),
                               ("imagenet-10", "ImageNet", paper.EXAMPLES_IMAGENET)):
        words = [word for team, _ in teams for word in ("--team", ",".join(team))]
        found = hqe("evaluate", pool(name), *words)
        counts = {digits(row["team"]): row["correct"] for row in found["teams"]}
        whole = counts[teams[0][0]]
        print(f"{title}; ours: the same ids in `{name}`, whose models only resemble the paper's.\n")
        table(["team", "paper: accuracy, %", "paper: gain", "ours: accuracy, %", "ours: gain", "cost reduction, %"],
              [[team, f"{value:.2f}", f"{value - teams[0][1]:+.2f}", accuracy(counts[team], found),
                f"{100 * (counts[team] - whole) / found['pool']['samples']:+.2f}", 100 - 10 * len(team)]
               for team, value in teams])


def member_accuracies():
    print("### Member accuracies\n")
    rows = []
    for title, (least, mean, most), names in (
            ("CIFAR-10", paper.MEMBERS["CIFAR-10"], ["cifar10-10"]),
            ("ImageNet", paper.MEMBERS["ImageNet"], ["imagenet-10"]),
            ("Cora", paper.MEMBERS["Cora"], ["cora-10-val", "cora-10-test"]),
            ("MNIST", paper.MEMBERS["MNIST"], ["mnist-7-val", "mnist-7-test"])):
        for name in names:
            found = hqe("inspect", pool(name))["accuracy"]
            rows.append([title, f"{least:.2f} / {mean:.2f} / {most:.2f}", f"`{name}`",
                         f"{percent(found['min'])} / {percent(found['mean'])} / {percent(found['max'])}"])
    table(["data", "paper: min / mean / max, %", "pool", "ours: min / mean / max, %"], rows)


def mean_threshold():
    print("### Mean threshold\n")
    for name, title, columns in (("cifar10-10", "CIFAR-10", paper.MEAN_CIFAR10), ("imagenet-10", "ImageNet", paper.MEAN_IMAGENET)):
        rows = []
        for metric, (threshold, low, high, precision, recall) in columns.items():
            found = hqe("prune", pool(name), "--by", "mean", "--metric", metric, codes=(0, 4))
            selection = found["selections"][0]
            rows.append([metric, f"{threshold:.3f}", f"{selection['threshold']:.3f}", f"{low:.2f} to {high:.2f}",
                         f"{accuracy(selection['correct_min'], found)} to {accuracy(selection['correct_max'], found)}",
                         f"{precision:.2f} / {recall:.2f}", f"{percent(selection['precision'])} / {percent(selection['recall'])}"])
        print(f"{title} (`{name}`).\n")
        table(["metric", "paper: mean", "ours: mean", "paper: accuracy of the kept, %", "ours", "paper: precision / recall, %", "ours"], rows)


def sweep_over_beta():
    print("### Sweep over beta (size 4, F-GD)\n")
    print("The paper draws this as a figure; of its values it prints one: CIFAR-10, beta 20 %: precision 81.25, recall 52.\n")
    for name in ("cifar10-10", "imagenet-10"):
        found = hqe("sweep", pool(name), "--size", 4, "--beta", "0.05:0.35:0.05", "--metric", "F-GD", codes=(0, 4))
        table([f"`{name}`: beta", "selected", "precision, %", "recall, %"],
              [[f"{100 * row['beta']:.0f} %", row["selected"], percent(row["precision"]), percent(row["recall"])]
               for row in found["rows"]])


def desired_size():
    print("### Desired size (CIFAR-10)\n")
    rows = []
    for size, beta, precision, recall in paper.DESIRED_SIZE:
        found = prune("cifar10-10", size, beta)
        quality = found["consensus"]
        fgd = next(each for each in found["selections"] if each["metric"] == "F-GD")
        rows.append([size, f"{100 * beta:.0f} %", f"{precision:.2f} / {recall:.2f}",
                     f"{percent(quality['precision'])} / {percent(quality['recall'])}",
                     f"{percent(fgd['precision'])} / {percent(fgd['recall'])}"])
    table(["size", "beta", "paper: precision / recall, %", "ours: MAJORITY-F", "ours: F-GD"], rows)


def hierarchical():
    print("### Hierarchical pruning, metric by metric\n")
    for title, names, size, beta, columns in paper.HIERARCHICAL:
        print(f"{title}: size {size}, beta {100 * beta:.0f} %. Precision / recall, %.\n")
        rows = [["paper"] + [f"{precision:.2f} / {recall:.2f}" for precision, recall in columns]]
        for name in names:
            found = prune(name, size, beta)
            selections = {each["metric"]: each for each in found["selections"]}
            selections["MAJORITY-F"] = found["consensus"]
            rows.append([f"`{name}`"] + [f"{percent(selections[metric]['precision'])} / {percent(selections[metric]['recall'])}"
                                         for metric in FOCAL + ["MAJORITY-F"]])
        table(["", *FOCAL, "MAJORITY-F"], rows)


def top_three():
    print("### Top three teams, F-GD against GD (beta 10 %)\n")
    for name, title, size, teams in (("cifar10-10", "CIFAR-10, size 4", 4, paper.TOP_CIFAR10),
                                     ("imagenet-10", "ImageNet, size 5", 5, paper.TOP_IMAGENET)):
        rows = []
        for metric in ("F-GD", "GD"):
            found = prune(name, size, 0.1, "--metric", metric)
            whole = found["reference"]["correct"]
            best = found["selections"][0]["teams"][:3]
            for place in range(3):
                team, value, gain = teams[metric][place]
                ours = best[place] if place < len(best) else None
                rows.append([metric, place + 1, team, f"{value:.2f} ({gain:+.2f})", digits(ours["team"]) if ours else "-",
                             f"{accuracy(ours['correct'], found)} ({100 * (ours['correct'] - whole) / found['pool']['samples']:+.2f})" if ours else "-"])
        print(f"{title} (`{name}`); in brackets the gain over the entire ensemble.\n")
        table(["metric", "place", "paper: team", "paper: accuracy, %", "ours: team", "ours: accuracy, %"], rows)


def seconds_of(*words):
    begin = time.perf_counter()
    run(*words, "--quiet", "--json", codes=(0, 4))
    return time.perf_counter() - begin


def execution_times():
    print("### Execution times\n")
    print("Ours: the whole command on this machine, from reading the files to the last byte of JSON. The paper: "
          "computing scores alone, sampling failures, on an Intel i7-10700K. Hierarchical, `hqe prune`, counts the votes of every "
          "team of the size too.\n")
    rows = []
    for label, words, metrics in (("no pruning", ["score", "--size", "2:9"], ["BD", "GD", "F-BD", "F-GD"]),
                                  ("hierarchical", ["prune", "--size", "5", "--beta", "0.1"], ["F-BD", "F-GD"])):
        for metric in metrics:
            row = [f"{label}, {metric}"]
            for place, name in enumerate(("cifar10-10", "imagenet-10")):
                row.append(f"{paper.TIMES[label][metric][place]:.2f}")
                row.append(f"{seconds_of(words[0], pool(name), *words[1:], '--metric', metric):.3f}")
            rows.append(row)
    table(["", "paper: CIFAR-10, s", "ours: cifar10-10, s", "paper: ImageNet, s", "ours: imagenet-10, s"], rows)
    print("Breakdown (F-GD): teams that are scored at each size, of all. Ours: scored teams of "
          "`hqe prune --size 5 --beta 0.1`, and the time of `hqe prune` up to that size.\n")
    tiers = {name: prune(name, 5, 0.1, "--metric", "F-GD")["selections"][0]["tiers"] for name in ("cifar10-10", "imagenet-10")}
    rows = []
    for place, (size, teams, cifar, imagenet) in enumerate(paper.BREAKDOWN):
        row = [size, teams]
        for name, (full, pruned, scored) in (("cifar10-10", cifar), ("imagenet-10", imagenet)):
            count = tiers[name][place]["candidates"]
            ours = seconds_of("prune", pool(name), "--size", size, "--beta", "0.1", "--metric", "F-GD")
            row += [f"{full:.2f} / {pruned:.2f}", f"{scored} (-{100 - 100 * scored / teams:.0f} %)",
                    f"{count} (-{100 - 100 * count / teams:.0f} %)", f"{ours:.3f}"]
        rows.append(row)
    table(["size", "teams", "paper CIFAR-10: s, no pruning / pruning", "paper: scored", "ours: scored", "ours: s",
           "paper ImageNet: s", "paper: scored", "ours: scored", "ours: s"], rows)


def cost_reduction():
    print("### Execution cost reduction (ImageNet, F-GD, beta 5 %)\n")
    print("The paper's inference times need its machine; our pool knows parameters and GFLOPs.\n")
    rows = []
    for size, team, value, gain, params, gflops, latency in paper.COSTS:
        found = prune("imagenet-10", size or 5, 0.05, "--metric", "F-GD")
        whole = found["reference"]["correct"]
        if size is None:
            models = found["pool"]["models"]
            ours = {"team": range(10), "correct": whole,
                    "costs": {cost: {"sum": sum(model["costs"][cost] for model in models), "reduction": 0.0}
                              for cost in ("params", "gflops")}}
        else:
            ours = found["selections"][0]["teams"][0]
        costs = ours["costs"]
        rows.append([team, f"{value:.2f} ({gain:+.2f})", f"{params} M, {gflops} GFLOPs, {latency} ms", digits(ours["team"]),
                     f"{accuracy(ours['correct'], found)} ({100 * (ours['correct'] - whole) / found['pool']['samples']:+.2f})",
                     f"{costs['params']['sum'] / 1e6:.2f} M ({-100 * costs['params']['reduction']:+.0f} %), "
                     f"{costs['gflops']['sum']:.2f} GFLOPs ({-100 * costs['gflops']['reduction']:+.0f} %)"])
    table(["paper: team", "paper: accuracy, %", "paper: costs", "ours: team", "ours: accuracy, %", "ours: costs"], rows)


def print_tables(times):
    """Without `times` the same bytes on every run and machine."""
    print("## The paper's tables\n")
    for section in (example_teams, member_accuracies, mean_threshold, sweep_over_beta, desired_size, hierarchical, top_three):
        section()
    if times:
        execution_times()
    cost_reduction()
