# SPDX-License-Identifier: MIT
"""Percentages in tables and pictures: exact quotients, halves rounded up."""

from files import npy_bytes, write_pool
from running import hqe


def half_pool(home, first=0):
    """Three models that are right on the same 201 of 20,000 samples, which are 1.005 %."""
    said = [1] * first + [0] * 201 + [1] * (19_799 - first)
    return write_pool(home, {f"model_{i}.npy": npy_bytes(said, "|i1") for i in range(3)}, [0] * 20_000,
                      'kind = "labels"\nclasses = ["right", "wrong", "neither"]\n')


def test_201_of_20_000_are_1_01_in_every_table_and_picture(home):
    place = half_pool(home / "pool")
    study = home / "study.json"
    for words in (["inspect"], ["evaluate"], ["prune", "--size", "2", "-o", study],
                  ["prune", "--size", "2", "--test", place],
                  ["explain", "--size", "2", "--team", "0,1"], ["sweep", "--size", "2", "--beta", "0.1"],
                  ["apply", "--team", "0,1", "-o", home / "answers.npy"], ["front"],
                  ["compare", "--size", "2", "--test", place, "--no-times"]):
        text = hqe(words[0], place, *words[1:], check=0).out
        assert "1.01" in text and "1.00 %" not in text, f"{words}\n{text}"
    for figure in ("scatter", "cofailure"):
        picture = home / f"{figure}.svg"
        hqe("plot", study, "--figure", figure, "-o", picture, check=0)
        assert "1.01 %" in picture.read_text(), figure


def test_notes_of_inspect_round_halves_up(home):
    labels = [0] * 1000 + [1] * 1000
    said = [1] * 991 + [0] * 9 + [0] * 1000  # 9 right; 1,991 with the classes exchanged
    silent = [-1] * 205 + labels[205:]
    place = write_pool(home / "pool", {"swapped.npy": npy_bytes(said, "|i1"), "silent.npy": npy_bytes(silent, "|i1"),
                                       "good.npy": npy_bytes(labels, "|i1")}, labels)
    notes = {model["name"]: model["notes"] for model in hqe("inspect", place, "--json", check=0).json["models"]}
    assert notes["swapped"] == ["labels look swapped: right on 0.5 %, but on 99.6 % with the two classes exchanged",
                                *notes["swapped"][1:]]  # 0.45 and 99.55
    assert notes["silent"] == ["abstains on 10.3 % of the samples"]  # 10.25
