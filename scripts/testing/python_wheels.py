# SPDX-License-Identifier: MIT
"""Wheels of the Python module: built as pip does, installed into fresh environments, tested there."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from commands import BUILD, QUIET, ROOT, pytest
from counts import Counts, failure

OLDEST = (3, 10)
FIRST_STABLE = (3, 12)  # From here on one wheel serves every Python.
FIRST_NUMPY = {(3, 12): "1.26", (3, 13): "2.1", (3, 14): "2.3"}  # Of Pythons without one as old as pyproject.toml allows.
ENVIRONMENTS = BUILD / "python-environments"
WHEELS = BUILD / "wheels"


def version_of(python):
    """(3, 11), or nothing where this is no working Python with headers and venv."""
    script = ("import sys, sysconfig, pathlib, venv, ensurepip;"
              "assert pathlib.Path(sysconfig.get_path('include'), 'Python.h').exists();"
              "print(*sys.version_info[:2])")
    done = subprocess.run([python, "-c", script], capture_output=True, text=True)
    return tuple(map(int, done.stdout.split())) if done.returncode == 0 else None


def pythons():
    """(3, 11) -> the first Python of that version: the system's, on the PATH, of pyenv."""
    paths = [Path("/usr/bin/python3")]
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        paths += sorted(path for path in Path(folder).glob("python3.*") if re.fullmatch(r"python3\.\d+", path.name))
    paths += sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/3.*/bin/python3"))
    found = {}
    for path in paths:
        version = version_of(path) if path.exists() and "shims" not in path.parts else None
        if version and version >= OLDEST:
            found.setdefault(version, path)
    return dict(sorted(found.items()))


def oldest_numpy(version):
    """"1.23": the oldest series that this Python has and pyproject.toml allows."""
    return FIRST_NUMPY.get(version) or re.search(r'"numpy>=([\d.]+)"', (ROOT / "pyproject.toml").read_text())[1]


def pinned(package):
    """With the version that the tests run with everywhere."""
    return re.search(rf"^{package}==\S+$", (ROOT / "python/tests/requirements.txt").read_text(), re.MULTILINE)[0]


def build_wheel(log, python, version):
    """The wheel for this Python, or nothing. ccache finds what the release build compiled, since
    both call the compiler by one name."""
    folder = WHEELS / "{}.{}".format(*version)
    shutil.rmtree(folder, ignore_errors=True)
    launcher = ["CMAKE_CXX_COMPILER_LAUNCHER=ccache", "CXX=c++"] if shutil.which("ccache") else []
    environment = fresh_environment(log, python, f"build-{version[0]}.{version[1]}")
    if environment and log.passes("env", *launcher, environment, "-m", "pip", "wheel", "--disable-pip-version-check",
                                  "--no-deps", "-w", folder, "."):
        return next(folder.glob("hqe-*.whl"), None)
    return None


def fresh_environment(log, python, name, *packages):
    """A new virtual environment with these packages; its Python, or nothing."""
    folder = ENVIRONMENTS / name
    made = log.passes(python, "-m", "venv", "--clear", folder)
    inside = folder / "bin/python"
    if made and packages:
        made = log.passes(inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    return inside if made else None


def full_test(log, python, wheel, name, lender, tests):
    """pytest in an environment that is fresh but for what scripts/setup has installed into `lender`,
    which is lent by a .pth file."""
    inside = fresh_environment(log, python, name)
    lent = next((BUILD / lender / "lib").glob("python3.*/site-packages"), None)
    if not inside or not lent:
        return failure(f"an environment with what is in build/{lender} (scripts/setup makes it)")
    site = next((inside.parent.parent / "lib").glob("python3.*/site-packages"))
    (site / "lent.pth").write_text(f"{lent}\n")
    if not log.passes(inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", wheel):
        return failure("installation of the wheel")
    return pytest(log, *QUIET, tests, python=inside)


def smoke_test(log, python, version, wheel, numpy):
    """Some tests beside NumPy, pytest and nothing else."""
    name = "{}.{}".format(*version)
    inside = fresh_environment(log, python, name, "--only-binary=numpy", numpy, pinned("pytest"), wheel)
    if not inside:
        return failure(f"Python {name} with {numpy}: installation of the wheel")
    counts = pytest(log, *QUIET, "python/tests/smoke.py", python=inside, name=f"python-{name}")
    counts.failures = [f"Python {name} with {numpy}: {what}" for what in counts.failures]
    return counts


def test_wheels(log):
    found = pythons()
    lent = next((BUILD / "venv-python/lib").glob("python3.*"), None)
    main = tuple(map(int, lent.name.removeprefix("python").split("."))) if lent else None
    if main not in found:
        return failure("a Python with headers and venv (scripts/setup test)")
    counts, wheels = Counts(), {}
    for version, python in found.items():
        kind = min(version, FIRST_STABLE)
        if kind not in wheels:
            wheels[kind] = build_wheel(log, python, version)
            counts.one("wheel for Python {}.{}".format(*version), wheels[kind] is not None)
        if wheels[kind] is None:
            continue
        if version == main:
            counts.add(full_test(log, python, wheels[kind], "full", "venv-python", "python/tests"))
        if version != main or len(found) == 1:
            # Any patch of it: the first one has no wheel for Python 3.11, and takes minutes to compile.
            numpy = f"numpy=={oldest_numpy(version)}.*" if version == min(found) else "numpy"
            counts.add(smoke_test(log, python, version, wheels[kind], numpy))
    counts.skipped += [f"python: no Python 3.{minor} is installed here" for minor in range(10, 14) if (3, minor) not in found]
    return counts


def test_with_autogluon(log):
    """AutoGluon needs an older pandas than the other tests, so it has an environment of its own."""
    version = version_of("/usr/bin/python3")
    wheel = version and build_wheel(log, "/usr/bin/python3", version)
    if not wheel:
        return failure("a wheel for the system's Python (scripts/setup test)")
    return full_test(log, "/usr/bin/python3", wheel, "autogluon", "venv-autogluon", "python/tests/test_autogluon.py")
