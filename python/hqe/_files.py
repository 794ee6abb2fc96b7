# SPDX-License-Identifier: MIT
"""Writing results."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hqe import _core
from hqe.pool import Pool


def files_of(*pools: Pool | None) -> list[str]:
    """What the pools were read from, and no result may replace."""
    return [file for pool in pools if pool is not None for file in pool._core.files]


def write(path: str | os.PathLike[str], text: str, inputs: Sequence[str] = ()) -> None:
    """Writes the file whole or not at all, and never over one of `inputs`."""
    _core.write_file(os.fspath(path), text, list(inputs))
