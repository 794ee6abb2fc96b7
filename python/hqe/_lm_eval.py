# SPDX-License-Identifier: MIT
"""Samples that lm-evaluation-harness logged, as a pool."""

from __future__ import annotations

import fnmatch
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hqe.errors import InputError
from hqe.pool import Costs, Pool

_FILE = re.compile(r"samples_(?P<task>.+)_\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(\.\d+)?")

Row = dict[str, Any]


def listed(names: Sequence[Any], most: int = 8) -> str:
    """Names for a message, not too many of them."""
    words = [f"'{name}'" for name in names[:most]]
    return ", ".join(words) + (f" and {len(names) - most} more" if len(names) > most else "")


def chosen(found: Sequence[str], wanted: str | None, word: str, where: str) -> list[str]:
    """Those of `found` that a name or pattern asks for; without one, the only one there is."""
    names = sorted(set(found))
    if wanted is None:
        if len(names) > 1:
            raise InputError(f"{where}: there are several {word}s ({listed(names)}). Say which with {word}=")
        return names
    matching = [name for name in names if name == wanted or fnmatch.fnmatchcase(name, wanted)]
    if not matching:
        raise InputError(f"{where}: no {word} is called '{wanted}'. There is {listed(names)}")
    return matching


def taken(rows: dict[str, Any], models: Sequence[str] | None, where: str) -> dict[str, Any]:
    """The models that were asked for, in that order."""
    if models is None:
        return rows
    for name in models:
        if name not in rows:
            raise InputError(f"models: {where} has no model '{name}'. There is {listed(list(rows))}")
    return {name: rows[name] for name in models}


def in_common(models: Mapping[str, Mapping[Any, Any]], word: str) -> list[Any]:
    """What every model was asked, in order; refuses, by name, a model that lacks some."""
    every: set[Any] = set().union(*models.values())
    for name, rows in models.items():
        missing = sorted(every - rows.keys())
        if missing:
            which = " ".join(str(part) for part in missing[0] if part != "")
            raise InputError(
                f"model '{name}': {len(missing)} of {len(every)} {word}s that others have are missing, such as {which}. "
                "Run it again on all of them, or leave the model out: models="
            )
    return sorted(every)


def right_or_wrong(value: Any, what: str) -> bool:
    """A figure of one sample as correctness; refuses what is neither 0 nor 1."""
    if isinstance(value, bool) or (isinstance(value, (int, float)) and value in (0, 1)):
        return bool(value)
    raise InputError(f"{what} is {value}, neither right (1) nor wrong (0). Name another metric with metric=")


def _rows(file: Path) -> list[Row]:
    rows = []
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read ({error})") from error
    for number, line in enumerate(text.split("\n"), 1):  # Texts hold other ends of lines.
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not isinstance(row.get("doc_id"), int) or "filtered_resps" not in row:
            raise InputError(f"{file}: line {number}: no sample of --log_samples. Give the samples_*.jsonl files")
        rows.append({key: value for key, value in row.items() if key not in ("doc", "resps")})
    return rows


def _files(folder: Any) -> dict[str, list[Path]]:
    """model -> its files: those of a subfolder, or one that lies in the folder itself."""
    if isinstance(folder, Mapping):
        return {str(name): [Path(file)] for name, file in folder.items()}
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"{root}: there is no such folder. Give the --output_path of lm_eval")
    found = {}
    for entry in sorted(root.iterdir()):
        if entry.is_dir():
            found[entry.name] = sorted(entry.rglob("samples_*.jsonl"))
        elif entry.suffix == ".jsonl":
            found[entry.stem] = [entry]
    found = {name: files for name, files in found.items() if files}
    if not found:
        raise InputError(f"{root}: no samples_*.jsonl. Run lm_eval with --log_samples, and give its --output_path")
    return found


def _task(file: Path) -> str:
    match = _FILE.fullmatch(file.stem)
    return match["task"] if match else ""


def _read(folder: Any, task: str | None, filter: str | None, models: Sequence[str] | None) -> dict[str, dict[Any, Row]]:
    """model -> (task, doc_id) -> row."""
    where = "folder" if isinstance(folder, Mapping) else str(folder)
    files = taken(_files(folder), models, where)
    known = [_task(file) for one in files.values() for file in one if _task(file)]
    tasks = chosen(known, task, "task", where) if known else []
    result: dict[str, dict[Any, Row]] = {}
    for model, of_model in files.items():
        by_task: dict[str, Path] = {}
        for file in of_model:
            name = _task(file)
            if name and name not in tasks:
                continue
            if name in by_task:
                raise InputError(
                    f"model '{model}': two files of one task, {by_task[name].name} and {file.name}. "
                    "Keep one, or name a file a model: {'" + model + "': path, ...}"
                )
            by_task[name] = file
        result[model] = {}
        for name, file in by_task.items():
            result[model] |= _documents(file, name, filter, model)
    return result


def _documents(file: Path, task: str, filter: str | None, model: str) -> dict[Any, Row]:
    rows = _rows(file)
    filters = chosen([str(row.get("filter", "none")) for row in rows], filter, "filter", f"{file}")
    documents: dict[Any, Row] = {}
    for row in rows:
        if str(row.get("filter", "none")) not in filters:
            continue
        key = (task, row["doc_id"])
        if key in documents:
            raise InputError(
                f"{file}: document {row['doc_id']} is there twice: another run was appended. "
                f"Delete the file and run '{model}' again, or keep each document once"
            )
        documents[key] = row
    return documents


def _likelihoods(row: Row) -> list[float] | None:
    """The log-likelihood of each choice; None where the row has no choices."""
    pairs = row["filtered_resps"]
    if not isinstance(pairs, list) or len(pairs) < 2:
        return None
    if not all(isinstance(one, list) and len(one) == 2 and str(one[1]) in ("True", "False") for one in pairs):
        return None
    try:
        values = [float(one[0]) for one in pairs]
    except (TypeError, ValueError):
        return None
    # Asked for mutual information, each choice was also scored without its question.
    return values[: len(values) // 2] if "acc_mutual_info" in row else values


def _gold(row: Row, reading: str, choices: int) -> int | None:
    """The place of the right choice, where the target is that place or the choice's text."""
    target = str(row.get("target", "")).strip()
    if reading == "place":
        return int(target) if target.isdecimal() and int(target) < choices else None
    arguments = row.get("arguments") or {}
    texts = [str((arguments.get(f"gen_args_{i}") or {}).get("arg_1")).strip() for i in range(choices)]
    return texts.index(target) if target in texts else None


def _labels(models: dict[str, dict[Any, Row]], keys: list[Any], said: dict[str, list[list[float]]]) -> list[int]:
    """The right choice of each document, by the reading that agrees with every logged accuracy."""
    for reading in ("place", "text"):
        first = next(iter(models.values()))
        counts = [len(one) for one in next(iter(said.values()))]
        gold = [_gold(first[key], reading, count) for key, count in zip(keys, counts)]
        agrees = None not in gold and all(
            row.get("acc") not in (0, 1) or (int(np.argmax(values)) == right) == bool(row["acc"])
            for name, rows in models.items()
            for row, values, right in zip((rows[key] for key in keys), said[name], gold)
        )
        if agrees:
            return [right for right in gold if right is not None]
    raise InputError(
        "the targets are neither places nor texts of the choices that agree with 'acc'. "
        "Name a metric to read right and wrong from: metric='acc'"
    )


def _check_hashes(models: dict[str, dict[Any, Row]], keys: list[Any]) -> None:
    first, *others = models.items()
    for name, rows in others:
        for key in keys:
            one, two = first[1][key].get("doc_hash"), rows[key].get("doc_hash")
            if one != two:
                raise InputError(
                    f"model '{name}': document {key[1]} is not the one that '{first[0]}' was asked (doc_hash differs). "
                    "Run both on the same version of the task, or leave the model out: models="
                )


def _correctness(models: dict[str, dict[Any, Row]], keys: list[Any], metric: str | None) -> dict[str, Any]:
    rows = [(name, row) for name, of_model in models.items() for row in of_model.values()]
    if metric is None:
        metrics = sorted({str(one) for _, row in rows for one in row.get("metrics", [])})
        if len(metrics) != 1:
            raise InputError(
                f"no multiple-choice task: name the metric that says right or wrong with metric=, one of {listed(metrics)}"
            )
        metric = metrics[0]
    for name, row in rows:
        if metric not in row:
            raise InputError(
                f"model '{name}': document {row['doc_id']} has no metric '{metric}'. "
                f"There is {listed(row.get('metrics', []))}"
            )
    return {
        name: np.array(
            [right_or_wrong(of[key][metric], f"model '{name}': document {key[1]}: '{metric}'") for key in keys]
        )
        for name, of in models.items()
    }


def from_lm_eval(
    folder: str | os.PathLike[str] | Mapping[str, str | os.PathLike[str]],
    task: str | None = None,
    metric: str | None = None,
    filter: str | None = None,
    models: Sequence[str] | None = None,
    costs: Costs | None = None,
    name: str | None = None,
) -> Pool:
    """A pool of what lm-evaluation-harness wrote with `--log_samples`.

    `folder` is its `--output_path`: a subfolder or a `.jsonl` file a model; or a dict from names to
    files. `task` may have wildcards ("mmlu_*"). Multiple-choice tasks become probabilities, the softmax
    of the choices' log-likelihoods; where documents have fewer choices than others, the rest have
    probability 0. Other tasks, and any with `metric`, become right and wrong by that metric.
    Documents are joined on `doc_id` and `doc_hash`.

    >>> import json, os, tempfile, hqe
    >>> folder = tempfile.mkdtemp()
    >>> for model, likelihoods in {"small": [-2.0, -1.0], "large": [-1.0, -3.0]}.items():
    ...     row = {"doc_id": 0, "doc_hash": "d94", "target": "0", "filter": "none", "metrics": ["acc"],
    ...            "filtered_resps": [[str(one), "False"] for one in likelihoods]}
    ...     with open(os.path.join(folder, f"{model}.jsonl"), "w") as file:
    ...         print(json.dumps(row), file=file)
    >>> pool = hqe.from_lm_eval(folder)
    >>> pool.names, [model.correct for model in hqe.inspect(pool).models]
    (['large', 'small'], [1, 0])
    """
    read = _read(folder, task, filter, models)
    keys = in_common(read, "document")
    _check_hashes(read, keys)
    name = name or task or ("pool" if isinstance(folder, Mapping) else Path(folder).name)
    said = {model: [_likelihoods(rows[key]) for key in keys] for model, rows in read.items()}
    if metric is not None or any(one is None for values in said.values() for one in values):
        return Pool(_correctness(read, keys, metric), kind="correctness", costs=costs, name=name)
    choices = {model: [one for one in values if one is not None] for model, values in said.items()}
    return Pool(
        {model: _probabilities(values, model, keys) for model, values in choices.items()},
        _labels(read, keys, choices),
        kind="probabilities",
        costs=costs,
        name=name,
    )


def _probabilities(likelihoods: list[list[float]], model: str, keys: list[Any]) -> np.ndarray[Any, Any]:
    shares = np.zeros((len(likelihoods), max(map(len, likelihoods))))
    for row, values in enumerate(likelihoods):
        largest = max(values)
        if not np.isfinite(largest) or np.isnan(values).any():
            raise InputError(
                f"model '{model}': document {keys[row][1]}: log-likelihoods {values} have no largest. Run it again"
            )
        powers = np.exp(np.array(values) - largest)
        shares[row, : len(values)] = powers / powers.sum()
    return shares
