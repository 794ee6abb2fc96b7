# SPDX-License-Identifier: MIT
"""What is wrong with a table is said by its file, its column and the way out."""

import warnings

import pytest

import hqe
from tables_made import N, drawn, label_columns, share_columns

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")


@pytest.fixture(scope="module")
def made():
    return drawn()


def wrong(made, **changes):
    return pandas.DataFrame(label_columns(made)).assign(**changes)


WRONG = {
    "double ids": (lambda d: wrong(d, id=[0, *range(N - 1)]), "column 'id': rows 0 and 1 .* have the same id '0'. Leave one out"),
    "a missing value": (lambda d: wrong(d, m1=[None, *[1] * (N - 1)]), "column 'm1': row 0 .* has no value.* Fill"),
    "two labels": (lambda d: wrong(d, target=0), "'y', 'target' all look like true labels. Say which with label="),
    "mixed types": (lambda d: wrong(d, m2=["a", *[1] * (N - 1)]), "column 'm2': mixed types: row 0 holds text, row 1 .* numbers"),
    "text and numbers": (lambda d: wrong(d, m2="a"), "column 'y': holds numbers, and other labels are text. Give both alike"),
    "off by one": (lambda d: wrong(d, m3=lambda t: t.m3 + 1), "column 'm3': has the classes 1 to 4, table: column 'y' 0 to 3: off by one. Subtract 1"),
    "fractions": (lambda d: wrong(d, m3=0.5), "column 'm3' holds numbers of no model and class. Call columns model.class"),
    "dates": (lambda d: wrong(d, m3=pandas.Timestamp("2024-01-01")), "column 'm3': values of type datetime64.* Give numbers"),
    "no rows": (lambda d: wrong(d).iloc[:0], "it has no rows"),
    "two of a name": (lambda d: pandas.concat([wrong(d), wrong(d)[["m1"]]], axis=1), "two columns are called 'm1'"),
    "transposed": (lambda d: wrong(d).set_index("id").T.rename(columns=str), "a row is called 'y', as true labels are: .* transposed. .*(.T)"),
    "transposed, without labels": (
        lambda d: wrong(d).drop(columns="y").set_index("id").T.rename(columns=str),
        "column '7' looks like a sample, since 5 rows have .* columns: the table looks transposed. .*[.]T.; models=",
    ),
    "a class less": (lambda d: pandas.DataFrame(share_columns(d, ".")).drop(columns="m1.2"), "for each model every class"),
    "an unknown class": (
        lambda d: pandas.DataFrame(share_columns(d, ".")).assign(y=[9, *[0] * (N - 1)]),
        "column 'y': row 0 .*'9' is not one of the classes that the columns name",
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:hqe. column 'id'")
@pytest.mark.parametrize("case", WRONG)
def test_wrong_tables_are_refused_by_column_and_way_out(made, case):
    make, message = WRONG[case]
    with pytest.raises(hqe.InputError, match=f"^table: .*{message}"):
        hqe.Pool.from_table(make(made))


IN_FILES = ["double ids", "a missing value", "two labels", "text and numbers", "off by one", "a class less", "transposed", "transposed, without labels"]


@pytest.mark.filterwarnings("ignore:hqe. column '.*' is taken")
@pytest.mark.parametrize("case", IN_FILES)
def test_a_wrong_file_is_refused_by_its_name(made, tmp_path, case):
    make, message = WRONG[case]
    for path, write in ((tmp_path / "wrong.parquet", "to_parquet"), (tmp_path / "wrong.csv", "to_csv")):
        frame = make(made)
        options = {} if write == "to_parquet" else {"index": "transposed" in case}
        getattr(frame, write)(path, **options)
        said = message.replace("table: column", f"{path}: column")
        for table in (path, hqe.read_table(path)):
            with pytest.raises(hqe.InputError, match=f"^{path}: .*{said}"):
                hqe.Pool.from_table(table)


def test_a_row_of_labels_that_was_asked_for_as_a_column_is_seen(made, tmp_path):
    frame = wrong(made).set_index("id").T.rename(columns=str)
    frame.to_csv(tmp_path / "turned.csv")
    for table, name in ((frame, "table"), (tmp_path / "turned.csv", tmp_path / "turned.csv")):
        with pytest.raises(hqe.InputError, match=f"^{name}: a row is called 'y', and no column: .* transposed"):
            hqe.Pool.from_table(table, label="y")


def test_more_columns_than_rows_are_noted_and_models_that_are_named_are_believed():
    few = pandas.DataFrame({"id": [1, 2], "a": [0, 0], "b": [1, 0], "c": [1, 1]})
    with pytest.warns(UserWarning, match="table: 2 rows have 3 columns, each taken as a model. .*transposed"):
        assert hqe.Pool.from_table(few, id="id").names == ["a", "b", "c"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hqe.Pool.from_table(few, id="id", models=["a", "b", "c"]).model_count == 3
        assert hqe.Pool.from_table(few.assign(y=[0, 1]), id="id").model_count == 3
