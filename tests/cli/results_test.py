# SPDX-License-Identifier: MIT
"""docs/results.md shows what the command finds today."""

import os
import subprocess
import sys

import harness
from harness import shared_pool, test


@test("the tables of the paper in docs/results.md are what scripts/results prints, but for times")
def _():
    shared_pool("cifar10-10")
    done = subprocess.run([sys.executable, harness.ROOT / "scripts/results", "--only", "paper", "--no-times"], capture_output=True,
                          text=True, check=True, env={**os.environ, "HQE_BINARY": str(harness.BINARY)})
    page = iter((harness.ROOT / "docs/results.md").read_text().splitlines())
    printed = [line for line in done.stdout.splitlines() if line]
    assert len(printed) > 80
    for line in printed:
        assert line in page, f"not in docs/results.md, or not in this order: {line}. Run scripts/results --write"


@test("docs/results.md has a tournament of every pool")
def _():
    pools = shared_pool("cifar10-10").parent
    page = (harness.ROOT / "docs/results.md").read_text()
    for pool in sorted(pools.iterdir()):
        assert f"#### `{pool.name}`: teams of " in page, f"{pool.name}: run scripts/results --write"
