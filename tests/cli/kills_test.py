# SPDX-License-Identifier: MIT
"""A few random moments of what `make soak` does a thousand times."""

import kills

import running



def test_a_run_that_is_ended_at_any_moment_leaves_whole_files_old_or_new():
    seen = kills.run(str(running.BINARY), 30)
    assert sum(count for what, count in seen.items() if what.startswith("SIG")) == 30
