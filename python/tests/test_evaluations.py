# SPDX-License-Identifier: MIT
"""What evaluations leave behind: lm-evaluation-harness, HELM, AutoGluon."""

import hashlib
import json

import numpy as np
import pytest

import hqe

DATE = "2026-01-02T03-04-05.678901"
CHOICES = [2, 3, 4]  # Of documents in turn: their numbers vary.
N = 120


def text(value):
    """As the harness cleans lists: leaves become text."""
    return [text(one) for one in value] if isinstance(value, (list, tuple)) else str(value)


def digest(value):
    return hashlib.sha256(value.encode()).hexdigest()


def write_samples(folder, task, samples, date=DATE):
    """Appends rows as the harness's `--log_samples` (0.4) does."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"samples_{task}_{date}.jsonl", "a", encoding="utf-8") as file:
        for sample in samples:
            arguments = {
                f"gen_args_{i}": {f"arg_{j}": one for j, one in enumerate(pair)}
                for i, pair in enumerate(sample["arguments"])
            }
            row = sample | {
                "arguments": arguments, "resps": text(sample["resps"]),
                "filtered_resps": text(sample["filtered_resps"]), "target": str(sample["target"]),
            }  # fmt: skip
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def row(doc_id, target, arguments, responses, metrics, filter="none"):
    doc = {"question": f"question {doc_id}\u2028\x85 in two lines"}
    return {
        "doc_id": doc_id, "doc": doc, "target": target, "arguments": arguments,
        "resps": [[one] for one in responses], "filtered_resps": responses, "filter": filter,
        "metrics": list(metrics), "doc_hash": digest(json.dumps(doc)), "prompt_hash": digest(arguments[0][0]),
        "target_hash": digest(str(target)), **metrics,
    }  # fmt: skip


def choice_rows(likelihoods, labels, targets=None):
    rows = []
    for i, (values, label) in enumerate(zip(likelihoods, labels)):
        arguments = [(f"Q{i}", f" choice {c}") for c in range(len(values))]
        acc = float(int(np.argmax(values)) == label)
        target = label if targets is None else targets[i]
        rows.append(row(i, target, arguments, [(one, False) for one in values], {"acc": acc, "acc_norm": acc}))
    return rows


@pytest.fixture
def questions():
    random = np.random.default_rng(11)
    counts = [CHOICES[i % 3] for i in range(N)]
    labels = [int(random.integers(0, count)) for count in counts]
    models = {}
    for m in range(4):
        models[f"org__model{m}"] = [
            [float(-5 * random.random() + (2 + m) * (c == label)) for c in range(count)]
            for count, label in zip(counts, labels)
        ]
    return models, labels


def write_all(folder, questions, **changes):
    models, labels = questions
    for name, likelihoods in models.items():
        write_samples(folder / name, "arc", choice_rows(likelihoods, labels, **changes))


def padded(likelihoods):
    shares = np.zeros((N, max(CHOICES)))
    for i, values in enumerate(likelihoods):
        shares[i, : len(values)] = np.exp(values) / np.exp(values).sum()
    return shares


def test_choices_become_probabilities_by_their_likelihoods(questions, tmp_path):
    models, labels = questions
    write_all(tmp_path, questions)
    pool = hqe.from_lm_eval(tmp_path, task="arc")
    assert (pool.names, pool.kind, pool.class_count, pool.name) == (sorted(models), "probabilities", 4, "arc")
    plain = hqe.Pool({name: padded(one) for name, one in models.items()}, labels, kind="probabilities", name="arc")
    assert hqe.evaluate(pool).correct.tolist() == hqe.evaluate(plain).correct.tolist()
    right = hqe.from_lm_eval(tmp_path, metric="acc", name="arc")
    assert right.kind == "correctness"
    assert [m.correct for m in hqe.inspect(right).models] == [m.correct for m in hqe.inspect(pool).models]


def test_shuffled_rows_and_loose_files_are_the_same_pool(questions, tmp_path):
    models, labels = questions
    write_all(tmp_path / "a", questions)
    expected = hqe.prune(hqe.from_lm_eval(tmp_path / "a", name="x"), size=2).to_json()
    (tmp_path / "b").mkdir()
    files = {}
    for name, likelihoods in models.items():
        rows = choice_rows(likelihoods, labels)
        write_samples(tmp_path / "c", "arc", [rows[i] for i in np.random.default_rng(1).permutation(N)], DATE)
        files[name] = tmp_path / "b" / f"{name}.jsonl"
        next((tmp_path / "c").iterdir()).rename(files[name])
    assert hqe.prune(hqe.from_lm_eval(tmp_path / "b", name="x"), size=2).to_json() == expected
    assert hqe.prune(hqe.from_lm_eval(files, name="x"), size=2).to_json() == expected


def test_targets_may_be_texts_of_choices(questions, tmp_path):
    models, labels = questions
    write_all(tmp_path / "places", questions)
    write_all(tmp_path / "texts", questions, targets=[f"choice {label}" for label in labels])
    places, texts = (hqe.from_lm_eval(tmp_path / kind, name="x") for kind in ("places", "texts"))
    assert hqe.evaluate(places).correct.tolist() == hqe.evaluate(texts).correct.tolist()
    write_all(tmp_path / "wrong", questions, targets=[0] * N)  # Against what acc says.
    with pytest.raises(hqe.InputError, match="neither places nor texts.*metric='acc'"):
        hqe.from_lm_eval(tmp_path / "wrong")


def generation(right, doc_ids=range(N), filter="strict"):
    return [
        row(
            i,
            "42",
            [(f"Q{i}", {"until": ["\n"]})],
            [f"answer {i}"],
            {"exact_match": float(right[i]), "f1": 0.37},
            filter,
        )
        for i in doc_ids
    ]


@pytest.fixture
def answers():
    return np.random.default_rng(4).random((3, N)) < 0.7


def test_generated_answers_are_right_or_wrong_by_the_named_metric(answers, tmp_path):
    for i, right in enumerate(answers):
        write_samples(tmp_path / f"m{i}", "gsm8k", generation(right) + generation(~right, filter="flexible"))
        write_samples(tmp_path / f"m{i}", "other", generation(~right))
    with pytest.raises(hqe.InputError, match=r"several tasks \('gsm8k', 'other'\). Say which with task="):
        hqe.from_lm_eval(tmp_path)
    with pytest.raises(hqe.InputError, match="no task is called 'gsm'. There is 'gsm8k', 'other'"):
        hqe.from_lm_eval(tmp_path, task="gsm")
    with pytest.raises(hqe.InputError, match=r"several filters \('flexible', 'strict'\). Say which with filter="):
        hqe.from_lm_eval(tmp_path, task="gsm8k")
    with pytest.raises(hqe.InputError, match="with metric=, one of 'exact_match', 'f1'"):
        hqe.from_lm_eval(tmp_path, task="gsm8k", filter="strict")
    with pytest.raises(hqe.InputError, match="model 'm0': document 0: 'f1' is 0.37, neither right"):
        hqe.from_lm_eval(tmp_path, task="gsm8k", filter="strict", metric="f1")
    with pytest.raises(hqe.InputError, match="has no metric 'acc'. There is 'exact_match', 'f1'"):
        hqe.from_lm_eval(tmp_path, task="gsm8k", filter="strict", metric="acc")
    for filter, expected in (("strict", answers), ("flexible", ~answers)):
        pool = hqe.from_lm_eval(tmp_path, task="gsm8k", filter=filter, metric="exact_match")
        assert [m.correct for m in hqe.inspect(pool).models] == expected.sum(axis=1).tolist()
    both = hqe.from_lm_eval(tmp_path, task="*", filter="strict", metric="exact_match")
    assert both.sample_count == 2 * N


def test_runs_that_do_not_fit_together_are_refused_by_name(answers, tmp_path):
    for i, right in enumerate(answers):
        write_samples(tmp_path / f"m{i}", "gsm8k", generation(right))
    words = dict(metric="exact_match")
    write_samples(tmp_path / "m0", "gsm8k", generation(answers[0])[:5])
    with pytest.raises(hqe.InputError, match=r"document 0 is there twice: another run was appended. .*run 'm0' again"):
        hqe.from_lm_eval(tmp_path, **words)
    write_samples(tmp_path / "m1", "gsm8k", generation(answers[1]), "2026-02-02T03-04-05.678901")
    with pytest.raises(hqe.InputError, match="model 'm1': two files of one task.*Keep one"):
        hqe.from_lm_eval(tmp_path, models=["m1", "m2"], **words)
    write_samples(tmp_path / "m3", "gsm8k", generation(answers[1], range(N - 7)))
    with pytest.raises(
        hqe.InputError, match=r"model 'm3': 7 of 120 documents .* missing, such as gsm8k 113. .*models="
    ):
        hqe.from_lm_eval(tmp_path, models=["m2", "m3"], **words)
    other = generation(answers[1])
    other[9]["doc_hash"] = "something else"
    write_samples(tmp_path / "m4", "gsm8k", other)
    with pytest.raises(
        hqe.InputError, match=r"model 'm4': document 9 is not the one that 'm2' was asked \(doc_hash differs\)"
    ):
        hqe.from_lm_eval(tmp_path, models=["m2", "m4"], **words)
    (tmp_path / "m5").mkdir()
    (tmp_path / "m5" / f"samples_gsm8k_{DATE}.jsonl").write_text('{"doc_id": 0\n')
    with pytest.raises(hqe.InputError, match="line 1: no sample of --log_samples"):
        hqe.from_lm_eval(tmp_path, models=["m5"], **words)
    with pytest.raises(hqe.InputError, match="has no model 'm9'. There is 'm0', 'm1'"):
        hqe.from_lm_eval(tmp_path, models=["m9"], **words)
    (tmp_path / "empty").mkdir()
    with pytest.raises(hqe.InputError, match="Run lm_eval with --log_samples"):
        hqe.from_lm_eval(tmp_path / "empty")
    with pytest.raises(hqe.InputError, match="no such folder"):
        hqe.from_lm_eval(tmp_path / "nowhere")


def write_helm(folder, right, trials=1, metric="exact_match", order=1):
    """As HELM writes it: an entry an instance, trial and metric group; perturbed ones beside."""
    entries = []
    for trial in range(trials):
        for i, value in list(enumerate(right))[::order]:
            for perturbation in (None, {"name": "typos", "robustness": True}):
                name = {"name": metric, "split": "test"} | ({"perturbation": perturbation} if perturbation else {})
                value = float(value) if perturbation is None else 0.0
                stat = {
                    "name": name,
                    "count": 1,
                    "sum": value,
                    "sum_squared": value,
                    "min": value,
                    "max": value,
                    "mean": value,
                }
                entry = {"instance_id": f"id{i}", "train_trial_index": trial, "stats": [stat]}
                entries.append(entry | ({"perturbation": perturbation} if perturbation else {}))
                other = stat | {"name": {"name": "num_prompt_tokens", "split": "test"}, "sum": 512, "mean": 512}
                entries.append(entry | {"stats": [other]} | ({"perturbation": perturbation} if perturbation else {}))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "per_instance_stats.json").write_text(json.dumps(entries, indent=2))


def test_helm_runs_are_right_or_wrong(answers, tmp_path):
    for i, right in enumerate(answers):
        write_helm(
            tmp_path / f"mmlu:subject=anatomy,model=org_m{i},data_augmentation=canonical", right, order=-1 if i else 1
        )
    pool = hqe.from_helm(tmp_path)
    assert pool.names == ["org_m0", "org_m1", "org_m2"] and pool.sample_count == N
    assert [m.correct for m in hqe.inspect(pool).models] == answers.sum(axis=1).tolist()
    plain = hqe.evaluate(hqe.Pool(answers, kind="correctness"))
    assert hqe.evaluate(pool).correct.tolist() == plain.correct.tolist()
    for i, right in enumerate(answers):
        write_helm(tmp_path / f"mmlu:subject=law,model=org_m{i}", ~right)
    with pytest.raises(hqe.InputError, match="several runs .*Say which with run="):
        hqe.from_helm(tmp_path)
    assert [m.correct for m in hqe.inspect(hqe.from_helm(tmp_path, run="mmlu:subject=law")).models] == (~answers).sum(
        axis=1
    ).tolist()
    assert hqe.from_helm(tmp_path, run="mmlu:*").sample_count == 2 * N
    with pytest.raises(hqe.InputError, match="no instance has the metric 'f1'. .*'exact_match', 'num_prompt_tokens'"):
        hqe.from_helm(tmp_path, run="mmlu:subject=law", metric="f1")
    with pytest.raises(hqe.InputError, match="'num_prompt_tokens' is 512.0, neither right"):
        hqe.from_helm(tmp_path, run="mmlu:subject=law", metric="num_prompt_tokens")
    write_helm(tmp_path / "mmlu:subject=law,model=org_m1", answers[1][:-3])
    with pytest.raises(
        hqe.InputError, match="model 'org_m1': 3 of 120 instances .*missing, such as mmlu:subject=law id117"
    ):
        hqe.from_helm(tmp_path, run="mmlu:subject=law")
    write_helm(tmp_path / "mmlu:subject=law,model=org_m1", answers[1], trials=2)
    with pytest.raises(hqe.InputError, match="2 trials. Say which with trial=, one of '0', '1'"):
        hqe.from_helm(tmp_path, run="mmlu:subject=law")
    assert hqe.from_helm(tmp_path, run="mmlu:subject=law", trial=0).sample_count == N
    (tmp_path / "mmlu:subject=law,model=org_m1/per_instance_stats.json").write_text("[{}]")
    with pytest.raises(hqe.InputError, match="no per_instance_stats.json of HELM"):
        hqe.from_helm(tmp_path, run="mmlu:subject=law")


class Predictor:
    """What AutoGluon publishes of TabularPredictor, as far as it is used."""

    label, problem_type = "class", "multiclass"

    def __init__(self, pandas, shares, classes):
        self.pandas, self.shares, self.class_labels = pandas, shares, classes

    def predict_proba_multi(
        self,
        data=None,
        models=None,
        as_pandas=True,
        as_multiclass=True,
        transform_features=True,
        inverse_transform=True,
    ):
        wanted = self.shares if models is None else {name: self.shares[name] for name in models}
        return {
            name: self.pandas.DataFrame(one, columns=self.class_labels, index=data.index)
            for name, one in wanted.items()
        }

    def leaderboard(self, data=None, extra_info=False, extra_metrics=None, **rest):
        names = list(self.shares)
        times = [0.125 * (i + 1) for i in range(len(names))]
        return self.pandas.DataFrame(
            {"model": names[::-1], "score_test": 0.5, "pred_time_test": times[::-1], "pred_time_test_marginal": 0.0}
        )


def test_the_models_of_an_autogluon_predictor_are_a_pool(scores):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    shares, labels = scores
    words = np.array(["ash", "beech", "cedar", "date"])
    named = {f"LightGBM_BAG_L{i}": one for i, one in enumerate(shares)}
    data = pandas.DataFrame({"x": range(400), "class": words[labels]}, index=range(1000, 1400))
    pool = hqe.from_autogluon(Predictor(pandas, named, list(words)), data)
    costs = {name: {"latency_ms": 125 * (i + 1) / 400} for i, name in enumerate(named)}
    plain = hqe.Pool(named, labels, kind="probabilities", costs=costs, classes=list(words), name="autogluon")
    assert hqe.prune(pool, size=3).to_json() == hqe.prune(plain, size=3).to_json()
    assert (
        hqe.from_autogluon(Predictor(pandas, named, list(words)), data, models=list(named)[:3]).names == list(named)[:3]
    )
    with pytest.raises(hqe.InputError, match="no column 'class'"):
        hqe.from_autogluon(Predictor(pandas, named, list(words)), data[["x"]])
    with pytest.raises(hqe.InputError, match="the label 'date' is not one of"):
        hqe.from_autogluon(Predictor(pandas, {n: s[:, :3] for n, s in named.items()}, list(words[:3])), data)
    other = Predictor(pandas, named, list(words))
    other.problem_type = "regression"
    with pytest.raises(hqe.UsageError, match="the predictor is for 'regression'"):
        hqe.from_autogluon(other, data)
