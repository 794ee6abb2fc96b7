# SPDX-License-Identifier: MIT
"""What a check found, and how to read it from the words of the tools we run."""

import re
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field

DOCTEST = re.compile(
    r"\[doctest\] test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed\s*\|\s*(\d+) skipped")
SKIPPED = re.compile(r"^.*SKIPPED: *(.*)$", re.MULTILINE)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
VITEST = re.compile(r"^\s*Tests\s+(?:(\d+) failed \| )?(?:(\d+) passed)?(?: \| (\d+) skipped)?", re.MULTILINE)
SCRIPT = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)  # Names, for the reader; at most `failed`.

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.failures += other.failures

    def one(self, name, passed):
        """Counts a single check."""
        self.add(Counts(passed=1) if passed else failure(name))


def failure(name):
    return Counts(failed=1, failures=[name])


def of_doctest(name, output, exit_code):
    """A doctest program. A test case that prints `SKIPPED: reason` is skipped, not passed."""
    match = DOCTEST.search(output)
    if not match:
        return failure(f"{name} (ended with {exit_code} before its summary)")
    passed, failed = int(match[2]), int(match[3])
    skipped = [f"{name}: {reason}" for reason in SKIPPED.findall(output)]
    if exit_code != 0 and failed == 0:
        return failure(f"{name} (all cases passed, yet it ended with {exit_code})")
    return Counts(passed=max(0, passed - len(skipped)), failed=failed, skipped=skipped,
                  failures=[name] if failed else [])


def of_script(name, output, exit_code):
    """A test script of ours: its last line is `N passed, N failed` or `..., N skipped`."""
    matches = list(SCRIPT.finditer(output))
    if not matches:
        return failure(f"{name} (ended with {exit_code} without saying what passed)")
    passed, failed = int(matches[-1][1]), int(matches[-1][2])
    if (exit_code != 0) != (failed > 0):
        return failure(f"{name} (says {failed} failed, yet ended with {exit_code})")
    skip_count = int(matches[-1][3] or 0)
    reasons = SKIPPED.findall(output)[:skip_count]
    reasons += ["no reason given"] * (skip_count - len(reasons))
    return Counts(passed=passed, failed=failed, skipped=[f"{name}: {reason}" for reason in reasons],
                  failures=[name] if failed else [])


def of_vitest(name, output, exit_code):
    """A run of vitest, whose summary has a line `Tests  1 failed | 2 passed | 3 skipped (6)`, which it
    colours where it thinks a service reads it."""
    matches = [match for match in VITEST.finditer(COLOUR.sub("", output)) if match[1] or match[2]]
    if not matches or (exit_code != 0 and not matches[-1][1]):
        return failure(f"{name} (ended with {exit_code})")
    failed, passed, skipped = (int(group or 0) for group in matches[-1].groups())
    return Counts(passed=passed, failed=failed, skipped=[f"{name}: skipped by vitest"] * skipped,
                  failures=[name] if failed else [])


def of_pytest(name, report, exit_code):
    """The JUnit file of a pytest run, which ended with `exit_code`: 1 where tests failed, more where it did not get so far."""
    if not report.exists():
        return failure(f"{name} (pytest ended with {exit_code} and gave no report)")
    counts = Counts()
    for case in xml.parse(report).getroot().iter("testcase"):
        skipped = case.find("skipped")
        if skipped is not None:
            counts.skipped.append(f"{name}: {skipped.get('message')}")
        else:
            counts.one(f"{case.get('classname')}: {case.get('name')}", case.find("failure") is None and case.find("error") is None)
    if exit_code != (1 if counts.failed else 0):
        counts.add(failure(f"{name} (says {counts.failed} failed, yet ended with {exit_code})"))
    return counts


def of_ctest(report):
    """The JUnit file of a ctest run."""
    counts = Counts()
    for case in xml.parse(report).getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        output = case.findtext("system-out") or ""
        if status == "disabled":
            continue
        if status == "notrun":
            reason = case.find("skipped")
            counts.add(failure(f"{name} (not run: {reason.get('message') if reason is not None else '?'})"))
        elif "[doctest]" in output:
            counts.add(of_doctest(name, output, 0 if status == "run" else 1))
        elif SCRIPT.search(output):
            counts.add(of_script(name, output, 0 if status == "run" else 1))
        else:
            counts.one(name, status == "run")
    return counts
