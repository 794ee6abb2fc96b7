# SPDX-License-Identifier: MIT
"""The guard that noise does not reach: no kernel of the release build takes more instructions than are recorded."""

from pathlib import Path

import pytest

from counted import KERNELS, count, judged, reason_not_to_count, recorded

PROGRAM = Path(__file__).resolve().parents[1] / "build/release/bench/hqe_kernels"


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_takes_no_more_instructions_than_recorded(kernel):
    if reason := reason_not_to_count():
        pytest.skip(reason)
    holds, sentence = judged(kernel, count(PROGRAM, kernel), recorded()[kernel])
    print(sentence)
    assert holds, sentence


def test_more_than_five_in_a_hundred_is_worse():
    assert judged("pass", 104, 100)[0]
    assert not judged("pass", 106, 100)[0]


def test_every_kernel_is_recorded():
    assert sorted(recorded()) == sorted(KERNELS)
