# SPDX-License-Identifier: MIT
"""A study in a notebook: a table and the scatter of score against accuracy."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from hqe import _core

if TYPE_CHECKING:
    from hqe.study import Study

_TOP = 8


def escape(text: str) -> str:
    """A stranger's text for a page."""
    return html.escape(_core.message_text(text))


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
