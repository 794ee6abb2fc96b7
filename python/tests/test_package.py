# SPDX-License-Identifier: MIT
"""The package itself: doctests, types, stubs, what importing it drags along."""

import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import hqe

from conftest import ROOT

FOLDER = pathlib.Path(hqe.__file__).parent
MODULES = [name for _, name, _ in pkgutil.iter_modules([str(FOLDER)]) if name != "_core"]


def test_the_installed_package_is_tested_and_not_the_sources():
    assert ROOT / "python" not in FOLDER.parents
    assert hqe.__version__ == re.search(r"project\(hqe VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


@pytest.mark.parametrize("name", ["", *MODULES])
def test_docstrings_hold(name):
    if name in ("sklearn", "forest", "_voting"):
        pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    if name == "dask":
        pytest.importorskip("distributed", reason="Dask is not installed")
    if name in ("torch", "_tally"):
        pytest.importorskip("torch", reason="torch is not installed here; test_torch.py finds one that is")
    module = importlib.import_module(f"hqe.{name}" if name else "hqe")
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_every_public_function_has_an_example():
    for name in hqe.__all__:
        value = getattr(hqe, name)
        if callable(value) and not isinstance(value, type):
            assert ">>>" in value.__doc__, name


def test_the_package_is_typed_and_its_stubs_are_those_of_the_module(tmp_path):
    assert (FOLDER / "py.typed").exists()
    pytest.importorskip("nanobind", reason="nanobind is not installed")
    made = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-m", "hqe._core", "-o", made], check=True)
    # The module is called _core while it is built, and hqe._core here.
    assert made.read_text().replace("hqe._core.", "") == (FOLDER / "_core.pyi").read_text()


USER = """
import numpy as np
import hqe

pool: hqe.Pool = hqe.Pool([np.zeros(3, int)], labels=np.zeros(3, int))
study = hqe.prune(pool, size=3, beta="10%", metrics=["F-GD"], budget={"params": 1e8})
teams: list[tuple[int, ...]] = [one.team for one in study.selections["F-GD"]]
best: int = 0 if study.best is None else study.best.correct
hqe.prune(pool, size=2.5)  # refused
hqe.evaluate(pool, teams=3)  # refused
"""


def test_a_type_checker_understands_the_package(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    (tmp_path / "user.py").write_text(USER)
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "user.py"]
    said = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True).stdout
    lines = sorted({int(number) for number in re.findall(r"^user.py:(\d+): error", said, re.MULTILINE)})
    expected = [n for n, line in enumerate(USER.split("\n"), 1) if "# refused" in line]
    assert lines == expected, said


def test_importing_hqe_imports_no_optional_package():
    optional = "'pandas', 'sklearn', 'tqdm', 'scipy', 'torch', 'pyarrow', 'polars', 'duckdb', 'onnx', 'onnxruntime', 'dask', 'distributed'"
    script = f"import sys, hqe; print(*{{{optional}}} & set(sys.modules))"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.split() == []


def test_the_build_uses_the_nanobind_that_the_stubs_are_tested_with():
    pinned = re.search(r'"nanobind==([\d.]+)"', (ROOT / "pyproject.toml").read_text())[1]
    assert f"nanobind=={pinned}\n" in (ROOT / "python/tests/requirements.txt").read_text()
