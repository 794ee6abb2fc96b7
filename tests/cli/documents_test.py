# SPDX-License-Identifier: MIT
"""What the JSON documents hold, key by key."""

import json

from files import label_pool, npy_bytes, small_pool, write_pool
from harness import folder, hqe, test

POOL = {"name": str, "kind": str, "samples": int, "class_count": int, "models": list}
QUALITY = ["selected", "good", "true_positive", "teams_of_size", "precision", "recall", "base_rate", "correct_min",
           "correct_max", "cost_reduction"]


def check_head(document, command):
    assert list(document)[:2] == ["schema", "command"], list(document)
    assert document["schema"] == 1 and document["command"] == command
    assert isinstance(document["version"], str)
    for key, kind in POOL.items():
        assert isinstance(document["pool"][key], kind), key
    for place, model in enumerate(document["pool"]["models"]):
        assert model["id"] == place and isinstance(model["name"], str) and isinstance(model["correct"], int)


def check_figures(entry):
    assert entry["team"] == sorted(set(entry["team"])) and isinstance(entry["correct"], int)


def check_quality(selection):
    for key in QUALITY:
        assert key in selection, key
    good = sum(team["correct"] >= selection["reference"] for team in selection["teams"])
    assert selection["true_positive"] == good
    assert selection["selected"] == len(selection["teams"])
    if selection["selected"]:
        assert abs(selection["precision"] - good / selection["selected"]) < 1e-12
        counts = [team["correct"] for team in selection["teams"]]
        assert (selection["correct_min"], selection["correct_max"]) == (min(counts), max(counts))


def check_numbers(value):
    """NaN and infinity are no JSON, and Python would read them all the same."""
    def refuse(constant):
        raise AssertionError(constant)
    json.loads(value, parse_constant=refuse)


@test("the document of prune has every key of the contract, and they fit together")
def _():
    with folder() as home:
        result = hqe("prune", small_pool(home / "pool", models=7), "--size", "3", "--beta", "0.2", "--json", check=0)
        assert result.err == ""
        check_numbers(result.out)
        document = result.json
        check_head(document, "prune")
        for key in ("options", "vote", "reference", "selections", "consensus", "baselines", "recommended", "warnings"):
            assert key in document, key
        assert "test" not in document and "scored" not in document
        check_figures(document["reference"])
        assert document["reference"]["team"] == list(range(7))
        assert [selection["metric"] for selection in document["selections"]] == ["F-CK", "F-BD", "F-KW", "F-GD"]
        for selection in document["selections"]:
            for tier in selection["tiers"]:
                assert {"size", "candidates", "pruned", "cut"} <= set(tier)
            assert [tier["size"] for tier in selection["tiers"]] == [2, 3]
            assert selection["selected"] == selection["tiers"][-1]["candidates"] - selection["tiers"][-1]["pruned"]
            order = [(-round(team["score"], 12), team["team"]) for team in selection["teams"]]
            assert order == sorted(order)
            for team in selection["teams"]:
                check_figures(team)
                assert isinstance(team["score"], float) and isinstance(team["costs"], dict)
            selection["reference"] = document["reference"]["correct"]
            check_quality(selection)
        consensus = document["consensus"]
        assert consensus["metric"] == "MAJORITY-F" and consensus["distinct_metrics"] == 3
        kept = [{tuple(team["team"]) for team in selection["teams"]} for selection in document["selections"]]
        for team in consensus["teams"]:
            assert team["votes"] == sum(tuple(team["team"]) in teams for teams in kept) > 2
        for name in ("best_single", "most_accurate", "best_of_size"):
            check_figures(document["baselines"][name])
        check_figures(document["recommended"])
        assert document["recommended"]["why"]


@test("with --by mean a threshold takes the place of the tiers")
def _():
    with folder() as home:
        document = hqe("prune", small_pool(home / "pool"), "--by", "mean", "--json", check=0).json
        for selection in document["selections"]:
            assert "tiers" not in selection
            assert all(team["score"] > selection["threshold"] for team in selection["teams"])
            assert selection["teams_of_size"] == 10 + 10 + 5


@test("costs and their reductions are sums, and latency also a maximum")
def _():
    with folder() as home:
        pool = small_pool(home / "pool", models=4)
        toml = "".join(f"[cost.model_{i}]\nparams = {10 ** i}\nlatency_ms = {i + 1}\n" for i in range(4))
        (pool / "pool.toml").write_text(toml)
        document = hqe("prune", pool, "--size", "2", "--json", check=0).json
        team = document["selections"][0]["teams"][0]
        assert team["costs"]["params"]["sum"] == sum(10 ** i for i in team["team"])
        assert abs(team["costs"]["params"]["reduction"] - (1 - team["costs"]["params"]["sum"] / 1111)) < 1e-12
        assert team["costs"]["latency_ms"]["parallel"] == max(i + 1 for i in team["team"])
        assert document["pool"]["models"][3]["costs"] == {"params": 1000.0, "latency_ms": 4.0}


@test("a test pool is counted beside the selection pool, models matched by name")
def _():
    with folder() as home:
        pool = small_pool(home / "pool", models=5)
        test_pool = small_pool(home / "test", models=4, samples=90)
        document = hqe("prune", pool, "--size", "2", "--test", test_pool, "--json", check=0).json
        assert len(document["pool"]["models"]) == 4
        assert any("model_4" in warning for warning in document["warnings"]), document["warnings"]
        judged = document["test"]
        assert judged["pool"]["samples"] == 90
        for chosen, counted in zip(document["selections"], judged["selections"]):
            assert [team["team"] for team in chosen["teams"]] == [team["team"] for team in counted["teams"]]
            counted["reference"] = judged["reference"]["correct"]
            check_quality(counted)
        alone = hqe("evaluate", test_pool, "--size", "2", "--json", check=0).json
        counts = {tuple(row["team"]): row["correct"] for row in alone["teams"]}
        for team in judged["selections"][0]["teams"]:
            assert counts[tuple(team["team"])] == team["correct"]
        assert {"best_single", "most_accurate", "best_of_size"} <= set(judged["baselines"])
        assert "correct" in judged["recommended"]


@test("-o of prune adds what a report needs, and --json on standard output does not")
def _():
    with folder() as home:
        pool = small_pool(home / "pool", models=6)
        printed = hqe("prune", pool, "--size", "3", "--json", "-o", home / "study.json", check=0)
        saved = json.loads((home / "study.json").read_text())
        for key in ("scored", "co_failures", "correlations", "deciding_samples"):
            assert key in saved and key not in printed.json
        assert {key: value for key, value in saved.items() if key in printed.json} == printed.json
        inspected = hqe("inspect", pool, "--json", check=0).json
        assert saved["co_failures"] == inspected["co_failures"]
        for scored, selection in zip([entry for entry in saved["scored"] if "fate" in entry], saved["selections"]):
            assert scored["metric"] == selection["metric"]
            candidates = sum(tier["candidates"] for tier in selection["tiers"])
            assert len(scored["teams"]) == len(scored["score"]) == len(scored["fate"]) == len(scored["correct"]) == candidates
            assert scored["fate"].count("p") == sum(tier["pruned"] for tier in selection["tiers"])
        counts = {tuple(row["team"]): row["correct"] for row in hqe("evaluate", pool, "--json", check=0).json["teams"]}
        for team, correct in zip(saved["scored"][0]["teams"], saved["scored"][0]["correct"]):
            assert counts[tuple(team)] == correct


@test("score lists every team of the sizes asked for, in size, then team order")
def _():
    with folder() as home:
        document = hqe("score", small_pool(home / "pool"), "--size", "2:3", "--focal", "--json", check=0).json
        check_head(document, "score")
        assert list(document["scores"]) == ["CK", "BD", "KW", "GD", "F-CK", "F-BD", "F-KW", "F-GD"]
        for metric, rows in document["scores"].items():
            keys = [(len(row["team"]), row["team"]) for row in rows]
            assert keys == sorted(keys) and len(keys) == 20
            for row in rows:
                assert ("focal" in row) == metric.startswith("F-")
                if "focal" in row:
                    assert set(row["focal"]) <= {str(member) for member in row["team"]}


@test("every metric that scores can be asked for")
def _():
    with folder() as home:
        names = "CK BD KW GD F-CK F-BD F-KW F-GD QS COR DF FK ENT DIFF CFD".split()
        words = [word for name in names for word in ("--metric", name.lower())]
        document = hqe("score", label_pool(home / "pool", abstain=0.1), "--size", "3", *words, "--json", check=0).json
        assert list(document["scores"]) == names


@test("evaluate lists the teams asked for, or every one")
def _():
    with folder() as home:
        pool = small_pool(home / "pool")
        everything = hqe("evaluate", pool, "--json", check=0).json
        check_head(everything, "evaluate")
        assert everything["vote"] == "soft" and len(everything["teams"]) == 31
        counts = {tuple(row["team"]): row["correct"] for row in everything["teams"]}
        some = hqe("evaluate", pool, "--team", "4,2", "--team", "model_0,model_1", "--json", check=0).json
        assert some["teams"] == [{"team": [0, 1], "correct": counts[0, 1]}, {"team": [2, 4], "correct": counts[2, 4]}]
        inspected = hqe("inspect", pool, "--json", check=0).json
        assert [counts[(i,)] for i in range(5)] == [model["correct"] for model in inspected["models"]]


@test("sweep has a row for each size, beta and metric, the same as prune finds")
def _():
    with folder() as home:
        pool = small_pool(home / "pool", models=6)
        document = hqe("sweep", pool, "--size", "2:3", "--beta", "0.1:0.3:0.1", "--json", check=0).json
        check_head(document, "sweep")
        keys = {(row["size"], row["beta"], row["metric"]) for row in document["rows"]}
        assert {(size, beta) for size, beta, _ in keys} == {(s, b) for s in (2, 3) for b in (0.1, 0.2, 0.3)}
        for row in document["rows"]:
            if row["metric"].startswith("F-"):
                one = hqe("prune", pool, "--size", row["size"], "--beta", row["beta"], "--metric", row["metric"], "--json").json
                selection = one["selections"][0]
                for key in ("selected", "good", "true_positive", "precision", "recall"):
                    assert row[key] == selection[key], (row, key, selection[key])


@test("explain tells for each metric whether the team was kept, pruned or cut")
def _():
    with folder() as home:
        pool = small_pool(home / "pool", models=6)
        options = ["--size", "3", "--beta", "0.3"]
        pruned = hqe("prune", pool, *options, "-o", home / "study.json", check=0)
        assert pruned.out
        study = json.loads((home / "study.json").read_text())
        fates = {}
        for entry in study["scored"]:
            if "fate" in entry:
                fates.update({(entry["metric"], tuple(team)): letter for team, letter in zip(entry["teams"], entry["fate"])})
        teams = [[0, 1, 2], [1, 3, 5], [3, 4, 5], [0, 5], [0, 4, 5]]
        words = [word for team in teams for word in ("--team", ",".join(map(str, team)))]
        document = hqe("explain", pool, *options, *words, "--json", check=0).json
        check_head(document, "explain")
        assert [entry["team"] for entry in document["teams"]] == teams
        for entry in document["teams"]:
            for opinion in entry["opinions"]:
                letter = fates.get((opinion["metric"], tuple(entry["team"])))
                assert opinion["fate"] == {"k": "kept", "p": "pruned", None: "cut"}[letter], (entry["team"], opinion)
                if letter is None:
                    assert fates[opinion["metric"], tuple(opinion["culprit"])] == "p"
                    assert set(opinion["culprit"]) < set(entry["team"])


@test("inspect counts failures, abstentions and what two models fail on together")
def _():
    with folder() as home:
        labels = [0, 1, 0, 1, 0, 1, 0, 1]
        said = {"always.npy": labels, "constant.npy": [0] * 8, "twin.npy": [0] * 8, "silent.npy": [-1, -1, 0, 1, 0, 1, 0, 0],
                "inverted.npy": [1 - label for label in labels]}
        order = 'models = ["always", "constant", "twin", "silent", "inverted"]\nkind = "labels"\n'
        pool = write_pool(home / "pool", {name: npy_bytes(answers, "<i8") for name, answers in said.items()}, labels, order)
        document = hqe("inspect", pool, "--json", check=0).json
        check_head(document, "inspect")
        models = document["models"]
        assert [model["correct"] for model in models] == [8, 4, 4, 5, 0]
        assert [model["abstentions"] for model in models] == [0, 0, 0, 2, 0]
        assert models[3] == {**models[3], "accuracy": 0.625, "failures": 3}
        assert document["accuracy"] == {"min": 0.0, "mean": 21 / 40, "max": 1.0}
        notes = [" ".join(model["notes"]).lower() for model in models]
        for note, words in zip(notes, (["never fails"], ["class 0"], ["class 0", "constant"], ["abstains"], ["swapped"])):
            assert all(word in note for word in words), notes
        fails = [[answer != label for answer, label in zip(said[f"{model['name']}.npy"], labels)] for model in models]
        for i in range(5):
            for j in range(5):
                assert document["co_failures"][i][j] == sum(a and b for a, b in zip(fails[i], fails[j]))


@test("CSV has a header and as many rows as the document")
def _():
    with folder() as home:
        pool = small_pool(home / "pool")
        for words, rows in [(["inspect"], 5), (["score", "--size", "2"], 10), (["evaluate", "--size", "2"], 10),
                            (["sweep", "--size", "2", "--beta", "0.1,0.2", "--metric", "F-GD"], 2)]:
            result = hqe(words[0], pool, *words[1:], "--csv", check=0)
            lines = result.out.splitlines()
            assert len(lines) == rows + 1, (words, lines)
            assert len({line.count(",") for line in lines}) == 1
        document = hqe("prune", pool, "--size", "2", "--json", check=0).json
        expected = sum(s["selected"] for s in document["selections"]) + document["consensus"]["selected"]
        assert len(hqe("prune", pool, "--size", "2", "--csv", check=0).out.splitlines()) == expected + 1


@test("synth makes the same pool each time, and every kind of it can be inspected and pruned")
def _():
    with folder() as home:
        for kind in ("probabilities", "logits", "labels", "correctness"):
            for name in ("a", "b"):
                hqe("synth", "--models", "6", "--samples", "300", "--classes", "5", "--kind", kind, "--seed", "3",
                    "-o", home / f"{kind}-{name}", "--threads", "1" if name == "a" else "7", check=0)
            names = sorted(path.name for path in (home / f"{kind}-a").iterdir())
            assert names == sorted(path.name for path in (home / f"{kind}-b").iterdir())
            for name in names:
                assert (home / f"{kind}-a" / name).read_bytes() == (home / f"{kind}-b" / name).read_bytes() or name == "pool.toml", name
            assert hqe("inspect", home / f"{kind}-a", "--json", check=0).json["pool"]["kind"] == kind
            hqe("prune", home / f"{kind}-a", "--size", "3", check=0)
