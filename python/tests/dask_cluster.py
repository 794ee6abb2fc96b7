# SPDX-License-Identifier: MIT
"""A real scheduler and real workers, as processes on the loopback address, and what tests let them do."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np

import hqe

FOLDER = pathlib.Path(__file__).resolve().parent
PATIENCE = 120  # Seconds after which something has not happened; nobody waits as long for what has.


def wait_until(holds, what):
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"{what}: it did not happen"
        time.sleep(0.02)


class Cluster:
    def __init__(self, folder, failures=3):
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes = []
        # Workers import the functions of this file by its name.
        self.environment = os.environ | {
            "PYTHONPATH": str(FOLDER), "OMP_NUM_THREADS": "1",
            "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "6s", "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(failures),
        }  # fmt: skip
        self.scheduler = self._start_scheduler("0")

    def _start_scheduler(self, port):
        return self._start("scheduler", "--host", "127.0.0.1", "--port", port)

    def restart_scheduler(self):
        """Another at the same address, which knows nothing of the first."""
        port = json.loads(self.file.read_text())["address"].rpartition(":")[2]
        self.scheduler.kill()
        self.scheduler.wait()
        self.scheduler = self._start_scheduler(port)

    def _start(self, *words):
        log = (self.folder / f"log-{len(self.processes)}").open("wb")
        command = [sys.executable, "-m", "dask", *words, "--scheduler-file", self.file, "--no-dashboard"]
        self.processes.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, cwd=self.folder))
        return self.processes[-1]

    def add_workers(self, count):
        for _ in range(count):
            self._start("worker", "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--memory-limit", "0")

    def was_killed(self, number):
        return next(process for process in self.processes if process.pid == number).wait(timeout=PATIENCE) == -signal.SIGKILL

    def client(self, count):
        from distributed import Client

        wait_until(lambda: self.file.exists() and self.file.read_text().endswith("}"), "the scheduler listens")
        client = Client(json.loads(self.file.read_text())["address"], timeout=60)
        client.wait_for_workers(count, timeout=PATIENCE)
        return client

    def close(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


def synthetic(begin=0, end=400):
    """Rows of a pool of 6 models and 12 classes, the same wherever they are made."""
    random = np.random.default_rng(11)
    labels = random.integers(0, 12, 400)
    raw = random.random((6, 400, 12)).astype(np.float32)
    raw[:, np.arange(400), labels] += random.random((6, 400)) * np.linspace(0.3, 2, 6)[:, None]
    raw /= raw.sum(axis=2, keepdims=True)
    names = [f"net_{i}" for i in range(6)]
    return dict(zip(names, np.ascontiguousarray(raw[:, begin:end]))), labels[begin:end]


def study_of(pool):
    """The bytes of a study, but for what a digest cannot tell."""
    return re.sub(r'^"serving":.*$', '"serving":null},', hqe.prune(pool, size=3).to_json(), flags=re.MULTILINE)


def rows(begin, end):
    return hqe.Pool(*synthetic(begin, end), name="synthetic")


def fall_once(begin, end, mark, sign, victim=None):
    """The first to come here gets the signal, or the victim does; the next makes the rows."""
    try:
        with open(mark, "x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return rows(begin, end)
    os.kill(victim or os.getpid(), sign)
    time.sleep(1)
    return rows(begin, end)


def of_rows(answers, batch):
    return np.array(answers)[np.asarray(batch)]


class Knowing:
    """An estimator that knows its classes. It answers for the numbers of rows with `said`, a place among them each."""

    def __init__(self, classes, said):
        self.classes_ = np.array(classes)
        self.said = np.array(said)

    def predict(self, batch):
        return self.classes_[self.said[np.asarray(batch)]]


class Weighing(Knowing):
    def predict_proba(self, batch):
        return np.eye(len(self.classes_))[self.said[np.asarray(batch)]]


def raising(error):
    raise error


def raise_instead(path, error, *arguments):
    raise error


def fall_late(begin, end, mark):
    """The first to come here stops; the next says that it was here, and makes the rows."""
    from distributed import get_worker

    try:
        with open(mark, "x") as file:
            file.write(f"{os.getpid()} {get_worker().address}")
    except FileExistsError:
        pathlib.Path(f"{mark}.again").touch()
        return rows(begin, end)
    os.kill(os.getpid(), signal.SIGSTOP)
    pathlib.Path(f"{mark}.late").touch()
    return rows(begin, end)


def wake_the_late(begin, end, mark):
    """Once its rows were made again, lets the one that stopped make them, too, until the scheduler has heard of it."""
    from distributed import get_client

    wait_until(pathlib.Path(f"{mark}.again").exists, "the rows are made again")
    number, address = pathlib.Path(mark).read_text().split()
    heard = get_client().get_events(address)
    os.kill(int(number), signal.SIGCONT)
    wait_until(pathlib.Path(f"{mark}.late").exists, "the late one goes on")
    wait_until(lambda: get_client().get_events(address) != heard, "the late one tells the scheduler")
    return rows(begin, end)


def wait_for_later(begin, end, place, later):
    """Makes the rows once those from `later` on are made, and writes down who made what in which order."""
    if later is not None:
        wait_until(lambda: place.exists() and f"{later} " in place.read_text(), f"the rows from {later} on are made")
    made = rows(begin, end)
    with place.open("a") as file:
        file.write(f"{begin} {os.getpid()}\n")
    return made


def fall_always(begin, end):
    os.kill(os.getpid(), signal.SIGKILL)
    return rows(begin, end)


def fall_at_the_second_piece(mark):
    """Runs on every worker: the first that has to play its second piece of a comparison or a sweep is killed."""
    from hqe.dask import spreading

    arrive, seen = spreading._arrive, []

    def falling(sent):
        seen.append(sent)
        if len([one for one in seen if one is not None]) == 2:
            with contextlib.suppress(FileExistsError), open(mark, "x") as file:
                file.write(str(os.getpid()))
                file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
        return arrive(sent)

    spreading._arrive = falling


def predictor(seed):
    weights = np.random.default_rng(seed).normal(size=(5, 4))

    def predict(batch):
        shares = np.exp(batch @ weights)
        return shares / shares.sum(axis=1, keepdims=True)

    return predict


def inputs(begin, end):
    return np.random.default_rng(3).normal(size=(120, 5))[begin:end]


def answers(begin, end):
    return np.random.default_rng(4).integers(0, 4, 120)[begin:end]
