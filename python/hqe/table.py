# SPDX-License-Identifier: MIT
"""Tables as pools: which columns are models, and which are labels, ids and classes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hqe._arrays import side_by_side
from hqe._columns import Table, Values, name_of, settled, word_of
from hqe._long import widened
from hqe.errors import InputError

_LABEL_HEADERS = {"label", "labels", "y", "y_true", "target", "truth", "true_label", "ground_truth"}
_ID_HEADERS = {
    "id", "ids", "index", "idx", "row", "row_id", "rowid", "row_number", "sample_id", "", "unnamed: 0",
    "__index_level_0__", "level_0",
}  # fmt: skip
_TURN = "Give a row a sample and a column a model (.T)"
_SUM = 1e-3  # How far from 1 the probabilities of a row may add up to: docs/spec.md.


@dataclass
class TableParts:
    """What `Pool` makes a pool of."""

    predictions: dict[str, Values]
    labels: Values | None
    classes: list[str]
    places: list[str]  # Where messages say that each model is, and the labels.
    labels_place: str


def _note(text: str) -> None:
    warnings.warn(f"hqe: {text}", stacklevel=5)


def table_parts(
    given: Any,
    labels: Any,
    label: str | None,
    id: str | None,
    models: Sequence[str] | None,
    kind: str | None,
    model: str | None = None,
    answers: Any = None,
) -> TableParts:
    """Reads a table; true labels are a column of it or of the table `answers`, or `labels` beside it, or unknown. What labels
    mean is the engine's to say: here columns are told apart."""
    table = Table(given)
    truth = _beside(given, labels, table)
    label_of_answers, label = (None, label) if answers is None else (label, None)
    label = _label_column(table, label, kind, labels is not None or answers is not None)
    id = _id_column(table, id, label, models)
    if model is not None:
        values = _candidates(table, label, id, models, None, table.check(model, "model"))
        table = Table(widened(table, label, id, model, values), table.name)
        models = None
    if id is not None:
        table.sort_by(id)
        truth = truth if truth is None or table.order is None else truth[table.order]
    named = "labels"
    if label is not None:
        truth, named = table.column(label), table.place(label)
    elif answers is not None:
        truth, named = _joined(table, id, answers, label_of_answers)
    if truth is not None and truth.dtype.kind == "f":
        raise InputError(f"{named}: holds fractions, which are no classes. Name the true labels with label=")
    names = _candidates(table, label, id, models, truth)
    if truth is None and models is None and model is None:
        _look_whether_transposed(table, id, names)
    columns = {name: table.column(name) for name in names}
    classes: list[str] = []
    predictions = columns
    if kind == "correctness":
        truth = None
        for name in columns:
            _check_right_or_wrong(table, name)
    elif kind in ("probabilities", "logits") or any(one.dtype.kind == "f" for one in columns.values()):
        predictions, truth, classes = _shares(table, columns, truth, named, kind, models is not None)
    places = [table.place(name) if name in columns else f"{table.name}: model '{name}'" for name in predictions]
    return TableParts(predictions, truth, classes, places, named if truth is not None else table.name)


def _beside(given: Any, labels: Any, table: Table) -> Values | None:
    if labels is None:
        return None
    one: Any = getattr(given, "index", None)
    two: Any = getattr(labels, "index", None)
    if hasattr(one, "equals") and hasattr(two, "equals") and not one.equals(two):
        raise InputError(
            "labels: their index is not the table's. Put them in its order (labels.loc[table.index]), "
            "or give labels.to_numpy() if rows correspond as they stand"
        )
    values = settled(np.asarray(labels), "labels")
    if len(values) != len(table):
        transposed = len(values) == len(table.names)
        raise InputError(
            f"labels: {len(values)} for a table of {len(table)} rows. "
            + ("A table has a row a sample and a column a model: transpose it (.T)" if transposed else "Give one a row")
        )
    return values


def _joined(table: Table, id: str | None, given: Any, label: str | None) -> tuple[Values, str]:
    """The true labels of another table, for the same ids in their order, and what messages call them."""
    if id is None:
        raise InputError(f"{table.name}: two tables are joined by their ids, and no column looks like ids. Name it with id=")
    answers = Table(given, "truth" if name_of(given) == "table" else None)
    there = id if id in answers.names else _id_column(answers, None, label, None)
    if there is None:
        raise InputError(f"{answers.name}: no column is called '{id}'. Give both tables a column of ids of that name")
    others = [name for name in answers.names if name != there]
    label = _label_column(answers, label, None, False) or (others[0] if len(others) == 1 else None)
    if label is None:
        raise InputError(f"{answers.name}: no column is called label. Name that of the true labels with label=")
    answers.sort_by(there)
    ours, theirs = table.column(id), answers.column(there)
    if str(theirs[0]) in table.names:
        raise InputError(
            f"{table.place(str(theirs[0]))} is called by an id of {answers.name}: the table looks transposed. {_TURN}"
        )
    for has, name, lacks, place in ((ours, table.name, theirs, answers.place(there)), (theirs, answers.name, ours, table.place(id))):
        missing = sorted(set(has.tolist()) - set(lacks.tolist()), key=str)
        if missing:
            raise InputError(
                f"{place}: the id '{missing[0]}' of {name} is missing. Give both tables the same samples, in any order"
            )
    return answers.column(label), answers.place(label)


def _label_column(table: Table, label: str | None, kind: str | None, has_labels: bool) -> str | None:
    if label is not None:
        if label not in table.names and label in table.row_names(table.names[0]):
            raise InputError(f"{table.name}: a row is called '{label}', and no column: the table looks transposed. {_TURN}")
        return table.check(label, "label")
    found = [name for name in table.names if name.strip().lower() in _LABEL_HEADERS]
    if has_labels:
        if found:
            raise InputError(
                f"{table.place(found[0])} looks like true labels, and others were given too. Leave one out"
            )
        return None
    if len(found) > 1:
        raise InputError(
            f"{table.name}: columns {_listed(found)} all look like true labels. "
            "Say which with label=, and the models with models="
        )
    return found[0] if found and kind != "correctness" else None


def _id_column(table: Table, id: str | None, label: str | None, models: Sequence[str] | None) -> str | None:
    if id is not None:
        return table.check(id, "id")
    found = [
        name
        for name in table.names
        if name.strip().lower() in _ID_HEADERS and name != label and name not in (models or ())
    ]
    if len(found) > 1:
        raise InputError(
            f"{table.name}: columns {_listed(found)} all look like ids. "
            "Say which with id=, and the models with models="
        )
    if found:
        _note(
            f"column '{found[0]}' is taken as the samples' id, not as a model "
            f"(id='{found[0]}' says so; models= says otherwise)"
        )
        return found[0]
    return None


def _candidates(
    table: Table,
    label: str | None,
    id: str | None,
    models: Sequence[str] | None,
    truth: Values | None,
    model: str | None = None,
) -> list[str]:
    rest = [name for name in table.names if name not in (label, id, model)]
    if models is not None:
        if isinstance(models, str):
            models = [models]
        wanted = []
        for model in models:
            of_model = (
                [model] if model in table.names else [n for n in rest if n.startswith((f"{model}.", f"{model}_"))]
            )
            wanted += of_model or [table.check(model, "models")]
        rest = list(dict.fromkeys(wanted))
        for name in (label, id):
            if name in rest:
                raise InputError(
                    f"{table.place(name)} is a model and the {'label' if name == label else 'id'} at once. "
                    "Leave it out of models="
                )
    else:
        for name in [name for name in rest if model is None and _looks_like_id(table, name, truth)]:
            _note(f"column '{name}' counts the rows and is left out (id='{name}' sorts by it; models= says otherwise)")
            rest.remove(name)
        for name in rest:
            if name.strip().lower() in _LABEL_HEADERS:
                raise InputError(
                    f"{table.place(name)} looks like true labels too. Say with models= which columns are models"
                )
    if not rest:
        raise InputError(
            f"{table.name}: no column is left for a model. Give a column a model, or columns called model.class"
        )
    return rest


def _look_whether_transposed(table: Table, id: str | None, names: list[str]) -> None:
    """Where nobody knows true labels: more columns than rows, or a row that is called as true labels are."""
    called = next((name for name in table.row_names(id) if name.strip().lower() in _LABEL_HEADERS), None)
    if called is not None:
        raise InputError(
            f"{table.name}: a row is called '{called}', as true labels are: the table looks transposed. {_TURN}; "
            "models= says that these columns are models"
        )
    if len(names) <= len(table):
        return
    found = f"{len(table)} rows have {len(names)} columns"
    if all(name.isdecimal() for name in names):
        raise InputError(
            f"{table.place(names[0])} looks like a sample, since {found}: the table looks transposed. {_TURN}; "
            "models= says that these columns are models"
        )
    _note(f"{table.name}: {found}, each taken as a model. {_TURN} if it is transposed")


def _looks_like_id(table: Table, name: str, truth: Values | None) -> bool:
    """Whole numbers, each larger than the last, that are no classes."""
    values = table.column(name)
    if values.dtype.kind not in "iu" or len(values) < 2 or (np.diff(values.astype(np.int64)) <= 0).any():
        return False
    return truth is None or truth.dtype.kind == "O" or not np.isin(values, truth).all()


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _check_right_or_wrong(table: Table, name: str) -> None:
    values = table.column(name)
    if values.dtype.kind not in "biu" or not np.isin(values, (0, 1)).all():
        raise InputError(
            f"{table.place(name)} is not only right (1) and wrong (0). Leave kind out, or the column: models="
        )


# Columns of probabilities or logits: model.class, or one of P(second class) a model.


def _shares(
    table: Table, columns: dict[str, Values], truth: Values | None, named: str, kind: str | None, asked: bool
) -> tuple[dict[str, Values], Values | None, list[str]]:
    for name, values in columns.items():
        if values.dtype.kind not in "fiu":
            raise InputError(
                f"{table.place(name)} holds {word_of(values)} where others hold fractions. "
                "Say with models= which columns are models"
            )
    values_of_truth = [] if truth is None else sorted(_distinct(truth))
    words = [str(one) for one in values_of_truth]
    groups = _groups(list(columns), words)
    within = all(values.min() >= 0 and values.max() <= 1 for values in columns.values())
    if (
        len(words) == 2
        and kind in (None, "probabilities")
        and (groups is None or (within and not _sums_to_one(columns, groups)))
    ):
        _check_second_class(table, columns, asked)
        return {name: values.astype(float, copy=False) for name, values in columns.items()}, truth, []
    if groups is None:
        one = next(name for name, values in columns.items() if values.dtype.kind == "f" or kind)
        known = f" ({_listed(words[:8])})" if words else ""
        raise InputError(
            f"{table.place(one)} holds numbers of no model and class. "
            f"Call columns model.class or model_class, for each model every class{known}, "
            "or say with models= which columns are models"
        )
    classes = list(next(iter(groups.values())))
    unknown = [value for value, word in zip(values_of_truth, words) if word not in classes]
    if truth is not None and unknown:
        row = truth.tolist().index(unknown[0])
        raise InputError(
            f"{named}: row {row} (counting from 0): '{unknown[0]}' is not one of the classes "
            f"that the columns name ({_listed(classes[:8])}). Call columns by the true labels"
        )
    predictions = {
        model: side_by_side([table.raw(name) for name in by_class.values()]) for model, by_class in groups.items()
    }
    if classes == [str(i) for i in range(len(classes))]:
        return predictions, truth, []
    spelled = None if truth is None else np.array([str(one) for one in truth.tolist()], object)
    return predictions, spelled, classes


def _distinct(values: Values) -> set[Any]:
    return set(values.tolist() if values.dtype.kind == "O" else np.unique(values).tolist())


def _check_second_class(table: Table, columns: dict[str, Values], asked: bool) -> None:
    for name, values in columns.items():
        if values.min() < 0 or values.max() > 1:
            raise InputError(
                f"{table.place(name)} goes from {values.min():g} to {values.max():g}, which are no "
                "probabilities of one of two classes. Say with models= which columns are models, or call columns model.class"
            )
        if values.dtype.kind != "f" and not asked:
            raise InputError(
                f"{table.place(name)} holds whole numbers where others hold fractions. "
                "Say with models= which columns are models"
            )


def _sums_to_one(columns: dict[str, Values], groups: dict[str, dict[str, str]]) -> bool:
    return all(
        np.abs(sum(columns[name] for name in by_class.values()) - 1).max() <= _SUM for by_class in groups.values()
    )


def _groups(names: list[str], words: list[str]) -> dict[str, dict[str, str]] | None:
    """model -> class -> column; None where names are not made so. Classes in their order. Of two
    ways to cut the names, one whose classes have every true label."""
    known = set(words)
    splits: list[list[Any]] = [[]]
    for name in names:  # The first cut that leaves a true label leaves the longest.
        cuts = [place for place, letter in enumerate(name) if letter in "._" and name[place + 1 :] in known]
        splits[0] += [(name[: cuts[0]], name[cuts[0] + 1 :], name)] if cuts else []
    for mark in (".", "_"):
        splits.append([(*name.rpartition(mark)[::2], name) for name in names if mark in name])
    ways = []
    for split in splits:
        found: dict[str, dict[str, str]] = {}
        for model, word, name in split:
            found.setdefault(model, {})[word] = name
        classes = sorted({word for by_class in found.values() for word in by_class}, key=_class_order)
        complete = all(len(by_class) == len(classes) for by_class in found.values())
        if len(split) == len(names) and complete and len(classes) >= 2:
            ways.append({model: {word: by_class[word] for word in classes} for model, by_class in found.items()})
    ways.sort(key=lambda way: not set(words) <= set(next(iter(way.values()))))
    return ways[0] if ways else None


def _class_order(word: str) -> tuple[int, int, str]:
    return (0, int(word), word) if word.lstrip("-").isdecimal() and word.isascii() else (1, 0, word)
