# SPDX-License-Identifier: MIT
"""On Dask: a real scheduler and three workers give the bytes of one process, also where some of them die."""

import contextlib
import dataclasses
import functools
import json
import os
import pathlib
import re
import signal
import subprocess

import numpy as np
import pytest

pytest.importorskip("distributed", reason="Dask is not installed")

import hqe
import hqe.dask
from hqe import _core
from hqe.dask import spreading

import dask_cluster
from conftest import ROOT
from dask_cluster import Cluster, rows, synthetic

CUTS = [0, 90, 91, 250, 400]
SHARDS = list(zip(CUTS, CUTS[1:]))


def made(begin, end):
    return (end - begin, functools.partial(rows, begin, end))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    cluster.add_workers(3)
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def client(cluster):
    with cluster.client(3) as client:
        yield client


@pytest.fixture(scope="module")
def whole():
    return hqe.Pool(*synthetic(), name="synthetic")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The pool as files, whole and in shards."""
    folder = tmp_path_factory.mktemp("files")
    places = {"synthetic": (0, 400)} | {f"shards/{begin}": (begin, end) for begin, end in SHARDS}
    for name, (begin, end) in places.items():
        predictions, labels = synthetic(begin, end)
        (folder / name).mkdir(parents=True)
        for model, array in (predictions | {"labels": labels}).items():
            np.save(folder / name / f"{model}.npy", array)
        (folder / name / "pool.toml").write_text('name = "synthetic"\n')
    return folder


def study_of(pool):
    document = json.loads(hqe.prune(pool, size=3).to_json())
    document["recommended"].pop("serving")
    return document


def test_digests_that_workers_make_are_the_pool(client, folder, whole, tmp_path):
    arrays, labels = synthetic()
    import dask.array

    lazy = {name: dask.array.from_array(array, chunks=((90, 110, 200), (5, 7))) for name, array in arrays.items()}
    pools = [
        hqe.dask.digest(folder / "synthetic", client, tmp_path / "path"),
        hqe.dask.digest(hqe.Pool.open(folder / "synthetic"), client, tmp_path / "opened", rows=99),
        hqe.dask.digest([folder / f"shards/{begin}" for begin, _ in SHARDS], client, tmp_path / "shards"),
        hqe.dask.digest([made(*shard) for shard in SHARDS], client, tmp_path / "made"),
        hqe.dask.digest(lazy, client, tmp_path / "arrays", labels, name="synthetic"),
    ]
    expected = study_of(whole)
    for pool in pools:
        assert study_of(pool) == expected
    assert len(list((tmp_path / "opened").iterdir())) == 5


def test_models_run_where_the_data_is(client, tmp_path):
    models = {f"m{seed}": dask_cluster.predictor(seed) for seed in range(4)}
    parts = [
        hqe.dask.Collecting(
            models, functools.partial(dask_cluster.inputs, begin, end), functools.partial(dask_cluster.answers, begin, end)
        )
        for begin, end in ((0, 50), (50, 120))
    ]
    costs = {name: {"params": 20.0} for name in models}
    pool = hqe.dask.digest(parts, client, tmp_path / "digests", costs=costs)
    collected = hqe.collect(models, dask_cluster.inputs(0, 120), dask_cluster.answers(0, 120), tmp_path / "pool", costs=False)
    expected = hqe.evaluate(collected.open(), 2)
    assert hqe.evaluate(pool, 2).correct.tolist() == expected.correct.tolist()
    assert hqe.inspect(pool).pool.models[0].costs.params == 20.0


def test_the_kind_is_settled_over_all_parts(client, tmp_path):
    arrays, labels = synthetic()
    for array in arrays.values():
        array[300:] = 8 * array[300:] - 3
    kind = hqe.inspect(hqe.Pool(arrays, labels)).pool
    assert (kind.kind, kind.kind_detected) == ("logits", True)

    import dask.array

    lazy = {name: dask.array.from_array(array, chunks=(100, 12)) for name, array in arrays.items()}
    pool = hqe.dask.digest(lazy, client, tmp_path / "digests", labels)
    assert study_of(pool) == study_of(hqe.Pool(arrays, labels))


def test_comparisons_and_sweeps_have_the_bytes_of_one_process(client, folder, whole, tmp_path):
    hqe.digest(folder / "synthetic", tmp_path / "a.digest")
    asked = dict(size=3, repeats=4, seed=7, no_times=True)
    told = []
    expected = hqe.compare(hqe.Pool.open(folder / "synthetic"), **asked)
    for pool in (folder / "synthetic", tmp_path / "a.digest", whole):
        found = hqe.dask.compare(pool, client, progress=lambda *event: told.append(event), **asked)
        assert found._text == expected._text
    assert told[:6] == [("comparing methods", done, 5) for done in range(6)]
    tested = hqe.dask.compare(whole, client, test=whole, **asked)
    assert tested == hqe.compare(whole, test=whole, **asked)
    assert hqe.dask.sweep(whole, client, "2:4", "0.05:0.35:0.1", metrics=["F-GD", "F-KW"]) == hqe.sweep(
        whole, "2:4", "0.05:0.35:0.1", metrics=["F-GD", "F-KW"]
    )


def test_errors_of_workers_are_ours(client, folder, tmp_path, whole):
    with pytest.raises(hqe.InputError, match="there is no such folder"):
        hqe.dask.digest([tmp_path / "nowhere"], client, tmp_path / "digests")
    with pytest.raises(hqe.InputError, match="where a pool of 5 samples was announced"):
        hqe.dask.digest([(5, functools.partial(rows, 0, 6))], client, tmp_path / "digests")
    with pytest.raises(hqe.UsageError, match="6 models allow sizes 2 to 5"):
        hqe.dask.compare(whole, client, size=9)
    with pytest.raises(hqe.UsageError, match="expected a distributed.Client"):
        hqe.dask.compare(whole, "tcp://127.0.0.1:8786")
    assert not list(tmp_path.glob("digests/*"))


def test_other_files_and_pieces_of_strangers_are_refused(folder, whole):
    sent = spreading._sent(hqe.Pool.open(folder / "synthetic"))
    assert spreading._arrive(sent).sample_count == 400
    with pytest.raises(hqe.InputError, match="holds other bytes on a worker"):
        spreading._arrive(dataclasses.replace(sent, content="0"))
    options = _core.compare_options([("repeats", "1")])
    sound = _core.play_rounds(whole._core, options, [0, 1], None, 1)
    for text, saying in {
        "{": "not a saved rounds",
        sound.replace('"number":1', '"number":0'): "round 0 is there twice",
        sound.replace(f'"version":"{hqe.__version__}"', '"version":"0"'): "use one version",
    }.items():
        with pytest.raises(hqe.InputError, match=saying):
            _core.compare_rounds(whole._core, options, [("a worker", text)], None, 1)


def test_a_folder_grows_and_takes_a_part_twice_but_not_another(client, whole, tmp_path):
    out = tmp_path / "digests"
    hqe.dask.digest([made(0, 90)], client, out)
    pool = hqe.dask.digest([made(90, 250), made(250, 400)], client, out, first_row=90)
    assert study_of(pool) == study_of(whole)
    again = hqe.dask.digest([made(90, 250), made(250, 400)], client, out, first_row=90)
    assert study_of(again) == study_of(whole)
    before = sorted(path.name for path in out.iterdir())
    with pytest.raises(hqe.InputError, match="rows 100 to 199 are in"):
        hqe.dask.digest([made(100, 200)], client, out, first_row=100)
    with pytest.raises(hqe.OutputError, match="is there with other content"):
        hqe.dask.digest([made(0, 60), made(60, 90)], client, out)
    assert sorted(path.name for path in out.iterdir()) == before


def test_the_page_about_scale_works(cluster, client, tmp_path, monkeypatch):
    binary = pathlib.Path(os.environ.get("HQE_COMMAND", ROOT / "build/release/cli/hqe"))
    if not binary.is_file():
        pytest.skip("the hqe command is not built")
    monkeypatch.chdir(tmp_path)
    for name, (begin, end) in {"predictions": (0, 400), "shards/0": (0, 200), "shards/1": (200, 400)}.items():
        os.makedirs(name)
        predictions, labels = synthetic(begin, end)
        np.save(f"{name}/labels.npy", labels)
        for model, array in zip("abcd", predictions.values()):
            np.save(f"{name}/{model}.npy", array)
    for name, target in {"cluster": ROOT / "examples/cluster", "scheduler.json": cluster.file, "bin/hqe": binary.resolve()}.items():
        pathlib.Path(name).parent.mkdir(exist_ok=True)
        os.symlink(target, name)
    os.mkdir("parts")
    text = (ROOT / "docs/scale.md").read_text()
    blocks = re.findall(r"^```(python|sh)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert [kind for kind, _ in blocks] == ["sh", "sh", "python", "python", "python"]
    for kind, block in blocks:
        if kind == "sh":
            path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
            subprocess.run(["sh", "-e", "-c", block], check=True, env=os.environ | {"PATH": path})
        else:
            names = {"__name__": "__main__"}
            exec(compile(block, "docs/scale.md", "exec"), names)
            names["client"].close()
    studies = [json.loads(pathlib.Path(name).read_text()) for name in ("study.json", "same.json")]
    assert studies[0]["recommended"]["team"] == studies[1]["recommended"]["team"]
    assert hqe.Pool.open("from-models").sample_count == 200


# Last: these lose workers, and a scheduler.
def test_a_worker_killed_and_one_that_is_late_twice_change_nothing(cluster, client, whole, tmp_path):
    cluster.add_workers(1)
    parts = [made(*shard) for shard in SHARDS]
    marks = {2: tmp_path / "killed", 3: tmp_path / "late"}
    for number, sign in ((2, signal.SIGKILL), (3, signal.SIGSTOP)):
        begin, end = SHARDS[number]
        parts[number] = (end - begin, functools.partial(dask_cluster.fall_once, begin, end, str(marks[number]), sign))
    pool = hqe.dask.digest(parts, client, tmp_path / "digests")
    assert len(client.nthreads()) <= 2
    assert study_of(pool) == study_of(whole)
    late = int(marks[3].read_text())
    for _ in range(2):
        os.kill(late, signal.SIGCONT)
        again = hqe.dask.digest(parts, client, tmp_path / "digests")
        assert study_of(again) == study_of(whole)
        with contextlib.suppress(ProcessLookupError):
            os.kill(late, signal.SIGSTOP)
    with contextlib.suppress(ProcessLookupError):
        os.kill(late, signal.SIGCONT)


def test_a_lost_scheduler_is_an_error_and_then_the_same_answer(cluster, whole, tmp_path):
    with cluster.client(1) as client:
        fall = functools.partial(dask_cluster.fall_once, 90, 400, str(tmp_path / "fell"), signal.SIGKILL, cluster.scheduler.pid)
        parts = [made(0, 90), (310, fall)]
        with pytest.raises(hqe.Error, match="was lost"):
            hqe.dask.digest(parts, client, tmp_path / "digests")
    assert list((tmp_path / "digests").iterdir()) == []
    (tmp_path / "again").mkdir()
    restarted = Cluster(tmp_path / "again")
    restarted.add_workers(1)
    try:
        with restarted.client(1) as client:
            assert study_of(hqe.dask.digest(parts, client, tmp_path / "digests")) == study_of(whole)
    finally:
        restarted.close()
