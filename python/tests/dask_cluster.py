# SPDX-License-Identifier: MIT
"""A real scheduler and real workers, as processes on the loopback address, and what tests let them do."""

import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

import hqe

FOLDER = pathlib.Path(__file__).resolve().parent


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes = []
        # Workers import the functions of this file by its name.
        self.environment = os.environ | {"PYTHONPATH": str(FOLDER), "OMP_NUM_THREADS": "1", "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "6s"}
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")

    def _start(self, *words):
        log = (self.folder / f"log-{len(self.processes)}").open("wb")
        command = [sys.executable, "-m", "dask", *words, "--scheduler-file", self.file, "--no-dashboard"]
        self.processes.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, cwd=self.folder))
        return self.processes[-1]

    def add_workers(self, count):
        for _ in range(count):
            self._start("worker", "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--memory-limit", "0")

    def client(self, count):
        from distributed import Client

        for _ in range(600):  # The file appears once the scheduler listens.
            if self.file.exists() and self.file.read_text().endswith("}"):
                break
            time.sleep(0.05)
        client = Client(json.loads(self.file.read_text())["address"], timeout=60)
        client.wait_for_workers(count, timeout=120)
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
