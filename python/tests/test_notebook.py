# SPDX-License-Identifier: MIT
"""What a notebook shows of an answer, and pools that travel."""

import copy
import pickle
import re

import numpy as np
import pytest

import hqe

from conftest import DEMO


@pytest.fixture(scope="module")
def answers(pool):
    return {
        "inspect": hqe.inspect(pool),
        "front": hqe.front(pool),
        "cascade": hqe.front(pool, cascade=True, team=[0, 1, 2, 3]),
        "explain": hqe.explain(pool, [(0, 1, 2), (5, 6, 7)], size=3),
        "compare": hqe.compare(pool, size=3, methods=["random", "exhaustive"], repeats=2),
    }


def cells(html):
    """Rows of the first table: the header's words, then each row's."""
    rows = re.findall(r"<tr>(.*?)</tr>", html.split("</table>")[0])
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in rows]


def test_pictures_show_as_pictures_and_stay_text(study, answers):
    for picture in (study.plot("scatter"), study.plot("cofailure"), answers["compare"].plot()):
        assert isinstance(picture, str) and picture.startswith("<svg") and picture._repr_svg_() == picture
        assert type(picture._repr_svg_()) is str and len(repr(picture)) < 60


def test_documents_have_tables(pool, answers):
    expected = {
        "inspect": len(pool),
        "front": sum(len(front.teams) for front in answers["front"].fronts),
        "cascade": len(answers["cascade"].rows),
        "explain": 2 * 4,
        "compare": 2,
    }
    for name, count in expected.items():
        head, *rows = cells(answers[name]._repr_html_())
        assert len(rows) == count and {len(row) for row in rows} == {len(head)}, name
    assert cells(answers["inspect"]._repr_html_())[1][:2] == ["0", "model_0"]
    assert "%" in answers["front"]._repr_html_() and "<svg" in answers["compare"]._repr_html_()
    assert "kept" in answers["explain"]._repr_html_() or "pruned" in answers["explain"]._repr_html_()


def test_tables_are_frames_where_pandas_is(pool, answers):
    pytest.importorskip("pandas", reason="pandas is not installed")
    correct = [model.correct for model in answers["inspect"].models]
    assert answers["inspect"].to_pandas()["correct"].tolist() == correct
    front = answers["front"].to_pandas()
    assert front["team"].tolist() == [one.team for one in answers["front"].fronts[0].teams]
    assert (front["accuracy"] == front["correct"] / pool.sample_count).all()
    cascades = answers["cascade"].to_pandas()
    assert cascades["rule"][0] == "exact exit" and cascades["is_exact"].tolist()[1:].count(True) == 0
    assert cascades["accuracy"].tolist() == [row.selection.accuracy for row in answers["cascade"].rows]
    explained = answers["explain"].to_pandas()
    assert explained["names"].tolist()[0] == "model_0, model_1, model_2" and len(explained) == 8


def test_strangers_names_are_escaped():
    right = np.random.default_rng(0).random((3, 40)) < 0.7
    pool = hqe.Pool(right, kind="correctness", names=["<script>", "b", "c"], name="<b>")
    for answer in (hqe.inspect(pool), hqe.front(pool), hqe.explain(pool, [(0, 1)], size=2)):
        assert "<script>" not in answer._repr_html_() and "<b><b>" not in answer._repr_html_()


def test_a_long_table_is_cut_and_says_so():
    right = np.random.default_rng(0).random((70, 40)) < 0.7
    shown = hqe.inspect(hqe.Pool(right, kind="correctness"))._repr_html_()
    assert len(cells(shown)) == 61 and "and 10 more" in shown


def same(pool, other):
    assert (other.names, other.kind, other.kind_detected, other.classes) == (
        pool.names, pool.kind, pool.kind_detected, pool.classes,
    )  # fmt: skip
    assert hqe.prune(other, size=2).to_json() == hqe.prune(pool, size=2).to_json()


def test_a_pool_of_arrays_pickles(scores, tmp_path):
    predictions, labels = scores
    np.save(tmp_path / "all.npy", predictions)
    costs = [{"params": i} for i in range(len(predictions))]
    pools = [
        hqe.Pool(predictions, labels, costs=costs, classes=list("abcd"), name="named"),
        hqe.Pool(predictions.argmax(axis=2).tolist(), labels.tolist()),
        hqe.Pool(np.asfortranarray(predictions.astype(">f4")), labels),
        hqe.Pool(np.load(tmp_path / "all.npy", mmap_mode="r"), labels),
        hqe.Pool(predictions.argmax(axis=2) == labels, kind="correctness"),
    ]
    for pool in pools:
        same(pool, pickle.loads(pickle.dumps(pool)))
        same(pool, copy.deepcopy(pool))


def test_a_pool_of_bfloat16_pickles(scores):
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    pool = hqe.Pool(scores[0].astype(ml_dtypes.bfloat16), scores[1], kind="logits")
    same(pool, pickle.loads(pickle.dumps(pool)))


def test_a_pool_of_files_pickles_as_its_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(DEMO)
    folder = hqe.Pool.open("validation")
    loose = hqe.Pool.open([f"validation/{name}.npy" for name in folder.names[:3]], labels="validation/labels.npy")
    saved = [pickle.dumps(pool) for pool in (folder, loose)]
    assert max(map(len, saved)) < 2000
    monkeypatch.chdir(tmp_path)
    for pool, text in zip((folder, loose), saved):
        other = pickle.loads(text)
        assert other.names == pool.names and other.kind_detected == pool.kind_detected
        assert pickle.dumps(other) == text
    same(loose, pickle.loads(saved[1]))
