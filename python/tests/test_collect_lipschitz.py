# SPDX-License-Identifier: MIT
"""The fit behind estimated Lipschitz bounds, and what is refused. test_collect_torch.py has the rest."""

import numpy as np
import pytest

import hqe
from hqe.collecting.lipschitz import Anchors, end_of, likelihoods


def test_the_end_of_a_reverse_weibull_law_is_found():
    for shape in (1.5, 3):
        drawn = 5 - np.random.default_rng(0).weibull(shape, 400)
        assert 4.85 < end_of(drawn) < 5.15 and end_of(drawn) > drawn.max()
    assert end_of(np.full(8, 2.5)) == 2.5
    several = np.array([1, 1.4, 1.9, 2, 2.2, 2.3, 2.35, 2.4])
    assert end_of(7 * several) == pytest.approx(7 * end_of(several))


def test_the_fit_is_as_likely_as_that_of_scipy():
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    drawn = 5 - np.random.default_rng(1).weibull(3, 60)
    shape, end, scale = stats.weibull_max.fit(drawn, 3, loc=drawn.max() + 0.1)
    theirs = stats.weibull_max.logpdf(drawn, shape, end, scale).mean()
    assert likelihoods((end - drawn)[None])[0] == pytest.approx(theirs, abs=1e-6)
    assert likelihoods((end_of(drawn) - drawn)[None])[0] > theirs - 1e-4
    assert end_of(drawn) == pytest.approx(end, rel=0.01)


@pytest.mark.parametrize("rows", [5, 32, 33, 1000])
def test_anchors_are_spread_over_the_data_and_few(rows):
    known, unknown = Anchors(rows), Anchors(None)
    assert known._stride == -(-rows // 32)
    for anchors in (known, unknown):
        for start in range(0, rows, 7):
            anchors._kept.update((row, row) for row in range(start, min(start + 7, rows)) if row % anchors._stride == 0)
            anchors._thin()
        kept = sorted(anchors._kept)
        assert min(16, rows) <= len(kept) <= 32
        assert len(set(np.diff(kept))) <= 1 and rows - kept[-1] <= anchors._stride


def test_a_wrong_request_for_bounds_is_refused(tmp_path):
    models, x = {"a": lambda x: x}, np.eye(3)
    for asked, why in (
        ({"lipschitz": 7}, "lipschitz 7: expected a whole number from 8, points around a sample"),
        ({"lipschitz": True}, "lipschitz True: expected a whole number"),
        ({"lipschitz": 8, "lipschitz_radius": 0}, "lipschitz_radius 0: expected a number above 0, in the unit of the data"),
        ({"lipschitz": 8, "lipschitz_norm": "l1"}, "lipschitz_norm 'l1': expected one of l2, linf"),
        ({"lipschitz": 8}, "gradients are those of torch modules, and no model is one"),
    ):
        with pytest.raises(hqe.UsageError, match=why):
            hqe.collect(models, x, out=tmp_path / "pool", **asked)
    assert not (tmp_path / "pool").exists()
