# SPDX-License-Identifier: MIT
"""A summary that miscounts hides failures, so the reading is itself tested, on what the runners write."""

from xml.sax.saxutils import escape

import pytest

from junit import of_junit

PYTEST = """<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4">
<testcase classname="usage_test" name="test_a" time="0.1" />
<testcase classname="usage_test" name="test_b" time="0.1"><failure message="assert 0">long</failure></testcase>
<testcase classname="usage_test" name="test_c" time="0.1"><error message="failed on setup">long</error></testcase>
<testcase classname="usage_test" name="test_d" time="0.1"><skipped type="pytest.skip" message="../shared is absent">x</skipped></testcase>
</testsuite></testsuites>"""

VITEST = """<?xml version="1.0" encoding="UTF-8" ?><testsuites name="vitest tests" tests="3" failures="1" errors="0" time="0.1">
<testsuite name="tests/unit/a.test.ts" tests="3" failures="1" errors="0" skipped="1" time="0.1">
<testcase classname="tests/unit/a.test.ts" name="marks &gt; are drawn" time="0.01"></testcase>
<testcase classname="tests/unit/a.test.ts" name="marks &gt; are small" time="0.01"><failure message="expected">x</failure></testcase>
<testcase classname="tests/unit/a.test.ts" name="pages (../shared is absent)" time="0"><skipped/></testcase>
</testsuite></testsuites>"""


def program(name, status, output):
    failed = '<failure message=""/>' if status == "fail" else ""
    return f'<testcase name="{name}" classname="{name}" time="1" status="{status}">{failed}<system-out>{escape(output)}</system-out></testcase>'


def not_run(name, reason):
    return f'<testcase name="{name}" classname="{name}" time="0" status="notrun"><skipped message="{reason}"/></testcase>'


def inner(*cases):
    """What a program of test cases prints: words for people, and its report."""
    return f'[doctest] doctest version is "2.4.9"\nsome < words\n<testsuites>\n{"".join(cases)}</testsuites>\n[doctest] Status\n'


PASSED = '<testcase name="holds"/>'
FAILED = '<testcase name="breaks"><failure/></testcase>'
SKIPPED = '<testcase name="golden"><skipped message="../shared is absent"/></testcase>'


@pytest.fixture
def read(tmp_path):
    def read(text, exit_code):
        (tmp_path / "report.xml").write_text(text)
        return of_junit("step", tmp_path / "report.xml", exit_code)
    return read


@pytest.fixture
def ctest(read):
    return lambda exit_code, *cases: read(f'<testsuite name="(empty)">{"".join(cases)}</testsuite>', exit_code)


def test_pytest_is_understood(read):
    counts = read(PYTEST, 1)
    assert (counts.passed, counts.failed) == (1, 2)
    assert counts.failures == ["usage_test: test_b", "usage_test: test_c"]
    assert counts.skipped == ["step: ../shared is absent"]


def test_vitest_is_understood(read):
    counts = read(VITEST, 1)
    assert (counts.passed, counts.failed) == (1, 1)
    assert counts.failures == ["tests/unit/a.test.ts: marks > are small"]
    assert counts.skipped == ["step: pages (../shared is absent)"]


def test_ctest_is_understood(ctest):
    counts = ctest(8, program("a", "run", "fine"), program("b", "fail", "bad"), not_run("c", "Unable to find executable"),
                   not_run("d", "SKIP_RETURN_CODE=77"), '<testcase name="e" classname="e" time="0" status="disabled"/>')
    assert (counts.passed, counts.failed) == (1, 2)
    assert counts.failures == ["b", "c (not run: Unable to find executable)"]
    assert counts.skipped == ["d: SKIP_RETURN_CODE=77", "e: disabled"]


def test_the_cases_of_a_program_are_counted_one_by_one(ctest):
    counts = ctest(8, program("pools", "run", inner(PASSED, PASSED, SKIPPED)), program("votes", "fail", inner(PASSED, FAILED)))
    assert (counts.passed, counts.failed) == (3, 1)
    assert counts.failures == ["votes: breaks"]
    assert counts.skipped == ["pools: ../shared is absent"]


def test_a_program_that_speaks_at_exit_has_failed_though_its_cases_passed(ctest):
    counts = ctest(8, program("pools", "fail", inner(PASSED, PASSED) + "leak"))
    assert (counts.passed, counts.failed) == (2, 1)


@pytest.mark.parametrize("output", ["Segmentation fault", '[doctest] doctest version is "2.4.9"\n', inner(PASSED)[:-40],
                                    "<testsuites><testcase</testsuites>", "<testsuites></testsuites>"])
def test_a_program_that_dies_before_the_end_of_its_report_has_failed(ctest, output):
    counts = ctest(8, program("pools", "fail", output))
    assert (counts.passed, counts.failed) == (0, 1)


def test_a_program_of_test_cases_that_leaves_early_has_failed_though_it_ended_with_0(ctest):
    assert ctest(0, program("pools", "run", '[doctest] doctest version is "2.4.9"\n')).failed > 0


@pytest.mark.parametrize("text", ["", "<testsuite>", '<testsuite tests="0"/>', "<testsuites/>"])
@pytest.mark.parametrize("exit_code", [0, 1, 5])
def test_a_run_that_tells_of_no_test_has_failed(read, text, exit_code):
    assert read(text, exit_code).failed == 1


def test_a_run_without_a_report_has_failed(tmp_path):
    counts = of_junit("step", tmp_path / "nowhere.xml", 139)
    assert counts.failed == 1 and "139" in counts.failures[0]


@pytest.mark.parametrize("exit_code, case", [(0, FAILED), (1, PASSED), (2, SKIPPED), (-9, PASSED)])
def test_a_run_that_contradicts_its_exit_code_has_failed(read, exit_code, case):
    counts = read(f"<testsuites>{case}</testsuites>", exit_code)
    assert counts.failed >= 1 and counts.failures[-1].startswith("step (says")
