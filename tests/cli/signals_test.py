# SPDX-License-Identifier: MIT
"""Runs that are ended from outside, or cannot write: at once, with a message, and nothing half-written."""

import fcntl
import json
import os
import resource
import signal
import struct
import subprocess
import termios
import time

import pytest

import running
from files import small_pool
from kills import heed_signals
from running import hqe

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def start(*words, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": heed_signals, **options}
    return subprocess.Popen([str(running.BINARY), *map(str, words)], stdin=subprocess.DEVNULL, **options)


def waiting_bytes(descriptor):
    return struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0" * 4))[0]


def wait_until(what, condition):
    begin = time.monotonic()
    while not condition():
        assert time.monotonic() - begin < 60, f"never {what}"
        time.sleep(0.01)


def wait_until_full(process, descriptor):
    """Until the process has filled the pipe and waits for a reader."""
    size = fcntl.fcntl(descriptor, 1032)  # F_GETPIPE_SZ
    wait_until("full", lambda: process.poll() is not None or waiting_bytes(descriptor) >= size)
    assert process.poll() is None, process.communicate()


def ends_by(process, number, saying):
    """The signal ends the process soon, with its code and one message."""
    begin = time.monotonic()
    process.send_signal(number)
    code = process.wait(timeout=30)
    seconds = time.monotonic() - begin
    err = process.stderr.read().decode() if process.stderr else ""
    assert code == 128 + number, (code, err)
    assert seconds < 5, seconds
    if process.stderr:
        assert err.startswith("hqe: interrupted") and err.count("\n") == 1 and saying in err, err
        process.stderr.close()
    if process.stdout:
        process.stdout.close()


def large_pool(home):
    hqe("synth", "--models", "14", "--samples", "200", "--classes", "3", "-o", home / "pool", check=0)
    return home / "pool"


def parts(home):
    return [path for path in home.rglob("*") if ".part" in path.name]


def test_a_signal_ends_a_run_that_waits_for_a_named_pipe(home):
    """A signal ends a run that waits for a reader of a named pipe, full or not even opened."""
    pool, pipe = large_pool(home), home / "pipe"
    os.mkfifo(pipe)
    for number in SIGNALS:
        process = start("score", pool, "--size", "5", "-o", pipe)
        time.sleep(0.5)  # It opens the pipe, which nobody reads.
        assert process.poll() is None, process.communicate()
        ends_by(process, number, "nothing was written")
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        process = start("score", pool, "--size", "5", "-o", pipe)
        wait_until_full(process, reader)
        ends_by(process, number, "nothing was written")
        os.close(reader)
    assert not parts(home)


def test_a_signal_ends_a_run_that_waits_for_a_reader_of_standard_output(home):
    pool = large_pool(home)
    for number in SIGNALS:
        for form in ("--json", "--csv"):
            process = start("score", pool, "--size", "5", form)
            wait_until_full(process, process.stdout.fileno())
            ends_by(process, number, "nothing was written")


def test_a_signal_ends_a_run_even_where_standard_error_is_the_pipe_that_nobody_reads(home):
    pool = large_pool(home)
    for number in SIGNALS:
        reader, writer = os.pipe()
        process = start("score", pool, "--size", "5", "--json", stdout=writer, stderr=writer)
        os.close(writer)
        wait_until_full(process, reader)
        ends_by(process, number, "")
        os.close(reader)


def test_a_slow_reader_of_a_named_pipe_or_of_standard_output_gets_everything(home):
    pool, pipe = large_pool(home), home / "pipe"
    expected = hqe("score", pool, "--size", "5", "--json", check=0).out
    os.mkfifo(pipe)
    process = start("score", pool, "--size", "5", "--quiet", "-o", pipe)
    time.sleep(0.2)
    with open(pipe, "rb") as reader:
        first = reader.read(5)
        time.sleep(0.3)
        assert first + reader.read() == expected.encode()
    assert process.wait(timeout=60) == 0 and process.stderr.read() == b""
    process = start("score", pool, "--size", "5", "--json")
    wait_until_full(process, process.stdout.fileno())
    assert process.stdout.read() == expected.encode() and process.wait(timeout=60) == 0


def test_a_signal_that_was_ignored_at_the_start_stays_ignored_as_nohup_wants_it(home):
    pool, pipe = large_pool(home), home / "pipe"
    os.mkfifo(pipe)
    for number in SIGNALS:
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        process = start("score", pool, "--size", "5", "--quiet", "-o", pipe,
                        preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
        wait_until_full(process, reader)
        process.send_signal(number)
        time.sleep(0.2)
        os.set_blocking(reader, True)
        with os.fdopen(reader, "rb") as file:
            assert json.loads(file.read())["command"] == "score"
        assert process.wait(timeout=60) == 0


def test_a_closed_terminal_ends_the_work_with_code_129_and_leaves_no_file(home):
    hqe("synth", "--models", "60", "--samples", "3000", "--classes", "2", "--kind", "labels", "-o", home / "pool", check=0)
    process = start("prune", home / "pool", "--size", "5", "--keep", "500000", "--threads", "1", "-o", home / "x.json")
    time.sleep(0.5)
    process.send_signal(signal.SIGHUP)
    _, err = process.communicate(timeout=120)
    if process.returncode == 0:
        pytest.skip("this machine finished before the signal")
    assert process.returncode == 129 and err.decode() == "hqe: interrupted; nothing was written\n", err
    assert sorted(path.name for path in home.iterdir()) == ["pool"]


def test_what_was_already_written_is_said_when_the_next_file_is_interrupted_or_fails(home):
    pool, pipe = small_pool(home / "pool"), home / "pipe"
    os.mkfifo(pipe)
    process = start("prune", pool, "--size", "2", "-o", home / "a.json", "--report", pipe)
    wait_until("written", (home / "a.json").exists)
    ends_by(process, signal.SIGTERM, f"{home / 'a.json'} was already written")
    assert json.loads((home / "a.json").read_text())["command"] == "prune"
    result = hqe("prune", pool, "--size", "2", "-o", home / "b.json", "--report", "/dev/full", check=1)
    assert result.out == "" and "/dev/full: cannot be written: no space" in result.err, result.err
    assert f"{home / 'b.json'} was already written" in result.err and result.err.count("\n") == 1
    with open("/dev/full", "wb") as full:
        result = hqe("prune", pool, "--size", "2", "-o", home / "c.json", "--report", home / "c.html", stdout=full, check=1)
    assert f"{home / 'c.json'} and {home / 'c.html'} were already written" in result.err, result.err
    assert not parts(home)


def test_a_file_beyond_the_limit_on_sizes_leaves_the_old_one(home):
    """A file beyond the limit on sizes is an error with code 1 and leaves the old one."""
    pool = small_pool(home / "pool")
    (home / "old.json").write_text("old")
    process = start("score", pool, "--size", "2", "--quiet", "-o", home / "old.json",
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1 and out == b"", (process.returncode, err)
    assert b"old.json" in err and b"ulimit -f" in err, err
    assert (home / "old.json").read_text() == "old" and not parts(home)


def test_a_full_disk_is_an_error_with_code_1_and_leaves_the_old_file(home):
    if os.geteuid() != 0:
        pytest.skip("only root can make a small disk")
    pool, disk = small_pool(home / "pool"), home / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], capture_output=True).returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    try:
        (disk / "old.json").write_text("old")
        result = hqe("evaluate", pool, "-o", disk / "old.json", "--json", check=0)
        (disk / "old.json").write_text("old")
        (disk / "filler").write_bytes(b"x" * (3 * 4096))
        result = hqe("evaluate", pool, "--quiet", "-o", disk / "old.json", check=1)
        assert "no space left" in result.err and "old.json" in result.err, result.err
        assert (disk / "old.json").read_text() == "old" and not parts(disk)
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_reader_that_has_enough_ends_the_run_in_silence(home):
    """A reader that has enough ends the run in silence, with code 141, and the files are there."""
    pool = small_pool(home / "pool")
    for form in ([], ["--json"], ["--csv"]):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            result = hqe("prune", pool, "--size", "2", *form, "-o", home / "a.json", "--report", home / "a.html",
                         stdout=pipe, check=141)
        assert result.err == "", result.err
        for name in ("a.json", "a.html"):
            assert (home / name).stat().st_size > 0
            (home / name).unlink()
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        assert hqe("--help", stdout=pipe, check=141).err == ""
