# SPDX-License-Identifier: MIT
"""docs/results.md shows what the command finds today."""

import os
import subprocess
import sys

import running
from running import ROOT, shared_pool


def test_the_tables_of_the_paper_are_what_scripts_results_prints():
    """The tables of the paper in docs/results.md are what scripts/results prints, but for times."""
    shared_pool("cifar10-10")
    done = subprocess.run([sys.executable, ROOT / "scripts/results", "--only", "paper", "--no-times"], capture_output=True,
                          text=True, check=True, env={**os.environ, "HQE_BINARY": str(running.BINARY)})
    page = iter((ROOT / "docs/results.md").read_text().splitlines())
    printed = [line for line in done.stdout.splitlines() if line]
    assert len(printed) > 80
    for line in printed:
        assert line in page, f"not in docs/results.md, or not in this order: {line}. Run scripts/results --write"


def test_docs_results_md_has_a_tournament_of_every_pool():
    pools = shared_pool("cifar10-10").parent
    page = (ROOT / "docs/results.md").read_text()
    for pool in sorted(pools.iterdir()):
        assert f"#### `{pool.name}`: teams of " in page, f"{pool.name}: run scripts/results --write"
