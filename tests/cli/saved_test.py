# SPDX-License-Identifier: MIT
"""A saved study, comparison or cascade is a stranger's file: whatever was changed in it, it is shown or refused."""

import copy
import json
import random
import time

from files import small_pool
from running import figures, hqe, methods, refuses

HOSTILE = [-1, 0, 1.5, 25000000, 2 ** 31, 10 ** 11, 2 ** 64 - 1, 2 ** 64, 1e300, True, None, "x", [], {}]


def saved_study(home, *words):
    pool = small_pool(home / "pool", models=6)
    hqe("prune", pool, "--size", "3", "--choose", "consensus", "--test", pool, *words, "-o", home / "study.json", "--quiet", check=0)
    return json.loads((home / "study.json").read_text())


def saved_comparison(home):
    pool = small_pool(home / "pool", models=6)
    hqe("compare", pool, "--size", "3", "--repeats", "2", "-o", home / "compare.json", "--quiet", check=0)
    return json.loads((home / "compare.json").read_text())


def saved_cascade(home):
    pool = small_pool(home / "pool", models=6)
    hqe("front", pool, "--cascade", "--team", "0,1,2,3", "-o", home / "cascade.json", "--quiet", check=0)
    return json.loads((home / "cascade.json").read_text())


def changed(document, path, value):
    """`path`: names and places, ["consensus", "teams", 3, "correct"]."""
    document = copy.deepcopy(document)
    entry = document
    for step in path[:-1]:
        entry = entry[step]
    entry[path[-1]] = value
    return document


def way(path):
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def refused_everywhere(home, text, saying, kind="study"):
    """By every command that reads such a document, with the file's name, and nothing is written."""
    (home / "changed.json").write_text(text)
    figure = figures(kind)[0]
    for words in (["report", home / "changed.json", "-o", home / "out.html"],
                  ["plot", home / "changed.json", "--figure", figure, "-o", home / "out.svg"]):
        result = refuses(3, *words, saying=["changed.json", *saying])
        assert len(result.err.splitlines()) <= 3, result.err
    assert not (home / "out.html").exists() and not (home / "out.svg").exists()


def test_wrong_numbers_of_a_study_are_refused(home):
    """A number of a study that is more than what it counts is refused with the way to it."""
    study = saved_study(home)
    samples = study["pool"]["samples"]
    for path, value, saying in [
            (["consensus", "teams", 3, "correct"], 25000000, f"25000000 is more than the pool's {samples} samples"),
            (["pool", "samples"], 0, "0 samples are no pool"),
            (["pool", "samples"], -1, "-1 is not a count"),
            (["pool", "samples"], 2 ** 64 - 1, "18446744073709551615 is more than"),
            (["pool", "samples"], 10 ** 10, "10000000000 is more than the 2147483648 samples that a pool can have"),
            (["pool", "samples"], 10 ** 11, "100000000000 is more than the 2147483648 samples"),
            (["pool", "samples"], 1.5, "1.5 is not a count"),
            (["pool", "samples"], "120", "\"120\" is not a count"),
            (["reference", "team", 0], 6, "6 is none of the pool's 6 models"),
            (["reference", "team", 0], 2 ** 16, "65536 is none of the pool's 6 models"),
            (["recommended", "team"], [1, 1, 2], "names model 1 twice"),
            (["recommended", "team"], [], "a team without members"),
            (["test", "selections", 0, "teams", 0, "correct"], samples + 1, "the test pool's"),
            (["options", "seed"], "many", "\"many\" is not a seed"),
            (["trust", "teams", 0, "selection", "samples"], 0, "0 samples tell nothing"),
            (["deciding_samples", "samples", 0, "truth"], 3, "3 is not a whole number from 0 to 2"),
            (["scored", 0, "fate"], "k", "one a team"),
            (["co_failures"], [], "one a model"),
            (["vote"], "loud", "\"loud\" is unknown")]:
        refused_everywhere(home, json.dumps(changed(study, path, value)), [f"{way(path)}: ", saying])


def test_wrong_numbers_of_a_comparison_are_refused(home):
    """A number of a comparison that is more than what it counts is refused with the way to it."""
    comparison = saved_comparison(home)
    for path, value, saying in [
            (["pool", "samples"], -1, "-1 is not a count"),
            (["test_samples"], 0, "0 samples tell nothing"),
            (["split_count"], 1000000, "1000000 does not fit the options, which ask for 2"),
            (["methods", 0, "mean_rank"], 1e300, f"is not in 1 to {len(methods())}"),
            (["methods", 0, "method"], "</script>", "is unknown"),
            (["methods", 0, "team"], [0, 7], "7 is none of the pool's 6 models"),
            (["methods", 0, "splits"], [], "one a split")]:
        place = way(path if path[-1] != "team" else [*path, 1])
        refused_everywhere(home, json.dumps(changed(comparison, path, value)), [f"{place}: ", saying], "comparison")


def test_a_hundred_thousand_levels_under_any_key_are_refused(home):
    deep = "[" * 100000 + "]" * 100000
    for kind, document in (("study", saved_study(home)), ("comparison", saved_comparison(home)), ("cascade", saved_cascade(home))):
        for key in [*list(document)[2:], "surprise"]:
            text = json.dumps(changed(document, [key], "DEEP")).replace('"DEEP"', deep)
            refused_everywhere(home, text, ["nested too deeply"], kind)


def test_a_study_of_as_many_samples_as_a_pool_can_have_takes_no_longer_than_another(home):
    study = changed(saved_study(home), ["pool", "samples"], 2 ** 31)
    (home / "many.json").write_text(json.dumps(study))
    begin = time.monotonic()
    hqe("report", home / "many.json", "-o", home / "out.html", "--quiet", check=0)
    assert time.monotonic() - begin < 20
    assert '"samples":2147483648' in (home / "out.html").read_text()


def test_documents_with_anything_in_the_place_of_anything_are_shown_or_refused(home):
    rng = random.Random(1)
    for name, document in (("study", saved_study(home)), ("comparison", saved_comparison(home)), ("cascade", saved_cascade(home))):
        for _ in range(60):
            path, entry = [], document
            while isinstance(entry, (dict, list)) and entry:
                step = rng.choice(list(entry) if isinstance(entry, dict) else range(len(entry)))
                path.append(step)
                entry = entry[step]
                if rng.random() < 0.1:
                    break
            value = rng.choice(HOSTILE)
            (home / "changed.json").write_text(json.dumps(changed(document, path, value)))
            for words in (["report", home / "changed.json", "-o", home / "out.html"],
                          ["plot", home / "changed.json", "--figure", rng.choice(figures(name)), "-o", home / "out.svg"]):
                result = hqe(*words, "--quiet")
                assert result.code in (0, 2, 3), (path, value, result)
                assert result.code == 0 or result.err.startswith("hqe: "), (path, value, result)


def test_what_hqe_wrote_it_reads_whatever_was_asked_of_it(home):
    pool = small_pool(home / "pool", models=6)
    for words in ([], ["--by", "mean"], ["--size", "auto", "--beta", "auto"], ["--holdout", "0.5"], ["--folds", "3"],
                  ["--merit", "logloss", "--stability", "5"], ["--seed", str(2 ** 64 - 1)], ["--metric", "GD,F-GD,gd"],
                  ["--beta", "0.99"], ["--size", "2", "--exclude", "model_0"], ["--sample", "50x2"], ["--size", "5"]):
        code = hqe("prune", pool, *words, "-o", home / "study.json", "--quiet").code
        assert code in (0, 4), (words, code)
        hqe("report", home / "study.json", "-o", home / "out.html", check=0)
    two = ["--repeats", "2"]
    for words in (two, ["--test", pool], ["--repeats", "1"], [*two, "--max-evaluate", "3"], [*two, "--no-times"],
                  [*two, "--seed", str(2 ** 64 - 1)], [*two, "--method", "greedy_forward"]):
        hqe("compare", pool, "--size", "3", *words, "-o", home / "compare.json", "--quiet", check=0)
        hqe("report", home / "compare.json", "-o", home / "out.html", check=0)
        page = (home / "out.html").read_text()
        assert (home / "compare.json").read_text() in page, words
    for words in ([], ["--team", "0,1,2,3"], ["--team", "2"], ["--test", pool], ["--vote", "plurality"],
                  ["--team", "1,3", "--vote-weights", "2,1"], ["--seed", str(2 ** 64 - 1)]):
        hqe("front", pool, "--cascade", *words, "-o", home / "cascade.json", "--quiet", check=0)
        hqe("front", pool, "--cascade", *words, "--report", home / "made.html", "--quiet", check=0)
        hqe("report", home / "cascade.json", "-o", home / "out.html", check=0)
        hqe("plot", home / "cascade.json", "--figure", "cascades", "-o", home / "out.svg", check=0)
        assert (home / "out.html").read_bytes() == (home / "made.html").read_bytes(), words
        assert "exact exit" in (home / "out.svg").read_text()
    refuses(3, "plot", home / "compare.json", "--figure", "cascades", "-o", home / "x.svg", saying="not a saved cascade")
    refuses(3, "plot", home / "cascade.json", "--figure", "ranks", "-o", home / "x.svg", saying="not a saved comparison")
    refuses(2, "plot", "--figure", "cascades", "-o", home / "x.svg", saying="hqe front POOL --cascade")


def test_wrong_numbers_of_a_cascade_are_refused(home):
    cascade = saved_cascade(home)
    samples = cascade["rows"][0]["selection"]["samples"]
    for path, value, saying in [
            (["schema"], 2, "schema 1"),
            (["rows", 0, "selection", "correct"], samples + 1, f"{samples + 1} is more than the row's {samples} samples"),
            (["rows", 0, "selection", "changed"], 1, "not exact"),
            (["order"], [0, 1, 2, 2], "every member of the team once"),
            (["team"], [0, 1, 2, 6], "none of the pool's 6 models"),
            (["rows"], [], "not even the exact exit")]:
        refused_everywhere(home, json.dumps(changed(cascade, path, value)), [way(path), saying], "cascade")
    text = json.dumps(cascade)
    for cut in (0, 1, len(text) // 2, len(text) - 1):
        refused_everywhere(home, text[:cut], [], "cascade")
