# SPDX-License-Identifier: MIT
"""What the JSON documents hold, key by key."""

import json

from files import label_pool, npy_bytes, small_pool, write_pool
from running import focal_metrics, hqe, metrics, pruning_metrics

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


def test_the_document_of_prune_has_every_key_of_the_contract_and_they_fit_together(home):
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
    assert [selection["metric"] for selection in document["selections"]] == focal_metrics()
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


def test_with_by_mean_a_threshold_takes_the_place_of_the_tiers(home):
    document = hqe("prune", small_pool(home / "pool"), "--by", "mean", "--json", check=0).json
    for selection in document["selections"]:
        assert "tiers" not in selection
        assert all(team["score"] > selection["threshold"] for team in selection["teams"])
        assert selection["teams_of_size"] == 10 + 10 + 5


def test_costs_and_their_reductions_are_sums_and_latency_also_a_maximum(home):
    pool = small_pool(home / "pool", models=4)
    toml = "".join(f"[cost.model_{i}]\nparams = {10 ** i}\nlatency_ms = {i + 1}\n" for i in range(4))
    (pool / "pool.toml").write_text(toml)
    document = hqe("prune", pool, "--size", "2", "--json", check=0).json
    team = document["selections"][0]["teams"][0]
    assert team["costs"]["params"]["sum"] == sum(10 ** i for i in team["team"])
    assert abs(team["costs"]["params"]["reduction"] - (1 - team["costs"]["params"]["sum"] / 1111)) < 1e-12
    assert team["costs"]["latency_ms"]["parallel"] == max(i + 1 for i in team["team"])
    assert document["pool"]["models"][3]["costs"] == {"params": 1000.0, "latency_ms": 4.0}


def test_a_test_pool_is_counted_beside_the_selection_pool_models_matched_by_name(home):
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


def test_the_output_of_prune_adds_what_a_report_needs_and_json_does_not(home):
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


def test_score_lists_every_team_of_the_sizes_asked_for_in_size_then_team_order(home):
    document = hqe("score", small_pool(home / "pool"), "--size", "2:3", "--focal", "--json", check=0).json
    check_head(document, "score")
    assert list(document["scores"]) == pruning_metrics()
    for metric, rows in document["scores"].items():
        keys = [(len(row["team"]), row["team"]) for row in rows]
        assert keys == sorted(keys) and len(keys) == 20
        for row in rows:
            assert ("focal" in row) == (metric in focal_metrics())
            if "focal" in row:
                assert set(row["focal"]) <= {str(member) for member in row["team"]}


def test_every_metric_that_scores_can_be_asked_for(home):
    names = metrics()
    words = [word for name in names for word in ("--metric", name.lower())]
    document = hqe("score", label_pool(home / "pool", abstain=0.1), "--size", "3", *words, "--json", check=0).json
    assert list(document["scores"]) == names


def test_evaluate_lists_the_teams_asked_for_or_every_one(home):
    pool = small_pool(home / "pool")
    everything = hqe("evaluate", pool, "--json", check=0).json
    check_head(everything, "evaluate")
    assert everything["vote"] == "soft" and len(everything["teams"]) == 31
    counts = {tuple(row["team"]): row["correct"] for row in everything["teams"]}
    some = hqe("evaluate", pool, "--team", "4,2", "--team", "model_0,model_1", "--json", check=0).json
    assert some["teams"] == [{"team": [0, 1], "correct": counts[0, 1]}, {"team": [2, 4], "correct": counts[2, 4]}]
    inspected = hqe("inspect", pool, "--json", check=0).json
    assert [counts[(i,)] for i in range(5)] == [model["correct"] for model in inspected["models"]]


def test_sweep_has_a_row_for_each_size_beta_and_metric_the_same_as_prune_finds(home):
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


def test_explain_tells_for_each_metric_whether_the_team_was_kept_pruned_or_cut(home):
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


def test_inspect_counts_failures_abstentions_and_what_two_models_fail_on_together(home):
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


def test_csv_has_a_header_and_as_many_rows_as_the_document(home):
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


def test_synth_makes_the_same_pool_each_time(home):
    """Synth makes the same pool each time, and every kind of it can be inspected and pruned."""
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
