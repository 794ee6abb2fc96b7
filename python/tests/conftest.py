# SPDX-License-Identifier: MIT
"""What the tests share. They run against the installed package, never against the sources."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import hqe

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("HQE_SHARED_DIR", ROOT.parent / "shared"))
DEMO = ROOT / "examples/fashion-mnist"


@pytest.fixture(scope="session")
def shared():
    if not (SHARED / "goldens").is_dir():
        pytest.skip("../shared is absent")
    return SHARED


@pytest.fixture(scope="session")
def command():
    """Runs the hqe command and returns its JSON."""
    binary = pathlib.Path(os.environ.get("HQE_COMMAND", ROOT / "build/release/cli/hqe"))
    if not binary.is_file():
        pytest.skip("the hqe command is not built")

    def run(*words):
        done = subprocess.run([binary, *map(str, words), "--json"], capture_output=True, check=True)
        return done.stdout.decode()

    return run


@pytest.fixture(scope="session")
def scores():
    """8 models x 400 samples x 4 classes of probabilities, and the labels."""
    random = np.random.default_rng(7)
    labels = random.integers(0, 4, 400)
    raw = random.random((8, 400, 4))
    raw[:, np.arange(400), labels] += random.random((8, 400)) * (3 * np.linspace(0, 1, 8) ** 2)[:, None]
    return raw / raw.sum(axis=2, keepdims=True), labels


@pytest.fixture(scope="session")
def pool(scores):
    return hqe.Pool(*scores)


@pytest.fixture(scope="session")
def study(pool):
    return hqe.prune(pool, size=3)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A Dask scheduler and three workers, which no test harms."""
    pytest.importorskip("distributed", reason="Dask is not installed")
    from dask_cluster import Cluster

    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    cluster.add_workers(3)
    yield cluster
    cluster.close()


@pytest.fixture(scope="session")
def client(cluster):
    with cluster.client(3) as client:
        yield client


@pytest.fixture
def golden(shared, request):
    return json.loads((shared / "goldens" / f"{request.param}.json").read_text())


@pytest.fixture(scope="session")
def run_with_torch(tmp_path_factory):
    """Runs a script of this folder by a Python that has torch: ours, or Debian's of the same version. Gives the folder
    that it worked in and what it printed: by the name of each test, what that raised."""
    script = "import importlib.util as u, sys; print(*sys.version_info[:2], u.find_spec('torch') is not None)"
    for python in (sys.executable, "/usr/bin/python3"):
        if not pathlib.Path(python).exists():
            continue
        found = subprocess.run([python, "-c", script], capture_output=True, text=True).stdout
        if found.split() == [*map(str, sys.version_info[:2]), "True"]:
            break
    else:
        pytest.skip("no Python of this version has torch")

    def run(name):
        folder = tmp_path_factory.mktemp("torch")
        environment = {"PYTHONPATH": str(pathlib.Path(hqe.__file__).parents[1]), "OMP_NUM_THREADS": "1"}
        words = [python, pathlib.Path(__file__).with_name(name), folder]
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return folder, json.loads(done.stdout.splitlines()[-1])

    return run
