# SPDX-License-Identifier: MIT
"""Digests: how small and how fast they are, and what a pool beyond this machine would cost."""

import json
import os
import re
import shutil
import time
from pathlib import Path

from measuring import Row, WrongAnswer, interleaved, say, timed

GIGABYTE = 10**9
CONSENSUS = ["--choose", "consensus", "--no-holdout"]
NETWORK = GIGABYTE  # Bytes a second that the machine which gathers the digests is assumed to take in.
PLENTY = 1 << 40  # A limit of memory that nothing meets: with it memory is watched.


def without_serving(text):
    return re.sub(rb'^"serving":.*$', b"", text, flags=re.MULTILINE)


def digests(bench):
    with bench.pool(10, 50_000, 1_000) as pool:
        path = bench.folder / "whole.digest"

        def digest(*words, out=path):
            return [bench.hqe, "digest", pool, "-o", out, "--quiet", *words]

        told = json.loads(timed(*digest(), "--json").output)
        ratio = told["prediction_bytes"] / told["bytes"]
        bench.results.add(Row("digest: predictions over its bytes", ratio,
                              f"{ratio:.0f}x ({told['bytes'] / 1e6:.1f} MB; teams can differ on {told['contested'] / told['samples']:.1%})",
                              must=250, unit="x", higher_is_better=True))
        for options in (CONSENSUS, ["--size", "4"]):
            if without_serving(bench.prune(path, *options).output) != without_serving(bench.prune(pool, *options).output):
                raise WrongAnswer(f"prune {' '.join(options)} of the digest is not that of the predictions")
        times = interleaved(7, digest=lambda: timed(*digest()).seconds, sum=lambda: timed(bench.program, "sum", pool).seconds,
                            decide=lambda: bench.prune(path, *CONSENSUS).seconds)
        over = times["digest"] / times["sum"]
        bench.results.add(Row("digest over a plain read", over, f"{over:.2f}x ({times['digest']:.3f} s, plain sum {times['sum']:.3f} s)",
                              must=1.6, unit="x"))
        milliseconds = 1000 * times["decide"]
        bench.results.add(Row("prune of the digest", milliseconds, f"{milliseconds:.0f} ms", must=60, unit=" ms"))
        halves = [digest("--threads", 1, "--rows", rows, out=bench.folder / f"{name}.digest")
                  for name, rows in (("first", "0:25000"), ("second", "25000:50000"))]
        times = interleaved(5, one=lambda: timed(*digest("--threads", 1)).seconds, two=lambda: together(halves))
        gain = times["one"] / times["two"]
        bench.results.add(Row("digest: two workers against one", gain, f"{gain:.2f}x ({times['two']:.3f} s)", must=1.7, unit="x",
                              higher_is_better=True))
        for made in (path, bench.folder / "first.digest", bench.folder / "second.digest"):
            made.unlink()
    largest(bench)


def together(commands):
    """Seconds until all of them have ended."""
    import subprocess

    begin = time.perf_counter()
    processes = [subprocess.Popen([str(word) for word in command]) for command in commands]
    if any([process.wait() for process in processes]):
        raise WrongAnswer("a digest was not made")
    return time.perf_counter() - begin


def largest(bench):
    """Pools of which nearly every number is needed."""
    worst = 0
    for kind in ("probabilities", "logits", "labels"):
        for classes in (2, 3, 10):
            with bench.pool(3, 20_000, classes, "--kind", kind, "--accuracy", "0.5:0.6") as pool:
                told = json.loads(timed(bench.hqe, "digest", pool, "-o", bench.folder / "a.digest", "--json").output)
                worst = max(worst, told["bytes"] / (1.01 * told["prediction_bytes"] + 65536))
    (bench.folder / "a.digest").unlink()
    bench.results.add(Row("largest digest over predictions + 1 % + 64 KB", worst, f"{worst:.2f}", must=1.0))


def line_of(points):
    """The line a + b x through points, neither below 0, by least squares of relative errors: a second of noise on the last
    point must not hide the slope that the first ones show."""
    weights = [1 / (y * y) for _, y in points]

    def mean(values):
        return sum(weight * value for weight, value in zip(weights, values)) / sum(weights)

    mean_x, mean_y = mean([x for x, _ in points]), mean([y for _, y in points])
    spread = mean([(x - mean_x) ** 2 for x, _ in points])
    slope = mean([(x - mean_x) * (y - mean_y) for x, y in points]) / spread if spread else 0.0
    start = mean_y - slope * mean_x
    if slope < 0:
        return mean_y, 0.0
    if start < 0:
        return 0.0, mean([x * y for x, y in points]) / mean([x * x for x, _ in points])
    return start, slope


def shard_folder(bench, size):
    """Where a shard of so many bytes lies for its moment: in memory where there is room, since making it would otherwise be
    waiting for a disk."""
    memory = Path("/dev/shm")
    available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    has_room = memory.is_dir() and os.access(memory, os.W_OK) and min(available, shutil.disk_usage(memory).free) > 2 * size
    return memory / f"hqe-shard-{os.getpid()}" if has_room else bench.folder / "shard"


def streamed(bench, models, classes, samples, shards, options):
    """Makes shards one after the other, digests and drops them. Decides on 1, 2, 5, .. of them, and returns what a sample
    costs: seconds a byte read on one core, digest bytes, and lines of seconds and memory: of merging, which is opening all
    parts and one pass over them, as `inspect` does it, and of what the decision takes beyond that."""
    folder = bench.folder / f"parts-{models}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shard = shard_folder(bench, 4 * models * classes * samples)
    read = taken = size = making = 0
    merges, searches, memory, begin = [], [], [], time.monotonic()
    try:
        for number in range(shards):
            making += timed(bench.hqe, "synth", "--models", models, "--samples", samples, "--classes", classes, "--seed", number + 1,
                            "--quiet", "-o", shard).seconds
            made = timed(bench.hqe, "digest", shard, "--first-row", number * samples, "--threads", 1, "--json",
                         "-o", folder / f"{number:06}.digest")
            told = json.loads(made.output)
            shutil.rmtree(shard)
            read, taken, size = read + told["prediction_bytes"], taken + made.seconds, size + told["bytes"]
            if number + 1 in (1, 2, 5, 10, 20, 50, 100, shards):
                merged = timed(bench.hqe, "inspect", folder, "--json", "--quiet", keep_output=False).seconds
                done = timed(bench.hqe, "prune", folder, *options, "--json", "--quiet", keep_output=False, data_limit=PLENTY)
                rows = (number + 1) * samples
                merges.append((rows, merged))
                searches.append((rows, max(done.seconds - merged, 0.001)))  # The clock is no finer.
                memory.append((rows, done.anonymous_mb * 1e6))
                say(f"  {rows:,} samples in {number + 1} parts, {read / GIGABYTE:.1f} GB read: digests {size / 1e6:.1f} MB, decided in "
                    f"{done.seconds:.2f} s, {merged:.2f} s of them merging, with {done.anonymous_mb:.0f} MB ({time.monotonic() - begin:.0f} s so far)")
        say(f"  {models} models: shards made in {making:.0f} s, digested in {taken:.0f} s, decided in {sum(y for _, y in merges + searches):.0f} s")
    finally:
        shutil.rmtree(shard, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
    return {"read_rate": read / taken, "digest_bytes": size / (shards * samples), "merge": line_of(merges), "search": line_of(searches),
            "memory": line_of(memory), "samples": shards * samples, "models": models}


def predicted(found, models, samples, classes, workers):
    """The formula of docs/scale.md, with what was fitted."""
    seconds = {
        "read": 4 * models * samples * classes / (workers * found["read_rate"]),
        "gather": samples * found["digest_bytes"] / NETWORK,
        "merge": on_line(found["merge"], samples),
        "search": on_line(found["search"], samples),
    }
    return seconds, samples * found["digest_bytes"], on_line(found["memory"], samples)


def on_line(line, x):
    return line[0] + line[1] * x


def simulate(bench, samples):
    found = streamed(bench, 10, 1_000, samples, 100, ["--size", "5"])
    bench.results.figures["simulation"] = found
    merge, search = found["merge"], found["search"]
    bench.results.add(Row(f"simulation: decision on {found['samples']:,} samples", on_line(merge, found["samples"]) + on_line(search, found["samples"]),
                          f"{found['read_rate'] / GIGABYTE:.2f} GB/s a core, {found['digest_bytes']:.0f} digest bytes a sample, merge {merge[0]:.2f} s + "
                          f"{1e6 * merge[1]:.2f} s a million, search {search[0]:.2f} s + {1e6 * search[1]:.2f} s a million, "
                          f"{found['memory'][1]:.0f} MB a million"))
    wide = streamed(bench, 100, 1_000, 500, 100, ["--size", "3", "--no-holdout"])
    bench.results.figures["simulation, 100 models"] = wide
    seconds, digest_bytes, memory = predicted(wide, 100, 100_000_000, 1_000, 100)
    bench.results.add(Row("100 models x 100 M samples on 100 workers", sum(seconds.values()) / 60,
                          f"{sum(seconds.values()) / 60:.0f} minutes predicted: reading {seconds['read'] / 60:.0f}, gathering "
                          f"{digest_bytes / GIGABYTE:.0f} GB {seconds['gather'] / 60:.1f}, merging {seconds['merge'] / 60:.0f}, searching {seconds['search'] / 60:.0f} "
                          f"with {memory / GIGABYTE:.0f} GB of memory"))


def simulation(bench):
    """Some 4 GB in a hundred shards."""
    simulate(bench, 1_000)


def large_simulation(bench):
    """10 models x 5,000,000 samples x 1,000 classes: 200 GB, never stored."""
    simulate(bench, 50_000)
