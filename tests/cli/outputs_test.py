# SPDX-License-Identifier: MIT
"""Where results go: whole or not at all, and never silently nowhere."""

import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import termios
import time

import pytest

import running
from files import small_pool
from running import ROOT, hqe, refuses

ESCAPE = "\x1b"


def on_terminal(*words, columns=100, env=None):
    """Runs the command with standard output and error on a terminal; returns its exit code and what the screen got."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", **(env or {})}
    process = subprocess.Popen([str(running.BINARY), *map(str, words)], stdin=subprocess.DEVNULL, stdout=follower,
                               stderr=follower, env=environment)
    os.close(follower)
    screen = b""
    while True:
        ready, _, _ = select.select([leader], [], [], 120)
        if not ready:
            process.kill()
            raise AssertionError("the command hangs")
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        screen += piece
    os.close(leader)
    return process.wait(), screen.decode(errors="replace")


def test_json_csv_and_the_table_print_nothing_on_standard_error_when_nobody_watches(home):
    pool = small_pool(home / "pool")
    for words in (["inspect"], ["prune", "--size", "2"], ["score", "--size", "2"], ["evaluate"]):
        for form in ([], ["--json"], ["--csv"]):
            result = hqe(words[0], pool, *words[1:], *form, check=0)
            assert result.err == "" and result.out
            if form == ["--json"]:
                json.loads(result.out)


def test_tables_fit_100_columns_and_hold_no_escape_sequences_in_a_pipe(home):
    hqe("synth", "--models", "14", "--samples", "400", "--classes", "4", "-o", home / "pool", check=0)
    hqe("synth", "--models", "14", "--samples", "300", "--classes", "4", "--seed", "5", "-o", home / "test", check=0)
    for words in (["inspect"], ["prune"], ["prune", "--by-id", "--test", home / "test"], ["score", "--size", "3"],
                  ["evaluate", "--size", "2"], ["sweep", "--size", "3:5", "--beta", "0.05:0.35:0.05"],
                  ["explain", "--team", "0,1,2,3,4"]):
        result = hqe(words[0], home / "pool", *words[1:])
        assert result.code in (0, 4)
        assert ESCAPE not in result.out
        for line in result.out.splitlines():
            assert len(line) <= 100, line


def test_a_terminal_gets_colour_unless_no_color_asks_for_none(home):
    pool = small_pool(home / "pool")
    code, screen = on_terminal("prune", pool, "--size", "2")
    assert code == 0 and f"{ESCAPE}[1m" in screen
    code, screen = on_terminal("prune", pool, "--size", "2", env={"NO_COLOR": "1"})
    assert code == 0 and ESCAPE not in screen, screen[:300]
    code, screen = on_terminal("inspect", pool, "--json", env={"NO_COLOR": "1"})
    assert json.loads(screen)


def test_a_narrow_terminal_gets_a_narrow_table(home):
    pool = small_pool(home / "pool")
    code, screen = on_terminal("prune", pool, "--size", "2", columns=80, env={"NO_COLOR": "1"})
    assert code == 0
    for line in screen.splitlines():
        assert len(line) <= 80, line


@pytest.mark.release
def test_a_terminal_sees_progress_of_long_work_and_it_is_erased_at_the_end(home):
    hqe("synth", "--models", "60", "--samples", "2000", "--classes", "2", "--kind", "labels", "-o", home / "pool", check=0)
    words = ["prune", home / "pool", "--size", "5", "--keep", "40000", "--threads", "1"]
    code, screen = on_terminal(*words)
    assert code == 0
    if not re.search(r"\d+ %", screen.split("\r")[1] if "\r" in screen else ""):
        pytest.skip("this machine is too fast for progress to be drawn")
    assert screen.rindex(f"\r{ESCAPE}[K") < screen.index("How focal pruning saw it")
    code, screen = on_terminal(*words, "--quiet")
    assert f"\r{ESCAPE}[K" not in screen


def test_output_writes_the_document_that_json_prints(home):
    """-o writes the document that --json prints, and the table still goes to standard output."""
    pool = small_pool(home / "pool")
    for words in (["inspect"], ["score", "--size", "2"], ["evaluate"], ["sweep", "--size", "2", "--beta", "0.1"]):
        shown = hqe(words[0], pool, *words[1:], "-o", home / "out.json", check=0).out
        assert not shown.startswith("{")
        assert (home / "out.json").read_text() == hqe(words[0], pool, *words[1:], "--json", check=0).out
        assert hqe(words[0], pool, *words[1:], "-o", home / "out.json", "--quiet", check=0).out == ""
    hqe("inspect", pool, "-o", home / "out.csv", check=0)
    assert (home / "out.csv").read_text() == hqe("inspect", pool, "--csv", check=0).out
    assert sorted(path.name for path in home.iterdir()) == ["out.csv", "out.json", "pool"]


def test_a_saved_study_can_be_read_again(home):
    hqe("prune", small_pool(home / "pool"), "--size", "2", "-o", home / "study.json", check=0)
    hqe("report", home / "study.json", "-o", home / "report.html", check=0)
    assert (home / "report.html").read_text().startswith("<!")
    (home / "cut.json").write_bytes((home / "study.json").read_bytes()[:-200])
    refuses(3, "report", home / "cut.json", "-o", home / "no.html", saying="cut.json")
    refuses(3, "report", home, "-o", home / "no.html", saying=["a folder where a saved study", "hqe prune"])
    assert not (home / "no.html").exists()


def test_a_file_that_cannot_be_written_is_refused_first(home):
    """A file that cannot be written is an error with code 1 before the work begins."""
    pool = small_pool(home / "pool")
    refuses(1, "prune", pool, "--size", "2", "-o", home / "nowhere" / "x.json", saying="nowhere")
    refuses(1, "prune", pool, "--size", "2", "-o", home, saying="folder")


def test_a_full_disk_is_an_error_with_code_1_and_leaves_the_old_file(home):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    pool = small_pool(home / "pool")
    refuses(1, "inspect", pool, "--quiet", "-o", "/dev/full", saying="space")
    with open("/dev/full", "wb") as full:
        for form in ([], ["--json"], ["--csv"]):
            result = hqe("inspect", pool, *form, stdout=full, check=1)
            assert "standard output" in result.err and "space" in result.err.lower()
    (home / "old.json").write_text("old")
    limit = lambda: (resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)), signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
    done = subprocess.run([str(running.BINARY), "score", str(pool), "--size", "2", "--quiet", "-o", str(home / "old.json")],
                          preexec_fn=limit, capture_output=True, text=True)
    assert done.returncode == 1 and "old.json" in done.stderr, done
    assert (home / "old.json").read_text() == "old"
    assert sorted(path.name for path in home.iterdir()) == ["old.json", "pool"]


def test_ctrl_c_ends_the_work_with_code_130_and_leaves_no_file(home):
    hqe("synth", "--models", "60", "--samples", "3000", "--classes", "2", "--kind", "labels", "-o", home / "pool", check=0)
    process = subprocess.Popen([str(running.BINARY), "prune", str(home / "pool"), "--size", "5", "--keep", "500000",
                                "--threads", "1", "-o", str(home / "study.json")], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    if process.returncode == 0:
        pytest.skip("this machine finished before Ctrl-C")
    assert process.returncode == 130 and out == "" and err.startswith("hqe: "), (process.returncode, err)
    assert sorted(path.name for path in home.iterdir()) == ["pool"]


def test_a_polite_kill_ends_the_work_with_code_143(home):
    hqe("synth", "--models", "60", "--samples", "3000", "--classes", "2", "--kind", "labels", "-o", home / "pool", check=0)
    process = subprocess.Popen([str(running.BINARY), "prune", str(home / "pool"), "--size", "5", "--keep", "500000",
                                "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    process.terminate()
    out, _ = process.communicate(timeout=120)
    if process.returncode == 0:
        pytest.skip("this machine finished before the kill")
    assert process.returncode == 143 and out == ""


def test_apply_writes_answers_that_evaluate_counts(home):
    """Apply writes the team's answers as .npy and as .csv, as many right as evaluate counts."""
    pool = small_pool(home / "pool")
    labels = struct.unpack("<120q", (pool / "labels.npy").read_bytes()[128:])
    for vote in ("soft", "plurality", "majority", "weighted"):
        words = ["--team", "0,2,3", "--vote", vote]
        document = hqe("apply", pool, *words, "-o", home / "preds.npy", "--json", check=0).json
        data = (home / "preds.npy").read_bytes()
        assert data[:6] == b"\x93NUMPY" and b"'shape': (120,)" in data
        answers = struct.unpack("<120i", data[-480:])
        right = sum(a == b for a, b in zip(answers, labels))
        counted = hqe("evaluate", pool, *words, "--json", check=0).json["teams"][0]["correct"]
        assert right == counted == document["correct"]
        hqe("apply", pool, *words, "-o", home / "preds.csv", check=0)
        rows = [line.split(",") for line in (home / "preds.csv").read_text().split()]
        assert rows[0] == ["sample", "label", "probability", "margin", "agree", "correct"]
        assert [int(row[1] or -1) for row in rows[1:]] == list(answers)
        assert sum(row[5] == "1" for row in rows[1:]) == right


def test_apply_scores_writes_the_mean_of_the_members_probabilities(home):
    pool = small_pool(home / "pool")
    hqe("apply", pool, "--team", "1,4", "--scores", "-o", home / "scores.npy", check=0)
    scores = struct.unpack("<360d", (home / "scores.npy").read_bytes()[-2880:])
    first, second = (struct.unpack("<360f", (pool / f"model_{i}.npy").read_bytes()[128:]) for i in (1, 4))
    assert all(abs(score - (a + b) / 2) < 1e-15 for score, a, b in zip(scores, first, second))
    refuses(2, "apply", pool, "--team", "1,4", "--vote", "majority", "--scores", "-o", home / "x.npy", saying="--scores")


def test_teams_are_shown_by_name_unless_ids_are_asked_for_and_top_limits_tables_never_documents(home):
    pool = small_pool(home / "pool", models=7)
    words = ("prune", pool, "--size", "3", "--verbose", "--top", "2")
    named, by_id = hqe(*words, check=0).out, hqe(*words, "--by-id", check=0).out
    assert hqe(*words, "--by-name", check=0).out == named != by_id
    assert "model_1, " in named and "more teams" in named
    team = re.compile(r"^  \d,\d,\d ", re.MULTILINE)
    assert team.search(by_id) and not team.search(named)
    assert (hqe("prune", pool, "--size", "3", "--top", "1", "--json", check=0).out ==
            hqe("prune", pool, "--size", "3", "--json", check=0).out)


def test_the_readmes_picture_is_what_its_own_commands_make(home):
    hqe("prune", ROOT / "examples/fashion-mnist/validation", "-o", home / "study.json", "--quiet", check=0)
    hqe("plot", home / "study.json", "--figure", "scatter", "-o", home / "scatter.svg", "--quiet", check=0)
    committed = ROOT / "docs/pictures/scatter.svg"
    assert (home / "scatter.svg").read_bytes() == committed.read_bytes(), "run the commands below the picture again"


def test_a_saved_comparison_of_methods_becomes_a_page_too(home):
    pool = small_pool(home / "pool")
    hqe("compare", pool, "--repeats", "2", "-o", home / "compare.json", "--quiet", check=0)
    hqe("report", home / "compare.json", "-o", home / "ranks.html", "--quiet", check=0)
    page = (home / "ranks.html").read_text()
    assert json.loads(page.split('id="study">')[1].split("</script>")[0])["command"] == "compare"
    hqe("compare", pool, "--repeats", "2", "--no-times", "-o", home / "compare.json", "--report", home / "at-once.html", "--quiet", check=0)
    hqe("report", home / "compare.json", "-o", home / "ranks.html", "--quiet", check=0)
    assert (home / "at-once.html").read_bytes() == (home / "ranks.html").read_bytes()


def test_a_report_that_cannot_be_written_is_refused_before_the_work(home):
    pool = small_pool(home / "pool")
    for verb in ("prune", "compare"):
        done = hqe(verb, pool, "--report", home / "missing" / "page.html", check=1)
        assert "Check the folder" in done.err and not done.out, done
        done = hqe(verb, pool, "--report", home, check=1)
        assert "is a folder. Give the name of a file" in done.err and not done.out, done
        for option in ("--report", "-o"):
            done = hqe(verb, pool, option, "", check=2)
            assert f"{option} '': expected the name of a file" in done.err, done
