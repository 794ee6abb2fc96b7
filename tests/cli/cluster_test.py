# SPDX-License-Identifier: MIT
"""Digests by task number, as Slurm arrays and MPI start them: the script of examples/cluster, as four processes."""

import os
import subprocess

import pytest

import running
from running import ROOT, hqe, refuses

SCRIPT = ROOT / "examples/cluster/digest.sh"
POOL = ROOT / "examples/cora-10/validation"
WORDS = {"slurm": ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"), "mpi": ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")}
QUESTION = ["--size", "3", "--vote", "plurality", "--json"]


def start(task, folder, tmp_path, words):
    (tmp_path / "bin").mkdir(exist_ok=True)
    command = tmp_path / "bin/hqe"
    if not command.exists():
        command.symlink_to(os.path.abspath(running.BINARY))
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("SLURM_", "OMPI_", "PMI_"))}
    numbered = {words[0]: str(task), words[1]: "4"} if words else {}
    rows = hqe("inspect", POOL, "--json", check=0).json["pool"]["samples"]
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.Popen([SCRIPT, POOL, str(rows), folder], env=clean | numbered | {"PATH": path}, stderr=subprocess.PIPE)


@pytest.mark.parametrize("launcher", WORDS)
def test_four_tasks_make_the_pool_in_any_order_and_twice(launcher, tmp_path):
    folder = tmp_path / "digests"
    tasks = [start(task, folder, tmp_path, WORDS[launcher]) for task in (2, 0, 3, 1, 0)]
    for task in tasks:
        assert task.wait(timeout=120) == 0, task.stderr.read()
    assert len(list(folder.iterdir())) == 4
    assert hqe("prune", folder, *QUESTION, check=0).out == hqe("prune", POOL, *QUESTION, check=0).out


def test_a_task_that_is_missing_is_named_by_its_rows(tmp_path):
    folder = tmp_path / "digests"
    for task in (0, 3, 1):
        assert start(task, folder, tmp_path, WORDS["slurm"]).wait(timeout=120) == 0
    refuses(3, "prune", folder, *QUESTION[:4], saying="are in no digest")


def test_without_a_task_number_nothing_is_done(tmp_path):
    task = start(0, tmp_path / "digests", tmp_path, None)
    assert task.wait(timeout=120) == 2
    assert b"no task number" in task.stderr.read()
    assert not (tmp_path / "digests").exists()
