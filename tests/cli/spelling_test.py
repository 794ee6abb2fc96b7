# SPDX-License-Identifier: MIT
"""Messages name options and commands as the command line writes them, and documents in plain words."""

import json

from files import label_pool, write_pool
from running import hqe, refuses


def twins(home):
    """A pool whose last model answers as its first."""
    truth, said = [0, 1, 0, 1, 1, 0], {"a": [0, 1, 1, 1, 0, 0], "b": [0, 0, 0, 1, 1, 1], "c": [1, 1, 0, 1, 0, 0]}
    folder = home / "twins"
    folder.mkdir()
    for name, labels in {**said, "d": said["a"], "labels": truth}.items():
        (folder / f"{name}.csv").write_text("".join(f"{label}\n" for label in labels))
    return folder


def test_a_warning_spells_the_command_in_the_table_and_names_it_in_the_document(home):
    pool = twins(home)
    words = ["prune", pool, "--size", "2", "--metric", "F-GD"]
    assert "1 model predicts exactly as an earlier one: hqe inspect names the pairs." in " ".join(hqe(*words, "--verbose").out.split())
    assert "1 model predicts exactly as an earlier one: inspect names the pairs" in hqe(*words, "--json").json["warnings"]


def test_what_is_no_saved_document_says_which_command_writes_one(home):
    (home / "s.json").write_text(json.dumps({"schema": 1, "command": "score"}))
    refuses(3, "report", home / "s.json", "-o", home / "s.html",
            saying="Write it again with hqe prune POOL -o FILE, hqe compare POOL -o FILE or hqe front POOL --cascade -o FILE")


def test_a_table_that_python_reads_says_how(home):
    (home / "p.parquet").write_bytes(b"PAR1")
    refuses(3, "inspect", home / "p.parquet",
            saying="Read it with hqe.Pool.from_table(hqe.read_table(path), label=...) of Python, or save it as .csv")
