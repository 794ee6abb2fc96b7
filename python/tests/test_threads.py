# SPDX-License-Identifier: MIT
"""Threads, Ctrl-C and progress."""

import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import hqe


def test_results_do_not_depend_on_threads(pool):
    documents = {hqe.prune(pool, size=3, threads=count).to_json(detail=True) for count in (1, 2, 5)}
    assert len(documents) == 1


def test_calls_from_several_python_threads_are_safe(pool):
    expected = [hqe.prune(pool, size=size).to_json() for size in (2, 3, 4)]
    heard = []

    def work(size):
        return hqe.prune(pool, size=size, progress=lambda *event: heard.append(event)).to_json()

    with ThreadPoolExecutor(6) as executor:
        for _ in range(3):
            assert list(executor.map(work, (2, 3, 4))) == expected
    assert heard


def test_other_threads_run_while_the_engine_works():
    """A thread that needs the GIL moves on during one long call."""
    pool = hqe.Pool(np.random.default_rng(0).integers(0, 3, (26, 3000)), np.zeros(3000, int))
    begun, done, ticks = threading.Event(), threading.Event(), []

    def tick():
        begun.wait()
        while not done.is_set():
            ticks.append(None)

    ticker = threading.Thread(target=tick)
    ticker.start()
    inside = []

    def hear(stage, finished, total):
        inside.append(len(ticks))
        begun.set()

    hqe.prune(pool, size=5, beta=0.02, metrics="F-GD", progress=hear, detail=False)
    done.set()
    ticker.join()
    assert inside[-1] > inside[0]


INTERRUPTED = """
    import os, signal, sys, threading
    import numpy as np, hqe

    pool = hqe.Pool(np.random.default_rng(0).integers(0, 3, (60, 2000)), np.zeros(2000, int))
    sent = threading.Event()

    def send(stage, done, total):
        if not sent.is_set():
            sent.set()
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()

    try:
        hqe.prune(pool, size=6, beta=0.02, max_candidates=10**9, progress=send)
        print("finished")
    except KeyboardInterrupt:
        print("interrupted")
    print(hqe.prune(pool, size=2).best is not None)
"""


def test_ctrl_c_stops_long_work_and_leaves_hqe_usable():
    words = [sys.executable, "-c", textwrap.dedent(INTERRUPTED)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["interrupted", "True"], done.stderr


def test_an_exception_in_the_callback_stops_the_work(pool):
    class Enough(Exception):
        pass

    def refuse(stage, done, total):
        raise Enough(stage)

    with pytest.raises(Enough):
        hqe.prune(pool, size=3, progress=refuse)


def test_progress_tells_stages_that_complete(pool):
    events = []
    hqe.prune(pool, size=3, progress=lambda *event: events.append(event))
    assert all(isinstance(stage, str) and 0 <= done <= total for stage, done, total in events)
    assert {stage for stage, done, total in events if done == total}


BAR = """
    import sys
    if sys.argv[1] == "without":
        sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None
    import numpy as np, hqe
    pool = hqe.Pool(np.random.default_rng(0).integers(0, 3, (60, 2000)), np.zeros(2000, int))
    hqe.prune(pool, size=6, beta=0.02, max_candidates=10**9, progress=True, detail=False)
"""


@pytest.mark.parametrize("tqdm, mark", [("with", b"%|"), ("without", b"\x1b[K")])
def test_a_bar_is_drawn_by_tqdm_or_by_the_engine(tqdm, mark):
    """Short work draws none, and how long work takes is the machine's affair: a minute's is ended when the bar is there."""
    if tqdm == "with":
        pytest.importorskip("tqdm", reason="tqdm is not installed")
    words = [sys.executable, "-c", textwrap.dedent(BAR), tqdm]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as work:
        drawn = b""
        while mark not in drawn and (piece := work.stderr.read1()):
            drawn += piece
        work.kill()
        assert mark in drawn and work.stdout.read() == b""
