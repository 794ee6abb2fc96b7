# SPDX-License-Identifier: MIT
"""Every shared pool, cut at random into digests in twenty ways: every verb prints the bytes of the whole pool, but for
what a digest cannot tell. Takes long, so that `make soak` runs it; digest_test.py has three small pools.
"""

import pytest

from running import SHARED
from split_pools import all_of_them, check_splits

SPLITS = 20
POOLS = sorted(path.name for path in (SHARED / "pools").glob("*")) if SHARED.is_dir() else ["../shared"]


@pytest.mark.parametrize("name", POOLS)
def test_any_parts_of_a_shared_pool_are_the_pool(name, tmp_path):
    pool = SHARED / "pools" / name
    if not pool.is_dir():
        pytest.skip("../shared is absent")
    check_splits(name, pool, tmp_path, SPLITS, all_of_them)
