# SPDX-License-Identifier: MIT
"""A wrong command line ends with 2, says why, and touches nothing."""

import re

import pytest

from files import label_pool, npy_bytes, small_pool, write_pool
from running import hqe, refuses

WRONG = [
    ("no command", [], "which command"),
    ("an unknown command", ["prun", "POOL"], ["prun", "did you mean prune"]),
    ("an unknown option", ["prune", "POOL", "--beto", "0.1"], ["--beto", "did you mean --beta"]),
    ("an unknown option with =", ["prune", "POOL", "--metrik=F-GD"], ["--metrik", "--metric"]),
    ("no pool", ["prune"], "which pool"),
    ("two folders", ["prune", "POOL", "POOL"], "one pool"),
    ("a value that is missing", ["prune", "POOL", "--beta"], "--beta"),
    ("an option given twice", ["prune", "POOL", "--size", "2", "--size", "3"], "--size"),
    ("a size of 1", ["prune", "POOL", "--size", "1"], "size"),
    ("a size of M", ["prune", "POOL", "--size", "5"], "size"),
    ("a size that is no number", ["prune", "POOL", "--size", "five"], ["--size", "five"]),
    ("beta of 1", ["prune", "POOL", "--beta", "1"], "beta"),
    ("beta below 0", ["prune", "POOL", "--beta", "-0.1"], "beta"),
    ("beta that is no number", ["prune", "POOL", "--beta", "lots"], ["--beta", "lots"]),
    ("as many betas as there are not tiers", ["prune", "POOL", "--size", "3", "--beta", "0.1,0.1,0.1"], "beta"),
    ("an unknown metric", ["prune", "POOL", "--metric", "F-XY"], ["F-XY", "F-GD"]),
    ("a metric that only scores", ["prune", "POOL", "--metric", "ENT"], ["ENT", "F-GD"]),
    ("an unknown vote", ["prune", "POOL", "--vote", "loud"], ["loud", "soft"]),
    ("an unknown method", ["prune", "POOL", "--by", "magic"], ["magic", "hierarchical"]),
    ("unknown weights", ["prune", "POOL", "--weights", "heavy"], ["heavy", "rank"]),
    ("an unknown scale", ["prune", "POOL", "--scale", "most"], ["most", "candidates"]),
    ("unknown ties", ["prune", "POOL", "--ties", "silk"], ["silk", "accuracy"]),
    ("--keep 0", ["prune", "POOL", "--keep", "0"], "--keep"),
    ("a sample that is none", ["prune", "POOL", "--sample", "100"], ["--sample", "100x3"]),
    ("a seed without a sample", ["score", "POOL", "--size", "2", "--seed", "1"], "--sample"),
    ("a share of nothing", ["prune", "POOL", "--holdout", "0"], "between 0 and 1"),
    ("one fold", ["prune", "POOL", "--folds", "1"], "folds"),
    ("two ways of holding out", ["prune", "POOL", "--holdout", "0.5", "--folds", "3"], "Give one of them"),
    ("an unknown merit", ["prune", "POOL", "--merit", "beauty"], "balanced"),
    ("no margin", ["prune", "POOL", "--margin", "0"], "margin"),
    ("a budget without a number", ["prune", "POOL", "--budget", "params"], ["--budget", "params=1e8"]),
    ("a budget on costs that nobody knows", ["prune", "POOL", "--budget", "params=1e8"], "params"),
    ("a required model that is not there", ["prune", "POOL", "--require", "nobody"], "nobody"),
    ("an excluded model that is not there", ["prune", "POOL", "--exclude", "17"], "17"),
    ("a model both required and excluded", ["prune", "POOL", "--require", "1", "--exclude", "1"], ["require", "exclude"]),
    ("vote weights with a vote that has none", ["prune", "POOL", "--vote", "soft", "--vote-weights", "accuracy"], "weighted"),
    ("too few vote weights", ["evaluate", "POOL", "--vote-weights", "1,2"], "weight"),
    ("negative vote weights", ["evaluate", "POOL", "--vote-weights", "1,1,1,1,-1"], "weight of model_4 "),
    ("a first tier above --max-candidates", ["prune", "POOL", "--max-candidates", "9"], ["10", "--max-candidates"]),
    ("score without a size", ["score", "POOL"], "--size"),
    ("score of size 1", ["score", "POOL", "--size", "1"], "size"),
    ("score of more models than there are", ["score", "POOL", "--size", "6"], "size"),
    ("a range that goes down", ["score", "POOL", "--size", "4:2"], "4:2"),
    ("too many teams to score", ["score", "POOL", "--size", "2", "--max-candidates", "9"], "9"),
    ("too many teams to evaluate", ["evaluate", "POOL", "--max-candidates", "30"], "30"),
    ("a team with a model that is not there", ["evaluate", "POOL", "--team", "0,9"], "9"),
    ("a team with a member twice", ["evaluate", "POOL", "--team", "1,1"], "1"),
    ("an empty member", ["evaluate", "POOL", "--team", "0,,1"], "model"),
    ("sweep without betas", ["sweep", "POOL", "--size", "2"], "--beta"),
    ("sweep over a step of 0", ["sweep", "POOL", "--size", "2", "--beta", "0:0.3:0"], "step"),
    ("sweep over a size that is too large", ["sweep", "POOL", "--size", "2:5", "--beta", "0.1"], "size"),
    ("explain without a team", ["explain", "POOL"], "--team"),
    ("apply without a team", ["apply", "POOL", "-o", "x.npy"], "--team"),
    ("apply without a file", ["apply", "POOL", "--team", "0,1"], "-o"),
    ("apply to a format that it does not write", ["apply", "POOL", "--team", "0,1", "-o", "x.txt"], ".npy"),
    ("--csv where there are no rows", ["version", "--csv"], "--csv"),
    ("--json and --csv", ["inspect", "POOL", "--json", "--csv"], "--csv"),
    ("threads below 0", ["inspect", "POOL", "--threads", "-1"], "--threads"),
    ("an unknown kind", ["inspect", "POOL", "--kind", "guesses"], ["guesses", "labels"]),
    ("synth without a folder", ["synth", "--models", "3"], "-o"),
    ("synth without samples", ["synth", "--samples", "0", "-o", "x"], "--samples"),
]


@pytest.mark.parametrize("words, saying", [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_a_wrong_command_line_is_refused(home, words, saying):
    small_pool(home / "pool")
    refuses(2, *["pool" if word == "POOL" else word for word in words], saying=saying, cwd=home)
    assert sorted(path.name for path in home.iterdir()) == ["pool"]


def test_a_soft_vote_is_refused_on_labels_naming_those_that_work(home):
    pool = label_pool(home / "pool")
    refuses(2, "evaluate", pool, "--vote", "soft", saying=["soft", "weighted, plurality, majority"])


def test_focal_ck_is_refused_in_a_correctness_pool_and_the_default_leaves_it_out(home):
    models = {f"m{i}.npy": npy_bytes([(s * (i + 3) // 2 + s // 5) % (3 + i) > 0 for s in range(60)], "|b1") for i in range(4)}
    pool = write_pool(home / "pool", models, [1] * 60, 'kind = "correctness"\n')
    (pool / "labels.npy").unlink()
    refuses(2, "prune", pool, "--size", "2", "--metric", "F-CK", saying="F-CK")
    document = hqe("prune", pool, "--size", "2", "--json", check=0).json
    assert document["metrics"] == ["F-BD", "F-KW", "F-GD"], document["metrics"]


def test_mean_threshold_and_every_team_evaluation_refuse_more_than_24_models(home):
    pool = label_pool(home / "pool", models=25, samples=40)
    refuses(2, "prune", pool, "--by", "mean", saying="24")
    refuses(2, "evaluate", pool, saying="24")


def test_fewer_than_three_models_cannot_be_pruned_exit_code_3(home):
    pool = small_pool(home / "pool", models=2)
    refuses(3, "prune", pool, saying=["2 models", "at least 3"])


def test_a_tier_above_max_candidates_names_a_keep_that_fits(home):
    """A tier above --max-candidates is refused, naming the count and a --keep that fits."""
    pool = small_pool(home / "pool", models=9)
    words = ["prune", pool, "--size", "4", "--beta", "0", "--max-candidates", "100"]
    message = refuses(2, *words, saying=["126", "--keep"]).err
    keep = int(re.search(r"--keep (\d+)", message)[1])
    document = hqe(*words, "--keep", keep, "--json", check=0).json
    assert all(tier["candidates"] <= 100 for selection in document["selections"] for tier in selection["tiers"])


def test_empty_selections_end_with_4_and_the_document(home):
    """When every selection is empty the exit code is 4 and the document is printed."""
    pool = small_pool(home / "pool")
    result = hqe("prune", pool, "--size", "4", "--beta", "0.9", "--json", check=4)
    assert result.err == ""
    document = result.json
    assert document["recommended"]["decision"] in ("team", "single", "entire")  # The evidence looks at every team.
    by_consensus = hqe("prune", pool, "--size", "4", "--beta", "0.9", "--choose", "consensus", "--json", check=4).json
    assert by_consensus["recommended"] is None
    for selection in document["selections"]:
        assert selection["selected"] == 0 and selection["teams"] == [] and selection["precision"] is None
        assert selection["tiers"][-1]["candidates"] == 0
    text = hqe("prune", pool, "--size", "4", "--beta", "0.9", "--choose", "consensus", check=4)
    assert "No team is recommended." in text.out


def test_global_options_work_before_and_after_the_command_and_h_is_help(home):
    pool = small_pool(home / "pool")
    after = hqe("inspect", pool, "--json", "--threads", "1", check=0).out
    before = hqe("--json", "--threads", "1", "inspect", pool, check=0).out
    assert before == after
    assert hqe("inspect", "-h", check=0).out == hqe("inspect", "--help", check=0).out


def test_choices_and_metrics_may_be_written_in_any_case(home):
    pool = small_pool(home / "pool")
    lower = hqe("prune", pool, "--size", "2", "--metric", "f-gd", "--vote", "SOFT", "--json", check=0).out
    upper = hqe("prune", pool, "--size", "2", "--metric", "F-GD", "--vote", "soft", "--json", check=0).out
    assert lower == upper


def test_ten_percent_and_0_1_are_the_same_beta(home):
    pool = small_pool(home / "pool")
    assert (hqe("prune", pool, "--beta", "10%", "--size", "3", "--json", check=0).out ==
            hqe("prune", pool, "--beta", "0.1", "--size", "3", "--json", check=0).out)
