# SPDX-License-Identifier: MIT
"""Whatever strangers call their files, nothing of it moves a cursor, runs in a spreadsheet or breaks a picture."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import running
from files import label_pool, npy_bytes, small_pool
from running import figures, hqe

# What a name can hold beside letters -> how it is shown.
HOSTILE = {
    "\x1b": r"\x1b", "\x07": r"\x07", "\r": r"\x0d", "\n": r"\x0a", "\t": r"\x09", "\x7f": r"\x7f",
    "\x85": r"\u0085", "\x9b": r"\u009b",
    "\u200e": r"\u200e", "\u200f": r"\u200f", "\u061c": r"\u061c", "\u202a": r"\u202a", "\u202e": r"\u202e",
    "\u2066": r"\u2066", "\u2069": r"\u2069", "\u2028": r"\u2028", "\u2029": r"\u2029",
    "\u200b": r"\u200b", "\u2060": r"\u2060", "\ufeff": r"\ufeff", "\uffff": r"\uffff",
}
# A file's name may hold these: the engine refuses C0 controls there.
IN_FILE_NAMES = [character for character in HOSTILE if ord(character) > 0x7f and character != "\uffff"]
UNFIT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]")
OWN_COLOUR = re.compile("\x1b\\[(0|1|2|31|32)m")
NAME = "evil" + "".join(IN_FILE_NAMES) + "model"
SHOWN = "evil" + "".join(HOSTILE[character] for character in IN_FILE_NAMES) + "model"


def toml_text(text):
    return '"' + "".join(c if c.isalnum() else f"\\u{ord(c):04x}" for c in text) + '"'


def hostile_pool(home, name="pool"):
    """Five models, one of them with a name of evil, two of long ones, and a pool.toml of evil values."""
    pool = small_pool(home / name)
    (pool / "model_1.npy").rename(pool / f"{NAME}.npy")
    (pool / "model_3.npy").rename(pool / f"{'long' * 60}.npy")
    everything = "".join(HOSTILE)
    (pool / "pool.toml").write_text(
        f"name = {toml_text('red' + everything)}\nabout = {toml_text('about' + everything)}\n"
        f"classes = [{', '.join(toml_text(f'class{i}' + everything) for i in range(3))}]\n")
    return pool


def check_fit(text, where):
    found = UNFIT.search(text)
    assert not found, f"{where}: {found[0]!r} in {text[max(0, found.start() - 60):found.start() + 60]!r}"


def commands_on(pool, home):
    return [["inspect", pool], ["score", pool, "--size", "2"], ["evaluate", pool, "--size", "2"],
            ["prune", pool, "--size", "2"], ["prune", pool, "--size", "2", "--test", pool],
            ["prune", pool, "--size", "2", "--holdout", "0.5", "--stability", "2"],
            ["sweep", pool, "--size", "2", "--beta", "0.1"], ["compare", pool, "--size", "2", "--repeats", "2"],
            ["compare", pool, "--size", "2", "--test", pool], ["front", pool],
            ["explain", pool, "--team", "0,1"], ["apply", pool, "--team", "0,1", "-o", home / "answers.npy"]]


def test_no_character_that_a_terminal_acts_upon_comes_out_of_any_table(home):
    pool = hostile_pool(home)
    for words in commands_on(pool, home):
        for form in ([], ["--by-id"], ["--csv"]):
            if form == ["--csv"] and words[0] == "apply":
                continue
            result = hqe(*words, *form, check=0)
            check_fit(result.out + result.err, words)
    assert SHOWN.replace("evil", "")[:8] in hqe("inspect", pool, check=0).out


def test_text_of_usual_letters_comes_out_as_it_is_whatever_the_script(home):
    pool = small_pool(home / "pool")
    (pool / "model_1.npy").rename(pool / "Zürich 東京 е\u0301 🙂.npy")
    assert "Zürich 東京 е\u0301 🙂" in hqe("inspect", pool, check=0).out


def test_a_terminal_gets_no_escape_sequences_but_our_own(home):
    """On a terminal the only escape sequences are the program's own colours and the progress bar's."""
    pool = hostile_pool(home)
    for words in (["inspect", pool], ["prune", pool, "--size", "2", "--by-name"], ["inspect", home / f"no{NAME}"]):
        own, theirs = pty.openpty()
        with subprocess.Popen([str(running.BINARY), *map(str, words)], stdin=subprocess.DEVNULL, stdout=theirs,
                              stderr=theirs, env={**os.environ, "TERM": "xterm", "NO_COLOR": ""}):
            os.close(theirs)
            seen = b""
            while True:
                try:
                    piece = os.read(own, 65536)
                except OSError:  # How Linux says that the other side is closed.
                    break
                if not piece:
                    break
                seen += piece
        os.close(own)
        text = seen.decode().replace("\r\n", "\n").replace("\r\x1b[K", "")
        if words[0] != "inspect" or words[1] == pool:
            assert OWN_COLOUR.search(text), "colours are gone"
        check_fit(OWN_COLOUR.sub("", text), words)


def test_messages_of_refusal_are_one_clean_line(home):
    """Messages of refusal are one line that a terminal shows as it is, and of reasonable length."""
    everything = "x".join(character for character in HOSTILE)
    pool = hostile_pool(home)
    study = home / "study.json"
    hqe("prune", pool, "--size", "2", "-o", study, check=0)
    broken = home / f"{NAME}.json"
    broken.write_text("{" + everything)
    for words in (["inspect", home / f"no{NAME}"], ["inspect", everything], ["inspect", "y" * 10_000], [everything],
                  ["prune", pool, "--size", everything], ["prune", pool, "--require", everything],
                  ["prune", pool, "--metric", everything], ["prune", pool, "--budget", everything],
                  ["prune", pool, "--" + everything], ["prune", pool, "--labels", f"no{NAME}"],
                  ["prune", pool, "--test", f"no{NAME}"], ["evaluate", pool, "--team", everything],
                  ["compare", pool, "--method", everything], ["plot", study, "--figure", everything, "-o", "x.svg"],
                  ["plot", study, "--figure", "scatter", "--metric", everything, "-o", home / "x.svg"],
                  ["plot", broken, "--figure", "scatter", "-o", home / "x.svg"],
                  ["report", broken, "-o", home / "x.html"], ["inspect", pool, "-o", f"{home}/no{NAME}/x"],
                  ["prune", pool, "--require", "a " * 10_000], ["prune", pool, "--size", "9" * 10_000],
                  ["prune", pool, "--budget", "params=1"]):
        result = hqe(*words, cwd=home)
        assert result.code in (1, 2, 3), (words, result)
        assert result.err.endswith("\n") and result.err.count("\n") == 1, result.err
        check_fit(result.err, words)
        assert len(result.err) <= 1100, len(result.err)
        assert "unexpected" not in result.err, result.err


def test_bytes_that_are_not_utf_8_are_shown_as_escapes(home):
    result = hqe("inspect", os.fsdecode(os.fsencode(home) + b"/no\xff\x9bfolder"), check=3)
    assert r"no\xff\x9bfolder: there is no such folder" in result.err, result.err


def test_a_long_name_loses_its_middle_and_the_reason_stays(home):
    result = hqe("inspect", "y" * 10_000, cwd=home, check=3)
    assert "yyy\u2026yyy" in result.err and "cannot be listed" in result.err, result.err
    result = hqe("inspect", hostile_pool(home), check=0)
    assert max(map(len, result.out.splitlines())) <= 140, result.out


def test_written_files_are_named_without_controls(home):
    """Files whose names hold controls are named as they are shown in "Wrote" and "Report:" ."""
    pool = small_pool(home / "pool")
    evil = f"{home}/x\x1b[31m\u202e\nname"
    for words in (["prune", pool, "--size", "2", "--report", f"{evil}.html"],
                  ["apply", pool, "--team", "0,1", "-o", f"{evil}.npy"], ["synth", "--samples", "10", "-o", evil]):
        out = hqe(*words, check=0).out
        check_fit(out, words)
        assert r"x\x1b[31m\u202e\x0aname" in out, out
    hqe("prune", pool, "--size", "2", "-o", f"{evil}.json", check=0)
    out = hqe("plot", f"{evil}.json", "--figure", "scatter", "-o", f"{evil}.svg", check=0).out
    assert out == f"Wrote {home}/x" + r"\x1b[31m\u202e\x0aname.svg." + "\n", out


def test_json_keeps_the_exact_names(home):
    pool = hostile_pool(home)
    result = hqe("inspect", pool, "--json", check=0)
    assert NAME in [model["name"] for model in result.json["models"]]
    assert result.json["pool"]["name"] == "red" + "".join(HOSTILE)
    assert not re.search("[\x00-\x09\x0b-\x1f]", result.out), "a control character in JSON"


def test_no_cell_of_any_csv_is_a_formula_to_a_spreadsheet_and_numbers_stay_numbers(home):
    pool = label_pool(home / "pool", models=7)
    for i, name in enumerate(("=1+1", "+1", "-2+3", "@SUM(A1)", "=cmd|'x'!A1,\"b\"")):
        (pool / f"model_{i}.npy").rename(pool / f"{name}.npy")
    for words in (["inspect"], ["score", "--size", "2"], ["evaluate", "--size", "2"], ["prune", "--size", "2"],
                  ["sweep", "--size", "2", "--beta", "0.1"], ["compare", "--size", "2", "--repeats", "2"], ["front"],
                  ["explain", "--team", "0,1"]):
        printed = hqe(words[0], pool, *words[1:], "--csv", check=0).out
        hqe(words[0], pool, *words[1:], "--no-times" if words[0] == "compare" else "--quiet", "-o", home / "out.csv", check=0)
        for text in (printed, (home / "out.csv").read_text()):
            for row in csv.reader(io.StringIO(text)):
                for cell in row:
                    is_number = re.fullmatch(r"-[0-9.]+(e[+-]?[0-9]+)?", cell)
                    assert is_number or not re.match(r"[=+@\t\r-]", cell), (words, cell)
    cells = [row[1] for row in csv.reader(io.StringIO(hqe("inspect", pool, "--csv", check=0).out))]
    assert {"'=1+1", "'+1", "'-2+3", "'@SUM(A1)"} <= set(cells), cells


def test_figures_of_evil_names_are_well_formed(home):
    """Every figure of a pool with evil names is well-formed XML without a mark of direction."""
    pool = hostile_pool(home)
    study, others = home / "study.json", {"ranks": home / "compare.json", "cascades": home / "cascade.json"}
    hqe("prune", pool, "--size", "2", "-o", study, check=0)
    hqe("compare", pool, "--size", "2", "--repeats", "2", "-o", others["ranks"], check=0)
    hqe("front", pool, "--cascade", "--team", "0,1,2", "-o", others["cascades"], check=0)
    for figure in (*figures(), *others):
        target = home / f"{figure}.svg"
        hqe("plot", others.get(figure, study), "--figure", figure, "-o", target, check=0)
        text = target.read_text()
        ElementTree.fromstring(text)
        check_fit(text, figure)


def test_a_document_with_evil_values_draws_well_formed_xml_and_clean_messages(home):
    study = home / "study.json"
    hqe("prune", small_pool(home / "pool"), "--size", "2", "-o", study, check=0)
    document = json.loads(study.read_text())
    everything = "".join(HOSTILE)
    document["pool"]["name"] += everything
    for model in document["pool"]["models"]:
        model["name"] += everything + "z" * 10_000
    study.write_text(json.dumps(document))
    for figure in figures():
        target = home / f"{figure}.svg"
        result = hqe("plot", study, "--figure", figure, "-o", target)
        check_fit(result.out + result.err, figure)
        if result.code == 0:
            ElementTree.fromstring(target.read_text())
            check_fit(target.read_text(), figure)
        assert result.code in (0, 2, 3), result


def test_the_models_file_names_that_hold_c0_controls_are_refused_by_a_clean_message(home):
    pool = small_pool(home / "pool")
    (pool / "a\x1b[31mb.npy").write_bytes(npy_bytes([0] * 120, "<i8"))
    result = hqe("inspect", pool, check=3)
    check_fit(result.err, "inspect")
    assert r"a\x1b[31mb.npy" in result.err, result.err
