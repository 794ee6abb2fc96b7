# SPDX-License-Identifier: MIT
"""Tables in: whoever wrote them, the same pool."""

import gc
import json
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import hqe
from hqe._arrow import ArrowTable
from hqe.table import table_parts
from tables_made import C, M, N, WORDS, drawn, label_columns, share_columns

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
polars = pytest.importorskip("polars", reason="polars is not installed")
pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
from pyarrow import feather, parquet

@pytest.fixture(scope="module")
def made():
    return drawn()


def answer(pool):
    return hqe.prune(pool, size=2).to_json()


def nameless(text):
    """The answer without what the pool is called."""
    document = json.loads(text)
    del document["pool"]["name"]
    return json.dumps(document)


def forms(columns, folder):
    """The same table by every writer, its rows in order and shuffled, in one piece and in several."""
    frame, table = pandas.DataFrame(columns), pyarrow.table(columns)
    order = np.random.default_rng(1).permutation(N)
    frame.to_parquet(folder / "pandas.parquet")
    frame.to_csv(folder / "table.csv", index=False)
    polars.DataFrame(columns).write_parquet(folder / "polars.parquet")
    feather.write_feather(table, folder / "table.feather")
    parquet.write_table(table, folder / "pieces.parquet", row_group_size=50)
    yield "dict", columns
    yield "pandas", frame
    yield "pandas, shuffled", frame.iloc[order]
    yield "pandas, category", frame.astype({name: "category" for name in frame if frame[name].dtype == "str"})
    yield "pandas, pyarrow's types", frame.convert_dtypes(dtype_backend="pyarrow")
    yield "polars", polars.DataFrame(columns)
    yield "polars, shuffled", polars.DataFrame(columns)[order.tolist()]
    yield (
        "polars, pieces",
        polars.concat([polars.DataFrame(columns)[:100], polars.DataFrame(columns)[100:]], rechunk=False),
    )
    yield "arrow", table
    yield "arrow, dictionaries", pyarrow.table({n: dictionary(table[n]) for n in table.column_names})
    yield "arrow, batches", table.to_reader(max_chunksize=60)
    yield "duckdb", duckdb.from_arrow(table)
    yield "duckdb, shuffled", duckdb.from_arrow(table.take(order))
    for file in sorted(folder.iterdir()):
        yield file.name, hqe.read_table(file)
        yield f"path of {file.name}", str(file)


def dictionary(column):
    is_text = pyarrow.types.is_string(column.type)
    return column.dictionary_encode() if is_text else column


def test_a_column_a_model_is_the_same_pool_in_every_form(made, tmp_path):
    shares, labels = made
    arrays = {f"m{i}": one.argmax(axis=1) for i, one in enumerate(shares)}
    expected = answer(hqe.Pool(arrays, labels))
    for name, table in forms(label_columns(made), tmp_path):
        assert answer(hqe.Pool.from_table(table, label="y", id="id")) == expected, name


@pytest.mark.filterwarnings("ignore:hqe. column 'id'")
def test_text_labels_are_classes_in_every_form(made, tmp_path):
    shares, labels = made
    arrays = {f"m{i}": one.argmax(axis=1) for i, one in enumerate(shares)}
    expected = answer(hqe.Pool(arrays, labels, classes=list(WORDS)))
    for name, table in forms(label_columns(made, words=True), tmp_path):
        assert answer(hqe.Pool.from_table(table)) == expected, name


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("mark", [".", "_"])
def test_columns_of_probabilities_are_the_same_pool_in_every_form(made, tmp_path, mark, words):
    shares, labels = made
    named = {f"m{i}": one for i, one in enumerate(shares)}
    expected = answer(hqe.Pool(named, labels, classes=list(WORDS) if words else ()))
    for name, table in forms(share_columns(made, mark, words), tmp_path):
        assert answer(hqe.Pool.from_table(table, label="y", id="id")) == expected, name


@pytest.mark.parametrize("kind", ["labels", "words", "shares"])
def test_the_command_answers_the_same_bytes_as_every_form_in_python(made, tmp_path, command, kind):
    """Loose files and a table in CSV by the command; frames, relations and files of every writer in Python."""
    columns = share_columns(made, ".") if kind == "shares" else label_columns(made, words=kind == "words")
    shares, labels = made
    words = [str(WORDS[one]) for one in labels] if kind == "words" else labels.tolist()
    (tmp_path / "loose").mkdir()
    (tmp_path / "loose/truth.csv").write_text("y\n" + "".join(f"{one}\n" for one in words))
    for i, one in enumerate(shares):
        said = one if kind == "shares" else np.array(columns[f"m{i}"])[:, None]
        header = ",".join(f"c{c}" for c in range(C)) if kind == "shares" else "said"
        rows = "".join(",".join(map(str, row)) + "\n" for row in said.tolist())
        (tmp_path / f"loose/m{i}.csv").write_text(f"{header}\n{rows}")
    pandas.DataFrame(columns).sample(frac=1, random_state=2).to_csv(tmp_path / "shuffled.csv", index=False)
    loose = [*sorted((tmp_path / "loose").glob("m*.csv")), "--labels", tmp_path / "loose/truth.csv"]
    expected = nameless(command("prune", *loose, "--size", "2"))
    table = [tmp_path / "shuffled.csv", "--label-column", "y", "--id-column", "id"]
    assert nameless(command("prune", *table, "--size", "2")) == expected
    folder = tmp_path / "forms"
    folder.mkdir()
    for name, one in forms(columns, folder):
        assert nameless(answer(hqe.Pool.from_table(one, label="y", id="id"))) == expected, name


def test_a_frame_given_to_pool_has_a_column_a_model(made):
    shares, labels = made
    arrays = {f"m{i}": one.argmax(axis=1)[:M] for i, one in enumerate(shares)}  # N = M: nothing else tells.
    expected = [int((one == labels[:M]).sum()) for one in arrays.values()]
    for frame in (pandas.DataFrame(arrays), polars.DataFrame(arrays), pyarrow.table(arrays)):
        pool = hqe.Pool(frame, labels[:M])
        assert pool.names == list(arrays)
        assert [model.correct for model in hqe.inspect(pool).models] == expected
    frame = pandas.DataFrame(label_columns(made)).drop(columns="id")
    assert answer(hqe.Pool(frame, "y")) == answer(hqe.Pool(frame.drop(columns="y"), frame["y"]))
    shuffled = pandas.DataFrame(label_columns(made)).sample(frac=1, random_state=0)
    with pytest.warns(UserWarning, match="column 'id' is taken"):
        assert answer(hqe.Pool(shuffled.drop(columns="y"), shuffled["y"])) == answer(hqe.Pool(frame, "y"))
    with pytest.raises(hqe.InputError, match="transpose it"):
        hqe.Pool(frame.drop(columns="y").T, frame["y"].to_numpy())
    with pytest.raises(hqe.InputError, match=r"index is not the table's.*labels.loc\[table.index\]"):
        hqe.Pool(frame.drop(columns="y"), frame["y"].sample(frac=1, random_state=0))
    with pytest.raises(hqe.InputError, match="Leave `names`"):
        hqe.Pool(frame, "y", names=list("abcde"))


def test_numbers_are_read_where_they_lie():
    values = np.asfortranarray(np.random.default_rng(0).random((50, 4)) + 0.1)
    values /= values.sum(axis=1, keepdims=True)
    columns = {f"a.{c}": values[:, c] for c in range(2)} | {f"b.{c}": values[:, c + 2] for c in range(2)}
    for model in "ab":  # Each model's two columns add up to 1.
        total = columns[f"{model}.0"] + columns[f"{model}.1"]
        columns[f"{model}.0"] /= total
        columns[f"{model}.1"] /= total
    frame = pandas.DataFrame(values, columns=list(columns), copy=False)
    table = pyarrow.table({"y": np.arange(50) % 2, "c": np.arange(50)[::-1] % 2})
    parts = table_parts(frame, np.arange(50) % 2, None, None, None, None)
    assert all(np.shares_memory(one, values) for one in parts.predictions.values())
    assert not pickle.loads(pickle.dumps(parts.predictions["a"])).flags.c_contiguous
    column, _ = ArrowTable(table).column(1)
    assert column.__array_interface__["data"][0] == table["c"].chunk(0).buffers()[1].address
    expected = table["c"].to_pylist()
    del table
    gc.collect()
    assert column.tolist() == expected


def test_arrow_columns_of_every_kind_are_what_pyarrow_says():
    long = "a text that is longer than twelve bytes, ü"
    kinds = {
        "bool": pyarrow.array([True, None, False, True, True, None, False, True, False, True]),
        "text": pyarrow.array(["a", None, "ü", long, "", "b", "c", None, long, "e"]),
        "large": pyarrow.array(["a", None, "ü", long, "", "b", "c", None, long, "e"], pyarrow.large_string()),
        "view": pyarrow.array(["a", None, "ü", long, "", "b", "c", None, long, "e"], pyarrow.string_view()),
        "dictionary": pyarrow.array(["a", None, "ü", long, "", "b", "c", None, long, "e"]).dictionary_encode(),
        "nothing": pyarrow.nulls(10),
    }
    for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"):
        kinds[name] = pyarrow.array([1, 2, None, 4, 5, 6, 7, 8, None, 10], getattr(pyarrow, name)())
    kinds["float16"] = pyarrow.array(np.arange(10).astype("f2"))
    whole = pyarrow.table(kinds)
    for table in (whole, whole.slice(3), whole.slice(2, 5), pyarrow.concat_tables([whole.slice(1), whole.slice(7)])):
        read = ArrowTable(table)
        assert len(read) == len(table)
        for place, name in enumerate(read.names):
            values, gaps = read.column(place)
            missing = np.zeros(len(values), bool) if gaps is None else gaps
            assert [None if gap else value for value, gap in zip(values.tolist(), missing)] == table[name].to_pylist()
    struct = whole.select(["int8", "view", "bool"]).to_struct_array().combine_chunks().slice(3)
    parent = ArrowTable(pyarrow.chunked_array([struct]))  # Its children are not cut: the parent has the offset.
    for place, name in enumerate(parent.names):
        values, gaps = parent.column(place)
        expected = whole[name].to_pylist()[3:]
        assert [None if gap else value for value, gap in zip(values.tolist(), gaps)] == expected


def test_a_column_of_probabilities_of_the_second_class_is_a_model():
    random = np.random.default_rng(5)
    y = random.integers(0, 2, 200)
    p = {f"fold_{i}": np.clip(0.5 * y + 0.6 * random.random(200) - 0.05, 0, 1) for i in range(4)}
    expected = answer(hqe.Pool({name: np.stack((1 - one, one), 1) for name, one in p.items()}, y))
    assert answer(hqe.Pool(pandas.DataFrame(p), y)) == expected
    folds = pandas.DataFrame({"target": y, "fold": np.arange(200) % 5} | p)
    with pytest.raises(hqe.InputError, match="column 'fold' goes from 0 to 4, which are no probabilities.*models="):
        hqe.Pool.from_table(folds)
    with pytest.raises(hqe.InputError, match="column 'fold' holds whole numbers where others hold fractions.*models="):
        hqe.Pool.from_table(folds.assign(fold=folds.fold % 2))
    assert answer(hqe.Pool.from_table(folds, models=list(p))) == expected
    decimals = duckdb.sql("select * from (values (0, 0.25, 0.750), (1, 0.5, 1.000)) as t(y, a, b)")
    assert [m.correct for m in hqe.inspect(hqe.Pool.from_table(decimals)).models] == [1, 1]
    signs = pandas.DataFrame({"target": 2 * y - 1} | p)
    assert hqe.Pool.from_table(signs).classes == ["-1", "1"]


@pytest.mark.parametrize("labels", [[-1, 1], [1, 2, 3], [10, 11, 12], [True, False], [0.0, 1.0, 2.0]])
def test_labels_of_every_kind_count_alike(labels):
    random = np.random.default_rng(2)
    codes = random.integers(0, len(labels), 90)
    right = {f"m{i}": np.where(random.random(90) < 0.7, codes, random.integers(0, len(labels), 90)) for i in range(3)}
    kinds = np.array(sorted(labels))
    table = pandas.DataFrame({"y": kinds[codes]} | {name: kinds[one] for name, one in right.items()})
    pool = hqe.Pool.from_table(table)
    assert [m.correct for m in hqe.inspect(pool).models] == [int((one == codes).sum()) for one in right.values()]
    plain = min(labels) == 0
    assert pool.class_count == len(labels) and pool.classes == ([] if plain else [str(one) for one in kinds])


def test_right_and_wrong_needs_no_labels():
    right = np.random.default_rng(1).random((50, 3)) < 0.7
    table = pandas.DataFrame(right, columns=list("abc"))
    pool = hqe.Pool.from_table(table, kind="correctness")
    assert [m.correct for m in hqe.inspect(pool).models] == right.sum(axis=0).tolist()
    with pytest.raises(hqe.InputError, match="column 'b' is not only right"):
        hqe.Pool.from_table(table.assign(b=range(50)), kind="correctness", models=["a", "b"])


def test_an_id_is_never_a_model(made):
    plain = pandas.DataFrame(label_columns(made)).drop(columns="id")
    expected = answer(hqe.Pool.from_table(plain))
    with pytest.warns(UserWarning, match="column 'row' is taken as the samples' id"):
        assert answer(hqe.Pool.from_table(plain.assign(row=range(N)))) == expected
    with pytest.warns(UserWarning, match="column 'Unnamed: 0' is taken"):
        assert answer(hqe.Pool.from_table(plain.assign(**{"Unnamed: 0": range(N)}))) == expected
    with pytest.warns(UserWarning, match="column 'number' counts the rows and is left out"):
        assert answer(hqe.Pool.from_table(plain.assign(number=range(5, N + 5)))) == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # Nothing is said of what was said.
        hqe.Pool.from_table(plain.assign(row=range(N)), label="y", id="row")
        hqe.Pool.from_table(plain, models=["m0", "m1"])
    with pytest.raises(hqe.InputError, match="'id', 'row' all look like ids. Say which with id="):
        hqe.Pool.from_table(plain.assign(id=range(N), row=range(N)))


def test_a_table_without_true_labels_is_a_pool_that_lacks_them(made):
    frame = pandas.DataFrame(label_columns(made))
    pool = hqe.Pool.from_table(frame.drop(columns="y"), id="id")
    assert not pool.has_labels and pool.names == [f"m{i}" for i in range(M)]
    labelled = hqe.Pool.from_table(frame, id="id")
    told, known = (hqe.apply(one, [0, 1, 2], ties="label").labels.tolist() for one in (pool, labelled))
    assert told == known
    with pytest.raises(hqe.InputError, match="^table: there are no true labels. .*labels= or, of a table, label="):
        hqe.prune(pool, size=2)


def test_text_is_labels_in_arrays_too(made):
    shares, labels = made
    answers = {f"m{i}": one.argmax(axis=1) for i, one in enumerate(shares)}
    expected = answer(hqe.Pool(answers, labels, classes=list(WORDS)))
    words = {name: WORDS[one] for name, one in answers.items()}
    assert answer(hqe.Pool(words, WORDS[labels])) == expected
    assert answer(hqe.Pool({n: one.tolist() for n, one in words.items()}, WORDS[labels].tolist())) == expected
    assert answer(hqe.Pool({n: one.astype(object) for n, one in words.items()}, WORDS[labels])) == expected
    pool = hqe.Pool(words, WORDS[labels])
    assert answer(pickle.loads(pickle.dumps(pool))) == expected
    soft = {f"m{i}": one for i, one in enumerate(shares)}
    assert hqe.Pool(soft, WORDS[labels]).classes == list(WORDS)
    with pytest.raises(hqe.InputError, match="^labels: holds numbers, and other labels are text. Give both alike"):
        hqe.Pool(words, labels)
    with pytest.raises(hqe.InputError, match="^model 'm0': mixed types: row 0 holds text, row 1 .* numbers"):
        hqe.Pool(words | {"m0": np.array(["cat"] + [1] * (N - 1), object)}, WORDS[labels])


def long_columns(made, kind):
    """A row a model and sample, shuffled."""
    shares, labels = made
    order = np.random.default_rng(4).permutation(M * N)
    model, sample = order // N, order % N
    columns = {"key": sample, "net": np.array([f"m{i}" for i in range(M)])[model], "target": labels[sample]}
    if kind == "labels":
        return columns | {"said": shares.argmax(axis=2)[model, sample]}
    return columns | {str(c): shares[model, sample, c] for c in range(C)}


@pytest.mark.parametrize("kind", ["labels", "shares"])
def test_a_row_a_model_and_sample_is_the_same_pool(made, tmp_path, kind):
    shares, labels = made
    named = {f"m{i}": one if kind == "shares" else one.argmax(axis=1) for i, one in enumerate(shares)}
    expected = answer(hqe.Pool(named, labels))
    columns = long_columns(made, kind)
    pandas.DataFrame(columns).to_parquet(tmp_path / "long.parquet")
    for table in (columns, pandas.DataFrame(columns), polars.DataFrame(columns), tmp_path / "long.parquet"):
        assert answer(hqe.Pool.from_table(table, label="target", id="key", model="net")) == expected
    frame = pandas.DataFrame(columns)
    ask = {"label": "target", "id": "key", "model": "net"}
    with pytest.raises(hqe.InputError, match="^table: column 'key': model 'm1' has no row of the id '7', which model 'm0'"):
        hqe.Pool.from_table(frame[(frame.net != "m1") | (frame.key != 7)], **ask)
    with pytest.raises(hqe.InputError, match="^table: column 'key': the id '7' of model 'm1' comes twice.* Leave one out"):
        hqe.Pool.from_table(pandas.concat([frame, frame[(frame.net == "m1") & (frame.key == 7)]]), **ask)
    frame.loc[(frame.net == "m2") & (frame.key == 7), "target"] = 9
    with pytest.raises(hqe.InputError, match="^table: column 'target': the id '7' is .* but '9' for model 'm2'. Correct it"):
        hqe.Pool.from_table(frame, **ask)
    with pytest.raises(hqe.InputError, match="needs ids. Name their column with id="):
        hqe.Pool.from_table(frame, label="target", model="net")


def test_wrong_requests_are_refused(made, tmp_path):
    frame = pandas.DataFrame(label_columns(made))
    with pytest.raises(hqe.InputError, match="table: no column is called 'Y'. Correct label=: there is id, y"):
        hqe.Pool.from_table(frame.rename(columns={"m0": "yy"}), label="Y")
    with pytest.raises(hqe.InputError, match="column 'target' looks like true labels too. Say with models="):
        hqe.Pool.from_table(frame.assign(target=frame.y), label="y", id="id")
    with pytest.raises(hqe.InputError, match="table: no column is called 'm9'. Correct models=: there is m"):
        hqe.Pool.from_table(frame, label="y", id="id", models=["m9"])
    with pytest.raises(hqe.InputError, match="table: column 'y' is a model and the label at once. Leave it out of models="):
        hqe.Pool.from_table(frame, label="y", id="id", models=["m0", "y"])
    with pytest.raises(hqe.InputError, match=r"LazyFrame.*Call its collect\(\) first"):
        hqe.Pool.from_table(polars.DataFrame({"y": [1]}).lazy())
    with pytest.raises(hqe.InputError, match="no-such.parquet: there is no such file"):
        hqe.read_table(tmp_path / "no-such.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(hqe.InputError, match="broken.parquet: cannot be read"):
        hqe.read_table(tmp_path / "broken.parquet")
    with pytest.raises(hqe.InputError, match="values of Arrow's type 'tdD'.*models="):
        hqe.Pool.from_table(pyarrow.table({"y": [0, 1], "m": pyarrow.array([1, 2], pyarrow.date32())}))


ALONE = """
import sys
for name in {absent!r}:
    sys.modules[name] = None
import hqe
table = hqe.read_table({path!r})
print(type(table).__module__.split(".")[0], hqe.prune(hqe.Pool.from_table(table, label="y", id="id"), size=2).best.names)
"""


def test_any_of_three_packages_reads_parquet_and_none_says_so(made, tmp_path):
    path = str(tmp_path / "t.parquet")
    polars.DataFrame(label_columns(made)).write_parquet(path)
    said = []
    for absent in ([], ["pyarrow"], ["pyarrow", "polars"], ["pyarrow", "polars", "duckdb"]):
        words = [sys.executable, "-c", ALONE.format(absent=absent, path=path)]
        said.append(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    said = [one.communicate() for one in said]
    names = [one[0].partition(" ") for one in said]
    assert [one[0] for one in names] == ["pyarrow", "polars", "duckdb", ""] and names[0][2] == names[1][2] == names[2][
        2
    ]
    assert "ImportError: reading such a file needs pyarrow, polars or duckdb: pip install pyarrow" in said[3][1]
