# SPDX-License-Identifier: MIT
"""Outputs for real pools, pinned: a change that moves one must be meant.

scripts/approve writes them anew. check_pinned.py compares their numbers with plain.py.
"""

import difflib

import pytest

from running import ROOT, hqe, shared_pool

FOLDER = ROOT / "tests/golden/cli"

# name -> pool and options; a word that starts with "pools/" is a pool of ../shared.
PINNED = {
    "imagenet-67": ["pools/imagenet-67", "--size", "5", "--beta", "10%"],
    "cifar10-30": ["pools/cifar10-30", "--test", "pools/cifar10.1-30"],
    "mmlu-pro-31": ["pools/mmlu-pro-31", "--folds", "5"],
    "adult-43": ["pools/adult-43"],
    "mnist-7": ["pools/mnist-7-val", "--test", "pools/mnist-7-test"],
}


def words_of(name):
    return [str(shared_pool(word.removeprefix("pools/"))) if word.startswith("pools/") else word for word in PINNED[name]]


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
