# SPDX-License-Identifier: MIT
"""Predictions in one table and true labels in another, joined by their ids."""

import pytest

import hqe

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
polars = pytest.importorskip("polars", reason="polars is not installed")
pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

FRAME = pandas.DataFrame(
    {"id": [f"s{i}" for i in range(12)], "a": [0, 1, 2] * 4, "b": [0, 1, 1] * 4, "c": [2, 1, 2] * 4, "y": [0, 1, 2, 0, 1, 1] * 2}
)
PREDICTIONS, TRUTH = FRAME.drop(columns="y"), FRAME[["id", "y"]]


def answer(pool):
    return hqe.prune(pool, size=2).to_json()


def joined(predictions=PREDICTIONS, truth=TRUTH, **words):
    return hqe.Pool.from_table(predictions, truth=truth, id="id", **words)


@pytest.mark.parametrize("form", [lambda frame: frame, polars.from_pandas, pyarrow.Table.from_pandas, lambda frame: frame.to_dict("list")])
def test_two_tables_are_the_pool_of_one_in_any_order_of_rows(form):
    whole = answer(hqe.Pool.from_table(FRAME, label="y", id="id"))
    for seed in (1, 2):
        truth = TRUTH.sample(frac=1, random_state=seed).reset_index(drop=True)
        assert answer(joined(form(PREDICTIONS.sample(frac=1, random_state=3).reset_index(drop=True)), form(truth))) == whole


def test_files_and_rows_of_models_are_joined_too(tmp_path):
    PREDICTIONS.to_csv(tmp_path / "predictions.csv", index=False)
    TRUTH.to_csv(tmp_path / "truth.csv", index=False)
    whole = answer(joined())
    assert answer(joined(tmp_path / "predictions.csv", tmp_path / "truth.csv")) == whole
    long = PREDICTIONS.melt(id_vars="id", var_name="model", value_name="said")
    assert answer(joined(long, model="model")) == whole
    assert answer(joined(truth=TRUTH.rename(columns={"y": "species"}))) == whole, "the only other column"
    assert answer(joined(truth=TRUTH.assign(note=1).rename(columns={"y": "species"}), label="species")) == whole


@pytest.mark.parametrize(
    "predictions, truth, words",
    [
        (PREDICTIONS, TRUTH[:-1], ["truth: column 'id'", "'s11' of table is missing", "the same samples"]),
        (PREDICTIONS[1:], TRUTH, ["table: column 'id'", "'s0' of truth is missing"]),
        (PREDICTIONS, pandas.concat([TRUTH, TRUTH[:1]]), ["truth: column 'id'", "the same id 's0'"]),
        (PREDICTIONS, TRUTH.rename(columns={"id": "name"}), ["truth: no column is called 'id'"]),
        (PREDICTIONS, TRUTH.rename(columns={"y": "p"}).assign(q=1), ["truth: no column is called label", "label="]),
        (PREDICTIONS, TRUTH.assign(label=1), ["truth: columns 'y', 'label' all look like true labels"]),
        (FRAME, TRUTH, ["table: column 'y' looks like true labels", "Leave one out"]),
        (PREDICTIONS.set_index("id").T.reset_index(names="id"), TRUTH, ["column 's0'", "transposed", "(.T)"]),
    ],
)
def test_what_does_not_fit_together_is_refused_by_column_and_way_out(predictions, truth, words):
    with pytest.raises(hqe.InputError) as refused:
        joined(predictions, truth)
    for word in words:
        assert word in str(refused.value), refused.value


def test_tables_without_ids_cannot_be_joined():
    with pytest.raises(hqe.InputError, match="two tables are joined by their ids"):
        hqe.Pool.from_table(PREDICTIONS.drop(columns="id"), truth=TRUTH)
