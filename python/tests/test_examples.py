# SPDX-License-Identifier: MIT
"""The examples run, and the documents quote what works."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import numpy as np
import pytest

import hqe

from conftest import ROOT

EXAMPLES = ROOT / "examples/python"


def run(name, folder, *words):
    # One thread each for the numerical libraries: the machine is busy enough.
    quiet = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", EXAMPLES / name, *words],
        cwd=folder, capture_output=True, text=True, env=os.environ | quiet,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_quick_start_runs(tmp_path):
    assert "take (" in run("quick_start.py", tmp_path)


def test_a_server_runs_fewer_models_with_the_same_answers(tmp_path):
    said = run("serve.py", tmp_path)
    assert 3 <= float(said.split()[0]) < 5


@pytest.fixture
def trained(tmp_path, monkeypatch):
    """A folder with what the commands of the documents name: models/*.onnx, x.npy, y.npy."""
    pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    import trained_models

    (tmp_path / "models").mkdir()
    for name, weights in zip(("first", "second", "third", "fourth"), trained_models.networks().values()):
        trained_models.write(tmp_path / f"models/{name}.onnx", weights)
    x, y = trained_models.samples(600, 1)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_python_command(line, folder):
    """What a shell does with `python -m hqe ...`."""
    from hqe.__main__ import main

    words = shlex.split(line.removeprefix("python -m hqe "))
    assert main([one for word in words for one in (sorted(map(str, folder.glob(word))) if "*" in word else [word])]) == 0


def test_the_command_on_collecting_works(trained):
    text = (ROOT / "docs/collect.md").read_text()
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert len(lines) == 1
    run_python_command(lines[0], trained)
    assert hqe.Pool.open(trained / "pool").names == ["first", "fourth", "second", "third"]


def test_the_page_on_deploying_works(trained, tmp_path, capsys):
    """Its Python, and the commands that are Python's. What needs torch runs in test_torch.py."""
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    for name in ("validation", "test"):
        os.symlink(ROOT / "examples/fashion-mnist" / name, name)
    text = (ROOT / "docs/deploy.md").read_text()
    for kind, block in re.findall(r"^```(python|sh)\n(?!import torch\n)(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if kind == "python":
            exec(compile(block, "docs/deploy.md", "exec"), {})
        elif block.startswith("python -m hqe "):
            run_python_command(block, tmp_path)
    assert (tmp_path / "repository/ensemble/config.pbtxt").is_file()
    assert "('x',) ('label', 'probabilities') 17 8" in capsys.readouterr().out


def test_the_commands_on_deploying_work(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("validation", "test"):
        os.symlink(ROOT / "examples/fashion-mnist" / name, name)
    shutil.copytree(ROOT / "examples/fashion-mnist/test", "new")
    os.remove("new/labels.npy")
    text = (ROOT / "docs/deploy.md").read_text()
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    lines = [line for line in lines if line.startswith("hqe ")]  # Python's run above.
    assert len(lines) == 5
    for line in lines:
        command(*line.split()[1:])
    assert (tmp_path / "answers.csv").read_text().startswith("sample,label,")


def test_ten_classifiers_of_digits_are_pruned_to_four(tmp_path):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    said = run("digits.py", tmp_path)
    assert float(re.search(r"^accuracy (\S+)", said, re.MULTILINE)[1]) > 0.95


def test_a_forest_of_200_trees_is_pruned_to_20(tmp_path):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    said = run("forest.py", tmp_path)
    rows = {line[:14].strip(): [float(x) for x in re.findall(r"0\.\d+", line)] for line in said.splitlines()}
    assert rows["pruned to 20"][0] > rows["the first 20"][0]


def test_a_folder_of_pt_files_opens_without_torch(tmp_path):
    torch = _torch()
    folder = tmp_path / "pool"
    folder.mkdir()
    script = (
        "import sys, torch; torch.manual_seed(0); y = torch.randint(0, 3, (300,));"
        "torch.save(y, sys.argv[1] + '/labels.pt');"
        "[torch.save((torch.rand(300, 3) + 0.4 * torch.nn.functional.one_hot(y, 3)).softmax(1),"
        " f'{sys.argv[1]}/net_{i}.pt') for i in range(5)]"
    )
    subprocess.run([torch, "-c", script, folder], check=True, capture_output=True)
    said = run("folder_of_pt.py", tmp_path, folder)
    assert "5 models, 300 samples, 3 classes, probabilities (detected)" in said
    assert hqe.Study.load(tmp_path / "study.json").desired_size == 2
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")


def _torch():
    """A Python that has torch: ours, or Debian's."""
    for python in (sys.executable, "/usr/bin/python3"):
        if pathlib.Path(python).exists():
            found = subprocess.run([python, "-c", "import torch"], capture_output=True)
            if found.returncode == 0:
                return python
    pytest.skip("no Python here has torch: no .pt files could be written")


def test_the_notebook_runs_and_shows_its_pictures():
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    notebook = nbformat.read(EXAMPLES / "fashion_mnist.ipynb", as_version=4)
    resources = {"metadata": {"path": EXAMPLES}}
    nbclient.NotebookClient(notebook, timeout=300, resources=resources).execute()
    shown = [output["data"] for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert sum("<svg" in data.get("text/html", "") for data in shown) == 1
    assert sum("<svg" in data.get("image/svg+xml", "") for data in shown) == 2
    assert sum("<table" in data.get("text/html", "") for data in shown) == 2


def test_the_code_in_the_documents_runs(tmp_path, monkeypatch):
    """Every Python block of these documents, each document in one go. What needs torch runs in test_collect_torch.py."""
    monkeypatch.chdir(tmp_path)
    pool = ROOT / "examples/fashion-mnist/validation"
    probabilities = {path.stem: np.load(path) for path in sorted(pool.glob("*.npy"))}
    own = {"labels": probabilities.pop("labels"), "probabilities": probabilities}  # The reader's own arrays.
    for name in ("README.md", "docs/python.md", "docs/collect.md"):
        blocks = re.findall(r"^```python\n(?!import torch\n)(.*?)^```", (ROOT / name).read_text(), re.MULTILINE | re.DOTALL)
        assert blocks, name
        (tmp_path / "validation").exists() or os.symlink(ROOT / "examples/fashion-mnist/validation", "validation")
        (tmp_path / "test").exists() or os.symlink(ROOT / "examples/fashion-mnist/test", "test")
        exec(compile("\n".join(blocks), name, "exec"), dict(own))
