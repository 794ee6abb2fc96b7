# SPDX-License-Identifier: MIT
"""On Dask: a real scheduler and three workers give the bytes of one process."""

import dataclasses
import functools
import gc
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import pytest

pytest.importorskip("distributed", reason="Dask is not installed")

import hqe
import hqe.dask
from hqe import _core
from hqe.dask import spreading

import dask_cluster
from conftest import ROOT
from dask_cluster import rows, study_of, synthetic

CUTS = [0, 90, 91, 250, 400]
SHARDS = list(zip(CUTS, CUTS[1:]))


def made(begin, end):
    return (end - begin, functools.partial(rows, begin, end))


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


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers_that_end_in_any_order_give_the_same_bytes(workers, client, whole, tmp_path):
    """Each of so many workers waits for the next one's rows, so that the first rows are made last."""
    import dask

    place = tmp_path / "order"
    later = [None if number % workers == workers - 1 or begin == CUTS[-2] else end for number, (begin, end) in enumerate(SHARDS)]
    parts = [
        (end - begin, functools.partial(dask_cluster.wait_for_later, begin, end, place, other))
        for (begin, end), other in zip(SHARDS, later)
    ]
    with dask.annotate(workers=list(client.scheduler_info()["workers"])[:workers]):
        pool = hqe.dask.digest(parts, client, tmp_path / "digests")
        ranks = hqe.dask.compare(pool, client, size=3, repeats=3, no_times=True)
        rows_swept = hqe.dask.sweep(pool, client, "2:4", "0.05:0.35:0.1")
    order = [tuple(map(int, line.split())) for line in place.read_text().splitlines()]
    assert len({process for _, process in order}) == workers
    assert workers == 1 or [begin for begin, _ in order] != CUTS[:-1]
    assert study_of(pool) == study_of(whole)
    assert '"serving":null' in hqe.prune(pool, size=3).to_json()
    assert ranks.to_json() == hqe.compare(whole, size=3, repeats=3, no_times=True).to_json()
    assert rows_swept == hqe.sweep(whole, "2:4", "0.05:0.35:0.1")


def test_without_a_folder_the_digests_go_with_the_pool(client, whole):
    pool = hqe.dask.digest([made(*shard) for shard in SHARDS], client)
    folder = pathlib.Path(pool._core.files[0]).parent
    assert len(list(folder.iterdir())) == len(SHARDS)
    assert study_of(pool) == study_of(whole)
    assert hqe.dask.compare(pool, client, size=3, repeats=2, no_times=True).methods
    del pool
    gc.collect()
    assert not folder.exists()


def test_a_folder_that_nobody_named_goes_where_the_work_fails(client, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(hqe.InputError, match="there is no such folder"):
        hqe.dask.digest([tmp_path / "nowhere"], client)
    assert list(tmp_path.iterdir()) == []


def test_a_local_cluster_is_a_cluster_and_its_digests_are_gone_at_the_end(folder, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import pathlib, sys\n"
        "import hqe.dask\n"
        "from distributed import Client, LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:\n"
        "        pool = hqe.dask.digest(sys.argv[1], client)\n"
        "    hqe.digest(sys.argv[1], 'a.digest')\n"
        "    assert hqe.prune(pool, size=3).to_json() == hqe.prune(hqe.Pool.open('a.digest'), size=3).to_json()\n"
        "    print(pathlib.Path(pool._core.files[0]).parent)\n"
    )
    done = subprocess.run([sys.executable, script, folder / "synthetic"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    made_in = pathlib.Path(done.stdout.strip())
    assert made_in.name.startswith("hqe-digests-") and not made_in.exists()


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


def test_what_a_loader_raises_is_told_as_it_is(client, tmp_path):
    for error in (ConnectionError("no bucket"), TimeoutError("too slow"), ValueError("no shard")):
        with pytest.raises(type(error), match=str(error)):
            hqe.dask.digest([(5, functools.partial(dask_cluster.raising, error))], client, tmp_path / "digests")


def test_a_folder_that_cannot_be_written_is_an_output_error(client, whole, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(hqe.OutputError, match="file/digests: cannot be written: Not a directory"):
        hqe.dask.digest([made(0, 90)], client, tmp_path / "file/digests")
    full = functools.partialmethod(dask_cluster.raise_instead, OSError(28, "No space left on device"))
    monkeypatch.setattr(pathlib.Path, "write_bytes", full)
    with pytest.raises(hqe.OutputError, match="000000000000.digest: cannot be written: No space left"):
        hqe.dask.digest([made(0, 90)], client, tmp_path / "digests")


def test_every_part_knows_the_end_of_the_pool(client, folder, tmp_path):
    out = tmp_path / "digests"
    hqe.dask.digest([made(*shard) for shard in SHARDS], client, out)
    (out / f"{CUTS[-2]:012}.digest").unlink()
    with pytest.raises(hqe.InputError, match=f"rows {CUTS[-2]} to 399 are in no digest"):
        hqe.Pool.open(out)


def test_a_digest_does_not_go_where_its_pool_is(client, folder, tmp_path):
    with pytest.raises(hqe.UsageError, match="is the folder of a pool"):
        hqe.dask.digest(folder / "synthetic", client, folder / "synthetic")
    names = [folder / f"synthetic/{name}.npy" for name in ("net_0", "net_1", "labels")]
    (tmp_path / "labels.npy").write_bytes(names[2].read_bytes())
    for files, labels, out in [(names[:2], names[2], folder / "synthetic"), (names[:2], tmp_path / "labels.npy", tmp_path)]:
        for part in (hqe.Pool.open(files, labels), [hqe.Pool.open(files, labels)]):
            with pytest.raises(hqe.UsageError, match="is the folder of a pool"):
                hqe.dask.digest(part, client, out)
    with pytest.raises(hqe.UsageError, match="in the folder of the pool"):
        hqe.digest(folder / "synthetic", folder / "synthetic/x.digest")
    assert hqe.Pool.open(folder / "synthetic").sample_count == 400


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
