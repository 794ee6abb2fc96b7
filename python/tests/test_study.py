# SPDX-License-Identifier: MIT
"""What a study shows of itself."""

import copy
import pickle
import re
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import hqe


def test_the_consensus_is_a_sequence_of_teams(study):
    consensus = study.consensus
    assert [one.team for one in consensus] == consensus.teams
    assert consensus[0] == next(iter(consensus)) and consensus[-1].team == consensus.teams[-1]
    assert [one.score for one in consensus[1:3]] == consensus.scores[1:3].tolist()
    assert consensus[0].votes >= 3 and consensus[0].test_correct is None
    assert consensus[0].correct == consensus.correct[0]
    with pytest.raises(IndexError):
        consensus[len(consensus)]


def test_columns_share_the_engines_memory_and_outlive_the_study(pool):
    study = hqe.prune(pool, size=3)
    column, members = study.consensus.scores, study.consensus.members
    assert not column.flags.owndata and not column.flags.writeable
    assert members.shape == (len(study.consensus), 3) and not members.flags.owndata
    teams, scores = study.consensus.teams, column.tolist()
    del study
    assert column.tolist() == scores and [tuple(row) for row in members.tolist()] == teams


def test_selections_tiers_and_baselines_have_names(study):
    assert list(study.selections) == ["F-CK", "F-BD", "F-KW", "F-GD"]
    assert [tier.size for tier in study.tiers["F-GD"]] == [2, 3]
    assert study.tiers["F-GD"][0].candidates == 28
    assert study.consensus.distinct_metrics == 3
    assert len(study.baselines.most_accurate.team) == 3
    assert study.best.team in study.consensus.teams and study.best.why
    assert study.names(study.best.team) == tuple(f"model_{i}" for i in study.best.team)
    assert study.test is None and study.options.size == 3 and study.desired_size == 3
    with pytest.raises(AttributeError, match="no 'nothing' here"):
        study.nothing


def test_a_mean_threshold_has_no_tiers(pool):
    study = hqe.prune(pool, by="mean", metrics="F-GD")
    assert study.tiers == {"F-GD": []} and study.selections["F-GD"].threshold > 0
    assert study.selections["F-GD"].members is None  # Sizes differ.
    assert {len(team) for team in study.selections["F-GD"].teams} > {2, 3}


def test_a_study_survives_files_pickle_and_copies(study, tmp_path):
    study.save(tmp_path / "study.json")
    others = [
        hqe.Study.load(tmp_path / "study.json"),
        pickle.loads(pickle.dumps(study)),
        copy.deepcopy(study),
    ]
    for other in others:
        assert other.to_json(detail=True) == study.to_json(detail=True)
        assert other.consensus.teams == study.consensus.teams


def test_frames_have_a_row_a_team(study):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = study.to_pandas()
    kept = [*study.selections.values(), study.consensus]
    assert len(frame) == sum(map(len, kept))
    assert list(frame.columns[:6]) == ["metric", "team", "size", "score", "correct", "accuracy"]
    majority = frame[frame.metric == "MAJORITY-F"]
    pandas.testing.assert_frame_equal(
        majority.reset_index(drop=True)[["team", "correct"]],
        study.consensus.to_pandas()[["team", "correct"]],
    )
    scored = study.to_pandas(scored=True)
    fates = scored[(scored.metric == "F-GD") & (scored["size"] == 3)].fate.value_counts()
    tier = study.tiers["F-GD"][1]
    assert fates["kept"] == tier.candidates - tier.pruned and fates["pruned"] == tier.pruned
    with pytest.raises(hqe.UsageError, match="detail=True"):
        hqe.Study(study._core.__class__ and _without_detail(study)).to_pandas(scored=True)


def _without_detail(study):
    from hqe import _core

    return _core.study_from_json(study.to_json())


def test_the_other_results_become_frames(pool):
    pytest.importorskip("pandas", reason="pandas is not installed")
    assert list(hqe.score(pool, 2, metrics="GD").to_pandas().columns) == ["team", "size", "GD"]
    assert len(hqe.evaluate(pool, size=2).to_pandas()) == 28
    assert len(hqe.sweep(pool, [2, 3], 0.1, metrics="GD").to_pandas()) == 2
    compared = hqe.compare(pool, 2, ["random", "kappa", "mean_threshold"], repeats=2, max_evaluate=100)
    rows = compared.to_pandas()
    assert list(rows["method"]) == [method.method for method in compared.methods]
    assert (rows["low"] < rows["test_accuracy"])[:2].all() and rows["low"].isna()[2]


def test_a_comparison_draws_itself_and_survives_pickle(pool, tmp_path):
    compared = hqe.compare(pool, 3, ["exhaustive", "most_accurate", "random"], repeats=3)
    first = compared.methods[0].title
    assert repr(compared) == f"<hqe.Comparison of 3 methods: {first} is first>"
    picture = xml.fromstring(compared.plot())
    assert first in "".join(picture.itertext()) and compared.plot() in compared._repr_html_()
    compared.report(tmp_path / "ranks.html")
    assert compared.to_json().strip() in (tmp_path / "ranks.html").read_text()
    for twin in (pickle.loads(pickle.dumps(compared)), copy.deepcopy(compared)):
        assert twin == compared and twin.to_json() == compared.to_json()
    with pytest.raises(hqe.OutputError, match="no/such"):
        compared.report(tmp_path / "no/such/page.html")


def test_a_study_describes_itself(study):
    text = repr(study)
    assert "8 models, 400 samples, teams of 3, soft vote" in text
    assert f"MAJORITY-F: {len(study.consensus)} teams kept" in text
    assert "entire ensemble" in str(study) and "How focal pruning saw it" in str(study)
    assert repr(study.consensus).startswith("<hqe.Selection MAJORITY-F: ")
    assert repr(hqe.score(study_pool := _tiny(), 2, metrics="GD")) == "<hqe.Scores of 3 teams: GD>"
    assert repr(hqe.evaluate(study_pool, size=2)) == "<hqe.Evaluation of 3 teams, plurality vote>"
    assert repr(hqe.sweep(study_pool, 2, 0.1, metrics="GD")) == "<hqe.Sweep: 1 rows>"


def _tiny():
    return hqe.Pool(np.array([[0, 1, 1], [1, 1, 0], [0, 0, 1]]), [0, 1, 1])


def test_a_notebook_shows_a_table_and_the_scatter(study):
    html = study._repr_html_()
    assert html.count("<tr>") == 1 + min(8, len(study.consensus))
    picture = re.search(r"<svg.*</svg>", html, re.DOTALL)[0]
    xml.fromstring(picture)
    assert picture == study.plot("scatter").strip()


def test_names_cannot_inject_markup():
    answers = np.random.default_rng(0).integers(0, 2, (4, 50))
    pool = hqe.Pool(answers, np.zeros(50, int), names=["<script>alert(1)</script>", "b", "c", "d"])
    assert "<script>" not in hqe.prune(pool, size=2)._repr_html_()


def test_empty_selections_are_shown_too():
    answers = np.random.default_rng(0).integers(0, 2, (4, 50))
    study = hqe.prune(hqe.Pool(answers, np.zeros(50, int)), size=3, beta=0.9, choose="consensus")
    assert study.best is None and len(study.consensus) == 0
    assert "<svg" not in study._repr_html_() and repr(study) and str(study)


@pytest.mark.parametrize("figure", ["scatter", "tiers", "cofailure", "sweep", "exit"])
def test_every_figure_is_a_picture(study, figure):
    assert xml.fromstring(study.plot(figure)).tag.endswith("svg")


def test_defaults_are_those_of_the_engine(study, pool):
    import inspect

    asked = hqe.prune(pool).options
    for name, parameter in inspect.signature(hqe.prune).parameters.items():
        if name in asked and parameter.default not in (None, ()):
            assert asked[name] == parameter.default, name
