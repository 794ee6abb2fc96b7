# SPDX-License-Identifier: MIT
"""A few random moments of what `make soak` does a thousand times."""

import kills

import harness
from harness import test


@test("a run that is ended at any moment leaves whole files, old or new")
def _():
    seen = kills.run(str(harness.BINARY), 30)
    assert sum(count for what, count in seen.items() if what.startswith("SIG")) == 30
