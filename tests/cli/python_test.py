# SPDX-License-Identifier: MIT
"""hqe collect and hqe export become Python; what that then does is tested in python/tests."""

import pytest
from running import hqe, refuses

handed_over = pytest.mark.parametrize("word", ["collect", "export"])


@handed_over
def test_python_gets_the_words_unchanged(home, word):
    python = home / "python"
    python.write_text('#!/bin/sh\nshift 2\nprintf "%s|" "$@"\nexit 7\n')
    python.chmod(0o755)
    done = hqe(word, "a b.onnx", "--data", "x.npy", env={"HQE_PYTHON": str(python)}, check=7)
    assert done.out == f"{word}|a b.onnx|--data|x.npy|"


@handed_over
def test_without_a_python_it_says_what_to_do(home, word):
    refuses(2, word, "a.onnx", env={"HQE_PYTHON": str(home / "none")},
            saying=[f"{word} ", "cannot be started", "name a Python in HQE_PYTHON"])


@handed_over
def test_without_the_module_it_says_what_to_do(home, word):
    (home / "hqe").mkdir()  # A folder of that name here is not the module.
    (home / "hqe/__main__.py").write_text("raise SystemExit(9)\n")
    refuses(2, word, "a.onnx", cwd=home, env={"HQE_PYTHON": "/usr/bin/python3", "PYTHONPATH": ""},
            saying=[f"{word}: /usr/bin/python3 cannot import hqe", "Install the module there"])


@handed_over
def test_the_help_names_it(word):
    assert f"hqe {word} --help" in hqe("--help", check=0).out
