# SPDX-License-Identifier: MIT
"""Pools beyond one machine, on Dask: digests are made where the predictions are, and comparisons and sweeps
are spread over workers. Every answer has the bytes that one process would give. docs/scale.md shows the way.
"""

from __future__ import annotations

try:
    import distributed as _distributed  # noqa: F401
except ImportError as error:
    raise ImportError("hqe.dask needs Dask: pip install 'hqe[dask]'") from error

from hqe.dask.digesting import digest
from hqe.dask.parts import Collecting
from hqe.dask.spreading import compare, sweep

__all__ = ["Collecting", "compare", "digest", "sweep"]
