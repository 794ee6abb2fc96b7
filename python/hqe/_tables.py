# SPDX-License-Identifier: MIT
"""Tables of teams as pandas sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


def frame(columns: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> pandas.DataFrame:
    """A DataFrame of columns, or of rows."""
    return _pandas().DataFrame(columns)


def stacked(frames: Sequence[pandas.DataFrame]) -> pandas.DataFrame:
    """Frames below each other."""
    return _pandas().concat(frames, ignore_index=True)


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas() needs pandas: pip install pandas") from error
    return pandas


def team_columns(core: Any, sample_count: int) -> dict[str, Any]:
    """The columns that every table of scored teams has."""
    teams = core.teams(0, len(core))
    return {
        "team": teams,
        "size": [len(team) for team in teams],
        "score": core.scores,
        "correct": core.correct,
        "accuracy": core.correct / sample_count,
    }
