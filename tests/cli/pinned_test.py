# SPDX-License-Identifier: MIT
"""Outputs for real pools, pinned: a change that moves one must be meant.

scripts/approve writes them anew. check_pinned.py compares their numbers with plain.py.
"""

import difflib

from harness import ROOT, SHARED, hqe, shared_pool, test

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
    return [str(SHARED / word) if word.startswith("pools/") else word for word in PINNED[name]]


def output_of(name):
    """The table for people, 100 columns wide."""
    for word in PINNED[name]:
        if word.startswith("pools/"):
            shared_pool(word.removeprefix("pools/"))
    return hqe("prune", *words_of(name), check=0).out


def _add(name):
    @test(f"the pinned output for {name} has not moved")
    def _():
        expected = (FOLDER / f"{name}.txt").read_text()
        got = output_of(name)
        if got != expected:
            lines = difflib.unified_diff(expected.splitlines(), got.splitlines(), "pinned", "now", lineterm="", n=1)
            raise AssertionError("\n".join(list(lines)[:40]) + "\nIf this is meant: scripts/approve")


for pinned_name in PINNED:
    _add(pinned_name)
