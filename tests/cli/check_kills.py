# SPDX-License-Identifier: MIT
"""A thousand random moments of what kills_test.py does a few times. Takes long, so that `make soak` runs it."""

import kills
import pytest

import running

MOMENTS = 100


@pytest.mark.parametrize("seed", range(1, 11))
def test_a_run_that_is_ended_at_any_moment_leaves_whole_files_old_or_new(seed):
    seen = kills.run(str(running.BINARY), MOMENTS, seed)
    assert sum(count for what, count in seen.items() if what.startswith("SIG")) == MOMENTS
