# SPDX-License-Identifier: MIT
"""lm-evaluation-harness itself: its evaluator asks models that we make, its own functions write what we read."""

import json
import zlib

import numpy as np
import pytest

import hqe

lm_eval = pytest.importorskip("lm_eval", reason="lm_eval is not installed")
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

N, MODELS = 40, ("org/first", "org/second", "third")
CHOICES = ["ant", "bee", "cat", "dog"]


def likelihood(model, question, choice):
    """What a model thinks of a choice: drawn, the same in every run."""
    return -5 * np.random.default_rng(zlib.crc32(f"{model}|{question}|{choice.strip()}".encode())).random()


class Drawn(LM):
    """A model whose likelihoods and answers are drawn by its name."""

    def __init__(self, name):
        super().__init__()
        self.name = name

    def loglikelihood(self, requests):
        return [(likelihood(self.name, *request.args), False) for request in requests]

    def loglikelihood_rolling(self, requests):
        raise NotImplementedError

    def generate_until(self, requests):
        return [str(zlib.crc32((self.name + request.args[0]).encode()) % 3) for request in requests]


def task(name, kind, file):
    """A task as its YAML files have it, of a file on this machine."""
    settings = {
        "task": name, "dataset_path": "json", "dataset_kwargs": {"data_files": {"test": str(file)}}, "test_split": "test",
        "output_type": kind, "doc_to_text": "{{question}}", "doc_to_target": "answer",
    }  # fmt: skip
    if kind == "multiple_choice":
        return settings | {"doc_to_choice": "{{choices}}"}
    exact = {"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}
    return settings | {"metric_list": [exact], "generation_kwargs": {"until": ["\n"]}}


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    """The harness's output folder, and the questions."""
    folder = tmp_path_factory.mktemp("harness")
    questions = [
        {"question": f"question {i}", "choices": CHOICES[: 2 + i % 3], "answer": i % 2} for i in range(N)
    ]
    (folder / "choices.json").write_text("\n".join(map(json.dumps, questions)))
    numbers = [{"question": f"number {i}", "answer": str(i % 3)} for i in range(N)]
    (folder / "numbers.json").write_text("\n".join(map(json.dumps, numbers)))
    tasks = [task("choices", "multiple_choice", folder / "choices.json"), task("numbers", "generate_until", folder / "numbers.json")]
    manager = TaskManager(include_defaults=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_DATASETS_CACHE", str(folder / "cache"))
        for name in MODELS:
            tracker = EvaluationTracker(output_path=str(folder / "out"))
            tracker.general_config_tracker.log_experiment_args("drawn", f"pretrained={name}", None, None, False)
            results = lm_eval.simple_evaluate(
                Drawn(name), tasks=tasks, task_manager=manager, evaluation_tracker=None, bootstrap_iters=0
            )
            samples = results.pop("samples")
            tracker.save_results_aggregated(results=results, samples=samples)
            for one in samples:
                tracker.save_results_samples(task_name=one, samples=samples[one])
    return folder / "out", questions


def test_what_the_harness_writes_is_the_pool_of_its_likelihoods(logged):
    folder, questions = logged
    pool = hqe.from_lm_eval(folder, task="choices")
    assert (pool.model_count, pool.sample_count, pool.class_count, pool.kind) == (3, N, 4, "probabilities")
    shares = np.zeros((3, N, 4))
    for i, question in enumerate(questions):
        for m, model in enumerate(MODELS):
            for c, choice in enumerate(question["choices"]):
                shares[m, i, c] = np.exp(likelihood(model, question["question"], choice))
    shares /= shares.sum(axis=2, keepdims=True)
    plain = hqe.Pool(shares, [question["answer"] for question in questions], kind="probabilities")
    assert hqe.evaluate(pool).correct.tolist() == hqe.evaluate(plain).correct.tolist()


def test_generated_answers_are_right_or_wrong(logged):
    folder, _ = logged
    pool = hqe.from_lm_eval(folder, task="numbers", metric="exact_match")
    right = [sum(zlib.crc32(f"{name}number {i}".encode()) % 3 == i % 3 for i in range(N)) for name in MODELS]
    assert pool.kind == "correctness" and [model.correct for model in hqe.inspect(pool).models] == right
