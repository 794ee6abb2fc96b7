# SPDX-License-Identifier: MIT
"""Answers in a notebook: tables, and a study also with its scatter of score against accuracy."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hqe import _core

if TYPE_CHECKING:
    from hqe.study import Study

_TOP = 8
_ROWS = 60


def escape(text: str) -> str:
    """A stranger's text for a page."""
    return html.escape(_core.message_text(text))


def _cell(key: str, value: Any, samples: int) -> str:
    if value is None:
        return ""
    if key == "correct" and isinstance(value, int):
        return _core.accuracy_text(value, samples)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return escape(str(value))


def table_html(rows: Sequence[Mapping[str, Any]], samples: int) -> str:
    """Rows of one shape as a table, the first of them where there are many; counts of correct samples
    with their share, so that a column of that share alone is left out."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    keys = [key for key in keys if key != "accuracy" or "correct" not in keys]
    head = "".join(f"<th>{escape(key)}</th>" for key in keys)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(key, row.get(key), samples)}</td>" for key in keys) + "</tr>"
        for row in rows[:_ROWS]
    )
    more = f"<p>and {len(rows) - _ROWS} more: to_pandas() has all</p>" if len(rows) > _ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def study_html(study: Study) -> str:
    """The table of the best teams, the verdict and the picture, as one piece of HTML."""
    pool = study.pool
    selection = study.consensus or max(study.selections.values(), key=len)
    rows = "".join(
        f"<tr><td>{escape(', '.join(study.names(one.team)))}</td><td>{one.score:.4f}</td>"
        f"<td>{study._accuracy(one.correct)}</td></tr>"
        for one in selection[:_TOP]
    )
    verdict = f"<p>{escape(study.best.why)}</p>" if study.best is not None else ""
    picture = study.plot("scatter") if study.has_detail and len(selection) else ""
    return (
        f"<div><b>{escape(pool.name)}</b>: {len(pool.models)} models, {pool.samples} samples; "
        f"entire ensemble {study._accuracy(study.reference.correct)}{verdict}"
        f"<table><thead><tr><th>team ({escape(selection.metric)}, {len(selection)} kept)</th>"
        f"<th>score</th><th>accuracy</th></tr></thead><tbody>{rows}</tbody></table>"
        f"{picture}</div>"
    )
