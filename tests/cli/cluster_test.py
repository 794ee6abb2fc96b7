# SPDX-License-Identifier: MIT
"""Digests by task number, as Slurm arrays and MPI start them: the script of examples/cluster, as four processes."""

import os
import subprocess

import pytest

import running
from running import ROOT, hqe, refuses

SCRIPT = ROOT / "examples/cluster/digest.sh"
POOL = ROOT / "examples/cora-10/validation"
QUESTION = ["--size", "3", "--vote", "plurality", "--json"]


def samples():
    return hqe("inspect", POOL, "--json", check=0).json["pool"]["samples"]


NAME = "examples/cluster/digest.sh"


def slurm(task, array=range(4)):
    """What Slurm says to a task of an array."""
    return {"SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_COUNT": len(array), "SLURM_ARRAY_TASK_MIN": min(array),
            "SLURM_ARRAY_TASK_MAX": max(array)}  # fmt: skip


def mpi(task):
    return {"OMPI_COMM_WORLD_RANK": task, "OMPI_COMM_WORLD_SIZE": 4}


def start(folder, tmp_path, numbered, *more, rows=None):
    (tmp_path / "bin").mkdir(exist_ok=True)
    command = tmp_path / "bin/hqe"
    if not command.exists():
        command.symlink_to(os.path.abspath(running.BINARY))
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("SLURM_", "OMPI_", "PMI_"))}
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = clean | {key: str(value) for key, value in numbered.items()} | {"PATH": path}
    return subprocess.Popen([SCRIPT, POOL, str(rows or samples()), folder, *map(str, more)], env=environment, stderr=subprocess.PIPE)


def finish(task, code=0):
    """What it said."""
    told = task.communicate(timeout=120)[1].decode()
    assert task.returncode == code, told
    return told


def is_the_pool(folder):
    return hqe("prune", folder, *QUESTION, check=0).out == hqe("prune", POOL, *QUESTION, check=0).out


@pytest.mark.parametrize("launcher, more", [(slurm, [4]), (mpi, []), (mpi, [4])])
def test_four_tasks_make_the_pool_in_any_order_and_twice(launcher, more, tmp_path):
    folder = tmp_path / "digests"
    for task in [start(folder, tmp_path, launcher(task), *more) for task in (2, 0, 3, 1, 0)]:
        finish(task)
    assert len(list(folder.iterdir())) == 4
    assert is_the_pool(folder)


@pytest.mark.parametrize("missing", range(4))
def test_a_task_that_is_missing_is_named_by_its_rows(missing, tmp_path):
    """Also the last: every part knows how many rows there are."""
    folder, count = tmp_path / "digests", samples()
    for task in range(4):
        if task != missing:
            finish(start(folder, tmp_path, slurm(task), 4))
    rows = f"rows {count * missing // 4} to {count * (missing + 1) // 4 - 1} are in no digest"
    refuses(3, "prune", folder, *QUESTION[:4], saying=[rows, "Add the digest of those rows"])
    refuses(3, "inspect", *sorted(folder.iterdir()), saying=rows)


def test_rows_said_to_be_too_few_are_named(tmp_path):
    folder, count = tmp_path / "digests", samples()
    for task in range(4):
        finish(start(folder, tmp_path, slurm(task), 4, rows=count - 8))
    refuses(3, "inspect", folder, saying=f"rows {count - 8} to {count - 1} are in no digest")


@pytest.mark.parametrize("lost, alone", [(0, slurm(0, [0])), (2, slurm(2, [2])), (2, {"OMPI_COMM_WORLD_RANK": 2})])
def test_a_lost_task_started_alone_makes_its_rows(lost, alone, tmp_path):
    """Slurm tells it that its array has one task."""
    folder = tmp_path / "digests"
    for task in range(4):
        if task != lost:
            finish(start(folder, tmp_path, slurm(task), 4))
    finish(start(folder, tmp_path, alone, 4))
    assert len(list(folder.iterdir())) == 4
    assert is_the_pool(folder)


def test_an_array_says_how_many_tasks_there_are(tmp_path):
    """Of one that starts some again Slurm counts these: the first ones look like all."""
    for task, array in [(0, [0]), (2, [2]), (0, [0, 2]), (1, [0, 1, 2]), (3, range(4))]:
        told = finish(start(tmp_path / "digests", tmp_path, slurm(task, array)), 2)
        assert told == f"{NAME}: an array has to say how many tasks share the rows, also those that are not started again: " \
            f"{NAME} POOL ROWS OUT TASKS\n"  # fmt: skip
    assert not (tmp_path / "digests").exists()


@pytest.mark.parametrize("tasks", ["", "0", "-4", "4.0", "04", "four", "4 4"])
@pytest.mark.parametrize("launcher", [slurm, mpi])
def test_a_number_of_tasks_that_is_none_is_refused(launcher, tasks, tmp_path):
    told = finish(start(tmp_path / "digests", tmp_path, launcher(0), tasks), 2)
    assert told == f"{NAME}: TASKS {tasks}: expected a whole number from 1\n"
    assert not (tmp_path / "digests").exists()


def test_other_words_are_told_how_it_is_used(tmp_path):
    assert finish(start(tmp_path / "digests", tmp_path, slurm(0), 4, 5), 2) == f"usage: {NAME} POOL ROWS OUT [TASKS]\n"


def test_other_numbers_of_tasks_do_not_write_over_each_other(tmp_path):
    folder = tmp_path / "digests"
    for task in (0, 1):
        finish(start(folder, tmp_path, slurm(task), 4))
    finish(start(folder, tmp_path, slurm(0, [0]), 2))
    refuses(3, "inspect", folder, saying="Keep one of the two")


def test_tasks_that_count_from_1_do_nothing(tmp_path):
    for task in range(1, 5):
        assert "numbered from 0. Give --array=0-3" in finish(start(tmp_path / "digests", tmp_path, slurm(task, range(1, 5)), 4), 2)
    assert not (tmp_path / "digests").exists()


def test_without_a_task_number_nothing_is_done(tmp_path):
    assert "no task number" in finish(start(tmp_path / "digests", tmp_path, {}), 2)
    assert not (tmp_path / "digests").exists()
