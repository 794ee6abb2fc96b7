# SPDX-License-Identifier: MIT
"""A team is a file: from a study to a server, by the names of the models."""

import json
import pickle

import numpy as np
import pytest

import hqe

from conftest import DEMO


@pytest.fixture(scope="module")
def named(scores):
    predictions, labels = scores
    return {f"net {i}": row for i, row in enumerate(predictions)}, labels


@pytest.fixture(scope="module")
def study(named):
    return hqe.prune(hqe.Pool(*named, classes=["a", "b", "c", "d"]), size=3)


@pytest.fixture
def team(study, tmp_path):
    study.best.save(tmp_path / "team.json")
    return hqe.Team.load(tmp_path / "team.json")


def test_a_study_hands_its_team_on(study, team, tmp_path):
    best = study.best
    assert team.members == best.names and team.vote == best.vote and len(team) == len(best.team)
    assert team.correct == [study.pool.models[i].correct for i in best.team]
    assert team.temperature == best.serving.temperature and team.classes == ["a", "b", "c", "d"]
    assert team.kind == "probabilities" and team.ties == "accuracy" and team.weights is None
    assert team.early_exit.order == best.serving.early_exit.names and team.class_count == 4
    assert team.expected.judged_on == "half" and team.costs == {} and team.samples == 400
    assert team.document == json.loads((tmp_path / "team.json").read_text())
    study.save(tmp_path / "study.json")
    for other in (hqe.Team.load(tmp_path / "study.json"), hqe.Team.of(study), study.to_team(),
                  hqe.Team.from_json(team.to_json()), pickle.loads(pickle.dumps(team))):
        assert other == team and hash(other) == hash(team)
    team.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "team.json").read_bytes()


def test_every_verb_takes_a_team_and_what_names_one(study, team, named, tmp_path):
    study.save(tmp_path / "study.json")
    pool = hqe.Pool(*named)
    first = hqe.apply(pool, team)
    assert first.correct == hqe.evaluate(pool, teams=[team]).correct[0] == study.best.correct
    assert first.expected == team.expected and first.warnings == []
    for one in (tmp_path / "team.json", str(tmp_path / "team.json"), tmp_path / "study.json", study, study.best):
        again = hqe.apply(pool, one)
        assert (again.scores == first.scores).all() and again.team == first.team
    plain = hqe.apply(pool, study.best.names)
    assert (plain.labels == first.labels).all() and plain.expected is None
    shares = np.maximum(plain.scores, 1e-15) ** (1 / team.temperature)
    assert np.allclose(first.scores, shares / shares.sum(axis=1, keepdims=True), rtol=1e-12, atol=0)
    order = hqe.order(pool, team).early_exit
    assert order.names == team.early_exit.order and order.expected_models == team.early_exit.expected_models
    assert hqe.explain(pool, [team], size=3).teams[0].team == first.team
    assert hqe.Team.of(pool, team).members == team.members


def test_new_data_needs_no_labels_and_only_the_members(team, named):
    predictions, labels = named
    new = hqe.Pool({name: predictions[name] for name in reversed(team.members)})
    assert not new.has_labels and "no labels" in repr(new)
    known, answers = hqe.apply(hqe.Pool(predictions, labels), team), hqe.apply(new, team)
    assert answers.correct is None and known.correct > 0
    assert (answers.labels == known.labels).all() and (answers.agreeing == known.agreeing).all()
    best = answers.scores.max(axis=1)
    assert (answers.probabilities == best).all()
    assert np.allclose(answers.margins, best - np.sort(answers.scores, axis=1)[:, -2], rtol=0, atol=1e-15)
    own = np.stack([predictions[name].argmax(axis=1) for name in team.members])
    assert (answers.agreeing == (own == answers.labels).sum(axis=0)).all()
    assert hqe.inspect(new).models[0].correct is None
    for verb in (hqe.prune, hqe.front, hqe.compare, hqe.evaluate, lambda pool: hqe.score(pool, 2)):
        with pytest.raises(hqe.InputError, match="there are no true labels. .* give labels="):
            verb(new)


def test_a_team_that_does_not_fit_is_refused_by_name(team, named):
    predictions, labels = named
    gone = {name: rows for name, rows in predictions.items() if name != team.members[1]}
    with pytest.raises(hqe.InputError, match=f'"{team.members[1]}" is not in this pool'):
        hqe.apply(hqe.Pool(gone, labels), team)
    with pytest.raises(hqe.InputError, match='class 1 is called "c", and the team calls it "b"'):
        hqe.apply(hqe.Pool(predictions, labels, classes=["a", "c", "b", "d"]), team)
    with pytest.raises(hqe.InputError, match="has 2 classes"):
        hqe.apply(hqe.Pool({name: rows[:, :2] / rows[:, :2].sum(axis=1, keepdims=True) for name, rows in predictions.items()}), team)
    with pytest.raises(hqe.InputError, match="holds labels"):
        hqe.apply(hqe.Pool({name: rows.argmax(axis=1) for name, rows in predictions.items()}, labels), team)
    with pytest.raises(hqe.UsageError, match="vote=.majority.* contradicts the team file, whose vote is soft"):
        hqe.apply(hqe.Pool(predictions, labels), team, vote="majority")
    with pytest.raises(hqe.UsageError, match="contradicts"):
        hqe.explain(hqe.Pool(predictions, labels), [team], vote="plurality")
    with pytest.raises(hqe.InputError, match="checksum"):
        hqe.Team.from_json(team.to_json().replace('"ties":"accuracy"', '"ties":"label"'))
    with pytest.raises(hqe.UsageError, match="which team"):
        hqe.Team.of(hqe.Pool(predictions, labels))


def test_models_without_names_go_by_position_where_the_counts_agree(scores):
    predictions, labels = scores
    pool = hqe.Pool(predictions, labels)
    assert not pool.has_names and hqe.Pool(predictions, labels, names=list("abcdefgh")).has_names
    study = hqe.prune(pool, size=3, test=hqe.Pool(predictions[:, ::2], labels[::2]))
    assert any("matched by position" in warning for warning in study.warnings)
    with pytest.raises(hqe.InputError, match="models without names cannot be matched: there are 7 here and 8"):
        hqe.prune(pool, size=3, test=hqe.Pool(predictions[1:], labels))
    with pytest.raises(hqe.InputError, match="models without names"):
        hqe.order(pool, [0, 1], test=hqe.Pool(predictions[:-1], labels))
    team = hqe.Team.of(pool, [1, 4, 6])
    known = hqe.apply(pool, team)
    assert known.team == (1, 4, 6) and "by position" in known.warnings[0]
    alone = hqe.apply(hqe.Pool(predictions[[1, 4, 6]]), team)
    assert alone.team == (0, 1, 2) and (alone.scores == known.scores).all()
    with pytest.raises(hqe.InputError, match="its 7 models have no names, and the team has 3 members"):
        hqe.apply(hqe.Pool(predictions[1:]), team)
    assert not any("by position" in warning for warning in hqe.prune(pool, size=3, holdout=0.5).warnings)


def test_a_voter_of_a_team_file_answers_as_apply_does(tmp_path):
    study = hqe.prune(hqe.Pool.open(DEMO / "validation"), size=4, stability=0)
    study.best.save(tmp_path / "team.json")
    team = hqe.Team.load(tmp_path / "team.json")
    test = hqe.Pool.open(DEMO / "test")
    answers = hqe.apply(test, tmp_path / "team.json")
    arrays = {name: np.load(DEMO / f"test/{name}.npy").astype(float) for name in team.members}
    voter, ran = hqe.Voter.of(team), 0
    for sample in range(300):
        voter.clear()
        for name in team.members:
            voter.add(name, arrays[name][sample])
        assert voter.is_complete and voter.answer == answers.labels[sample]
        assert (voter.scores() == answers.scores[sample]).all()
        voter.clear()
        for name in voter.order:
            voter.add(name, arrays[name][sample])
            ran += 1
            if voter.is_decided:
                break
        assert voter.answer == answers.labels[sample]
    assert len(team) == 1 or ran < 300 * len(team)
    with pytest.raises(hqe.UsageError, match="no member is called 'eve'"):
        voter.add("eve", arrays[team.members[0]][0])


def test_a_team_of_labels_breaks_ties_as_where_it_was_chosen():
    chosen = hqe.Pool({"a": np.array([0, 0, 1]), "b": np.array([1, 1, 0])}, [0, 0, 1])
    team = hqe.Team.of(chosen, ["a", "b"])
    here = hqe.Pool({"a": np.array([0, 0, 1]), "b": np.array([1, 1, 0])})
    answers = hqe.apply(here, team)
    assert answers.labels.tolist() == [0, 0, 1] and answers.margins.tolist() == [0, 0, 0]
    assert answers.scores is answers.probabilities is None and answers.agreeing.tolist() == [1, 1, 1]
    with pytest.raises(hqe.InputError, match="ties of votes go by accuracies"):
        hqe.apply(here, ["a", "b"])
    voter = hqe.Voter.of(team)
    voter.add("b", 1)
    voter.add("a", 0)
    assert voter.answer == 0


def test_the_decision_of_the_demo_pool_goes_all_the_way(tmp_path):
    """Study, file, answers to new data, order, voter and report tell of one team, and agree."""
    study = hqe.prune(hqe.Pool.open(DEMO / "validation"), test=hqe.Pool.open(DEMO / "test"), detail=True)
    study.save(tmp_path / "study.json")
    study.best.save(tmp_path / "team.json")
    team = hqe.Team.load(tmp_path / "team.json")
    assert team == hqe.Team.load(tmp_path / "study.json") and team.members == study.best.names

    test = hqe.Pool.open(DEMO / "test")
    outputs = {name: np.load(DEMO / f"test/{name}.npy") for name in team.members}
    new = hqe.Pool(outputs, classes=test.classes)  # As it comes: the members alone, no labels.
    answers, judged = hqe.apply(new, team), hqe.apply(test, team)
    assert answers.correct is None and (answers.labels == judged.labels).all()
    assert judged.correct == hqe.evaluate(test, teams=[team]).correct[0]

    chosen = study.best.serving.early_exit
    order = hqe.order(hqe.Pool.open(DEMO / "validation"), team, test=test).early_exit
    assert order.names == chosen.names == team.early_exit.order and order.expected_models == chosen.expected_models
    unlabelled = hqe.order(new, team)
    assert unlabelled.correct is None and unlabelled.early_exit.expected_models <= len(team)

    voter, run, whole = hqe.Voter.of(team), 0, hqe.Voter.of(team)
    for sample in range(0, test.sample_count, 10):
        voter.clear()
        whole.clear()
        for name in team.members:
            whole.add(name, outputs[name][sample].astype(float))
        for name in voter.order:
            voter.add(name, outputs[name][sample].astype(float))
            run += 1
            if voter.is_decided:
                break
        assert voter.answer == whole.answer == answers.labels[sample]
        assert (whole.scores() == answers.scores[sample]).all()
    assert run / (test.sample_count / 10) == pytest.approx(order.held_out.expected_models, abs=0.1)

    study.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    begin = page.index('{"schema":1,"command":"prune"')
    told = json.JSONDecoder().raw_decode(page[begin:].replace("\\u003c", "<"))[0]["recommended"]
    assert told["names"] == list(team.members) and told["serving"]["early_exit"]["names"] == list(voter.order)
    assert told["serving"]["early_exit"]["expected_models"] == order.expected_models
