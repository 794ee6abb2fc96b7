# SPDX-License-Identifier: MIT
"""Which wheels are made, and what they may not be called. Run by `make lint`."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "packing"))

import wheels  # noqa: E402
from places import Failure  # noqa: E402

WHEEL = Path("dist/hqe-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")


@pytest.fixture
def auditwheel(monkeypatch):
    """What it answers: of everything, and of symbols alone."""
    def answers(tag):
        document = {"overall_tag": tag, "sym_tag": "manylinux_2_17_x86_64"}
        monkeypatch.setattr(wheels, "run", lambda *command: f"a warning\n{json.dumps(document, indent=4)}\n")
    return answers


@pytest.mark.parametrize("tag", ["manylinux_2_17_x86_64", "manylinux_2_5_x86_64"])
def test_a_wheel_may_be_called_what_it_is_or_newer(tag, auditwheel):
    auditwheel(tag)
    wheels.check_symbols(WHEEL)


@pytest.mark.parametrize("tag", ["linux_x86_64", "manylinux_2_28_x86_64"])
def test_a_wheel_whose_symbols_alone_are_old_is_refused(tag, auditwheel):
    auditwheel(tag)
    with pytest.raises(Failure, match=f"auditwheel calls it {tag}"):
        wheels.check_symbols(WHEEL)


def test_every_wheel_for_arm64_has_a_python_that_uses_it(monkeypatch):
    found = {(3, minor): Path(f"python3.{minor}") for minor in (10, 11, 13, 14)}
    monkeypatch.setattr(wheels, "pythons", lambda: found)
    assert list(wheels.wanted_pythons("x86_64")) == [(3, 10), (3, 11), (3, 13)]
    assert list(wheels.wanted_pythons("aarch64")) == [(3, 11), (3, 13)]
