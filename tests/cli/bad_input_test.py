# SPDX-License-Identifier: MIT
"""Bad input ends with 3 and one message that says where, what, and what to do. No crash, no hang."""

import io
import os
import random
import struct
import zipfile

import pytest

from files import (CODES, csv_bytes, label_pool, legacy_pt_bytes, npy_bytes, probability_rows, pt_bytes, safetensors_bytes,
                   small_pool, write_pool)
from running import hqe, refuses

LABELS = [0, 1, 2, 0, 1, 2]
ROWS = [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]] * 2


def changed(row, column, value):
    rows = [list(line) for line in ROWS]
    rows[row][column] = value
    return rows


def zip_bomb():
    """One member that claims to be a small array and inflates to a gigabyte."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        with archive.open("arr_0.npy", "w", force_zip64=True) as member:
            member.write(npy_bytes(ROWS))
            for _ in range(1024):
                member.write(b"\0" * 2 ** 20)
    return out.getvalue()


def npy_with_rows(rows):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, 3), }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"\0" * 72


BAD_MODEL = [
    ("a row count that differs", "b.npy", npy_bytes(ROWS[:5]), ["b.npy", "5", "6"]),
    ("a class count that differs", "b.npy", npy_bytes([row[:2] for row in ROWS]), ["b.npy"]),
    ("NaN", "b.npy", npy_bytes(changed(4, 1, float("nan"))), ["b.npy", "row 4", "column 1", "nan"]),
    ("infinity", "b.npy", npy_bytes(changed(2, 0, float("inf"))), ["b.npy", "row 2", "column 0", "inf"]),
    ("an empty file", "b.npy", b"", ["b.npy", "empty"]),
    ("a truncated file", "b.npy", npy_bytes(ROWS)[:-10], ["b.npy"]),
    ("a truncated header", "b.npy", npy_bytes(ROWS)[:20], ["b.npy"]),
    ("a wrong magic", "b.npy", b"NOTNUMPY" + npy_bytes(ROWS)[8:], ["b.npy"]),
    ("a header that claims 2^40 rows", "b.npy", npy_with_rows(2 ** 40), ["b.npy"]),
    ("a header that claims 2^62 rows", "b.npy", npy_with_rows(2 ** 62), ["b.npy"]),
    ("objects in place of numbers", "b.npy", npy_bytes(ROWS, "|O"), ["b.npy", "object"]),
    ("an unsupported dtype", "b.npy", npy_bytes(ROWS, "<c8"), ["b.npy", "c8"]),
    ("a zip bomb", "b.npz", zip_bomb, ["b.npz"]),
    ("a zip that is none", "b.npz", b"PK\x03\x04 and nothing else", ["b.npz"]),
    ("a pickle with a foreign global", "b.pt", pt_bytes(ROWS, foreign=("os", "system")), ["b.pt", "os"]),
    ("a .pt of an old torch", "b.pt", legacy_pt_bytes(), ["b.pt"]),
    ("a .pt that is no archive", "b.pt", b"hello", ["b.pt"]),
    ("safetensors with a header as long as a lie", "b.safetensors", struct.pack("<Q", 2 ** 60) + b"{}", ["b.safetensors"]),
    ("safetensors cut short", "b.safetensors", safetensors_bytes(ROWS)[:-4], ["b.safetensors"]),
    ("csv with a word among the numbers", "b.csv", csv_bytes(ROWS).replace(b"0.5", b"half", 1), ["b.csv", "half"]),
    ("csv with a short line", "b.csv", csv_bytes(ROWS) + b"0.5,0.5\n", ["b.csv"]),
]


@pytest.mark.parametrize("file, content, saying", [case[1:] for case in BAD_MODEL], ids=[case[0] for case in BAD_MODEL])
def test_a_bad_model_is_refused(home, file, content, saying):
    data = content() if callable(content) else content
    pool = write_pool(home / "pool", {"a.npy": npy_bytes(ROWS), file: data, "c.npy": npy_bytes(ROWS)}, LABELS)
    for words in (["inspect"], ["prune", "--size", "2"], ["score", "--size", "2", "--json"]):
        refuses(3, words[0], pool, *words[1:], saying=saying)


def pool_with(home, **more):
    models = {"a.npy": npy_bytes(ROWS), "b.npy": npy_bytes(ROWS), "c.npy": npy_bytes(ROWS)}
    models.update(more.get("models", {}))
    return write_pool(home / "pool", models, more.get("labels", LABELS), more.get("toml", ""))


def test_a_folder_that_is_not_there_is_refused(home):
    refuses(3, "inspect", home / "nowhere", saying="nowhere")


def test_a_folder_without_labels_is_refused_by_what_needs_them(home):
    pool = pool_with(home)
    (pool / "labels.npy").unlink()
    refuses(3, "evaluate", pool, saying="there are no true labels")


def test_an_empty_folder_is_refused(home):
    (home / "pool").mkdir()
    refuses(3, "inspect", home / "pool", saying="pool")


def test_one_model_only_is_refused(home):
    pool = write_pool(home / "pool", {"a.npy": npy_bytes(ROWS)}, LABELS)
    refuses(3, "prune", pool, saying="model")
    refuses(3, "inspect", pool, saying="model")


@pytest.mark.parametrize("label", [3, -1])
def test_a_true_label_out_of_range_is_refused(home, label):
    refuses(3, "inspect", pool_with(home, labels=[0, 1, 2, label, 1, 2]), saying=["labels.npy", "3"])


@pytest.mark.parametrize("label", [-2, 9])
def test_a_predicted_label_out_of_range_is_refused(home, label):
    """A predicted label is -1 for an abstention, or below the number of classes."""
    pool = label_pool(home / "pool", classes=3, samples=10)
    (pool / "model_1.npy").write_bytes(npy_bytes([0] * 7 + [label] + [0] * 2, "<i8"))
    (pool / "pool.toml").write_text('kind = "labels"\nclasses = ["a", "b", "c"]\n')
    refuses(3, "inspect", pool, saying=["model_1.npy", "7", str(label)])


def test_negative_probabilities_are_refused(home):
    rows = [list(row) for row in ROWS]
    rows[3] = [-0.25, 0.75, 0.5]
    pool = pool_with(home, models={"b.npy": npy_bytes(rows)}, toml='kind = "probabilities"\n')
    refuses(3, "inspect", pool, saying=["b.npy", "row 3", "-0.25"])


def test_declared_probabilities_whose_rows_do_not_sum_to_1_are_refused(home):
    pool = pool_with(home, models={"b.npy": npy_bytes(changed(5, 2, 0.25))}, toml='kind = "probabilities"\n')
    refuses(3, "inspect", pool, saying=["b.npy", "row 5", "0.75"])


def test_undeclared_values_whose_rows_do_not_sum_to_1_are_asked_for_their_kind(home):
    refuses(3, "inspect", pool_with(home, models={"a.npy": npy_bytes(changed(0, 0, 0.9))}), saying="kind")


def test_two_models_of_one_name_are_refused(home):
    refuses(3, "inspect", pool_with(home, models={"a.csv": csv_bytes(ROWS)}), saying=["a"])
    (home / "x").mkdir()
    (home / "x" / "a.npy").write_bytes(npy_bytes(ROWS))
    refuses(3, "inspect", "--labels", home / "pool/labels.npy", home / "pool/a.npy", home / "x/a.npy", saying=["a"])


@pytest.mark.parametrize("name", ["../a", "x/a", "/etc/passwd"])
def test_a_models_name_with_a_path_separator_is_refused(home, name):
    refuses(3, "inspect", pool_with(home, toml=f'models = ["b", "{name}"]\n'), saying=["pool.toml", name])


@pytest.mark.parametrize("toml, saying", [
    ('colour = "red"\n', "colour"), ('models = ["a", "zz"]\n', "zz"), ("models = [\n", "line"), ('kind = "guesses"\n', "guesses"),
    ("[cost.zz]\nparams = 1\n", "zz"), ("[cost.a]\nprice = 1\n", "price"), ("[cost.a]\nparams = -1\n", "params")])
def test_a_pool_toml_with_a_mistake_is_refused(home, toml, saying):
    refuses(3, "inspect", pool_with(home, toml=toml), saying=["pool.toml", saying])


def test_a_directory_in_place_of_a_file_is_refused(home):
    pool = pool_with(home)
    (pool / "b.npy").unlink()
    (pool / "b.npy").mkdir()
    (pool / "pool.toml").write_text('models = ["a", "b", "c"]\n')
    refuses(3, "inspect", pool, saying="b.npy")


def test_a_file_that_cannot_be_read_is_refused(home):
    if os.getuid() == 0:
        pytest.skip("root can read every file")
    pool = pool_with(home)
    (pool / "b.npy").chmod(0)
    refuses(3, "inspect", pool, saying="b.npy")


def test_a_test_pool_that_has_none_of_the_models_is_refused(home):
    pool = small_pool(home / "pool")
    other = write_pool(home / "other", {f"x{i}.npy": npy_bytes(ROWS) for i in range(3)}, LABELS)
    result = hqe("prune", pool, "--test", other)
    assert result.code in (2, 3) and result.err.startswith("hqe: "), result


def test_a_label_file_of_every_integer_width_is_read_and_floats_are_refused_with_3(home):
    pool = small_pool(home / "pool", samples=30)
    expected = hqe("inspect", pool, "--json", check=0).out
    rng = random.Random(7)
    labels = [rng.randrange(3) for _ in range(30)]
    for descr in ("<i2", "<i4", "|i1", "|u1"):
        assert descr in CODES
        (pool / "labels.npy").write_bytes(npy_bytes(labels, descr))
        assert hqe("inspect", pool, "--json", check=0).out == expected
    (pool / "labels.npy").write_bytes(npy_bytes([0.5] * 30, "<f4"))
    refuses(3, "inspect", pool, saying="labels.npy")


@pytest.mark.parametrize("name, writer", [("b.npy", npy_bytes), ("b.pt", pt_bytes), ("b.safetensors", safetensors_bytes)])
def test_no_cut_of_a_good_file_crashes_the_reader(home, name, writer):
    labels = [0, 1, 2, 0, 1, 2] * 4
    rows = probability_rows(3, 24, 3, labels, 0.3)
    content = writer(rows)
    pool = write_pool(home / "pool", {"a.npy": npy_bytes(rows), name: content}, labels)
    for length in range(0, len(content), max(1, len(content) // 25)):
        (pool / name).write_bytes(content[:length])
        refuses(3, "inspect", pool, saying=name)
