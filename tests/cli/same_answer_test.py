# SPDX-License-Identifier: MIT
"""The same question, asked in any way, gets the same bytes."""

import json
import random

import pytest

from files import csv_bytes, label_pool, npy_bytes, npz_bytes, probability_rows, pt_bytes, safetensors_bytes, small_pool, write_pool
from running import hqe, shared_pool

QUESTIONS = [
    ["inspect"],
    ["score", "--size", "2:4", "--focal"],
    ["score", "--size", "3", "--metric", "F-GD", "--sample", "50x3", "--seed", "9"],
    ["evaluate"],
    ["prune", "--size", "3", "--beta", "0.2"],
    ["prune", "--by", "mean"],
    ["sweep", "--size", "2:3", "--beta", "0.1:0.3:0.1"],
    ["explain", "--size", "3", "--team", "0,1,2", "--team", "2,3,4"],
]


def answers(pool, **options):
    return [hqe(question[0], pool, *question[1:], form, **options, check=0).out
            for question in QUESTIONS for form in ("--json", "--top=20")]


def pools(home):
    hqe("synth", "--models", "6", "--samples", "1537", "--classes", "4", "--kind", "logits", "-o", home / "logits", check=0)
    return [small_pool(home / "probabilities", models=6, samples=1025), home / "logits",
            label_pool(home / "labels", models=6, samples=513, abstain=0.1)]


@pytest.mark.release
def test_1_2_and_7_threads_give_the_same_bytes(home):
    for pool in pools(home):
        first = answers(pool, env={"HQE_TARGET": ""})
        for threads in ("1", "2", "7"):
            for question, expected in zip(QUESTIONS, first[::2]):
                got = hqe(question[0], pool, *question[1:], "--json", "--threads", threads, check=0).out
                assert got == expected, (pool.name, question, threads)


@pytest.mark.release
def test_every_simd_target_gives_the_same_bytes(home):
    targets = hqe("version", "--json", check=0).json["targets"]
    assert targets[0] == "scalar"
    if len(targets) == 1:
        pytest.skip("this machine has no target but scalar")
    for pool in pools(home):
        expected = answers(pool, env={"HQE_TARGET": "scalar"})
        for target in targets[1:]:
            assert answers(pool, env={"HQE_TARGET": target}) == expected, (pool.name, target)


@pytest.mark.release
def test_a_real_pool_gives_the_same_bytes_for_any_threads_and_target():
    pool = shared_pool("mnist-7-val")
    words = ["prune", pool, "--size", "3", "--test", shared_pool("mnist-7-test"), "--json"]
    expected = hqe(*words, "--threads", "1", env={"HQE_TARGET": "scalar"}, check=0).out
    for target in hqe("version", "--json", check=0).json["targets"]:
        for threads in ("1", "2", "7"):
            assert hqe(*words, "--threads", threads, env={"HQE_TARGET": target}, check=0).out == expected, (target, threads)


def test_scores_give_the_same_answer_in_every_format(home):
    """A pool stored as .npy, transposed float16 .pt, .npz, .safetensors and .csv gives the same answer."""
    rng = random.Random(1)
    labels = [rng.randrange(4) for _ in range(200)]
    models = [probability_rows(i, 200, 4, labels, 0.1 + 0.05 * i) for i in range(5)]
    writers = {"npy": npy_bytes, "npz": npz_bytes, "pt": pt_bytes, "safetensors": safetensors_bytes, "csv": csv_bytes,
               "half": lambda rows: pt_bytes(rows, transposed_half=True), "double": lambda rows: npy_bytes(rows, "<f8"),
               "fortran": lambda rows: npy_bytes(rows, fortran=True), "plain": lambda rows: csv_bytes(rows, header=False)}
    endings = {"half": "pt", "double": "npy", "fortran": "npy", "plain": "csv"}
    expected = None
    for name, writer in writers.items():
        files = {f"model_{i}.{endings.get(name, name)}": writer(rows) for i, rows in enumerate(models)}
        pool = write_pool(home / name / "pool", files, labels)
        # Half precision may be off by more, and an early exit has to reckon with it.
        got = [text.replace('"bound":1.01,', '"bound":1.001,') for text in answers(pool)]
        expected = expected or got
        assert got == expected, name


def test_labels_give_the_same_answer_in_every_format(home):
    """Label pools give the same answer in every format."""
    rng = random.Random(2)
    labels = [rng.randrange(4) for _ in range(150)]
    models = [[label if rng.random() < 0.6 else rng.randrange(-1, 4) for label in labels] for _ in range(5)]
    writers = {"npy": lambda said: npy_bytes(said, "<i8"), "small": lambda said: npy_bytes(said, "|i1"), "pt": pt_bytes,
               "safetensors": safetensors_bytes, "csv": csv_bytes, "npz": lambda said: npz_bytes(said, "<i4")}
    expected = None
    for name, writer in writers.items():
        ending = "npy" if name == "small" else name
        pool = write_pool(home / name / "pool", {f"model_{i}.{ending}": writer(said) for i, said in enumerate(models)}, labels)
        got = answers(pool)
        expected = expected or got
        assert got == expected, name


def test_loose_files_with_labels_are_the_pool_of_those_files_named_by_their_stems(home):
    pool = small_pool(home / "pool")
    files = [pool / f"model_{i}.npy" for i in range(5)]
    loose = hqe("prune", "--labels", pool / "labels.npy", *files, "--size", "2", "--json", check=0).json
    whole = hqe("prune", pool, "--size", "2", "--json", check=0).json
    assert loose.pop("pool")["models"] == whole.pop("pool")["models"]
    assert loose == whole
    turned = hqe("inspect", "--labels", pool / "labels.npy", *files[::-1], "--json", check=0).json
    assert [model["name"] for model in turned["models"]] == [f"model_{i}" for i in (4, 3, 2, 1, 0)]


def test_a_required_or_excluded_model_may_be_named_by_id_or_by_name(home):
    pool = small_pool(home / "pool", models=6)
    by_id = hqe("prune", pool, "--size", "3", "--require", "5", "--exclude", "0", "--json", check=0).json
    by_name = hqe("prune", pool, "--size", "3", "--require", "model_5", "--exclude", "model_0", "--json", check=0).json
    by_id.pop("options"), by_name.pop("options")
    assert by_id == by_name
    for selection in by_id["selections"]:
        assert selection["teams"]
        for team in selection["teams"]:
            assert 5 in team["team"] and 0 not in team["team"]


def test_a_study_written_twice_is_the_same_file(home):
    pool = small_pool(home / "pool", models=6)
    for name in ("a.json", "b.json"):
        hqe("prune", pool, "--size", "3", "-o", home / name, "--quiet", "--threads", "1" if name == "a.json" else "3", check=0)
    assert (home / "a.json").read_bytes() == (home / "b.json").read_bytes()
    json.loads((home / "a.json").read_text())
