# SPDX-License-Identifier: MIT
"""Faults of the outside world: files that change, names and links, outputs that are inputs."""

import json
import os
import pathlib
import stat
import subprocess
import time

import running
from files import npy_bytes, small_pool
from running import hqe, refuses

HUGE_ROWS = 150_000_000


def huge_pool(home):
    """Three models of so many zeros that reading takes a while, in files that take no space."""
    home.mkdir()
    (home / "pool.toml").write_text('kind = "correctness"\n')
    header = npy_bytes([], "|u1", shape=(HUGE_ROWS,))
    for name in ("a", "b", "c"):
        with open(home / f"{name}.npy", "wb") as file:
            file.write(header)
            file.truncate(len(header) + HUGE_ROWS)
    return home


def when_mapped(process, path, change):
    """Calls `change` as soon as the process has mapped the file."""
    maps = pathlib.Path(f"/proc/{process.pid}/maps")
    begin = time.monotonic()
    while process.poll() is None and time.monotonic() - begin < 60:
        if str(path) in maps.read_text(errors="replace"):
            return change()
    raise AssertionError(f"{path} was never mapped: {process.communicate()}")


def run_while(change, path, *words):
    process = subprocess.Popen([str(running.BINARY), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    when_mapped(process, path, change)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def as_another_user(function):
    """Root may do everything: a child that is root becomes nobody."""
    return function if os.geteuid() != 0 else lambda: (os.setgid(65534), os.setuid(65534), function())


def test_a_file_cut_short_while_it_is_read_is_named(home):
    """A model's file cut short while it is read is a message that names it, with code 3."""
    for words in (["inspect"], ["prune", "--size", "2", "-o", home / "study.json"],
                  ["apply", "--team", "0,1", "-o", home / "answers.npy"]):
        pool = huge_pool(home / words[0])
        model = pool / "b.npy"
        code, out, err = run_while(lambda: os.truncate(model, 4096), model, words[0], pool, *words[1:])
        assert code == 3 and out == "", (code, err)
        assert f"{model}: was cut short" in err and err.count("\n") == 1, err
    assert not [path for path in home.iterdir() if path.is_file()]


def test_a_file_changed_while_it_is_read_is_named(home):
    """A model's file that grows or is written again while it is read is a message, with code 3."""
    for name, change in (("grown", lambda model: os.truncate(model, model.stat().st_size + 1)),
                         ("rewritten", lambda model: model.open("r+b").write(b"\x93"))):
        pool = huge_pool(home / name)
        model = pool / "c.npy"
        os.utime(model, (1, 1))
        code, out, err = run_while(lambda: change(model), model, "inspect", pool)
        assert code == 3 and out == "" and f"{model}: was changed" in err, (code, out[:300], err)


def test_a_file_replaced_by_another_is_read_as_it_was_opened(home):
    """A model's file that is replaced by another is read as it was opened."""
    pool = huge_pool(home / "pool")
    model = pool / "a.npy"
    (home / "new").write_bytes(b"something else")
    code, _, err = run_while(lambda: os.replace(home / "new", model), model, "inspect", pool)
    assert code == 0 and err == "", (code, err)


def test_an_output_that_is_a_file_of_the_pool_is_refused(home):
    """An output that is a file of the pool is refused with code 2, and the file stays."""
    pool = small_pool(home / "pool")
    (pool / "pool.toml").write_text('name = "precious"\n')
    os.link(pool / "model_0.npy", home / "hard.npy")
    (home / "soft.npy").symlink_to(pool / "model_1.npy")
    (home / "folder").symlink_to(pool)
    before = {path: path.read_bytes() for path in pool.iterdir()}
    commands = (["inspect"], ["score", "--size", "2"], ["evaluate"], ["prune", "--size", "2"], ["front"],
                ["sweep", "--size", "2", "--beta", "0.1"], ["explain", "--team", "0,1"], ["compare", "--size", "2"],
                ["apply", "--team", "0,1"])
    outputs = [pool / "labels.npy", pool / "model_2.npy", home / "hard.npy", home / "soft.npy",
               home / "folder" / "model_3.npy"]
    for number, words in enumerate(commands):
        refuses(2, words[0], pool, *words[1:], "-o", outputs[number % len(outputs)], saying="would be replaced")
    for output in [*outputs, pool / "pool.toml", home / "folder" / "pool.toml"]:
        refuses(2, "prune", pool, "--size", "2", "-o", output, saying="would be replaced")
        refuses(2, "prune", pool, "--size", "2", "--report", output, saying="would be replaced")
        refuses(2, "compare", pool, "--size", "2", "--report", output, saying="would be replaced")
    test_pool = small_pool(home / "test")
    refuses(2, "prune", pool, "--size", "2", "--test", test_pool, "-o", test_pool / "model_0.npy",
            saying=["model_0.npy", "would be replaced"])
    files = [test_pool / f"model_{i}.npy" for i in range(4)]
    refuses(2, "inspect", "--labels", test_pool / "labels.npy", *files, "-o", test_pool / "labels.npy",
            saying="would be replaced")
    assert before == {path: path.read_bytes() for path in pool.iterdir()}


def test_an_output_that_is_its_own_study_is_refused(home):
    """An output that is the study it is made of is refused with code 2, and the study stays."""
    study, comparison = home / "study.json", home / "ranks.svg"
    pool = small_pool(home / "pool")
    hqe("prune", pool, "--size", "2", "-o", study, check=0)
    hqe("compare", pool, "--size", "2", "--repeats", "2", "-o", comparison, check=0)
    before = study.read_bytes(), comparison.read_bytes()
    (home / "link.svg").symlink_to(study)
    refuses(2, "report", study, "-o", study, saying="would be replaced")
    refuses(2, "report", study, "-o", home / "link.svg", saying="would be replaced")
    refuses(2, "plot", study, "--figure", "scatter", "-o", home / "link.svg", saying="would be replaced")
    refuses(2, "plot", comparison, "--figure", "ranks", "-o", comparison, saying="would be replaced")
    assert before == (study.read_bytes(), comparison.read_bytes())


def test_two_results_for_one_file_are_refused(home):
    """Two results that would go to one file are refused with code 2 before the work begins."""
    pool = small_pool(home / "pool")
    (home / "same").symlink_to(home)
    (home / "link").symlink_to("x")
    for second in ("x", "./x", "same/x", "link"):
        refuses(2, "prune", pool, "--size", "2", "-o", "x", "--report", second, cwd=home, saying="two results")
        refuses(2, "compare", pool, "--size", "2", "-o", "x", "--report", second, cwd=home, saying="two results")
        refuses(2, "demo", "-o", "x", "--report", second, cwd=home, saying="two results")
    assert not (home / "x").exists()
    hqe("prune", pool, "--size", "2", "-o", "/dev/null", "--report", "/dev/null", check=0)


def test_a_loop_of_links_and_a_name_too_long_are_messages_wherever_a_file_is_named(home):
    pool = small_pool(home / "pool")
    loop, long = home / "loop.json", home / ("n" * 300 + ".svg")
    loop.symlink_to(loop)
    for name, reason in ((loop, "links"), (long, "too long")):
        said = [str(name)[:60], str(name)[-60:], reason]  # The middle of a long name is left out.
        refuses(1, "inspect", pool, "-o", name, saying=said)
        refuses(1, "prune", pool, "--size", "2", "--report", name, saying=said)
        refuses(3, "inspect", name, saying=said)
        refuses(3, "inspect", "--labels", name, pool / "model_0.npy", pool / "model_1.npy", saying=said)
        refuses(3, "report", name, "-o", home / "x.html", saying=said)
        refuses(3, "plot", name, "--figure", "scatter", "-o", home / "x.svg", saying=said)
    (pool / "pool.toml").symlink_to(pool / "pool.toml")
    refuses(3, "inspect", pool, saying=["pool.toml", "links"])
    assert loop.is_symlink()


def test_an_output_may_have_a_name_as_long_as_the_system_allows(home):
    pool = small_pool(home / "pool")
    for length in (250, 255):
        name = "n" * (length - 5) + ".json"
        hqe("inspect", pool, "--quiet", "-o", home / name, check=0)
        assert json.loads((home / name).read_text())["command"] == "inspect"


def test_an_output_that_is_a_link_stays_one_also_where_it_leads_to_nothing_yet(home):
    pool = small_pool(home / "pool")
    (home / "sub").mkdir()
    (home / "out.json").symlink_to("sub/target.json")
    for _ in range(2):
        hqe("inspect", pool, "--quiet", "-o", home / "out.json", check=0)
        assert (home / "out.json").is_symlink()
        assert json.loads((home / "sub" / "target.json").read_text())["command"] == "inspect"
    assert sorted(path.name for path in home.iterdir()) == ["out.json", "pool", "sub"]
    assert len(list((home / "sub").iterdir())) == 1


def test_the_mode_of_a_file_that_is_replaced_stays(home):
    pool = small_pool(home / "pool")
    for mode in (0o600, 0o640, 0o666):
        (home / "out.json").write_text("old")
        (home / "out.json").chmod(mode)
        hqe("inspect", pool, "--quiet", "-o", home / "out.json", check=0)
        assert stat.S_IMODE((home / "out.json").stat().st_mode) == mode
        assert (home / "out.json").read_text() != "old"


def test_a_read_only_file_is_not_replaced_code_1_before_the_work_begins(home):
    pool = small_pool(home / "pool")
    home.chmod(0o777)
    (home / "out.json").write_text("old")
    (home / "out.json").chmod(0o444)
    done = subprocess.run([str(running.BINARY), "inspect", str(pool), "-o", str(home / "out.json")],
                          preexec_fn=as_another_user(lambda: None), capture_output=True, text=True)
    assert done.returncode == 1 and "read-only" in done.stderr and done.stdout == "", done
    assert (home / "out.json").read_text() == "old"
