# SPDX-License-Identifier: MIT
"""hqe collect becomes Python; what that then does is tested in python/tests."""

from running import hqe, refuses


def test_collect_hands_its_words_to_the_python_that_is_named(home):
    python = home / "python"
    python.write_text('#!/bin/sh\nshift 2\nprintf "%s|" "$@"\nexit 7\n')
    python.chmod(0o755)
    done = hqe("collect", "a b.onnx", "--data", "x.npy", env={"HQE_PYTHON": str(python)}, check=7)
    assert done.out == "collect|a b.onnx|--data|x.npy|"


def test_collect_without_a_python_says_what_to_do(home):
    refuses(2, "collect", "a.onnx", env={"HQE_PYTHON": str(home / "none")},
            saying=["cannot be started", "name a Python in HQE_PYTHON"])


def test_collect_without_the_module_says_what_to_do(home):
    (home / "hqe").mkdir()  # A folder of that name here is not the module.
    (home / "hqe/__main__.py").write_text("raise SystemExit(9)\n")
    refuses(2, "collect", "a.onnx", cwd=home, env={"HQE_PYTHON": "/usr/bin/python3", "PYTHONPATH": ""},
            saying=["/usr/bin/python3 cannot import hqe", "Install the module there"])


def test_the_help_names_it():
    assert "hqe collect --help" in hqe("--help", check=0).out
