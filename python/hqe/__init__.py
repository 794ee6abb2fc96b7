# SPDX-License-Identifier: MIT
"""HQE: which few of your classifiers to ship, exactly, with an honest statement of how good.

>>> import numpy as np, hqe
>>> rng = np.random.default_rng(0)
>>> labels = rng.integers(0, 3, 500)
>>> predictions = {f"m{i}": np.where(rng.random(500) < 0.7, labels, rng.integers(0, 3, 500))
...                for i in range(6)}
>>> study = hqe.prune(hqe.Pool(predictions, labels), size=3)
>>> study.best.decision, study.best.names
('entire', ['m0', 'm1', 'm2', 'm3', 'm4', 'm5'])
"""

from hqe import _core
from hqe._columns import read_table
from hqe.collecting import Collected, CollectWarning, collect
from hqe.digests import digest
from hqe.documents import Cascades, Explanation, Front, Inspection, Picture
from hqe.errors import Cancelled, Error, InputError, OutputError, UsageError
from hqe.evaluations import from_autogluon, from_helm, from_lm_eval
from hqe.exporting import Exported, export_onnx
from hqe.pool import Pool
from hqe.record import Record
from hqe.results import Combined, Comparison, Evaluation, Scores, Sweep
from hqe.study import Recommended, SelectedTeam, Selection, Study
from hqe.team import Team
from hqe.verbs import apply, compare, evaluate, explain, front, inspect, order, prune, score, sweep
from hqe.voter import Voter

__version__: str = _core.version()

__all__ = [
    "Cancelled",
    "Cascades",
    "CollectWarning",
    "Collected",
    "Combined",
    "Comparison",
    "Error",
    "Evaluation",
    "Explanation",
    "Exported",
    "Front",
    "InputError",
    "Inspection",
    "OutputError",
    "Picture",
    "Pool",
    "Recommended",
    "Record",
    "Scores",
    "SelectedTeam",
    "Selection",
    "Study",
    "Sweep",
    "Team",
    "UsageError",
    "Voter",
    "__version__",
    "apply",
    "collect",
    "compare",
    "digest",
    "evaluate",
    "explain",
    "export_onnx",
    "from_autogluon",
    "from_helm",
    "from_lm_eval",
    "front",
    "inspect",
    "order",
    "prune",
    "read_table",
    "score",
    "sweep",
]
