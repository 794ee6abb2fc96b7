# SPDX-License-Identifier: MIT
"""Running programs with a clock, making pools, and keeping what was found."""

import contextlib
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"


class WrongAnswer(Exception):
    """A program failed, or what it answered is not what the slow reference says."""


@dataclass
class Row:
    """One measured figure, what it must reach and what it aims for (each a limit, None = none)."""
    name: str
    value: float
    text: str
    must: float | None = None
    aim: float | None = None
    unit: str = ""
    higher_is_better: bool = False

    def reaches(self, limit):
        return self.value >= limit if self.higher_is_better else self.value <= limit

    def limit(self, value):
        return "" if value is None else f"{'>=' if self.higher_is_better else '<='} {value:,g}{self.unit}"

    def verdict(self):
        if self.must is not None and not self.reaches(self.must):
            return "MISSED"
        if self.aim is not None:
            return "aim reached" if self.reaches(self.aim) else "must reached" if self.must is not None else "reported"
        return "must reached" if self.must is not None else "reported"


@dataclass
class Results:
    rows: list[Row] = field(default_factory=list)
    pools: dict = field(default_factory=dict)
    figures: dict = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def add(self, row):
        self.rows.append(row)
        say(f"  {row.name}: {row.text}")

    def missed(self):
        return [row.name for row in self.rows if row.verdict() == "MISSED"]

    def table(self):
        lines = [("benchmark", "reached", "must", "aim", "")]
        lines += [(row.name, row.text, row.limit(row.must), row.limit(row.aim), row.verdict()) for row in self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(5)]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)

    def write(self, path):
        rows = [{**asdict(row), "verdict": row.verdict()} for row in self.rows]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"machine": machine(), "rows": rows, "pools": self.pools, "figures": self.figures,
                                    "failures": self.failures, "skipped": self.skipped}, indent=1) + "\n")


def say(text):
    print(text, flush=True)


def machine():
    model = ""
    with contextlib.suppress(OSError):
        model = next((line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().split("\n")
                      if line.startswith("model name")), "")
    return {"cpu": model, "cores": len(os.sched_getaffinity(0)), "system": platform.platform(),
            "memory_gb": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9, 1),
            "load_average": os.getloadavg()[0], "date": time.strftime("%Y-%m-%d %H:%M", time.gmtime())}


@dataclass
class Done:
    seconds: float
    output: bytes
    anonymous_mb: float
    processor_seconds: float


def anonymous_mb(process):
    with contextlib.suppress(OSError, StopIteration):
        lines = Path(f"/proc/{process}/status").read_text().split("\n")
        return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) / 1024
    return 0.0


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(*command, one_core=False, data_limit=None, environment=None, keep_output=True, watch_memory=False):
    """Runs a program to its end; raises WrongAnswer when it fails."""
    words = [str(word) for word in command]
    if one_core:
        words = ["taskset", "-c", "0", *words]
    if data_limit:
        words = ["bash", "-c", f'ulimit -d {data_limit // 1024} && exec "$@"', "limited", *words]
    used_before = children_seconds()
    begin = time.perf_counter()
    process = subprocess.Popen(words, cwd=ROOT, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE if keep_output else subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak = [0.0]
    ended = threading.Event()

    def watch():
        while not ended.wait(0.005):
            peak[0] = max(peak[0], anonymous_mb(process.pid))

    watcher = threading.Thread(target=watch) if data_limit or watch_memory else None
    if watcher:
        watcher.start()
    output, said = process.communicate()
    seconds = time.perf_counter() - begin
    ended.set()
    if watcher:
        watcher.join()
    if process.returncode != 0:
        raise WrongAnswer(f"{' '.join(words)} ended with {process.returncode}: {said.decode(errors='replace').strip()[-300:]}")
    return Done(seconds, output or b"", peak[0], children_seconds() - used_before)


def interleaved(repeats, **works):
    """Medians by name, each work done in turn, round after round: what disturbs the machine
    disturbs all of them. A work returns seconds."""
    times = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            times[name].append(work())
    return {name: statistics.median(values) for name, values in times.items()}


@dataclass
class Bench:
    """The programs under measurement and where pools go."""
    hqe: Path
    program: Path
    rival_python: Path
    folder: Path
    keep_pools: bool
    results: Results = field(default_factory=Results)

    def scenario(self, name, pool, *, one_core=False, **settings):
        """The figures of one scenario of hqe_bench."""
        words = [f"{key}={value}" for key, value in settings.items() if key != "teams"]
        words += [f"team={team}" for team in settings.get("teams", [])]
        return json.loads(timed(self.program, name, pool, *words, one_core=one_core).output)

    def prune(self, pool, *options, **how):
        return timed(self.hqe, "prune", pool, *options, "--json", "--quiet", **how)

    @contextlib.contextmanager
    def pool(self, models, samples, classes, *options):
        """A synthetic pool, described, deleted afterwards unless it is to be kept."""
        name = "x".join(map(str, (models, samples, classes))) + "".join(options).replace("-", "").replace(":", "to")
        path = self.folder / name
        size = 4 * models * samples * classes
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            free = shutil.disk_usage(self.folder).free
            if free < size + 2 * 10**9:
                raise OSError(f"a pool of {size / 1e9:.1f} GB needs more disk than the {free / 1e9:.1f} GB that are free")
            words = ["synth", "--models", models, "--samples", samples, "--classes", classes, "--seed", 1, *options]
            say(f"  hqe {' '.join(map(str, words))}")
            timed(self.hqe, *words, "--quiet", "-o", path)
        self.describe(name, path)
        try:
            yield path
        finally:
            if not self.keep_pools:
                shutil.rmtree(path, ignore_errors=True)

    def describe(self, name, path):
        about = self.scenario("describe", path)
        self.results.pools[name] = about
        say(f"  pool of {about['models']:g} models x {about['samples']:,g} samples x {about['classes']:,g} classes: "
            f"{about['contested_share']:.1%} of the samples contested, {about['rivals_per_contested']:.2f} undominated rivals each")


def rival_python():
    path = BUILD / "venv-bench/bin/python"
    return path if path.exists() else Path(sys.executable)
