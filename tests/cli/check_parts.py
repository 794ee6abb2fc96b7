# SPDX-License-Identifier: MIT
"""Every shared pool, cut at random into digests in twenty ways: every verb prints the bytes of the whole pool, but for
`serving`. Takes long, so that `make soak` runs it; digest_test.py has three small pools.
"""

import random

import pytest

from digest_test import check_split, verbs_of
from running import SHARED, hqe

SPLITS = 20
POOLS = sorted(path.name for path in (SHARED / "pools").glob("*")) if SHARED.is_dir() else ["../shared"]


@pytest.mark.parametrize("name", POOLS)
def test_any_parts_of_a_shared_pool_are_the_pool(name, tmp_path):
    pool = SHARED / "pools" / name
    if not pool.is_dir():
        pytest.skip("../shared is absent")
    about = hqe("inspect", pool, "--json", check=0).json["pool"]
    verbs = verbs_of(len(about["models"]), tmp_path)
    wanted = {}
    for number in range(SPLITS):
        chosen = random.Random(f"{name} {number}")
        check_split(pool, about["samples"], tmp_path / str(number), chosen, verbs, wanted)
