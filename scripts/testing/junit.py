# SPDX-License-Identifier: MIT
"""Reads what ctest, pytest and vitest found: each writes it as JUnit XML."""

import xml.etree.ElementTree as xml

from counts import Counts, failure


def of_junit(name, report, exit_code):
    """The report of a run that ended with `exit_code`. A run that left no report, ran nothing or contradicts
    its exit code has failed, whatever its tests did."""
    try:
        root = xml.parse(report).getroot()
    except (OSError, xml.ParseError) as error:
        return failure(f"{name} (ended with {exit_code} and no report that can be read: {error})")
    return held_against(name, of_suite(name, root), exit_code)


def held_against(name, counts, exit_code):
    if not (counts.passed or counts.failed or counts.skipped):
        return failure(f"{name} (ran no test, and ended with {exit_code})")
    if (exit_code != 0) != (counts.failed > 0):
        counts.add(failure(f"{name} (says {counts.failed} failed, yet ended with {exit_code})"))
    return counts


def of_suite(name, root):
    counts = Counts()
    for case in root.iter("testcase"):
        counts.add(of_program(case) if case.get("status") else of_case(name, case))  # Only ctest gives a status.
    return counts


def of_case(name, case):
    """One test. A runner that knows no reasons (vitest) has them in the names of what it skips."""
    skipped = case.find("skipped")
    if skipped is not None:
        return Counts(skipped=[f"{name}: {skipped.get('message') or case.get('name')}"])
    counts = Counts()
    counts.one(f"{case.get('classname') or name}: {case.get('name')}", case.find("failure") is None and case.find("error") is None)
    return counts


def of_program(case):
    """A program that ctest ran or should have run. One that has test cases of its own ends what it prints with a
    report of them."""
    name, status, output = case.get("name"), case.get("status"), case.findtext("system-out") or ""
    if status not in ("run", "fail"):
        # Also what could not even be started is called skipped.
        skipped = case.find("skipped")
        reason = skipped.get("message") if skipped is not None else status
        return Counts(skipped=[f"{name}: {reason}"]) if reason.startswith(("SKIP_", "disabled")) else failure(f"{name} (not run: {reason})")
    exit_code = 0 if status == "run" else 1
    begin, end = output.rfind("<testsuites"), output.rfind("</testsuites>")
    if begin < 0 or end < begin:
        counts = Counts()
        counts.one(name, exit_code == 0 and "[doctest]" not in output)
        return counts
    try:
        return held_against(name, of_suite(name, xml.fromstring(output[begin:end + len("</testsuites>")])), exit_code)
    except xml.ParseError as error:
        return failure(f"{name} (ended with a report that cannot be read: {error})")
