# SPDX-License-Identifier: MIT
"""Writing results."""

from __future__ import annotations

import os

from hqe import _core
from hqe.errors import InputError, OutputError


def write(path: str | os.PathLike[str], text: str) -> None:
    """Writes the file whole or not at all."""
    try:
        _core.write_file(os.fspath(path), text)
    except InputError as error:
        raise OutputError(str(error)) from None
