# SPDX-License-Identifier: MIT
"""The tests of the command run under pytest: `pytest-3 tests/cli`, or files of it."""

import pathlib
import tempfile

import pytest

pytest.register_assert_rewrite("running", "split_pools")

import running  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--hqe", metavar="PATH", default=running.BINARY, type=pathlib.Path,
                     help="the command to test (default: build/release/cli/hqe)")


def pytest_configure(config):
    running.BINARY = config.getoption("--hqe").resolve()
    if not running.BINARY.is_file():
        raise pytest.UsageError(f"{running.BINARY}: there is no such file. Build the command, or name one with --hqe.")


def pytest_generate_tests(metafunc):
    """A test that takes a `command` runs once for each that `hqe --help` lists."""
    if "command" in metafunc.fixturenames:
        metafunc.parametrize("command", running.commands())


def pytest_collection_modifyitems(items):
    """The longest first: tests are handed out in lots, and those behind a long one would be waited for at the end."""
    items.sort(key=lambda item: item.get_closest_marker("longest") is None)


@pytest.fixture
def home():
    """A folder of the test's own, gone after it. Not tmp_path: another user may look into this one."""
    with tempfile.TemporaryDirectory(prefix="hqe-cli-") as path:
        yield pathlib.Path(path)
