# SPDX-License-Identifier: MIT
"""Hostile numbers, long names and large pools end with a sentence: never a crash, never without end."""

import json
import re
import resource
import subprocess

import pytest

import running
from files import label_pool, npy_bytes, small_pool, write_pool
from running import commands, hqe, refuses

NUMBERS = ["-1", "0", "1", "2.5", "1e308", "-1e308", "2147483647", "2147483648", "18446744073709551615",
           "18446744073709551616", "nan", "inf", "-inf", "1e-400", "1e-300", "0x10", "", " 5", "5 ", "\u0663", "1,5",
           "2147483647x2147483647", "1x2147483647", "2147483647:2147483647", "1e308:1e308:1", "0.1:0.1:1e-300",
           "0:1e308:1e-300", "0:1:1e-9", "params=1e308", "params=-1", "params=nan", "params=1e-400", "params=",
           "1,2,3,4,1e308", "1,2,3,4,-1"]
# How help calls the values that are not numbers.
WORDS = {"FILE", "NAME", "KIND", "MODEL", "TEAM", "METHOD", "V", "POOL2", "FOLDER", "T"}
NUMBERS_CALLED_AS_WORDS = {"--threads"}  # T is a number of threads, and the name of ties.
MEMORY = 2 << 30
SECONDS = 60

# What each command needs beside the option under test.
NEEDS = {
    "inspect": ["pool"], "score": ["pool"], "evaluate": ["pool"], "prune": ["pool"],
    "sweep": ["pool"], "compare": ["pool", "--no-times", "--method", "random", "--method", "branch-and-bound"],
    "front": ["pool"], "explain": ["pool", "--team", "0,1"], "order": ["pool", "--team", "0,1"], "apply": ["pool", "--team", "0,1", "-o", "answers.npy"],
    "team": ["pool", "--team", "0,1"], "digest": ["pool", "-o", "pool.digest"],
    "synth": ["-o", "made"],
}
DEFAULTS = {"score": {"--size": "2"}, "sweep": {"--size": "2", "--beta": "0.1"}, "evaluate": {"--size": "2"},
            "compare": {"--size": "2", "--repeats": "2"}, "synth": {"--samples": "50", "--models": "3"}}


def numeric_options(command):
    """The options of a command whose value is a number, as its help lists them."""
    options = []
    for names, value in re.findall(r"^  ((?:-\w, )?--[\w-]+) ([A-Z][\w=:]*)", hqe(command, "--help", check=0).out, re.M):
        name = names.split(", ")[-1]
        if value not in WORDS or name in NUMBERS_CALLED_AS_WORDS:
            if not (name in ("--weights", "--scale") or value == "V" or (name, value) == ("--merit", "M")):
                options.append(name)
    return options


def limited(*words, cwd):
    """Runs the command within 2 GB; gives exit code, standard output and error."""
    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    done = subprocess.run([str(running.BINARY), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, cwd=cwd,
                          timeout=SECONDS, preexec_fn=limit)
    return running.Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def costly_pool(home):
    pool = small_pool(home / "pool")
    costs = "".join(f"[cost.model_{i}]\nparams = {10 * (i + 1)}\n" for i in range(5))
    (pool / "pool.toml").write_text(costs)
    return pool


def words_for(command, option, options, home):
    """What a call of the command needs beside `option`."""
    words = list(NEEDS[command])
    for name, value in DEFAULTS.get(command, {}).items():
        if name != option:
            words += [name, value]
    if command == "synth":
        words[words.index("-o") + 1] = f"made{len(list(home.iterdir()))}"
    if option == "--seed" and "--sample" in options and command != "prune":
        words += ["--sample", "5x2"]
    return words


@pytest.mark.longest
@pytest.mark.parametrize("swept", NEEDS)
def test_every_hostile_number_is_taken_or_refused_with_a_sentence(swept, home):
    costly_pool(home)
    options = numeric_options(swept)
    assert "--threads" in options, options
    for option in options:
        for number in NUMBERS:
            words = words_for(swept, option, options, home)
            result = limited(swept, *words, f"{option}={number}", cwd=home)
            said = f"hqe {swept} {' '.join(words)} {option}={number!r}: {result.code}: {result.err}"
            assert result.code in (0, 2, 3, 4), said
            assert "unexpected" not in result.err and "out of memory" not in result.err, said
            if result.code in (2, 3):
                assert result.out == "" and result.err.count("\n") == 1, said
                bare = option.lstrip("-").replace("-", "[- ]")
                assert re.search(rf"{bare}|{bare.rstrip('s')}", result.err), f"does not name the option: {said}"


def test_the_sweep_of_numbers_knows_every_command_that_takes_numbers_of_its_own():
    for command in commands():
        own = [option for option in numeric_options(command) if option not in ("--threads", "--top")]
        assert command in NEEDS or not own, (command, own)
    assert {"--size", "--beta", "--keep", "--max-candidates", "--max-evaluate", "--sample", "--seed", "--budget",
            "--holdout", "--folds", "--stability", "--margin", "--threads", "--top",
            "--vote-weights"} <= set(numeric_options("prune")), numeric_options("prune")
    assert {"--models", "--samples", "--classes", "--accuracy", "--correlation", "--abstain",
            "--seed"} <= set(numeric_options("synth"))
    assert {"--repeats", "--time-limit"} <= set(numeric_options("compare"))


def test_many_threads_fit_into_little_memory(home):
    """As many threads as one may ask for fit into little memory, and more are refused."""
    pool = label_pool(home / "pool", models=18, samples=300)
    expected = hqe("evaluate", pool, "--size", "5", "--json", check=0).out
    assert limited("evaluate", pool, "--size", "5", "--json", "--threads", "1024", cwd=home).out == expected
    refuses(2, "prune", pool, "--threads", "2147483647", saying=["--threads", "2147483647", "1024"])


def test_a_sample_that_would_fill_the_memory_is_refused(home):
    """A sample that would fill the memory is refused, and says how much it would take."""
    pool = small_pool(home / "pool")
    for command in ("prune", "score"):
        refuses(2, command, pool, "--size", "2", "--sample", "2147483647x2147483647", saying=["--sample", "GiB"])


def test_synth_refuses_a_pool_of_terabytes_before_it_makes_a_folder(home):
    refuses(2, "synth", "--samples", "2147483647", "-o", home / "made", saying=["--samples", "GB"])
    refuses(2, "synth", "--classes", "16777216", "-o", home / "made", saying=["--classes", "GB"])
    assert not list(home.iterdir())


def test_a_pool_of_1026_models_is_refused(home):
    """A pool of 1,026 models is refused by the name of its folder, and says what to do."""
    one = npy_bytes([0, 1, 1], "<i8")
    pool = write_pool(home / "crowd", {f"m{i}.npy": one for i in range(1026)}, [0, 1, 1])
    refuses(3, "inspect", pool, saying=["crowd", "1026 models", "1024", "pool.toml"])
    files = sorted(pool.glob("m*.npy"))
    refuses(3, "inspect", *files, "--labels", pool / "labels.npy", saying=["m0.npy", "1026 models", "1024"])


def test_names_of_300_characters_are_refused(home):
    """Names of 300 characters are refused by one clear message wherever they are given."""
    long = "n" * 300
    pool = small_pool(home / "pool")
    (home / "listing").mkdir()
    for file in pool.iterdir():
        (home / "listing" / file.name).write_bytes(file.read_bytes())
    (home / "listing" / "pool.toml").write_text(f'models = ["model_0", "{long}"]\n')
    for words in (["inspect", long], ["inspect", f"{long}.npy", "--labels", "pool/labels.npy"],
                  ["inspect", "pool", "--labels", f"{long}.npy"], ["prune", "pool", "--test", long],
                  ["compare", "pool", "--test", long], ["evaluate", "pool", "--team", long],
                  ["apply", "pool", "--team", f"0,{long}", "-o", "x.npy"], ["explain", "pool", "--team", long],
                  ["prune", "pool", "--require", long], ["prune", "pool", "--exclude", long], ["inspect", "listing"],
                  ["report", long, "-o", "x.html"], ["plot", long, "--figure", "scatter", "-o", "x.svg"],
                  ["plot", long, "--figure", "ranks", "-o", "x.svg"], ["plot", long, "--figure", "cascades", "-o", "x.svg"]):
        result = hqe(*words, cwd=home)
        assert result.code in (2, 3), (words, result)
        assert result.out == "" and result.err.count("\n") == 1 and "unexpected" not in result.err, result.err
        assert "nnn\u2026nnn" in result.err or long[:60] in result.err, result.err
    for words in (["inspect", "pool", "-o", long], ["prune", "pool", "--report", long], ["synth", "-o", long]):
        result = hqe(*words, cwd=home)
        assert result.code in (1, 3) and "unexpected" not in result.err, result
        assert result.err.count("\n") == 1, result.err


def reason_of(pool, *words):
    """What an empty answer says: in rows, in a silent run and in the table alike; in documents, and so on every page that
    is made of them, in plain words."""
    reason = hqe("prune", pool, *words, "--csv", check=4).err.removeprefix("hqe: ").removesuffix(".\n")
    assert hqe("prune", pool, *words, "--quiet", "-o", pool.parent / "out.json", check=4).err == f"hqe: {reason}.\n"
    flat = re.sub(r"\s+", " ", hqe("prune", pool, *words, check=4).out)
    assert reason[1:] in flat, (reason, flat[-600:])
    plain = re.sub(r"--(\w+) (\w+)=", r"the option \1 \2 ", reason)
    plain = re.sub(r"--(\w+)", r"the option \1", re.sub(r"--(\w+) (?=\d)", r"\1 ", plain))
    document = hqe("prune", pool, *words, "--json", check=4).json
    assert document["warnings"][-1] == plain, (document["warnings"], reason)
    assert json.loads((pool.parent / "out.json").read_text())["warnings"][-1] == plain
    assert "--" not in "".join([*document["warnings"], document["trust"]["says"]]), document
    return reason


def test_an_answer_emptied_by_keep_says_so_and_raising_it_as_told_gives_teams(home):
    pool = label_pool(home / "pool", models=40, samples=200)
    keep = next(k for k in range(1, 40) if hqe("prune", pool, "--size", "3", "--keep", k, "--metric", "F-GD", "--json").code == 4)
    reason = reason_of(pool, "--size", "3", "--keep", keep, "--metric", "F-GD")
    assert f"the {keep} teams of 2 that F-GD kept" in reason and f"Raise --keep (now {keep})" in reason, reason
    assert "ask for --size 2" in reason, reason
    hqe("prune", pool, "--size", "3", "--keep", "780", "--metric", "F-GD", check=0)
    hqe("prune", pool, "--size", "2", "--keep", keep, "--metric", "F-GD", check=0)


def test_an_answer_emptied_by_beta_says_so(home):
    reason = reason_of(small_pool(home / "pool"), "--size", "4", "--beta", "0.9")
    assert "Lower --beta (now 0.9)" in reason and "--keep" not in reason, reason


def test_a_budget_that_no_team_meets_names_the_cheapest(home):
    """A budget that no team meets says that it is the budget, and what the cheapest team costs."""
    pool = costly_pool(home)
    for words in (["--size", "3"], ["--size", "3", "--by", "mean"]):
        reason = reason_of(pool, *words, "--budget", "params=25")
        cheapest = 30 if "mean" in words else 60
        assert "--budget params=25" in reason and f"the cheapest has params {cheapest}" in reason, reason
        hqe("prune", pool, *words, "--budget", f"params={cheapest}", check=0 if "mean" not in words else None)
    reason = reason_of(pool, "--size", "2", "--require", "model_4", "--budget", "params=55")
    assert "the cheapest has params 60" in reason, reason
    for words in (["compare", pool, "--size", "3", "--repeats", "2"], ["sweep", pool, "--size", "3", "--beta", "0.1"]):
        result = hqe(*words, "--budget", "params=5", "--json", check=4)
        assert "the cheapest has params 60" in result.json["warnings"][-1], result.json["warnings"]
        text = hqe(*words, "--budget", "params=5", check=4).out
        assert "the cheapest has params 60" in re.sub(r"\s+", " ", text), text
        assert "the cheapest has params 60" in hqe(*words, "--budget", "params=5", "--csv", check=4).err


def test_budgets_that_each_allow_teams_but_not_together_say_so(home):
    pool = small_pool(home / "pool")
    (pool / "pool.toml").write_text("".join(
        f"[cost.model_{i}]\nparams = {i + 1}\nlatency_ms = {5 - i}\n" for i in range(5)))
    reason = reason_of(pool, "--size", "2", "--budget", "params=4", "--budget", "latency_ms=4")
    assert "together" in reason and "--budget" in reason, reason


def test_require_and_exclude_that_leave_no_team_are_refused_saying_which(home):
    pool = small_pool(home / "pool")
    refuses(2, "prune", pool, *[word for i in range(5) for word in ("--exclude", str(i))], saying=["exclud", "size"])
    refuses(2, "prune", pool, *[word for i in range(4) for word in ("--exclude", str(i))], saying=["exclud", "size"])
    refuses(2, "prune", pool, *[word for i in range(5) for word in ("--require", str(i))], saying=["required", "size"])
    refuses(2, "prune", pool, "--size", "2", "--require", "0", "--require", "1", "--require", "2", saying=["required", "size"])
