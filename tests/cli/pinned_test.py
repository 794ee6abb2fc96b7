# SPDX-License-Identifier: MIT
"""Outputs for real pools, pinned: a change that moves one must be meant. Two are of pools that ship, so that a clone alone has
tables, decision and trust pinned; and the README quotes what the command prints.

scripts/approve writes them anew. check_pinned.py compares their numbers with plain.py.
"""

import difflib
import re

import pytest

from running import ROOT, hqe, shared_pool

FOLDER = ROOT / "tests/golden/cli"

# name -> pool and options; a word that starts with "pools/" is a pool of ../shared, one with "examples/" one that ships.
PINNED = {
    "fashion-mnist": ["examples/fashion-mnist/validation", "--test", "examples/fashion-mnist/test"],
    "cora-10": ["examples/cora-10/validation", "--test", "examples/cora-10/test"],
    "imagenet-67": ["pools/imagenet-67", "--size", "5", "--beta", "10%"],
    "cifar10-30": ["pools/cifar10-30", "--test", "pools/cifar10.1-30"],
    "mmlu-pro-31": ["pools/mmlu-pro-31", "--folds", "5"],
    "adult-43": ["pools/adult-43"],
    "mnist-7": ["pools/mnist-7-val", "--test", "pools/mnist-7-test"],
}


def path_of(word):
    if word.startswith("examples/"):
        return str(ROOT / word)
    return str(shared_pool(word.removeprefix("pools/"))) if word.startswith("pools/") else word


def words_of(name):
    return [path_of(word) for word in PINNED[name]]


def output_of(name):
    """The table for people, 100 columns wide."""
    return hqe("prune", *words_of(name), "--verbose", check=0).out


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.longest) if name == "imagenet-67" else name for name in PINNED])
def test_the_pinned_output_has_not_moved(name):
    expected = (FOLDER / f"{name}.txt").read_text()
    got = output_of(name)
    if got != expected:
        lines = difflib.unified_diff(expected.splitlines(), got.splitlines(), "pinned", "now", lineterm="", n=1)
        pytest.fail("\n".join(list(lines)[:40]) + "\nIf this is meant: scripts/approve", pytrace=False)


def test_the_readme_quotes_what_the_command_prints():
    quoted = re.search(r"`hqe (prune examples/[^`]*)`\):\n\n```\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert quoted, "README.md quotes no answer"
    assert quoted[2] == hqe(*quoted[1].split(), cwd=ROOT, check=0).out
