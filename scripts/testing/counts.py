# SPDX-License-Identifier: MIT
"""What a check found, and how to read it from the last words of scripts. Tests report as JUnit (junit.py); scripts are what
`make soak` and `make bench` run besides: measurements, and hours in rooms of their own."""

import re
from dataclasses import dataclass, field

SKIPPED = re.compile(r"^.*SKIPPED: *(.*)$", re.MULTILINE)
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


def of_script(name, output, exit_code):
    """Its last line is `N passed, N failed` or `..., N skipped`."""
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
