# SPDX-License-Identifier: MIT
"""A team is a file: written, applied to other data with labels and without, refused where it does not fit."""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess

import pytest

import running
from files import label_pool, npy_bytes, small_pool
from running import ROOT, hqe, refuses

DEMO = ROOT / "examples/fashion-mnist"


def numbers(path, code):
    data = path.read_bytes()
    start = data.index(b"\n") + 1
    return struct.unpack(f"<{(len(data) - start) // struct.calcsize(code)}{code}", data[start:])


def without_labels(folder, place, models=None):
    """The pool as it comes from production: no labels, and perhaps only some of the models, others in front."""
    place.mkdir()
    for file in folder.iterdir():
        if file.stem != "labels" and (models is None or file.stem in models):
            shutil.copy(file, place / file.name)
    return place


def checksum(text):
    """64-bit FNV-1a, as docs/formats.md says."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def sealed(document):
    document = {key: value for key, value in document.items() if key != "checksum"}
    text = json.dumps(document) + "\n"
    return text[:-2] + f',\n"checksum":"{checksum(text)}"}}\n'


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo pool's study and the team file of it."""
    home = tmp_path_factory.mktemp("demo")
    hqe("prune", DEMO / "validation", "--size", "3", "--stability", "0", "-o", home / "study.json", "--quiet", check=0)
    hqe("team", home / "study.json", "-o", home / "team.json", "--quiet", check=0)
    return home


def test_a_study_becomes_a_team_file_that_says_what_it_recommends(demo):
    study = json.loads((demo / "study.json").read_text())
    text = (demo / "team.json").read_text()
    team = json.loads(text)
    recommended = study["recommended"]
    assert team["schema"] == 1 and team["command"] == "team" and team["name"] == study["pool"]["name"]
    assert [member["name"] for member in team["members"]] == recommended["names"]
    counts = {model["name"]: model["correct"] for model in study["pool"]["models"]}
    assert all(member["correct"] == counts[member["name"]] for member in team["members"])
    assert team["vote"] == recommended["vote"] and team["temperature"] == recommended["serving"]["temperature"]
    assert team["classes"] == study["pool"]["classes"] and team["costs"] == recommended["costs"]
    assert team["early_exit"]["order"] == recommended["serving"]["early_exit"]["names"]
    held_out = study["trust"]["teams"][0]["held_out"]
    assert team["expected"] == {"accuracy": held_out["accuracy"], "interval": held_out["interval"],
                                "judged_on": study["trust"]["held_out"], "samples": held_out["samples"]}
    body, end = text.split(',\n"checksum":"')
    assert end == checksum(body + "}\n") + '"}\n'
    assert hqe("team", demo / "team.json", "--json", check=0).out == text
    assert "Expected accuracy: " in hqe("team", demo / "team.json", check=0).out


def test_a_team_answers_alike_from_file_study_names_and_ids(demo, home):
    team = json.loads((demo / "team.json").read_text())
    names = [member["name"] for member in team["members"]]
    ids = json.loads((demo / "study.json").read_text())["recommended"]["team"]
    answers = set()
    for word in (demo / "team.json", demo / "study.json", ",".join(names), ",".join(map(str, ids))):
        document = hqe("apply", DEMO / "test", "--team", word, "-o", home / "a.npy", "--json", check=0).json
        answers.add((home / "a.npy").read_bytes())
        assert document["names"] == names
        correct = hqe("evaluate", DEMO / "test", "--team", word, "--json", check=0).json["teams"][0]["correct"]
        assert correct == document["correct"] > 0 and document["accuracy"] == correct / document["pool"]["samples"]
    assert len(answers) == 1
    assert document["expected"] is None
    assert hqe("apply", DEMO / "test", "--team", demo / "team.json", "-o", home / "a.npy", "--json",
               check=0).json["expected"] == team["expected"]
    order = hqe("order", DEMO / "validation", "--team", demo / "team.json", "--json", check=0).json
    assert order["early_exit"]["names"] == team["early_exit"]["order"]
    assert order["early_exit"]["expected_models"] == team["early_exit"]["expected_models"]
    hqe("explain", DEMO / "validation", "--team", demo / "team.json", "--size", "3", check=0)


def test_rows_say_class_probability_margin_and_followers(demo, home):
    team = json.loads((demo / "team.json").read_text())
    words = ("apply", DEMO / "test", "--team", demo / "team.json", "-o")
    hqe(*words, home / "labels.npy", check=0)
    hqe(*words, home / "scores.npy", "--scores", check=0)
    document = hqe(*words, home / "rows.json", "--json", check=0).json
    hqe(*words, home / "rows.csv", check=0)
    labels, scores = numbers(home / "labels.npy", "i"), numbers(home / "scores.npy", "d")
    truth = numbers(DEMO / "test/labels.npy", "B")
    members = [numbers(DEMO / f"test/{member['name']}.npy", "e") for member in team["members"]]
    classes, temperature = team["class_count"], team["temperature"]
    whole = json.loads((home / "rows.json").read_text())
    lines = (home / "rows.csv").read_text().splitlines()
    assert lines[0] == "sample,label,probability,margin,agree,correct"
    assert {**document, "rows": whole["rows"]} == whole and len(whole["rows"]) == len(labels) == len(lines) - 1
    for i, row in enumerate(whole["rows"]):
        shares = [sum(member[i * classes + c] for member in members) / len(members) for c in range(classes)]
        assert labels[i] == max(range(classes), key=lambda c: (shares[c], -c))
        powers = [max(share, 1e-15) ** (1 / temperature) for share in shares]
        tempered = [power / sum(powers) for power in powers]
        found = scores[i * classes:(i + 1) * classes]
        assert all(abs(a - b) < 1e-12 for a, b in zip(found, tempered))
        assert row["label"] == team["classes"][labels[i]] and row["probability"] == found[labels[i]]
        assert row["margin"] == found[labels[i]] - max(found[c] for c in range(classes) if c != labels[i])
        own = [max(range(classes), key=lambda c: (member[i * classes + c], -c)) for member in members]
        assert row["agree"] == own.count(labels[i]) and row["correct"] == (labels[i] == truth[i])
        cells = lines[i + 1].split(",")
        assert cells[:2] == [str(i), row["label"]] and float(cells[2]) == row["probability"]
        assert float(cells[3]) == row["margin"] and cells[4:] == [str(row["agree"]), str(int(row["correct"]))]
    assert sum(row["correct"] for row in whole["rows"]) == whole["correct"] == document["correct"]


def test_a_pool_without_labels_gets_the_same_answers(demo, home):
    team = json.loads((demo / "team.json").read_text())
    names = {member["name"] for member in team["members"]}
    fresh = without_labels(DEMO / "test", home / "fresh", names | {"pool"})
    toml = re.sub(r"(?m)^models.*?\]\n", "", (fresh / "pool.toml").read_text(), flags=re.DOTALL)
    (fresh / "pool.toml").write_text(re.sub(r"(?ms)^\[cost\..*", "", toml))
    words = ("--team", demo / "team.json", "--json", "-o")
    known = hqe("apply", DEMO / "test", *words, home / "known.npy", check=0).json
    new = hqe("apply", fresh, *words, home / "new.npy", check=0).json
    assert (home / "known.npy").read_bytes() == (home / "new.npy").read_bytes()
    assert known["correct"] > 0 and new["correct"] is new["accuracy"] is new["interval"] is None
    assert sorted(new["names"]) == sorted(known["names"]) and new["team"] != known["team"]  # By name, not by position.
    hqe("apply", fresh, *words, home / "rows.json", check=0)
    assert all(row["correct"] is None for row in json.loads((home / "rows.json").read_text())["rows"])
    loose = [fresh / f"{name}.npy" for name in sorted(names)]
    hqe("apply", *loose, *words, home / "loose.npy", check=0)
    assert (home / "loose.npy").read_bytes() == (home / "new.npy").read_bytes()
    assert "no true labels" in hqe("apply", fresh, "--team", demo / "team.json", "-o", home / "x.npy", check=0).out
    inspected = hqe("inspect", fresh, "--json", check=0).json
    assert {model["correct"] for model in inspected["models"]} == {None} and inspected["co_failures"] == []
    assert inspected["accuracy"] == {"min": None, "mean": None, "max": None}
    assert "no true labels" in hqe("inspect", fresh, check=0).out
    assert hqe("inspect", fresh, "--csv", check=0).out.splitlines()[1].split(",")[2] == ""


def test_every_other_command_says_that_labels_are_missing(home):
    pool = small_pool(home / "pool")
    (pool / "labels.npy").unlink()
    for words in (["prune"], ["score", "--size", "2"], ["evaluate"], ["sweep", "--size", "2", "--beta", "0.1"], ["compare"],
                  ["front"], ["front", "--cascade", "--team", "0,1"], ["explain", "--team", "0,1"], ["team", "--team", "0,1"],
                  ["prune", "--holdout", "0.5"], ["prune", "--folds", "3"]):
        said = refuses(3, words[0], pool, *words[1:], saying=["there are no true labels", "--labels", str(pool)])
        assert said.err.count("\n") == 1
    labelled = small_pool(home / "labelled")
    refuses(3, "prune", labelled, "--test", pool, saying="there are no true labels")
    labels = label_pool(home / "labels")
    (labels / "labels.npy").unlink()
    refuses(3, "apply", labels, "--team", "0,1,2", "-o", home / "a.npy", saying=["no true labels", "--ties"])
    hqe("apply", labels, "--team", "0,1,2", "--ties", "label", "-o", home / "a.npy", check=0)


def test_an_order_needs_no_labels(demo, home):
    """When a vote is decided does not depend on the truth: the same exit, chosen and judged, with labels and without."""
    fresh = without_labels(DEMO / "test", home / "fresh")
    words = ("--team", demo / "team.json", "--test", DEMO / "validation", "--json")
    known = hqe("order", DEMO / "test", *words, check=0).json
    new = hqe("order", fresh, *words, check=0).json
    assert known["correct"] > 0 and new["correct"] is None and new["early_exit"] == known["early_exit"]
    halves = hqe("order", fresh, "--team", demo / "team.json", "--json", check=0).json["early_exit"]
    assert halves["held_out"]["by"] == "half" and halves["held_out"]["samples"] * 2 == halves["samples"]
    assert abs(halves["held_out"]["expected_models"] - halves["expected_models"]) < 0.1
    assert "needs no true labels" in hqe("order", fresh, "--team", demo / "team.json", check=0).out
    judged = hqe("order", DEMO / "validation", "--team", demo / "team.json", "--test", fresh, "--json", check=0).json
    assert judged["early_exit"]["held_out"]["samples"] == new["early_exit"]["samples"] and judged["correct"] > 0
    labels = label_pool(home / "labels")
    hqe("team", labels, "--team", "0,1,2", "-o", home / "team.json", check=0)
    before = hqe("order", labels, "--team", home / "team.json", "--json", check=0).json["early_exit"]
    (labels / "labels.npy").unlink()
    after = hqe("order", labels, "--team", home / "team.json", "--json", check=0).json["early_exit"]
    assert {**after, "held_out": None} == {**before, "held_out": None}  # The halves no longer go by true class.
    refuses(3, "order", labels, "--team", "0,1,2", saying=["no true labels, and ties", "--team", "--ties label"])
    refuses(3, "order", labels, "--team", "0,1,2", "--vote", "weighted", saying=["weighted by accuracies", "--vote-weights"])
    hqe("order", labels, "--team", "0,1,2", "--vote", "majority", check=0)
    hqe("order", labels, "--team", "0,1,2", "--vote-weights", "3,2,1", "--ties", "label", check=0)


def test_ties_go_by_the_correct_counts_of_the_file(home):
    """Two members that always differ: the better one where the team was chosen wins, not the better one here."""
    for name, truth in (("chosen", [0, 0, 0, 1]), ("here", [1, 1, 1, 0])):
        (home / name).mkdir()
        for model, rows in (("labels", truth), ("a", [0, 0, 0, 1]), ("b", [1, 1, 1, 0]), ("c", [0, 1, 0, 1])):
            (home / name / f"{model}.npy").write_bytes(npy_bytes(rows, "<i4"))
    hqe("team", home / "chosen", "--team", "a,b", "-o", home / "team.json", check=0)
    hqe("apply", home / "here", "--team", home / "team.json", "-o", home / "file.npy", check=0)
    assert numbers(home / "file.npy", "i") == (0, 0, 0, 1)
    assert hqe("evaluate", home / "here", "--team", home / "team.json", "--json", check=0).json["teams"][0]["correct"] == 0
    hqe("apply", home / "here", "--team", "a,b", "-o", home / "names.npy", check=0)
    assert numbers(home / "names.npy", "i") == (1, 1, 1, 0)


def test_one_model_and_all_of_them_are_teams(home):
    pool = small_pool(home / "pool")
    models = len(hqe("inspect", pool, "--json", check=0).json["models"])
    for team, size in (("2", 1), (",".join(map(str, range(models))), models)):
        hqe("team", pool, "--team", team, "-o", home / "team.json", check=0)
        assert len(json.loads((home / "team.json").read_text())["members"]) == size
        hqe("apply", pool, "--team", home / "team.json", "-o", home / "a.npy", check=0)
    hqe("team", pool, "--team", "2", "-o", home / "team.json", check=0)
    alone = without_labels(pool, home / "alone", {"model_2"})
    hqe("apply", alone, "--team", home / "team.json", "-o", home / "b.npy", check=0)
    hqe("apply", pool, "--team", "2", "-o", home / "a.npy", check=0)
    assert (home / "a.npy").read_bytes() == (home / "b.npy").read_bytes()


def test_what_contradicts_the_file_is_refused(home):
    pool = label_pool(home / "labels")
    hqe("team", pool, "--team", "0,2", "--vote-weights", "2,1", "-o", home / "weighted.json", check=0)
    hqe("team", pool, "--team", "0,2", "--ties", "label", "-o", home / "ties.json", check=0)
    for command in ("apply", "evaluate", "order"):
        more = ("-o", home / "a.npy") if command == "apply" else ()
        weighted = (command, pool, "--team", home / "weighted.json", *more)
        hqe(*weighted, "--vote", "weighted", "--vote-weights", "2,1", check=0)
        refuses(2, *weighted, "--vote", "majority", saying=["--vote majority", "contradicts", "weighted"])
        refuses(2, *weighted, "--vote-weights", "1,2", saying=["--vote-weights 1,2", "contradicts"])
        refuses(2, *weighted, "--vote-weights", "accuracy", saying="contradicts")
        refuses(2, command, pool, "--team", home / "ties.json", *more, "--ties", "accuracy", saying=["--ties", "contradicts"])
        hqe(command, pool, "--team", home / "ties.json", *more, "--ties", "label", check=0)
    refuses(2, "explain", pool, "--team", home / "ties.json", "--vote", "majority", saying="contradicts")
    refuses(2, "evaluate", pool, "--team", home / "ties.json", "--team", home / "weighted.json", saying="differently")
    refuses(2, "team", home / "ties.json", "--team", "0,1", saying="--team")
    refuses(2, "team", home / "ties.json", "-o", home / "ties.json", saying="ties.json")
    refuses(2, "apply", pool, "--team", home / "ties.json", "-o", home / "ties.json", saying="ties.json")
    refuses(2, "team", pool, saying="--team")


def test_a_team_that_does_not_fit_is_refused_by_name(demo, home):
    pool = small_pool(home / "pool")
    hqe("team", pool, "--team", "0,3", "-o", home / "team.json", check=0)
    team = json.loads((home / "team.json").read_text())
    words = ("apply", pool, "-o", home / "a.npy", "--team")

    def changed(**more):
        (home / "changed.json").write_text(sealed({**team, **more}))
        return home / "changed.json"

    hqe(*words, changed(), check=0)
    refuses(3, *words, changed(schema=2), saying=["changed.json", "schema"])
    refuses(3, *words, changed(command="front"), saying=["not a saved study or team", "front"])
    refuses(3, *words, changed(members=[{"name": "eve", "correct": 1}], early_exit=None), saying="\"eve\" is not in this pool")
    refuses(3, *words, changed(members=team["members"] + team["members"][:1]), saying=["members", "twice"])
    refuses(3, *words, changed(classes=["x"] * 3 + ["y"], class_count=4), saying=["classes"])
    (pool / "pool.toml").write_text('classes = ["a", "b", "c"]\n')
    hqe(*words, changed(classes=["a", "b", "c"]), check=0)
    refuses(3, *words, changed(classes=["b", "a", "c"]), saying=["class 0", "\"a\"", "\"b\""])
    text = (home / "team.json").read_text()
    (home / "changed.json").write_text(text.replace('"correct":', '"correct":1', 1))
    refuses(3, *words, home / "changed.json", saying="checksum")
    for hostile in ("", "{", "[" * 100_000, '{"schema":1,"schema":1}', "\0" * 100, '{"command":"team"}'):
        (home / "changed.json").write_text(hostile)
        refuses(3, *words, home / "changed.json", saying="changed.json")
    refuses(3, *words, home / "absent.json", saying="absent.json")
    refuses(3, *words, home / "pool.json", saying="pool.json")
    labels = label_pool(home / "labels")
    refuses(3, "apply", labels, "-o", home / "a.npy", "--team", home / "team.json", saying=["labels", "soft"])
    (pool / "model_3.npy").unlink()
    refuses(3, *words, home / "team.json", saying="model_3")
    refuses(2, "apply", pool, "-o", home / "a.npy", "--team", "0,0", saying="twice")


def test_applying_takes_no_more_memory_for_more_samples(home):
    """The peak of a pool of many samples is that of one of few, and what is written is whole."""
    if not pathlib.Path("/proc/self/status").exists():
        pytest.skip("no /proc: memory cannot be measured")
    peaks = {}
    for samples in (20_000, 1_000_000):
        folder = home / str(samples)
        folder.mkdir()
        row = npy_bytes([[0.7, 0.2, 0.1]] * 1000, "<f8")[128:]
        for model in ("a", "b"):
            with open(folder / f"{model}.npy", "wb") as file:
                file.write(npy_bytes([[0.0, 0.0, 0.0]], "<f8", (samples, 3))[:128])
                for _ in range(samples // 1000):
                    file.write(row)
        for name in ("a.csv", "s.npy"):
            words = [running.BINARY, "apply", folder, "--team", "a,b", "-o", home / name, "--quiet", "--threads", "2",
                     *(["--scores"] if name == "s.npy" else [])]
            peaks[samples, name] = anonymous_peak(words)
        assert (home / "s.npy").stat().st_size == 128 + samples * 24
        assert (home / "a.csv").read_bytes().count(b"\n") == samples + 1
    for name in ("a.csv", "s.npy"):
        few, many = peaks[20_000, name], peaks[1_000_000, name]
        assert many < few + (8 << 20), f"{name}: {few >> 20} MiB for 20,000 samples, {many >> 20} for 1,000,000"


def anonymous_peak(words):
    """The most memory that no file backs, as seen now and then while the command runs."""
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            continue
        found = re.search(r"RssAnon:\s+(\d+)", status)
        peak = max(peak, int(found[1]) * 1024 if found else 0)
    assert process.wait() == 0
    return peak


def test_a_test_pool_with_one_model_less_still_gets_the_team_that_was_named(home):
    pool = small_pool(home / "pool")
    fewer = shutil.copytree(pool, home / "fewer")
    (fewer / "model_0.npy").unlink()
    words = ("apply", "--team", "model_1,model_4", "--json", "-o")
    first = hqe(words[0], pool, *words[1:], home / "a.npy", check=0).json
    second = hqe(words[0], fewer, *words[1:], home / "b.npy", check=0).json
    assert first["team"] == [1, 4] and second["team"] == [0, 3] and first["names"] == second["names"]
    assert (home / "a.npy").read_bytes() == (home / "b.npy").read_bytes()
