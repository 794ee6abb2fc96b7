# SPDX-License-Identifier: MIT
"""Arrays in: whose, of which type and layout, and that nobody copies them."""

import gc
import pathlib
import subprocess
import sys
import textwrap
import weakref

import numpy as np
import pytest

import hqe

from conftest import DEMO


def counts(pool):
    return hqe.evaluate(pool).correct.tolist()


class OnlyDlpack:
    """A tensor that offers `__dlpack__` and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnlyArray:
    """A tensor that offers `__array__` and nothing else."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array if dtype is None else self.array.astype(dtype)


def reordered(array):
    swapped = array.astype(array.dtype.newbyteorder())
    return {
        "Fortran order": np.asfortranarray(array),
        "reversed twice": array[::-1, ::-1].copy()[::-1, ::-1],
        "every other row": np.repeat(array, 2, axis=0)[::2],
        "the other byte order": swapped,
        "a list": array.tolist(),
        "dlpack": OnlyDlpack(array),
        "__array__": OnlyArray(array),
    }


@pytest.mark.parametrize("layout", reordered(np.zeros((2, 2))))
def test_every_layout_gives_the_same_answer(scores, layout):
    predictions, labels = scores
    other = hqe.Pool([reordered(one)[layout] for one in predictions], labels)
    assert counts(other) == counts(hqe.Pool(predictions, labels))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_every_float_counts_as_its_own_values(scores, dtype):
    predictions, labels = scores
    rounded = predictions.astype(dtype)
    pool = hqe.Pool(rounded, labels, kind="probabilities")
    expected = (rounded.argmax(axis=2) == labels).sum(axis=1)
    assert [model.correct for model in hqe.inspect(pool).models] == expected.tolist()


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_every_integer_is_a_label(scores, dtype):
    answers, labels = scores[0].argmax(axis=2), scores[1]
    assert counts(hqe.Pool(answers.astype(dtype), labels.astype(dtype))) == counts(
        hqe.Pool(answers, labels)
    )


def test_a_dict_a_list_and_one_array_are_the_same_pool(scores):
    predictions, labels = scores
    names = [f"m{i}" for i in range(len(predictions))]
    pools = [
        hqe.Pool(dict(zip(names, predictions)), labels),
        hqe.Pool(list(predictions), labels, names=names),
        hqe.Pool(predictions, labels, names=names),
        hqe.Pool(OnlyDlpack(predictions), labels, names=names),
    ]
    assert all(pool.names == names for pool in pools)
    assert len({tuple(counts(pool)) for pool in pools}) == 1


def test_logits_and_probabilities_are_told_apart(scores):
    predictions, labels = scores
    assert hqe.Pool(predictions, labels).kind == "probabilities"
    logits = hqe.Pool(np.log(predictions) * 3, labels)
    assert (logits.kind, logits.kind_detected) == ("logits", True)


def test_a_pool_of_right_and_wrong_needs_no_labels():
    pool = hqe.Pool(np.array([[True, False], [True, True]]), kind="correctness")
    assert [model.correct for model in hqe.inspect(pool).models] == [1, 2]


def test_bfloat16_is_read_bit_by_bit():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    values = np.array([[0.25, 0.75], [0.5, 0.5], [0.125, 0.875]]).astype(ml_dtypes.bfloat16)
    pool = hqe.Pool([values, values], [1, 0, 1])
    assert [model.correct for model in hqe.inspect(pool).models] == [3, 3]


TENSORS = """
    import numpy as np, torch, hqe

    torch.manual_seed(0)
    labels = torch.randint(0, 4, (200,))
    scores = (torch.rand(5, 200, 4) + torch.nn.functional.one_hot(labels, 4)).softmax(2)
    def correct(predictions, labels=labels):
        pool = hqe.Pool(predictions, labels, kind="probabilities")
        return [model.correct for model in hqe.inspect(pool).models]
    expected = (scores.argmax(2) == labels).sum(1).tolist()
    assert correct(scores) == correct(list(scores)) == expected
    assert correct(scores.clone().requires_grad_()) == expected
    assert correct(scores.transpose(1, 2).contiguous().transpose(1, 2)) == expected
    for kind in (torch.float16, torch.bfloat16, torch.float64):
        rounded = scores.to(kind)
        plain = (rounded.double().numpy().argmax(2) == labels.numpy()).sum(1).tolist()
        assert correct(rounded) == correct(list(rounded)) == plain, kind
    pool = hqe.Pool(scores, labels)
    scores[0] = torch.nn.functional.one_hot(labels, 4)
    assert hqe.inspect(pool).models[0].correct == 200  # The tensor's own memory was read.
    print("done")
"""


def test_torch_tensors_are_read_where_they_lie():
    script = "import sys, torch; print(*sys.version_info[:2])"
    for python in (sys.executable, "/usr/bin/python3"):
        if not pathlib.Path(python).exists():
            continue
        found = subprocess.run([python, "-c", script], capture_output=True, text=True)
        if found.stdout.split() == [str(part) for part in sys.version_info[:2]]:
            break
    else:
        pytest.skip("no Python of this version has torch")
    environment = {"PYTHONPATH": str(pathlib.Path(hqe.__file__).parents[1])}
    words = [python, "-c", textwrap.dedent(TENSORS)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.stdout == "done\n", done.stderr


def test_an_estimated_bound_makes_estimated_radii():
    shares = np.array([[0.75, 0.25], [0.25, 0.75]])
    bound = {"lipschitz": 2, "lipschitz_radius": 0.125}
    for estimated in (False, True):
        costs = [bound | {"lipschitz_estimated": estimated}] * 3
        found = hqe.prune(hqe.Pool([shares] * 3, [0, 1], costs=costs), size=2).best.robustness
        assert found.median_radius == 0.125 and ("estimated" in found) == estimated
    with pytest.raises(hqe.InputError, match="model_0: lipschitz_estimated: 1 is not True or False"):
        hqe.Pool([shares] * 3, [0, 1], costs=[{"lipschitz_estimated": 1}, {}, {}])


def test_costs_come_by_name_or_in_order():
    answers = np.array([[0, 1, 1], [1, 1, 0], [0, 0, 1]])
    by_name = hqe.Pool(answers, [0, 1, 1], names="abc", costs={"b": {"params": 5}})
    in_order = hqe.Pool(answers, [0, 1, 1], names="abc", costs=[None, {"params": 5}, None])
    for pool in (by_name, in_order):
        models = hqe.inspect(pool).pool.models
        assert [model.costs for model in models] == [{}, {"params": 5.0}, {}]


def test_a_pool_opens_from_a_folder_and_from_loose_files():
    folder = hqe.Pool.open(DEMO / "validation")
    files = [DEMO / "validation" / f"{name}.npy" for name in folder.names[:3]]
    loose = hqe.Pool.open(files, labels=str(DEMO / "validation/labels.npy"))
    assert loose.names == folder.names[:3]
    assert counts(loose) == hqe.evaluate(folder, teams=hqe.evaluate(loose).teams).correct.tolist()


def test_arrays_are_used_where_they_lie(scores):
    predictions, labels = scores[0].copy(), scores[1]
    pool = hqe.Pool(predictions, labels)
    before = hqe.inspect(pool).models[0].correct
    predictions[0] = np.eye(4)[labels]
    assert hqe.inspect(pool).models[0].correct == 400 != before


def test_a_pool_keeps_its_arrays_and_only_as_long_as_it_lives(scores):
    class Tracked(np.ndarray):
        pass

    arrays = [one.copy().view(Tracked) for one in scores[0]]
    alive = [weakref.ref(one) for one in arrays]
    pool = hqe.Pool(arrays, scores[1])
    expected = counts(hqe.Pool(scores[0], scores[1]))
    del arrays
    gc.collect()
    assert all(ref() is not None for ref in alive)
    assert counts(pool) == expected
    study = hqe.prune(pool, size=2)
    del pool
    gc.collect()
    assert all(ref() is None for ref in alive)
    assert len(study.best.team) >= 1


MEMORY = """
    import pathlib, sys
    import numpy as np, hqe

    def anonymous():  # Bytes of memory that no file backs.
        for line in pathlib.Path("/proc/self/status").read_text().splitlines():
            if line.startswith("RssAnon"):
                return int(line.split()[1]) * 1024

    folder = pathlib.Path(sys.argv[1])
    shape = (4, 40_000, 100)
    values = np.lib.format.open_memmap(folder / "all.npy", "w+", "f4", shape)
    random = np.random.default_rng(0)
    labels = random.integers(0, 100, shape[1])
    for model in range(4):
        for begin in range(0, shape[1], 5000):
            rows = random.random((5000, 100), "f4")
            rows[np.arange(5000), labels[begin:begin + 5000]] += np.where(np.arange(5000) % 20, 5, 0.5)
            values[model, begin:begin + 5000] = rows / rows.sum(axis=1, keepdims=True)
    values.flush()
    del values, rows
    for mapped in (np.load(folder / "all.npy", mmap_mode="r"), np.load(folder / "all.npy")):
        before = anonymous()
        study = hqe.prune(hqe.Pool(mapped, labels), size=2)
        print((anonymous() - before) // 2**20, mapped.nbytes // 2**20, study.best.correct)
"""


def test_a_pool_of_memory_maps_stays_in_its_file(tmp_path):
    if not pathlib.Path("/proc/self/status").exists():
        pytest.skip("no /proc: anonymous memory cannot be measured")
    words = [sys.executable, "-c", textwrap.dedent(MEMORY), str(tmp_path)]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    mapped, in_memory = ([int(word) for word in line.split()] for line in lines)
    assert mapped[2] == in_memory[2]
    for grown, size, _ in (mapped, in_memory):
        assert size == 61 and grown < 20, f"{grown} of {size} MiB were copied"
