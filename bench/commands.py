# SPDX-License-Identifier: MIT
"""Whole commands as people type them, each on the pool that it is slowest or oftenest used on."""

import json

from measuring import ROOT, Row, WrongAnswer, interleaved, timed

SHARED_POOLS = ROOT.parent / "shared/pools"
DEMO_POOL = ROOT / "examples/fashion-mnist/validation"


def shared(bench, name):
    """A pool beside the repository; None, and said, where it is absent."""
    path = SHARED_POOLS / name
    if path.is_dir():
        return path
    bench.results.skipped.append(f"{name}: ../shared is absent")
    return None


def add_seconds(bench, name, done, must, aim, about=""):
    bench.results.add(Row(name, done.seconds, f"{done.seconds:.2f} s{about} ({done.processor_seconds:.2f} s of processor time)",
                          must=must, aim=aim, unit=" s"))


def imagenet_67(bench):
    pool = shared(bench, "imagenet-67")
    if not pool:
        return
    bench.describe("imagenet-67", pool)
    bench.scenario("check", pool, size=5)
    done = timed(bench.hqe, "prune", pool, "--size", 5, "--beta", "10%", "--quiet", keep_output=False, watch_memory=True)
    add_seconds(bench, "imagenet-67, pruned to 5", done, 12, 5)
    bench.results.add(Row("imagenet-67, pruned to 5: memory", done.anonymous_mb, f"{done.anonymous_mb:,.0f} MB", must=400, aim=200,
                          unit=" MB"))
    done = timed(bench.hqe, "evaluate", pool, "--size", 5, "--json", "--quiet", keep_output=False)
    bench.results.add(Row("imagenet-67, all teams of 5", done.seconds, f"{done.seconds:.1f} s for 9,657,648 teams"))


def compare_adult(bench):
    pool = shared(bench, "adult-43")
    if not pool:
        return
    done = timed(bench.hqe, "compare", pool, "--size", 5, "--quiet", keep_output=False)
    add_seconds(bench, "compare of adult-43", done, 12, 5)


def ninety_models(bench):
    with bench.pool(90, 82_756, 2, "--kind", "correctness", "--accuracy", "0.34:0.76") as pool:
        done = timed(bench.hqe, "prune", pool, "--size", 4, "--keep", 50_000, "--quiet", keep_output=False)
        add_seconds(bench, "90 models", done, 4, 2, " for 82,756 samples")


def demo_decision(bench):
    words = [bench.hqe, "prune", DEMO_POOL, "--json", "--quiet"]
    times = interleaved(5, decision=lambda: timed(*words, keep_output=False).seconds)
    bench.results.add(Row("decision on the demo pool", times["decision"], f"{times['decision']:.3f} s", must=0.5, aim=0.1, unit=" s"))


def start(bench):
    """Processor time of the smallest command, over as many starts as a clock of 10 ms needs."""
    starts = 50
    done = timed("bash", "-c", 'for i in $(seq "$2"); do "$1" version > /dev/null; done', "starts", bench.hqe, starts)
    forks = timed("bash", "-c", 'for i in $(seq "$2"); do "$1" > /dev/null; done', "starts", "/bin/true", starts)
    milliseconds = 1000 * (done.processor_seconds - forks.processor_seconds) / starts
    bench.results.add(Row("starting the command", milliseconds, f"{milliseconds:.1f} ms of processor time beyond an empty program's",
                          must=5, aim=2, unit=" ms"))


def greedy(bench):
    """Processor time, since ours has more threads; ours chooses on a half of the samples too, and judges that choice."""
    pool = shared(bench, "cifar10-30")
    if not pool:
        return
    rival = ROOT / "bench/rivals/greedy.py"
    found = {}

    def ours():
        found["ours"] = bench.scenario("greedy", pool, repeats=9)
        return found["ours"]["processor_seconds"]

    def theirs():
        found["numpy"] = json.loads(timed(bench.rival_python, rival, pool).output)
        return found["numpy"]["processor_seconds"]

    times = interleaved(3, ours=ours, numpy=theirs)
    if found["ours"]["mask"] != sum(1 << model for model in found["numpy"]["team"]):
        raise WrongAnswer(f"NumPy's team is {found['numpy']['team']}, ours another")
    ratio = times["numpy"] / times["ours"]
    bench.results.add(Row("greedy selection against NumPy", ratio,
                          f"{ratio:.1f}x ({1000 * times['ours']:.1f} ms, NumPy's loop {1000 * times['numpy']:.0f} ms, of processor time)",
                          must=5, aim=10, unit="x", higher_is_better=True))
