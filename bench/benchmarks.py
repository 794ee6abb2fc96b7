# SPDX-License-Identifier: MIT
"""The benchmarks: each makes its pool, checks the answer, measures, and adds rows."""

import hashlib
import json
import re

from measuring import ROOT, Row, WrongAnswer, interleaved, say, timed

MEGABYTE = 1 << 20


def teams_to_check(document, count=4):
    """TEAM:CORRECT of some of the teams that a document of prune names, spread over all."""
    named = [team for selection in [*document["selections"], document["consensus"]] for team in selection["teams"]]
    chosen = named[:: max(1, len(named) // count)][:count]
    return [f"{','.join(map(str, team['team']))}:{team['correct']}" for team in chosen]


def check_command(bench, pool, *options, size):
    """What the command says, against a literal vote; what the library says of drawn teams, against
    the literal definitions."""
    document = json.loads(bench.prune(pool, "--size", size, *options).output)
    bench.scenario("check-given", pool, teams=teams_to_check(document))
    bench.scenario("check", pool, size=size)


def read_ratio(bench):
    with bench.pool(10, 50_000, 1_000) as pool:
        check_command(bench, pool, size=5)

        def command(**how):
            return lambda: bench.prune(pool, "--size", 5, **how).seconds

        times = interleaved(9, command=command(), sum=lambda: timed(bench.program, "sum", pool).seconds,
                            one_core=command(one_core=True))
        bench.results.figures["read ratio"] = times
        ratio = times["command"] / times["sum"]
        bench.results.add(Row("read ratio", ratio, f"{ratio:.2f}x ({times['command']:.3f} s, plain sum {times['sum']:.3f} s)",
                              must=1.3, aim=1.1, unit="x"))
        add_one_core(bench, "read ratio", times["one_core"] / times["command"])
        same_bytes(bench, pool, "--size", "5")


def add_one_core(bench, name, ratio):
    bench.results.add(Row(f"{name}: one core against two", ratio, f"{ratio:.2f}x", must=2.2, unit="x"))


def same_bytes(bench, pool, *options):
    """The command's document for several thread counts and every SIMD target."""
    about = timed(bench.hqe, "version").output.decode()
    targets = re.search(r"one of: ([\w, ]+)\)", about)[1].split(", ")
    ways = [(["--threads", str(threads)], {}) for threads in (1, 2, 3, 8)] + [([], {"HQE_TARGET": target}) for target in targets]
    found = {hashlib.sha256(bench.prune(pool, *options, *words, environment=environment).output).hexdigest()
             for words, environment in ways}
    bench.results.add(Row("different documents", len(found), f"{len(found)} from {len(ways)} thread counts and SIMD targets",
                          must=1))


def published_procedure(bench):
    rival = ROOT / "bench/rivals/focal_diversity.py"
    with bench.pool(10, 10_000, 10) as pool:
        bench.scenario("check", pool, size=4)
        check_rival(bench, rival, pool)
        seed = iter(range(100))

        def authors():
            # A sixtieth of the teams at a time, so that three rounds time the twentieth asked for.
            told = timed(bench.rival_python, rival, pool, "--share", 1 / 60, "--seed", next(seed)).output
            return json.loads(told)["seconds_of_all"]

        times = interleaved(3, authors=authors, ours=lambda: bench.scenario("scores", pool, repeats=51)["seconds"])
        bench.results.figures["published procedure"] = times
        ratio = times["authors"] / times["ours"]
        bench.results.add(Row("published procedure", ratio,
                              f"{ratio:,.0f}x ({1000 * times['ours']:.2f} ms, theirs {times['authors']:.0f} s)",
                              must=10_000, aim=100_000, unit="x", higher_is_better=True))


def check_rival(bench, rival, pool):
    """On all failures the plain program and the command must agree: it computes what we compute."""
    theirs = json.loads(timed(bench.rival_python, rival, pool, "--share", 0.004, "--all-negatives").output)["correlations"]
    for team, metrics in theirs.items():
        size = team.count(",") + 1
        document = json.loads(timed(bench.hqe, "score", pool, "--size", size, "--focal", "--json", "--quiet").output)
        for metric, values in metrics.items():
            row = next(row for row in document["scores"][metric] if ",".join(map(str, row["team"])) == team)
            for focal, value in zip(row["team"], values):
                if abs(row["focal"][str(focal)] - value) > 1e-9:
                    raise WrongAnswer(f"{metric} of team {team}: {row['focal'][str(focal)]}, the plain program says {value}")


def exhaustive_20(bench):
    with bench.pool(20, 50_000, 1_000) as pool:
        first = bench.scenario("all-teams", pool, repeats=1)

        def count(**how):
            return lambda: bench.scenario("all-teams", pool, repeats=3, draws=0, **how)["seconds"]

        times = interleaved(3, two=count(), one=count(one_core=True))
        bench.results.figures["exhaustive 20"] = {**first, **times}
        bench.results.add(Row("exhaustive 20", times["two"],
                              f"{times['two']:.2f} s for {first['teams']:,.0f} teams, after a pass of {first['pass_seconds']:.2f} s",
                              must=5, aim=1, unit=" s"))
        bench.results.add(Row("exhaustive 20: memory", first["peak_mb"], f"{first['peak_mb']:.0f} MB", must=300, unit=" MB"))
        add_one_core(bench, "exhaustive 20", times["one"] / times["two"])
        done = timed(bench.hqe, "evaluate", pool, "--quiet", keep_output=False)
        bench.results.add(Row("exhaustive 20: the whole command", done.seconds, f"{done.seconds:.2f} s", must=1, aim=0.5, unit=" s"))
        small_memory(bench, pool)


def small_memory(bench, pool):
    """The command on 4 GB under a limit of 500 MB of data."""
    commands = {"prune": ["prune", pool, "--size", "5"], "evaluate": ["evaluate", pool, "--size", "10"]}
    for name, words in commands.items():
        done = timed(bench.hqe, *words, "--json", "--quiet", data_limit=500 * MEGABYTE, keep_output=False)
        bench.results.add(Row(f"4 GB under ulimit -d 500 MB: {name}", done.anonymous_mb,
                              f"{done.anonymous_mb:.0f} MB of its own at most, {done.seconds:.1f} s", must=500, unit=" MB"))


def exhaustive_24(bench):
    with bench.pool(24, 50_000, 1_000) as pool:
        figures = bench.scenario("all-teams", pool, repeats=1, draws=2)
        bench.results.figures["exhaustive 24"] = figures
        bench.results.add(Row("exhaustive 24", figures["seconds"],
                              f"{figures['seconds']:.1f} s for {figures['teams']:,.0f} teams, {figures['peak_mb']:.0f} MB",
                              aim=20, unit=" s"))


def wide_pool(bench):
    options = ["--size", "5", "--keep", "100000"]
    with bench.pool(565, 1_600, 2, "--accuracy", "0.61:0.94") as pool:
        check_command(bench, pool, *options[2:], size=5)
        counting = bench.scenario("triples", pool)
        times = interleaved(3, two=lambda: bench.prune(pool, *options).seconds,
                            one=lambda: bench.prune(pool, *options, one_core=True).seconds)
        bench.results.figures["wide pool"] = {**times, "counting": counting}
        bench.results.add(Row("wide pool", times["two"], f"{times['two']:.2f} s, of which counting {counting['seconds']:.2f} s",
                              must=3, aim=1, unit=" s"))
        add_one_core(bench, "wide pool", times["one"] / times["two"])
        same_bytes(bench, pool, "--size", "4", "--keep", "2000")
    with bench.pool(1_024, 1_000, 2) as pool:
        check_command(bench, pool, "--keep", "20000", size=4)
        done = timed(bench.hqe, "prune", pool, "--size", 4, "--keep", 20_000, "--json", "--quiet",
                     data_limit=8192 * MEGABYTE, keep_output=False)
        bench.results.add(Row("1,024 models", done.seconds, f"{done.seconds:.1f} s", must=120, unit=" s"))
        bench.results.add(Row("1,024 models: memory", done.anonymous_mb, f"{done.anonymous_mb:,.0f} MB", must=8192, unit=" MB"))


def output(bench):
    """Writing must not eat the gain: documents of half a million teams."""
    with bench.pool(26, 5_000, 10) as pool:
        bench.scenario("check", pool, size=7)
        found = bench.scenario("output", pool, size=7)
        bench.results.figures["output"] = found
        for form in ("json", "csv"):
            seconds, size = found[f"{form}_seconds"], found[f"{form}_mb"]
            bench.results.add(Row(f"writing {form.upper()}", seconds,
                                  f"{seconds:.3f} s for {found['teams']:,.0f} teams ({size / seconds:,.0f} MB/s; counting them {found['evaluate_seconds']:.2f} s)"))


PAPER_SECONDS = {"BD": (0.90, 79.08), "GD": (0.84, 75.83), "F-BD": (2.01, 97.26), "F-GD": (2.01, 93.51),
                 "hierarchical F-BD": (0.63, 21.89), "hierarchical F-GD": (0.62, 21.79)}
# Teams of 2 to 5: all, then for CIFAR-10 and ImageNet seconds without pruning, with it, and teams left.
PAPER_TIERS = {2: (45, (0.06, 0.06, 45), (1.37, 1.32, 45)), 3: (120, (0.26, 0.18, 85), (9.17, 5.82, 82)),
               4: (210, (0.63, 0.23, 86), (28.34, 9.78, 78)), 5: (252, (1.03, 0.15, 37), (52.94, 5.32, 27))}


def papers_table(bench):
    """The paper's two execution-time tables with our figures beside theirs."""
    for place, (name, shape) in enumerate({"CIFAR-10": (10, 10_000, 10), "ImageNet": (10, 50_000, 1_000)}.items()):
        with bench.pool(*shape) as pool:
            bench.scenario("check", pool, size=3)
            found = bench.scenario("tiers", pool, size=5, repeats=21)
        bench.results.figures[f"paper's table, {name}"] = found
        say(f"\n  Execution time, {name} (theirs) and a synthetic pool of that shape (ours); teams of 2 to 5.\n"
            f"  Ours score from counts, which one pass of {1000 * found['count_seconds']:.1f} ms makes for all metrics together.\n"
            f"  {'':20}{'theirs':>10}{'ours':>12}{'with the pass':>16}")
        for metric, theirs in PAPER_SECONDS.items():
            seconds = sum(found[f"{metric.replace(' ', '_')}_{size}"] for size in PAPER_TIERS)
            say(f"  {metric:20}{theirs[place]:8.2f} s{1e6 * seconds:9.0f} us{1000 * (seconds + found['count_seconds']):13.1f} ms")
        say(f"\n  F-GD{'':6}{'no pruning':>24}{'hierarchical':>24}{'teams':>16}{'time saved':>18}{'teams saved':>18}\n"
            f"  size  teams{'theirs':>12}{'ours':>11}{'theirs':>13}{'ours':>11}{'theirs':>10}{'ours':>6}"
            f"{'theirs':>10}{'ours':>8}{'theirs':>10}{'ours':>8}")
        for size, (teams, *both) in PAPER_TIERS.items():
            plain, pruned, left = both[place]
            ours, ours_pruned = found[f"F-GD_{size}"], found[f"hierarchical_F-GD_{size}"]
            ours_left = found[f"candidates_F-GD_{size}"]
            say(f"  {size:4}{teams:7}{plain:10.2f} s{1e6 * ours:8.0f} us{pruned:11.2f} s{1e6 * ours_pruned:8.0f} us{left:10}{ours_left:6g}"
                f"{1 - pruned / plain:10.0%}{1 - ours_pruned / ours:8.0%}{1 - left / teams:10.0%}{1 - ours_left / teams:8.0%}")
