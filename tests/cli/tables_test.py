# SPDX-License-Identifier: MIT
"""Tables and files of many models: whatever the form, the same predictions give the same bytes but for the pool's name."""

import csv
import json
import random
import re
import subprocess

import pytest

from running import ROOT, hqe, refuses

N = 240
NAMES = ["m1", "m2", "m10", "z"]


def write_rows(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def labels_made(classes=4):
    draw = random.Random(3)
    truth = [draw.randrange(classes) for _ in range(N)]
    said = {name: [y if draw.random() < 0.7 else draw.randrange(classes) for y in truth] for name in NAMES}
    return truth, said


def shares_made(classes):
    draw = random.Random(4)
    truth = [draw.randrange(classes) for _ in range(N)]
    said = {}
    for name in NAMES:
        rows = [[draw.random() + (0.6 if c == y else 0) for c in range(classes)] for y in truth]
        said[name] = [[value / sum(row) for value in row] for row in rows]
    return truth, said


def shuffled(rows):
    rows = list(rows)
    random.Random(5).shuffle(rows)
    return rows


def answer(*words):
    document = hqe("prune", *words, "--size", "2", "--json", check=0).json
    document["pool"].pop("name")
    return json.dumps(document)


def loose(home, truth, said):
    """The pool as loose files, which everything is held against."""
    write_rows(home / "truth.csv", ["label"], [[y] for y in truth])
    files = [write_rows(home / f"{name}.csv", ["label"] if not isinstance(column[0], list) else
                        [f"c{i}" for i in range(len(column[0]))], [one if isinstance(one, list) else [one] for one in column])
             for name, column in said.items()]
    return ["--labels", home / "truth.csv", *files]


def wide_rows(truth, said):
    return [[i, y, *(said[name][i] for name in NAMES)] for i, y in enumerate(truth)]


def test_a_table_of_labels_is_the_pool_of_loose_files(home):
    truth, said = labels_made()
    expected = answer(*loose(home, truth, said))
    rows = wide_rows(truth, said)
    header = ["id", "y", *NAMES]
    options = ["--label-column", "y", "--id-column", "id"]
    assert answer(write_rows(home / "wide.csv", header, rows), *options) == expected
    assert answer(write_rows(home / "mixed.csv", header, shuffled(rows)), *options) == expected
    extra = write_rows(home / "extra.csv", [*header, "fold"], [[*row, i % 5] for i, row in enumerate(rows)])
    assert answer(extra, *options, "--columns", ",".join(NAMES)) == expected
    long_rows = [[name, i, y, said[name][i]] for name in NAMES for i, y in enumerate(truth)]
    long_table = write_rows(home / "long.csv", ["model", "key", "target", "answer"], shuffled(long_rows))
    assert sorted(NAMES, key=lambda name: (name[0], int(name[1:] or 0))) == NAMES
    assert answer(long_table, "--model-column", "model", "--id-column", "key", "--label-column", "target") == expected
    predictions = write_rows(home / "p.csv", ["id", *NAMES], shuffled([[row[0], *row[2:]] for row in rows]))
    labels = write_rows(home / "t.csv", ["id", "label"], shuffled(enumerate(truth)))
    assert answer(predictions, "--labels", labels, "--id-column", "id") == expected
    assert answer(predictions, labels, "--id-column", "id") == expected


@pytest.mark.parametrize("words", [["cat", "dog", "emu", "fox"], ["-1", "1"], ["1", "2", "3"], ["10", "11", "19"]])
def test_labels_of_every_kind_are_the_same_pool_in_files_and_tables(home, words):
    truth, said = labels_made(len(words))
    spell = lambda column: [words[label] for label in column]
    truth, said = spell(truth), {name: spell(column) for name, column in said.items()}
    files = hqe("prune", *loose(home, truth, said), "--size", "2", "--json", check=0).json
    assert files["pool"]["classes"] == words and files["pool"]["class_count"] == len(words)
    table = write_rows(home / "wide.csv", ["id", "y", *NAMES], shuffled(wide_rows(truth, said)))
    assert answer(table, "--label-column", "y", "--id-column", "id") == answer(*loose(home, truth, said))


@pytest.mark.parametrize("classes", [2, 3])
def test_a_table_of_probabilities_is_the_pool_of_loose_files(home, classes):
    truth, said = shares_made(classes)
    expected = answer(*loose(home, truth, said))
    for mark in "._":
        header = ["id", "y", *(f"{name}{mark}{c}" for name in NAMES for c in range(classes))]
        rows = [[i, y, *(value for name in NAMES for value in said[name][i])] for i, y in enumerate(truth)]
        table = write_rows(home / "wide.csv", header, shuffled(rows))
        assert answer(table, "--label-column", "y", "--id-column", "id") == expected
    long_rows = [[i, name, y, *said[name][i]] for name in NAMES for i, y in enumerate(truth)]
    long_table = write_rows(home / "long.csv", ["id", "model", "y", *range(classes)], shuffled(long_rows))
    assert answer(long_table, "--model-column", "model", "--id-column", "id", "--label-column", "y") == expected


def test_one_column_a_model_of_the_second_class(home):
    truth, said = shares_made(2)
    second = {name: [row[1] for row in column] for name, column in said.items()}
    both = {name: [[1 - p, p] for p in column] for name, column in second.items()}
    expected = answer(*loose(home, truth, both))
    table = write_rows(home / "oof.csv", ["id", "target", *NAMES], shuffled(wide_rows(truth, second)))
    assert answer(table, "--label-column", "target", "--id-column", "id") == expected
    assert answer(*loose(home, truth, second)) == expected


def test_one_file_of_many_models(home):
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    truth, said = shares_made(3)
    expected = answer(*loose(home, truth, said))
    arrays = {name: numpy.array(column) for name, column in said.items()}
    numpy.savez(home / "pool.npz", labels=numpy.array(truth), **arrays)
    assert answer(home / "pool.npz") == expected
    (home / "folders").mkdir()
    numpy.save(home / "folders" / "labels.npy", truth)
    for name, array in arrays.items():
        (home / "folders" / name).mkdir()
        numpy.save(home / "folders" / name / "predictions.npy", array)
    assert answer(home / "folders") == expected
    numpy.save(home / "stack.npy", numpy.stack(list(arrays.values())))
    stack = hqe("prune", home / "stack.npy", "--labels", home / "truth.csv", "--size", "2", "--json", check=0).json
    assert [model["name"] for model in stack["pool"]["models"]] == [f"model_{i}" for i in range(4)]
    assert stack["selections"] == json.loads(expected)["selections"]
    numpy.save(home / "votes.npy", numpy.stack([array.argmax(1) for array in arrays.values()]))
    votes = hqe("inspect", home / "votes.npy", "--labels", home / "truth.csv", "--json", check=0).json
    assert votes["pool"]["kind"] == "labels"
    assert [m["correct"] for m in votes["models"]] == [m["correct"] for m in stack["pool"]["models"]]


def test_a_torch_dict_is_many_models(home):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    truth, said = shares_made(3)
    expected = answer(*loose(home, truth, said))
    tensors = {name: torch.tensor(column, dtype=torch.float64) for name, column in said.items()}
    for name in ("pool.pt", "pool.pth"):
        torch.save({"labels": torch.tensor(truth), **tensors}, home / name)
        assert answer(home / name) == expected


def test_text_labels_in_archives_of_numpy(home):
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    words = numpy.array(["bird", "cat", "dog", "eel, \u00fcbersee"])
    truth, said = labels_made()
    spell = lambda column: [words[label] for label in column]
    expected = answer(*loose(home, spell(truth), {name: spell(column) for name, column in said.items()}))
    arrays = {name: words[column] for name, column in said.items()}
    for save in (numpy.savez, numpy.savez_compressed):
        save(home / "pool.npz", labels=words[truth], **arrays)
        assert answer(home / "pool.npz") == expected
    numpy.savez_compressed(home / "pool.npz", labels=words[truth].astype(">U20"), **arrays)
    assert answer(home / "pool.npz") == expected


WRITERS = """
import json, sys
import pandas, polars, pyarrow, pyarrow.csv
for name, columns in json.load(sys.stdin).items():
    frame = pandas.DataFrame(columns)
    frame.to_csv(f"{name}.pandas.csv", index=False)
    frame.sample(frac=1, random_state=0).to_csv(f"{name}.pandas-shuffled.csv", index=False)
    frame.to_csv(f"{name}.pandas-quoted.csv", index=False, quoting=2, lineterminator="\\r\\n")
    polars.DataFrame(columns).write_csv(f"{name}.polars.csv")
    polars.DataFrame(columns).sample(fraction=1, shuffle=True, seed=1).write_csv(f"{name}.polars-shuffled.csv")
    polars.DataFrame(columns).write_csv(f"{name}.polars-quoted.csv", quote_style="always", include_bom=True)
    table = pyarrow.table(columns)
    pyarrow.csv.write_csv(table, f"{name}.pyarrow.csv")
    pyarrow.csv.write_csv(table.take(list(range(len(table)))[::-1]), f"{name}.pyarrow-turned.csv")
"""


def test_tables_by_every_writer_are_the_same_pool(home):
    """CSV as pandas, polars and pyarrow really write it: their quotes, line ends and spellings of numbers."""
    python = ROOT / "build/venv-python/bin/python"
    if not python.exists():
        pytest.skip("build/venv-python is absent: scripts/setup test makes it")
    words = ["bird", "cat, wild", 'a "dog"', "\u00e9el"]
    truth, said = labels_made()
    share_truth, shares = shares_made(3)
    spell = lambda column: [words[label] for label in column]
    expected, tables = {}, {}
    (home / "labels").mkdir()
    (home / "words").mkdir()
    (home / "shares").mkdir()
    expected["labels"] = answer(*loose(home / "labels", truth, said))
    expected["words"] = answer(*loose(home / "words", spell(truth), {name: spell(column) for name, column in said.items()}))
    expected["shares"] = answer(*loose(home / "shares", share_truth, shares))
    tables["labels"] = {"id": list(range(N)), "y": truth} | said
    tables["words"] = {"id": [f"s{i:04}" for i in range(N)], "y": spell(truth)} | {n: spell(c) for n, c in said.items()}
    columns = {f"{name}.{c}": [row[c] for row in rows] for name, rows in shares.items() for c in range(3)}
    tables["shares"] = {"id": list(range(N)), "y": share_truth} | columns
    tables["floats"] = {"id": list(range(N)), "y": truth} | {n: list(map(float, c)) for n, c in said.items()}
    expected["floats"] = expected["labels"]
    done = subprocess.run([python, "-c", WRITERS], cwd=home, input=json.dumps(tables), text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    written = sorted(home.glob("*.*.csv"))
    assert len(written) == 8 * len(tables)
    for path in written:
        assert answer(path, "--label-column", "y", "--id-column", "id") == expected[path.name.partition(".")[0]], path


def test_pandas_files_are_read_with_and_without_their_index(home):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    truth, said = labels_made()
    expected = json.loads(answer(*loose(home, truth, said)))
    pandas.DataFrame({"y": truth} | said).to_csv(home / "index.csv")
    document = hqe("prune", home / "index.csv", "--label-column", "y", "--size", "2", "--json", check=0).json
    assert "is taken as the samples' id" in document["warnings"][0]
    assert document["selections"] == expected["selections"]


WRONG = {
    "double ids": ("id,y,a,b\n1,0,0,1\n1,1,1,1\n", ["--id-column", "id"], ["column \"id\"", "\"1\" comes twice", "--id-column"]),
    "two label columns": ("y,label,a,b\n0,0,0,1\n", ["--columns", "a,b"], ["columns \"y\", \"label\": all look like true labels", "--label-column"]),
    "two id columns": ("id,row,y,a\n0,0,0,1\n", ["--label-column", "y"], ["columns \"id\", \"row\": all look like ids", "--id-column"]),
    "an empty cell": ("y,a,b\n0,0,1\n1,,1\n", ["--label-column", "y"], ["column \"a\", line 3", "empty", "Fill it in"]),
    "mixed types": ("y,a,b\n0,0,1\n1,x,1\n", ["--label-column", "y"], ["column \"a\", line 3", "mixed types", "--columns"]),
    "off by one": ("y,a,b\n1,2,0\n0,1,1\n2,3,2\n", ["--label-column", "y"], ["column \"a\"", "off by one", "Subtract 1"]),
    "a missing row": ("m,id,y,p\na,1,0,0\nb,1,0,1\na,2,1,1\n", ["--model-column", "m", "--id-column", "id"],
                      ["model \"b\" has no row of the id \"2\"", "Give every model a row"]),
    "no such column": ("y,a,b\n0,0,1\n", ["--label-column", "Y2"], ["no column is called \"Y2\"", "--label-column", "did you mean \"y\""]),
    "a second label column among the models": ("y,a,label\n0,0,1\n", ["--label-column", "y"], ["column \"label\"", "true labels too", "--columns"]),
    "off by one in the names of classes": ("y,a.1,a.2\n0,0.5,0.5\n1,0.25,0.75\n", ["--label-column", "y"],
                                           ["column \"a.1\"", "called by the true label \"0\"", "call them by the true labels"]),
    "transposed, with a row of labels": (",s0,s1,s2\ny,0,1,1\na,0,1,0\nb,1,1,1\n", ["--label-column", "y"],
                                         ["line 2", "a row is called \"y\"", "transposed", "table.T"]),
    "transposed, samples by number": ("index,0,1,2,3\na,0,1,0,1\nb,1,1,1,0\n", ["--id-column", "index"], ["column \"0\"", "2 rows have 4 columns", "transposed", "table.T", "--columns"]),
    "transposed shares": ("model,0,1,2,3\na.x,0.5,0.25,1,0\na.y,0.5,0.75,0,1\n", ["--id-column", "model"], ["column \"0\"", "transposed", "model.class"]),
    "no header": ("0,1,1\n1,0,1\n", ["--label-column", "y"], ["line 1", "names of its columns"]),
    "no ids in a long table": ("m,y,p\na,1,0\n", ["--model-column", "m"], ["needs ids", "--id-column"]),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_tables_are_refused_by_file_column_and_way_out(home, case):
    text, options, saying = WRONG[case]
    (home / "wrong.csv").write_text(text)
    refuses(3, "inspect", home / "wrong.csv", *options, saying=["wrong.csv", *saying])


def test_tables_that_do_not_fit_each_other_are_refused(home):
    (home / "truth.csv").write_text("id,y\ns1,0\ns2,1\ns3,1\n")
    words = [home / "p.csv", "--labels", home / "truth.csv", "--id-column", "id"]
    (home / "p.csv").write_text("id,a,b\ns3,0,1\ns1,0,0\n")
    refuses(3, "inspect", *words, saying=["p.csv", 'column "id"', 'the id "s2" of', "truth.csv is missing", "the same samples"])
    (home / "p.csv").write_text("id,s1,s2,s3\na,0,1,1\nb,1,1,1\n")
    refuses(3, "inspect", *words, saying=["p.csv", 'column "s1"', "transposed", "a row a sample"])


def test_a_table_without_true_labels_is_a_pool_that_lacks_them(home):
    (home / "unlabelled.csv").write_text("id,a,b\n0,0,1\n1,1,1\n")
    words = [home / "unlabelled.csv", "--id-column", "id"]
    hqe("inspect", *words, check=0)
    refuses(3, "evaluate", *words, saying=["unlabelled.csv", "no true labels", "--label-column", "--labels"])


def test_a_transposed_table_without_true_labels_is_not_many_models_of_few_samples(home):
    """What its headers tell is refused, what only its shape tells is a note; who names the models is believed."""
    table = home / "turned.csv"
    table.write_text("model,s0,s1,s2\na,0,1,0\nb,1,1,1\n")
    words = ["inspect", table, "--id-column", "model"]
    warnings = hqe(*words, "--json", check=0).json["warnings"]
    assert any("turned.csv: 2 rows have 3 columns" in one and "table.T" in one for one in warnings), warnings
    assert "turned.csv" not in " ".join(hqe(*words, "--columns", "s0,s1,s2", "--json", check=0).json["warnings"])
    table.write_text("model,s0,s1\na,0,1\nb,1,1\nTarget,0,1\n")
    refuses(3, *words, saying=["turned.csv", 'column "model"', 'a row is called "Target"', "transposed", "--columns"])
    table.write_text("model," + ",".join(f"s{i}" for i in range(1500)) + "\na" + ",1" * 1500 + "\nb" + ",0" * 1500 + "\n")
    refuses(3, *words, saying=["turned.csv", 'column "s0"', "2 rows have 1500 columns", "transposed", "table.T"])


def test_every_verb_says_how_labels_were_taken(home):
    """Labels of 10 to 13 are four classes, and no answer leaves that out."""
    truth, said = labels_made()
    files = loose(home, [y + 10 for y in truth], {name: [y + 10 for y in column] for name, column in said.items()})
    for words in (["inspect"], ["score", "--size", "2"], ["evaluate", "--size", "2"], ["prune", "--size", "2"],
                  ["sweep", "--size", "2:2", "--beta", "0.1"], ["explain", "--size", "2", "--team", "0,1"],
                  ["order", "--team", "0,1"], ["front"], ["front", "--cascade", "--team", "0,1,2"],
                  ["apply", "--team", "0,1", "-o", home / "answers.csv"]):
        warnings = hqe(words[0], *files, *words[1:], "--json", check=0).json["warnings"]
        assert any("the labels go from 10 to 13 and are 4 classes" in one for one in warnings), (words, warnings)
    assert "The labels go from 10 to 13 and are 4 classes" in hqe("team", *files, "--team", "0,1", check=0).out.replace("\n", " ")


def test_labels_beside_large_fractions_are_refused_by_column(home):
    """Columns of several kinds, with one true label as there is one column of the first."""
    table = home / "mixed.csv"
    table.write_text("y,a,b\n2,1e56,1\n2,1e18,1\n")
    refuses(3, "inspect", table, "--label-column", "y", saying=["mixed.csv", "column \"a\"", "neither labels"])


def test_an_id_among_the_classes_of_a_model_is_refused(home):
    truth, said = shares_made(3)
    files = loose(home, truth, said)
    write_rows(home / "m1.csv", ["id", "a", "b", "c"], [[i, *row] for i, row in enumerate(said["m1"])])
    refuses(3, "inspect", *files, saying=["m1.csv", "column \"id\"", "counts the rows", "--id-column id"])


def test_transposed_predictions_and_other_tables_say_the_way_out(home):
    truth, said = shares_made(3)
    files = loose(home, truth, said)
    for name, column in said.items():
        write_rows(home / f"{name}.csv", [f"s{i}" for i in range(N)], list(zip(*column)))
    refuses(3, "inspect", *files, saying=["m1.csv", "transposed", "one row a sample"])
    (home / "p.parquet").write_bytes(b"PAR1")
    for words in ([home / "p.parquet"], [home / "p.parquet", "--label-column", "y"]):
        refuses(3, "inspect", *words, saying=["p.parquet", "hqe.read_table"])


def test_rounded_probabilities_are_taken_with_a_note(home):
    truth, said = shares_made(5)
    rounded = {name: [[round(value, 2) for value in row] for row in column] for name, column in said.items()}
    document = hqe("inspect", *loose(home, truth, rounded), "--json", check=0).json
    assert document["pool"]["kind"] == "probabilities"
    assert "rounded to two or three decimals" in document["warnings"][0]


def test_every_command_line_of_the_document_works_when_pasted(home):
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    truth, said = shares_made(3)
    names = ["a", "b", "c"]
    arrays = [numpy.array(said[name]) for name in NAMES[:3]]
    (home / "validation").mkdir()
    for folder in (home, home / "validation"):
        numpy.save(folder / "labels.npy", truth)
        for name, array in zip(names, arrays):
            numpy.save(folder / f"{name}.npy", array)
    numpy.savez(home / "pool.npz", labels=truth, **dict(zip(names, arrays)))
    numpy.save(home / "stack.npy", numpy.stack(arrays))
    torch = pytest.importorskip("torch", reason="torch is not installed")
    torch.save({"labels": torch.tensor(truth), **{name: torch.tensor(array) for name, array in zip(names, arrays)}}, home / "pool.pt")
    votes = [array.argmax(1).tolist() for array in arrays]
    write_rows(home / "labels.csv", ["id", "y", *names], shuffled(zip(range(N), truth, *votes)))
    write_rows(home / "probabilities.csv", ["id", "y", *(f"{name}.{c}" for name in names for c in range(3))],
               [[i, y, *(value for array in arrays for value in array[i].tolist())] for i, y in enumerate(truth)])
    write_rows(home / "oof.csv", ["id", "target", "fold", "xgb", "lgbm", "mlp"],
               [[i, int(y == 1), i % 5, *(array[i, 1] for array in arrays)] for i, y in enumerate(truth)])
    write_rows(home / "long.csv", ["model", "id", "y", "said"],
               shuffled([name, i, y, column[i]] for name, column in zip(names, votes) for i, y in enumerate(truth)))
    write_rows(home / "predictions.csv", ["id", *names], shuffled(zip(range(N), *votes)))
    write_rows(home / "truth.csv", ["id", "y"], shuffled(enumerate(truth)))
    blocks = re.findall(r"^```bash\n(.*?)^```", (ROOT / "docs/inputs.md").read_text(), re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).splitlines()
    assert len(lines) == 10
    recommended = {}
    for line in lines:
        words = line.split()
        assert words[0] == "hqe"
        recommended[line] = hqe(*words[1:], "--json", cwd=home, check=0).json["selections"]
    alike = [answer for line, answer in recommended.items() if any(word in line for word in ("labels.csv", "long", "truth"))]
    assert len(alike) == 3 and alike[0] == alike[1] == alike[2]
