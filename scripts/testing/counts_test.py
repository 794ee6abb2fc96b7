# SPDX-License-Identifier: MIT
"""A summary that miscounts hides failures, so the counting is itself tested."""

import tempfile
import unittest
from pathlib import Path

from counts import of_ctest, of_doctest, of_script, of_vitest

SUMMARY = "[doctest] test cases: {} | {} passed | {} failed | 0 skipped\n[doctest] Status: x\n"


class CountsTest(unittest.TestCase):
    def test_doctest_cases_are_counted_one_by_one(self):
        counts = of_doctest("pools", SUMMARY.format(12, 10, 2), 1)
        self.assertEqual((counts.passed, counts.failed, counts.failures), (10, 2, ["pools"]))

    def test_a_case_that_says_skipped_is_not_passed(self):
        counts = of_doctest("golden", "SKIPPED: ../shared is absent\n" + SUMMARY.format(3, 3, 0), 0)
        self.assertEqual((counts.passed, counts.failed), (2, 0))
        self.assertEqual(counts.skipped, ["golden: ../shared is absent"])

    def test_a_program_that_dies_before_its_summary_has_failed(self):
        self.assertEqual(of_doctest("pools", "Segmentation fault", 139).failed, 1)

    def test_a_sanitizer_that_speaks_at_exit_fails_a_program_whose_cases_passed(self):
        self.assertEqual(of_doctest("pools", SUMMARY.format(3, 3, 0) + "leak", 1).failed, 1)

    def test_scripts_tell_in_their_last_line(self):
        counts = of_script("cli", "1 passed, 0 failed\nmore\n7 passed, 1 failed, 0 skipped\n", 1)
        self.assertEqual((counts.passed, counts.failed), (7, 1))

    def test_a_script_that_is_silent_or_contradicts_its_exit_code_has_failed(self):
        self.assertEqual(of_script("cli", "", 0).failed, 1)
        self.assertEqual(of_script("cli", "7 passed, 0 failed\n", 1).failed, 1)
        self.assertEqual(of_script("cli", "7 passed, 1 failed\n", 0).failed, 1)

    def test_skips_of_scripts_are_named(self):
        counts = of_script("cli", "SKIPPED: no torch\n7 passed, 0 failed, 1 skipped\n", 0)
        self.assertEqual(counts.skipped, ["cli: no torch"])

    def test_vitest_is_understood(self):
        counts = of_vitest("web", " Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 51 passed | 1 skipped (54)\n", 1)
        self.assertEqual((counts.passed, counts.failed, len(counts.skipped)), (51, 2, 1))
        counts = of_vitest("web", "      Tests  53 passed (53)\n", 0)
        self.assertEqual((counts.passed, counts.failed), (53, 0))
        self.assertEqual(of_vitest("web", "Tests  53 passed (53)\n", 1).failed, 1)
        coloured = "\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m36 passed\x1b[39m\x1b[22m\x1b[90m (36)\x1b[39m\n"
        self.assertEqual(of_vitest("web", coloured, 0).passed, 36)

    def test_ctest_reports_sum_up(self):
        report = f"""<testsuite>
          <testcase name="a" status="run"><system-out>{SUMMARY.format(4, 4, 0)}</system-out></testcase>
          <testcase name="b" status="fail"><failure/><system-out>{SUMMARY.format(2, 1, 1)}</system-out></testcase>
          <testcase name="c" status="run"><system-out>fine</system-out></testcase>
          <testcase name="d" status="notrun"><skipped message="Unable to find executable"/></testcase>
        </testsuite>"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.xml"
            path.write_text(report)
            counts = of_ctest(path)
        self.assertEqual((counts.passed, counts.failed), (6, 2))


if __name__ == "__main__":
    program = unittest.main(exit=False).result
    failed = len(program.failures) + len(program.errors)
    print(f"{program.testsRun - failed} passed, {failed} failed")
    raise SystemExit(failed > 0)
