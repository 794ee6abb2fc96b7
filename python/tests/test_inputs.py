# SPDX-License-Identifier: MIT
"""Every form that docs/inputs.md shows, pasted as it stands, and the answers held against each other."""

import re

import numpy as np
import pytest

import hqe

from conftest import ROOT
from test_evaluations import Predictor, choice_rows, write_helm, write_samples

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
for package in ("polars", "pyarrow", "duckdb"):
    pytest.importorskip(package, reason=f"{package} is not installed")

BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/inputs.md").read_text(), re.MULTILINE | re.DOTALL)
N, C = 300, 3


@pytest.fixture(scope="module")
def made():
    random = np.random.default_rng(8)
    labels = random.integers(0, C, N)
    raw = random.random((3, N, C))
    raw[:, np.arange(N), labels] += 0.5 * random.random((3, N))
    return raw / raw.sum(axis=2, keepdims=True), labels


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    """The files and folders that the document names."""
    shares, labels = made
    monkeypatch.chdir(tmp_path)
    (tmp_path / "validation").mkdir()
    for place in (tmp_path, tmp_path / "validation"):
        np.save(place / "labels.npy", labels)
        for name, one in zip("abc", shares):
            np.save(place / f"{name}.npy", one)
    whole = pandas.DataFrame(
        {"id": np.arange(N), "y": labels} | {f"m{i}": one.argmax(axis=1) for i, one in enumerate(shares)}
    )
    whole = whole.sample(frac=1, random_state=0)
    whole.to_csv("labels.csv", index=False)
    whole.to_parquet("predictions.parquet", index=False)
    columns = {f"{name}.{c}": one[:, c] for name, one in zip("abc", shares) for c in range(C)}
    pandas.DataFrame({"id": np.arange(N), "y": labels} | columns).to_csv("probabilities.csv", index=False)
    second = (labels > 0).astype(int)
    oof = {name: 1 - one[:, 0] for name, one in zip(("xgb", "lgbm", "mlp"), shares)}
    pandas.DataFrame({"id": np.arange(N), "target": second, "fold": np.arange(N) % 5} | oof).to_csv(
        "oof.csv", index=False
    )
    rows = [(name, i, labels[i], one[i].argmax()) for name, one in zip("abc", shares) for i in range(N)]
    long = pandas.DataFrame(rows, columns=["model", "id", "y", "said"])
    long.sample(frac=1, random_state=1).to_csv("long.csv", index=False)
    for name, one in zip("abc", shares):
        write_samples(
            tmp_path / "lm-eval-output" / name, "arc_easy", choice_rows(np.log(one).tolist(), labels.tolist())
        )
        right = one.argmax(axis=1) == labels
        write_helm(tmp_path / f"benchmark_output/runs/my-suite/mmlu:subject=anatomy,model={name}", right)
    return tmp_path


def test_every_block_works_when_pasted(made, folder):
    shares, labels = made
    predictor = Predictor(pandas, dict(zip("abc", shares)), list(range(C)))
    test_data = pandas.DataFrame({"class": labels})
    pools = []
    for block in BLOCKS:
        assert len(block.strip().splitlines()) == 3, block
        names = {"predictor": predictor, "test_data": test_data}
        exec(compile(block, "docs/inputs.md", "exec"), names)
        pools.append(names["pool"])
    assert len(pools) == 11
    plain = hqe.evaluate(hqe.Pool(shares, labels)).correct.tolist()
    answers = hqe.evaluate(hqe.Pool(shares.argmax(axis=2), labels)).correct.tolist()
    right = hqe.evaluate(hqe.Pool(shares.argmax(axis=2) == labels, kind="correctness")).correct.tolist()
    counts = [hqe.evaluate(pool).correct.tolist() for pool in pools]
    assert counts[0] == counts[1] == counts[4] == counts[8] == counts[10] == plain
    assert counts[2] == counts[3] == counts[6] == counts[7] == answers and counts[9] == right
    assert counts[5][:3] == [int(((1 - one[:, 0] > 0.5) == (labels > 0)).sum()) for one in shares]
