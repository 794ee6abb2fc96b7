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
