# SPDX-License-Identifier: MIT
"""How fast CSV tables are read, beside pandas and DuckDB on one core, and in how much memory."""

import json
import random
import shutil

from measuring import Row, WrongAnswer, say, timed

PYTHON = """
import json, resource, sys
{setup}
before = resource.getrusage(resource.RUSAGE_SELF)
{read}
after = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps(dict(cpu=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, samples=samples)))
"""
RIVALS = {
    "pandas": ("import pandas", "samples = len(pandas.read_csv(sys.argv[1]))"),
    "DuckDB": ("import duckdb; duckdb.sql('set threads = 1')",
               "samples = len(duckdb.read_csv(sys.argv[1]).fetchnumpy()['id'])"),
}  # fmt: skip
MEGABYTES = 200
TURNS = 3
LARGE = 10_000_000_000
MODELS = 30
ANIMALS = ["cat", "dog", "bird", "frog", "horse", "truck", "plane", "deer", "ship", "automobile"]


def labels(draw, classes):
    return ",".join(str(draw.randrange(classes)) for _ in range(MODELS + 1))


def words(draw):
    return ",".join(draw.choice(ANIMALS) for _ in range(MODELS + 1))


def shares(draw, spelled="{:.7f}".format):
    """Five models that are right on nine of ten samples, as models are that people have."""
    truth = draw.randrange(10)
    rows = [[draw.random() for _ in range(10)] for _ in range(5)]
    for row in rows:
        row[truth if draw.random() < 0.9 else draw.randrange(10)] += 1 + draw.random()
    return f"{truth}," + ",".join(spelled(value / sum(row)) for row in rows for value in row)


A_CLASS = "id,y," + ",".join(f"m{i}.{c}" for i in range(5) for c in range(10))
A_COLUMN = "id,y," + ",".join(f"m{i}" for i in range(MODELS))
FORMS = {
    "labels of 10 classes": (A_COLUMN, lambda draw: labels(draw, 10)),
    "labels of 1,000 classes": (A_COLUMN, lambda draw: labels(draw, 1000)),
    "text labels": (A_COLUMN, words),
    "probabilities": (A_CLASS, shares),
    "probabilities of all digits": (A_CLASS, lambda draw: shares(draw, repr)),  # As pandas writes doubles.
}


def write(path, form, size):
    """Rows of a form, with ids; a thousand different ones over and over, since making them is slow."""
    header, line = FORMS[form]
    rows = [line(random.Random(i)) for i in range(1000)]
    at = written = 0
    with open(path, "w") as file:
        file.write(header + "\n")
        while written < size:
            written += file.write("".join(f"{at + i},{row}\n" for i, row in enumerate(rows)))
            at += len(rows)
    return at


def tables(bench, python):
    """Each reader has a process of its own, in turn; the least processor time of some turns counts, since a busy machine adds
    to the others. Ours is all of opening a pool: columns told apart, rows in the order of ids, labels made classes."""
    bench.folder.mkdir(parents=True, exist_ok=True)
    path = bench.folder / "table.csv"
    commands = {"hqe": [bench.program.with_name("read_table"), path]}
    for name, (setup, read) in RIVALS.items():
        commands[name] = [python, "-c", PYTHON.format(setup=setup, read=read), path]
    try:
        for form in FORMS:
            rows = write(path, form, MEGABYTES * 1_000_000)
            megabytes = path.stat().st_size / 1e6
            seconds = {}
            for _ in range(TURNS):
                for name, command in commands.items():
                    # DuckDB may have drawn its progress before.
                    done = json.loads(timed(*command, one_core=True).output.splitlines()[-1])
                    if done["samples"] != rows:
                        raise WrongAnswer(f"{name} read {done['samples']} of {rows} rows")
                    seconds[name] = min(done["cpu"], seconds.get(name, done["cpu"]))
            speed = {name: megabytes / cpu for name, cpu in seconds.items()}
            others = ", ".join(f"{name} {speed[name]:.0f}" for name in RIVALS)
            bench.results.add(Row(f"CSV, {form}", speed["hqe"], f"{speed['hqe']:.0f} MB/s ({others})", must=300, unit=" MB/s",
                                  higher_is_better=True))
    finally:
        path.unlink(missing_ok=True)


def large_table(bench, size=LARGE):
    """A table larger than the memory it may take: read, scanned and counted under a limit of 2 GB."""
    bench.folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(bench.folder).free
    if free < 2.5 * size:
        bench.results.skipped.append(f"large table: {2.5 * size / 1e9:.0f} GB of disk are needed, {free / 1e9:.0f} GB are free")
        return
    path = bench.folder / "large.csv"
    try:
        rows = write(path, "probabilities", size)
        say(f"  a table of {path.stat().st_size / 1e9:.1f} GB, {rows:,} rows")
        done = timed(bench.hqe, "inspect", path, "--label-column", "y", "--id-column", "id", "--json", "--quiet",
                     data_limit=2 * 10**9, environment={"TMPDIR": str(bench.folder)})
        if json.loads(done.output)["pool"]["samples"] != rows:
            raise WrongAnswer("hqe inspect saw another number of rows")
    finally:
        path.unlink(missing_ok=True)
    bench.results.add(Row(f"{size / 1e9:g} GB of CSV", done.anonymous_mb,
                          f"{done.anonymous_mb:.0f} MB of memory, {done.seconds:.0f} s ({size / done.seconds / 1e6:.0f} MB/s)",
                          must=2000, unit=" MB"))
