# SPDX-License-Identifier: MIT
"""On Dask, where workers, schedulers and drivers die: the same answer, or a clear error."""

import contextlib
import errno
import functools
import os
import pathlib
import signal
import subprocess
import sys

import pytest

pytest.importorskip("distributed", reason="Dask is not installed")
from distributed.comm.core import CommClosedError

import hqe
import hqe.dask
from hqe.dask import digesting, gathering
from hqe.dask.parts import How, digest_part, part_of

import dask_cluster
from dask_cluster import Cluster, rows, study_of, synthetic

CUTS = [0, 90, 91, 250, 400]
SHARDS = list(zip(CUTS, CUTS[1:]))
ASKED = dict(size=3, repeats=6, seed=7, no_times=True)


def made(begin, end):
    return (end - begin, functools.partial(rows, begin, end))


@pytest.fixture(scope="module")
def losing(tmp_path_factory):
    """A cluster whose workers and scheduler are killed."""
    cluster = Cluster(tmp_path_factory.mktemp("losing"))
    cluster.add_workers(4)
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def whole():
    return hqe.Pool(*synthetic(), name="synthetic")


def test_a_worker_killed_and_one_that_is_late_twice_change_nothing(losing, whole, tmp_path):
    """The late one comes back while another part is awaited, and once more with the work of another call."""
    killed, late = tmp_path / "killed", tmp_path / "late"
    parts = [made(*shard) for shard in SHARDS]
    falls = {
        0: functools.partial(dask_cluster.wake_the_late, *SHARDS[0], str(late)),
        2: functools.partial(dask_cluster.fall_once, *SHARDS[2], str(killed), signal.SIGKILL),
        3: functools.partial(dask_cluster.fall_late, *SHARDS[3], str(late)),
    }
    for number, fall in falls.items():
        parts[number] = (parts[number][0], fall)
    with losing.client(4) as client:
        pool = hqe.dask.digest(parts, client, tmp_path / "digests")
        assert pathlib.Path(f"{late}.again").exists() and pathlib.Path(f"{late}.late").exists()
        assert study_of(pool) == study_of(whole)
        number = int(late.read_text().split()[0])
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGSTOP)
        plain = [made(*shard) for shard in SHARDS]
        assert study_of(hqe.dask.digest(plain, client, tmp_path / "digests")) == study_of(whole)
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGCONT)
        assert study_of(hqe.dask.digest(plain, client, tmp_path / "digests")) == study_of(whole)
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def test_a_part_that_comes_twice_is_one_file(monkeypatch, whole, tmp_path):
    def twice(client, futures, take, **_):
        for place, made in [*enumerate(futures), *reversed(list(enumerate(futures)))]:
            take(place, made)

    monkeypatch.setattr(digesting, "gather", twice)
    parts = [part_of(made(*shard)) for shard in SHARDS]

    def submit(number, kind):
        return digest_part(parts[number], How(CUTS[number], CUTS[-1], None, kind, 1))

    digesting._make(None, submit, CUTS[:-1], tmp_path, False)
    assert len(list(tmp_path.iterdir())) == len(SHARDS)
    assert study_of(hqe.Pool.open(tmp_path)) == study_of(whole)


class Lost:
    """A client whose scheduler is gone before work is sent."""

    scheduler, status = None, "running"

    def refuse(self, number):
        raise OSError("Timed out trying to connect")

    def nthreads(self):
        raise OSError("Timed out trying to connect")

    def submit(self, number):
        if number == 2:
            raise CommClosedError("gone")
        return number


def test_a_scheduler_that_is_gone_before_work_is_sent_is_an_error():
    lost = Lost()
    with pytest.raises(hqe.Error, match=r"the scheduler was lost \(nothing was sent\).* Start it again, then this"):
        gathering.thread_count(lost)
    with pytest.raises(hqe.Error, match=r"the scheduler was lost \(2 of 5 pieces of work were sent\)"):
        gathering.submitted(lost, lost.submit, range(5))
    assert gathering.submitted(lost, lost.submit, [0, 1]) == [0, 1]
    with pytest.raises(OSError, match="Timed out") as caught:
        gathering.submitted(lost, lost.refuse, [0, 1])
    assert type(caught.value) is OSError
    for lost.status in ("connecting", "closing", "closed"):
        with pytest.raises(hqe.Error, match=r"the scheduler was lost \(0 of 2 pieces of work were sent\)"):
            gathering.submitted(lost, lost.refuse, [0, 1])


# Makes a folder to work in, says so and waits for a word.
WORKING = """
import pathlib, sys
from hqe.dask import digesting
with digesting._making(pathlib.Path(sys.argv[1])) as making:
    print(making.name, flush=True)
    sys.stdin.readline()
"""


def at_work(out):
    """A driver and the name of its folder."""
    driver = subprocess.Popen([sys.executable, "-c", WORKING, out], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return driver, driver.stdout.readline().strip()


def test_what_a_killed_driver_left_goes_with_the_next_call_and_nothing_else(client, tmp_path):
    out = tmp_path / "digests"
    out.mkdir()
    (working, alive), (killed, left) = at_work(out), at_work(out)
    killed.kill()
    killed.wait()
    kernel = left.removeprefix(".making-").partition("@")[0]
    other = f".making-{kernel[:-1]}{'0' if kernel[-1] != '0' else '1'}@x"
    names = {alive: True, left: False, other: True, f".making-{kernel}-1@x": True, f".making-{kernel}@without": True, ".making-x": True}
    for name in names:
        (out / name).mkdir(exist_ok=True)
        if not name.endswith("without"):
            (out / name / "lock").touch()
    try:
        hqe.dask.digest([made(0, 400)], client, out)
        assert {name: (out / name).exists() for name in names} == names
    finally:
        working.communicate("\n")
    assert not (out / alive).exists()


@pytest.mark.parametrize("missing", ["locks", "the name of the kernel"])
def test_where_nobody_could_see_who_works_nothing_is_removed(missing, monkeypatch, tmp_path):
    if missing == "locks":
        refusing = functools.partial(dask_cluster.raise_instead, None, OSError(errno.ENOLCK, "No locks available"))
        monkeypatch.setattr(digesting.fcntl, "flock", refusing)
    else:
        monkeypatch.setattr(digesting, "_running_kernel", lambda: "")
    with digesting._making(tmp_path) as making:
        assert "@" not in making.name
        digesting._remove_abandoned(tmp_path)
        assert making.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_settled_is_no_error(monkeypatch, tmp_path):
    for number in (errno.EINVAL, errno.ENOTSUP):
        monkeypatch.setattr(os, "fsync", functools.partial(dask_cluster.raise_instead, None, OSError(number, "not here")))
        digesting._settle(tmp_path)
    monkeypatch.setattr(os, "fsync", functools.partial(dask_cluster.raise_instead, None, OSError(errno.EIO, "broken")))
    with pytest.raises(OSError, match="broken"):
        digesting._settle(tmp_path)


@pytest.mark.parametrize("verb", ["compare", "sweep"])
def test_a_worker_killed_while_splits_or_betas_are_worked_on_changes_nothing(verb, losing, whole, tmp_path):
    losing.add_workers(1)
    asked = {"compare": lambda by, *client: by.compare(whole, *client, **ASKED).to_json(),
             "sweep": lambda by, *client: by.sweep(whole, *client, size="2:4", beta="0.05:0.4:0.05").rows}[verb]  # fmt: skip
    mark = tmp_path / "mark"
    with losing.client(2) as client:
        client.run(dask_cluster.fall_at_the_second_piece, str(mark))
        found = asked(hqe.dask, client)
    assert losing.was_killed(int(mark.read_text()))
    assert found == asked(hqe)


def test_work_of_which_every_worker_dies_is_an_error_that_says_so(whole, tmp_path):
    (tmp_path / "cluster").mkdir()
    cluster = Cluster(tmp_path / "cluster", failures=1)
    cluster.add_workers(3)
    try:
        with cluster.client(3) as client:
            parts = [made(0, 90), (310, functools.partial(dask_cluster.fall_always, 90, 400))]
            with pytest.raises(hqe.Error, match=r"tcp://.* died of a piece of work, as others did before .*make smaller parts"):
                hqe.dask.digest(parts, client, tmp_path / "digests")
            assert list((tmp_path / "digests").iterdir()) == []
            assert study_of(hqe.dask.digest([made(0, 90), made(90, 400)], client, tmp_path / "digests")) == study_of(whole)
    finally:
        cluster.close()


# Moves digests where a call makes them, then as it does; kills the driver after so many moves.
DRIVER = """
import os, pathlib, signal, sys
from hqe.dask import digesting, gathering
moves, replace = int(sys.argv[3]), pathlib.Path.replace
def counting(path, there):
    global moves
    if moves == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    moves -= 1
    return replace(path, there)
made, out = map(pathlib.Path, sys.argv[1:3])
with digesting._making(out) as making:
    for path in made.iterdir():
        path.rename(making / path.name)
    pathlib.Path.replace = counting
    digesting._move(making, out)
"""


@pytest.mark.parametrize("moves", [0, 1, 3])
def test_a_driver_killed_while_digests_move_leaves_rows_that_are_named(moves, whole, client, tmp_path):
    out = tmp_path / "digests"
    apart = tmp_path / "made"
    out.mkdir()
    apart.mkdir()
    hqe.digest(whole, out / "000000000000.digest", rows=SHARDS[0])
    for begin, end in SHARDS[1:]:
        hqe.digest(whole, apart / f"{begin:012}.digest", rows=(begin, end))
    done = subprocess.run([sys.executable, "-c", DRIVER, apart, out, str(moves)], timeout=60)
    if moves == len(SHARDS) - 1:
        assert done.returncode == 0
        assert study_of(hqe.Pool.open(out)) == study_of(whole)
        return
    assert done.returncode == -signal.SIGKILL
    missing = SHARDS[-moves][0] - 1 if moves else 399
    with pytest.raises(hqe.InputError, match=f"rows 90 to {missing} are in no digest"):
        hqe.Pool.open(out)
    again = hqe.dask.digest([made(*shard) for shard in SHARDS[1:]], client, out, first_row=90)
    assert study_of(again) == study_of(whole)
    assert list(out.glob(".*")) == []


# Last: these lose the scheduler.
def test_a_scheduler_restarted_under_its_client_is_an_error_and_then_the_same_answer(losing, whole, tmp_path):
    losing.add_workers(1)
    with losing.client(1) as client:
        fell = []

        def restart(stage, done, total):
            if stage == "digesting" and not fell:
                fell.append(done)
                losing.restart_scheduler()

        parts = [made(*shard) for shard in SHARDS]
        with pytest.raises(hqe.Error, match="was lost .* Start it again, then this"):
            hqe.dask.digest(parts, client, tmp_path / "digests", progress=restart)
        assert fell and list((tmp_path / "digests").iterdir()) == []
        losing.add_workers(1)
        assert study_of(hqe.dask.digest(parts, client, tmp_path / "digests")) == study_of(whole)
        assert hqe.dask.compare(whole, client, **ASKED) == hqe.compare(whole, **ASKED)


def test_a_lost_scheduler_is_an_error_and_then_the_same_answer_on_another(losing, whole, tmp_path):
    with losing.client(1) as client:
        fall = functools.partial(dask_cluster.fall_once, 90, 400, str(tmp_path / "fell"), signal.SIGKILL, losing.scheduler.pid)
        with pytest.raises(hqe.Error, match="was lost"):
            hqe.dask.digest([made(0, 90), (310, fall)], client, tmp_path / "digests")
    assert list((tmp_path / "digests").iterdir()) == []
    with pytest.raises(hqe.UsageError, match="client: it is closed"):
        hqe.dask.compare(whole, client, **ASKED)
    (tmp_path / "again").mkdir()
    restarted = Cluster(tmp_path / "again")
    restarted.add_workers(1)
    try:
        with restarted.client(1) as client:
            assert study_of(hqe.dask.digest([made(0, 90), made(90, 400)], client, tmp_path / "digests")) == study_of(whole)
    finally:
        restarted.close()
