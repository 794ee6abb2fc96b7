# SPDX-License-Identifier: MIT
"""The answers of an ARM64 processor are those of x86-64, byte for byte. Marked `soak`: what takes minutes under qemu."""

import ast
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORA, FASHION = ROOT / "examples/cora-10/validation", ROOT / "examples/fashion-mnist/validation"
GOLDENS = ["cifar10-10", "cora-10-val", "imagenet-10", "mnist-7-val"]
VERBS = {
    "inspect": [], "score": ["--size", "2:4", "--focal"], "evaluate": ["--size", "2:4"], "sweep": ["--size", "3:4", "--beta", "5%,10%"],
    "front": [], "explain": ["--team", "0,1,2"], "order": ["--team", "0,1,2"], "compare": ["--repeats", "2", "--no-times"],
}
# Verbs whose result is a file or a folder; study.json is what prune wrote on this machine.
WRITERS = {
    "prune": [CORA, "-o", "made.json"], "team": ["study.json", "-o", "made.json"], "apply": [CORA, "--team", "0,1,2", "-o", "made.csv"],
    "digest": [CORA, "-o", "made.digest"], "synth": ["--models", "5", "--samples", "300", "-o", "made"], "report": ["study.json", "-o", "made.html"],
    "plot": ["study.json", "--figure", "scatter", "-o", "made.svg"],
}
WORDS = {"completion": ["bash"], "man": ["prune"]}  # Verbs that print nothing but words.
OTHERS = {"doctor", "version", "demo"}  # Of a machine; and tests/artefacts/rooms.py compares the pages of demo.


def test_neon_and_scalar_are_its_targets(there):
    assert re.search(r"SIMD target neon .*one of: scalar, neon\)", there("version").decode())


@pytest.mark.parametrize("target", ["neon", "scalar"])
@pytest.mark.parametrize("pool", [CORA, FASHION], ids=["cora-10", "fashion-mnist"])
def test_what_is_chosen_of_a_shipped_pool_is_the_same(pool, target, here, there):
    assert there("prune", pool, "--json", target=target) == here("prune", pool, "--json")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_prints_the_same(verb, here, there):
    words = [verb, CORA, *VERBS[verb], "--json"]
    assert there(*words) == here(*words)


def test_no_verb_is_left_out(here):
    listed = re.findall(r"^  ([a-z]+)  ", here("--help").decode(), re.MULTILINE)
    assert "prune" in listed and set(listed) == VERBS.keys() | WRITERS.keys() | WORDS.keys() | OTHERS


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("verb", WRITERS)
def test_every_verb_writes_the_same(verb, here, there, tmp_path):
    for name, command in (("here", here), ("there", there)):
        (tmp_path / name).mkdir()
        here("prune", CORA, "-o", "study.json", folder=tmp_path / name)
        command(verb, *WRITERS[verb], folder=tmp_path / name)
    assert len(files(tmp_path / "here")) > 1 and files(tmp_path / "there") == files(tmp_path / "here")


@pytest.mark.parametrize("verb", WORDS)
def test_words_are_the_same(verb, here, there):
    assert there(verb, *WORDS[verb]) == here(verb, *WORDS[verb])


def pinned():
    """name -> pool and options, as tests/cli has them."""
    text = (ROOT / "tests/cli/pinned_test.py").read_text()
    return ast.literal_eval(re.search(r"^PINNED = (\{.*?^\})", text, re.MULTILINE | re.DOTALL)[1])


@pytest.mark.soak
@pytest.mark.parametrize("name", pinned())
def test_pinned_outputs_have_not_moved(name, there, shared_pool):
    words = [shared_pool(word.removeprefix("pools/")) if word.startswith("pools/") else word for word in pinned()[name]]
    assert there("prune", *words, "--verbose").decode() == (ROOT / f"tests/golden/cli/{name}.txt").read_text()


@pytest.mark.soak
@pytest.mark.parametrize("target", ["neon", "scalar"])
@pytest.mark.parametrize("name", GOLDENS)
def test_what_is_chosen_of_a_golden_pool_is_the_same(name, target, here, there, shared_pool):
    assert there("prune", shared_pool(name), "--json", target=target) == here("prune", shared_pool(name), "--json")
