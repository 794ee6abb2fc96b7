# SPDX-License-Identifier: MIT
"""The ARM64 command under qemu-user beside this machine's own: `pytest-3 tests/arm64 --hqe PATH --arm64 PATH`, of which the
second is the script `hqe-emulated` beside the command."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("HQE_SHARED_DIR", ROOT.parent / "shared"))


def pytest_addoption(parser):
    parser.addoption("--hqe", metavar="PATH", default=ROOT / "build/release/cli/hqe", type=pathlib.Path)
    parser.addoption("--arm64", metavar="PATH", required=True, type=pathlib.Path)


def output(*words, target="", folder=None):
    environment = {**os.environ, "HQE_TARGET": target}
    done = subprocess.run([str(word) for word in words], capture_output=True, env=environment, cwd=folder, timeout=1200)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b"", done.stderr
    return done.stdout


@pytest.fixture
def here(request):
    """Runs the command of this machine."""
    return lambda *words, **options: output(request.config.getoption("--hqe").resolve(), *words, **options)


@pytest.fixture
def there(request):
    """Runs the command of the other processor."""
    return lambda *words, **options: output(request.config.getoption("--arm64").resolve(), *words, **options)


@pytest.fixture
def shared_pool():
    def folder(name):
        if not (SHARED / "pools" / name).is_dir():
            pytest.skip("../shared is absent")
        return SHARED / "pools" / name

    return folder
