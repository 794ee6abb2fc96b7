# SPDX-License-Identifier: MIT
"""A summary that miscounts hides failures, so the counting is itself tested."""

import pytest

from counts import of_script


def test_scripts_tell_in_their_last_line():
    counts = of_script("bench", "1 passed, 0 failed\nmore\n7 passed, 1 failed, 0 skipped\n", 1)
    assert (counts.passed, counts.failed, counts.failures) == (7, 1, ["bench"])


@pytest.mark.parametrize("output, exit_code", [("", 0), ("7 passed, 0 failed\n", 1), ("7 passed, 1 failed\n", 0)])
def test_a_script_that_is_silent_or_contradicts_its_exit_code_has_failed(output, exit_code):
    assert of_script("bench", output, exit_code).failed == 1


def test_skips_of_scripts_are_named():
    counts = of_script("bench", "SKIPPED: no torch\n7 passed, 0 failed, 1 skipped\n", 0)
    assert counts.skipped == ["bench: no torch"]
