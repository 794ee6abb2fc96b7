# SPDX-License-Identifier: MIT
"""Faults of the outside world: files and arrays that change, names and links, signals."""

import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import hqe


def run(program, *words, **options):
    """A Python of its own: what it tests may end the process."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(program), *map(str, words)],
                          capture_output=True, text=True, timeout=120, **options)  # fmt: skip


@pytest.fixture
def folder(tmp_path, scores):
    home = tmp_path / "pool"
    home.mkdir()
    predictions, labels = scores
    for i, model in enumerate(predictions):
        np.save(home / f"model_{i}.npy", np.tile(model, (20, 1)))
    np.save(home / "labels.npy", np.tile(labels, 20))
    return home


CUT_SHORT = """
    import os, sys
    if "before" in sys.argv: import faulthandler; faulthandler.enable()
    import hqe
    folder = sys.argv[1]
    pool = hqe.Pool.open(folder)
    os.truncate(os.path.join(folder, "model_3.npy"), 4096)
    for verb in (hqe.inspect, hqe.prune, lambda pool: hqe.apply(pool, [0, 3]),
                 lambda pool: hqe.evaluate(pool, 2), lambda pool: hqe.compare(pool, 2, repeats=2)):
        try:
            verb(pool)
            print("answered")
        except hqe.InputError as error:
            print("cut short" if "model_3.npy: was cut short" in str(error) else error)
    print("alive")
"""


@pytest.mark.parametrize("faulthandler", ["before", "not"])
def test_a_file_cut_short_is_an_input_error_and_the_process_lives(folder, faulthandler):
    done = run(CUT_SHORT, folder, faulthandler)
    assert done.stdout.split("\n") == ["cut short"] * 5 + ["alive", ""], done
    assert done.stderr == ""


FAULT = """
    import ctypes, faulthandler, mmap, os, sys
    faulthandler.enable()
    import hqe
    hqe.Pool.open(sys.argv[1])  # From here on hqe hears of bus errors.
    file = open(sys.argv[2], "w+b")
    file.truncate(4096)
    memory = mmap.mmap(file.fileno(), 4096)
    file.truncate(0)
    print(memory[0])
"""


def test_a_bus_error_that_is_not_of_hqe_still_reaches_faulthandler(folder, tmp_path):
    done = run(FAULT, folder, tmp_path / "stranger")
    assert done.returncode == -signal.SIGBUS, done
    assert "Bus error" in done.stderr and done.stdout == ""


def test_importing_hqe_installs_no_handler():
    program = """
        import ctypes, hqe
        action = (ctypes.c_void_p * 32)()
        ctypes.CDLL(None).sigaction(7, None, ctypes.byref(action))
        print(action[0])
    """
    assert run(program).stdout == "None\n"


def test_a_file_that_changed_since_it_was_opened_is_an_input_error(folder):
    pool = hqe.Pool.open(folder)
    hqe.inspect(pool)
    os.utime(folder / "model_1.npy", (1, 1))
    with pytest.raises(hqe.InputError, match="model_1.npy: was changed after it was opened"):
        hqe.inspect(pool)
    hqe.inspect(hqe.Pool.open(folder))


def test_labels_are_the_pools_own(scores):
    predictions, labels = scores
    labels = labels.copy()
    pool = hqe.Pool(predictions, labels)
    before = hqe.prune(pool, size=3).to_json()
    labels[:] = 1_000_000_000
    assert hqe.prune(pool, size=3).to_json() == before


CHANGED = """
    import threading
    import numpy as np, hqe
    random = np.random.default_rng(1)
    labels = random.integers(0, 4, 20000)
    scores = random.random((6, 20000, 4)).astype(np.float32)
    scores /= scores.sum(axis=2, keepdims=True)
    answers = random.integers(0, 4, (6, 20000))
    pools = [hqe.Pool(scores, labels), hqe.Pool(answers, labels)]
    done = threading.Event()

    def change():
        kept = scores.copy(), answers.copy()
        while not done.is_set():
            labels[::7] = 2**62
            scores[:, ::97] = np.nan
            answers[:, ::97] = 2**62
            scores[:], answers[:] = kept

    other = threading.Thread(target=change)
    other.start()
    for _ in range(6):
        for pool in pools:
            for verb in (hqe.inspect, lambda pool: hqe.prune(pool, size=2), lambda pool: hqe.apply(pool, [0, 1])):
                try:
                    verb(pool)
                except hqe.InputError:
                    pass
    done.set()
    other.join()
    print("alive")
"""


def test_arrays_that_change_under_a_call_do_not_end_the_process():
    done = run(CHANGED)
    assert done.stdout == "alive\n", (done.returncode, done.stderr)


def test_no_result_replaces_a_file_of_its_pool(folder, tmp_path):
    study = hqe.prune(hqe.Pool.open(folder), size=2)
    (tmp_path / "link").symlink_to(folder / "labels.npy")
    os.link(folder / "model_0.npy", tmp_path / "hard")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    for path in (folder / "labels.npy", tmp_path / "link", tmp_path / "hard"):
        for write in (study.save, study.report):
            with pytest.raises(hqe.UsageError, match="would be replaced"):
                write(path)
    comparison = hqe.compare(hqe.Pool.open(folder), 2, repeats=2)
    with pytest.raises(hqe.UsageError, match="would be replaced"):
        comparison.report(folder / "model_1.npy")
    assert before == {path: path.read_bytes() for path in folder.iterdir()}


def test_a_report_does_not_replace_its_study_but_a_study_itself(study, tmp_path):
    study.save(tmp_path / "study.json")
    loaded = hqe.Study.load(tmp_path / "study.json")
    with pytest.raises(hqe.UsageError, match="would be replaced"):
        loaded.report(tmp_path / "study.json")
    loaded.save(tmp_path / "study.json")
    assert hqe.Study.load(tmp_path / "study.json").to_json() == study.to_json()


def test_names_and_links(study, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    long = tmp_path / ("n" * 300)
    for path, reason in ((tmp_path / "loop", "links"), (long, "too long"), (tmp_path, "is a folder")):
        with pytest.raises(hqe.OutputError, match=reason):
            study.save(path)
        assert issubclass(hqe.OutputError, OSError)
    for path in (tmp_path / "loop", long):
        for read in (hqe.Pool.open, hqe.Study.load):
            with pytest.raises(hqe.InputError):
                read(path)
    longest = tmp_path / ("n" * 255)
    study.save(longest)
    assert longest.stat().st_size > 0
    (tmp_path / "link").symlink_to("target")
    for mode in (0o600, 0o664):
        study.save(tmp_path / "link")
        os.chmod(tmp_path / "target", mode)
        study.save(tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        assert stat.S_IMODE((tmp_path / "target").stat().st_mode) == mode
    assert not [name for name in os.listdir(tmp_path) if ".part" in name]


def test_a_full_disk_is_an_output_error(study):
    with pytest.raises(hqe.OutputError, match="Free some space"):
        study.save("/dev/full")


BLOCKED = """
    import sys
    import numpy as np, hqe
    pool = hqe.Pool(np.random.default_rng(0).integers(0, 3, (12, 300)), np.zeros(300, int))
    study = hqe.prune(pool, size=3)
    print("ready", flush=True)
    try:
        study.save(sys.argv[1])
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.parametrize("is_open", [True, False])
def test_ctrl_c_ends_a_write_that_waits_for_a_reader(tmp_path, is_open):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK) if is_open else None
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(BLOCKED), str(pipe)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=10)[0] == "interrupted\n" and process.returncode == 0
    if reader is not None:
        os.close(reader)


def test_other_threads_run_while_a_write_waits(study, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=study.save, args=(pipe,))
    writer.start()
    time.sleep(0.1)
    assert pipe.read_text() == study.to_json(detail=True)
    writer.join()
