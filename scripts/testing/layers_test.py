# SPDX-License-Identifier: MIT
"""Whoever compiles some modules alone must have all that they include."""

from layers import below, layers, tested_with, with_below


def test_every_module_comes_with_all_that_it_may_include():
    for module, others in layers().items():
        found = with_below([module])
        assert {module, *others} <= set(found)
        assert all(set(layers()[name]) <= set(found) for name in found)


def test_what_only_unit_tests_include_comes_along_and_lies_below_nothing_of_theirs():
    assert any(tested_with().values())
    for module, others in tested_with().items():
        assert set(others) <= set(with_below([module]))
        assert not set(others) & below([module])


def test_modules_stand_in_their_order_and_only_where_they_are_wanted():
    assert with_below(["base"]) == ["base"]
    assert with_below(layers()) == list(layers())
    assert "report" not in with_below(["methods", "formats"])
