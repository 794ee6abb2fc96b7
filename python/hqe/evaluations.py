# SPDX-License-Identifier: MIT
"""What evaluations and other tools leave behind, as pools."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hqe._lm_eval import chosen, from_lm_eval, in_common, listed, right_or_wrong, taken
from hqe.errors import InputError, UsageError
from hqe.pool import Costs, Pool

__all__ = ["from_autogluon", "from_helm", "from_lm_eval"]

_MODEL = re.compile(r"[,:]model=([^,]+)")


def _instances(file: Path, metric: str, trial: int | None) -> dict[str, Any]:
    """instance -> the metric's value; perturbed instances are left out."""
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
        trials = {int(entry["train_trial_index"]) for entry in entries}
        rows = [
            (str(entry["instance_id"]), int(entry["train_trial_index"]), stat["name"]["name"], stat)
            for entry in entries
            if not entry.get("perturbation")
            for stat in entry["stats"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file}: no per_instance_stats.json of HELM ({type(error).__name__}: {error})") from error
    if trial is None and len(trials) > 1:
        raise InputError(
            f"{file}: there are {len(trials)} trials. Say which with trial=, one of {listed(sorted(trials))}"
        )
    found: dict[str, Any] = {}
    for instance, index, name, stat in rows:
        if name != metric or (trial is not None and index != trial) or not stat.get("count"):
            continue
        if instance in found:
            raise InputError(f"{file}: instance '{instance}' has '{metric}' twice. Run it again")
        value = stat["sum"] / stat["count"]
        found[instance] = right_or_wrong(value, f"{file}: instance '{instance}': '{metric}'")
    if not found:
        names = sorted({name for _, _, name, _ in rows})
        raise InputError(
            f"{file}: no instance has the metric '{metric}'. Name another with metric=: {listed(names, 20)}"
        )
    return found


def from_helm(
    folder: str | os.PathLike[str],
    run: str | None = None,
    metric: str = "exact_match",
    trial: int | None = None,
    models: Sequence[str] | None = None,
    costs: Costs | None = None,
    name: str | None = None,
) -> Pool:
    """A pool of right and wrong from the `per_instance_stats.json` files of HELM.

    `folder` is a suite: a subfolder a run, such as "mmlu:subject=anatomy,model=openai_gpt2". `run` is
    such a name without the model, and may have wildcards ("mmlu:*"). Perturbed instances are left out.

    >>> import json, os, tempfile, hqe
    >>> suite = tempfile.mkdtemp()
    >>> for model, right in {"a": [1, 0], "b": [1, 1]}.items():
    ...     folder = os.path.join(suite, f"mmlu:subject=anatomy,model={model}")
    ...     os.mkdir(folder)
    ...     entries = [{"instance_id": f"id{i}", "train_trial_index": 0, "stats":
    ...                 [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": value}]}
    ...                for i, value in enumerate(right)]
    ...     with open(os.path.join(folder, "per_instance_stats.json"), "w") as file:
    ...         json.dump(entries, file)
    >>> pool = hqe.from_helm(suite)
    >>> pool.names, [model.correct for model in hqe.inspect(pool).models]
    (['a', 'b'], [1, 2])
    """
    root = Path(folder)
    files = sorted(root.rglob("per_instance_stats.json"))
    if not files:
        raise InputError(f"{root}: no per_instance_stats.json. Give a suite's folder, benchmark_output/runs/SUITE")
    runs = [(_MODEL.search(file.parent.name), file) for file in files]
    names = [(_MODEL.sub("", f.parent.name), m[1] if m else f.parent.name, f) for m, f in runs]
    names = [(scenario if match else "", model, f) for (scenario, model, f), (match, _) in zip(names, runs)]
    wanted = chosen([scenario for scenario, _, _ in names], run, "run", str(root))
    read: dict[str, dict[Any, Any]] = {}
    for scenario, model, file in names:
        if scenario not in wanted or (models is not None and model not in models):
            continue
        of_model = read.setdefault(model, {})
        if any(key[0] == scenario for key in of_model):
            raise InputError(f"{file}: model '{model}' ran '{scenario}' twice. Give the folder of one suite")
        of_model |= {(scenario, key): value for key, value in _instances(file, metric, trial).items()}
    read = taken(read, models, str(root))
    keys = in_common(read, "instance")
    right = {model: np.array([rows[key] for key in keys]) for model, rows in read.items()}
    return Pool(right, kind="correctness", costs=costs, name=name or run or root.name)


def from_autogluon(predictor: Any, data: Any, models: Sequence[str] | None = None, name: str = "autogluon") -> Pool:
    """A pool of the models of a fitted AutoGluon TabularPredictor, on data that has its label column.

    Costs are the leaderboard's: `latency_ms` is the time to predict one row of `data`, with whatever
    models it is stacked on. Choose on data that the predictor was not fitted on.

    >>> import hqe
    >>> try: hqe.from_autogluon(object(), None)
    ... except hqe.UsageError as error: print(error)
    from_autogluon takes a fitted TabularPredictor, not object
    """
    for method in ("predict_proba_multi", "leaderboard", "label"):
        if not hasattr(predictor, method):
            raise UsageError(f"from_autogluon takes a fitted TabularPredictor, not {type(predictor).__name__}")
    kind = getattr(predictor, "problem_type", None)
    if kind not in ("binary", "multiclass"):
        raise UsageError(f"from_autogluon: the predictor is for '{kind}', and HQE for classification")
    if predictor.label not in data.columns:
        raise InputError(f"data: no column '{predictor.label}', which holds the true labels. Give data with labels")
    shares = predictor.predict_proba_multi(data, **({} if models is None else {"models": list(models)}))
    classes = list(next(iter(shares.values())).columns)
    places = {label: place for place, label in enumerate(classes)}
    truth = list(data[predictor.label])
    unknown = [label for label in truth if label not in places]
    if unknown:
        raise InputError(f"data: the label '{unknown[0]}' is not one of the predictor's classes {listed(classes)}")
    board = predictor.leaderboard(data)
    times = dict(zip(board["model"], board["pred_time_test"]))
    costs = {
        model: {"latency_ms": 1000 * float(times[model]) / len(truth)}
        for model in shares
        if model in times and np.isfinite(times[model])
    }
    plain = classes == list(range(len(classes)))
    return Pool(
        {model: one[classes].to_numpy() for model, one in shares.items()},
        [places[label] for label in truth],
        kind="probabilities",
        costs=costs,
        classes=[] if plain else [str(label) for label in classes],
        name=name,
    )
