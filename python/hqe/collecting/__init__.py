# SPDX-License-Identifier: MIT
"""From models to a pool: runs them over data, and measures what they cost."""

from __future__ import annotations

import os
import pathlib
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any

import numpy as np

from hqe._options import KINDS
from hqe._progress import Progress, rows_listener
from hqe.collecting.costs import measured
from hqe.collecting.data import Data, open_data
from hqe.collecting.files import Disk, Naming, folder_of, save_whole, write_text
from hqe.collecting.lipschitz import FEWEST_ROUNDS, NORMS, Anchors, Ball
from hqe.collecting.models import Model, TorchModel, model_of
from hqe.collecting.outputs import Agreement, Failure, Values, positions
from hqe.collecting.toml import Earlier, read_toml, toml_text
from hqe.collecting.tracks import LabelTrack, ModelTrack, Track, run_pass
from hqe.errors import InputError, UsageError
from hqe.pool import Pool


class CollectWarning(UserWarning):
    """A model was left out of the pool, or pool.toml was left alone."""


class Collected:
    """What `collect` made: `folder`; `models`, the names of those in the pool, in order; `failed`, why
    others are not in it, by name; `costs`, what was measured, by name; `kind`; `sample_count`."""

    def __init__(
        self,
        folder: pathlib.Path,
        models: list[str],
        failed: dict[str, str],
        costs: dict[str, dict[str, Any]],
        kind: str,
        sample_count: int,
    ) -> None:
        self.folder = folder
        self.models = models
        self.failed = failed
        self.costs = costs
        self.kind = kind
        self.sample_count = sample_count

    def open(self) -> Pool:
        """The pool, which needs true labels."""
        return Pool.open(self.folder)

    def __repr__(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"<hqe.Collected '{self.folder}': {len(self.models)} models, {self.sample_count} samples, {self.kind}{failed}>"


def _checked(models: Any) -> dict[str, Any]:
    if not isinstance(models, Mapping) or not models:
        raise UsageError("models: give a dict of models by name, with at least one")
    for name in models:
        bad = not isinstance(name, str) or name in ("", "labels") or any(one in name for one in "/\\\0")
        if bad or not name.isprintable() or name.startswith("."):
            raise UsageError(f"models: {name!r} is no name for a model: it becomes the name of a file")
    return dict(models)


def _ball(rounds: Any, radius: Any, norm: Any, models: Mapping[str, Model]) -> Ball | None:
    """Where gradients are to be looked at; nothing where nobody asked."""
    if rounds is None:
        return None
    if isinstance(rounds, bool) or not isinstance(rounds, (int, np.integer)) or rounds < FEWEST_ROUNDS:
        raise UsageError(f"lipschitz {rounds!r}: expected a whole number from {FEWEST_ROUNDS}, points around a sample")
    if not isinstance(radius, (int, float)) or not 0 < radius < float("inf"):
        raise UsageError(f"lipschitz_radius {radius!r}: expected a number above 0, in the unit of the data")
    if norm not in NORMS:
        raise UsageError(f"lipschitz_norm {norm!r}: expected one of {', '.join(NORMS)}")
    if not any(isinstance(model, TorchModel) for model in models.values()):
        raise UsageError("lipschitz: gradients are those of torch modules, and no model is one. Leave it out")
    return Ball(int(rounds), float(radius), norm)


def _classes(models: Mapping[str, Model], failed: dict[str, str]) -> Values | None:
    """The classes that the estimators know; who knows others is left out."""
    first: Values | None = None
    for name, model in models.items():
        if model.classes is None:
            continue
        if model.classes.ndim != 1:
            failed[name] = "predicts several labels a sample, and a pool has one"
        elif first is None:
            first = model.classes
        elif not np.array_equal(first, model.classes):
            failed[name] = f"knows the classes {_few(model.classes)}, and others {_few(first)}"
    return first


def _few(classes: Values) -> str:
    words = [str(word) for word in classes[:5]]
    return ", ".join(words) + (", ..." if len(classes) > 5 else "")


def _save_labels(folder: pathlib.Path, labels: Any, classes: Values | None, rows: int | None) -> Values:
    """Writes labels.npy, or sees that it holds these labels."""
    try:
        values = positions(labels, classes)
    except Failure as error:
        raise InputError(f"labels: {error}") from None
    if rows is not None and len(values) != rows:
        raise InputError(f"labels: {len(values)} for {rows} samples. Give one a sample")
    path = folder / "labels.npy"
    if not path.exists():
        save_whole(path, values)
    elif not np.array_equal(np.load(path), values):
        raise InputError(f"labels: {path} holds others. Choose another folder, or remove the file")
    return values


def _check_earlier(
    folder: pathlib.Path, earlier: Earlier, kind: str | None, classes: Values | None, rows: int | None
) -> None:
    """What is to come must fit what is there."""
    words = [] if classes is None else [str(one) for one in classes]
    for what, now, before in (("samples", rows, earlier.rows), ("kind", kind, earlier.kind), ("classes", words, earlier.classes)):
        if now and before and now != before:
            raise InputError(f"{folder}: the pool there has {what} {before}, and now it would be {now}. Choose another folder")


class _Run:
    """One call of `collect`."""

    def __init__(
        self,
        folder: pathlib.Path,
        disk: Disk,
        agreement: Agreement,
        classes: Values | None,
        costs: bool,
        ball: Ball | None,
        earlier: Earlier,
    ) -> None:
        self.folder = folder
        self._disk = disk
        self._earlier = earlier
        self.agreement = agreement
        self.classes = classes
        self.failed: dict[str, str] = {}
        self.costs: dict[str, dict[str, Any]] = {}
        self.done: list[str] = []
        self.notes: list[str] = []
        self._measure = costs
        self._ball = ball
        self._anchors: Anchors | None = None
        self._toml = ""  # As it was written last, ..
        self._toml_written: Future[None] | None = None  # .. or will be.
        self.sample_count = 0

    def group(self, data: Data, tracks: Sequence[Track], tell: Any) -> None:
        anchors = None
        if self._ball is not None and self._anchors is None:
            anchors = self._anchors = Anchors(data.rows)
        run_pass(data, tracks if anchors is None else [*tracks, anchors], tell)
        for track in tracks:
            if track.settle is not None:
                self._disk.later(track.settle)
        for track in tracks:
            if not isinstance(track, ModelTrack):
                if track.failure is not None:
                    raise InputError(f"labels: {track.failure}")
                continue
            if track.failure is not None:
                self.failed[track.name] = track.failure
                continue
            self.sample_count = track.row_count
            self.done.append(track.name)
            costs: dict[str, Any] = measured(track.model, track.sample) if self._measure else {}
            costs.update(self._estimated(track))
            if costs:
                self.costs[track.name] = costs
        if self.done:
            self.write_toml()

    def _estimated(self, track: ModelTrack) -> dict[str, Any]:
        if self._ball is None or self._anchors is None:
            return {}
        try:
            return track.lipschitz(self._anchors, self._ball)
        except Exception as error:  # Whatever a model raises here: its predictions are good.
            why = str(error) if isinstance(error, Failure) else f"{type(error).__name__}: {error}"
            self.notes.append(f"model '{track.name}': its gradient could not be estimated: {why}")
            return {}

    def write_toml(self) -> bool:
        """After all that it names; False where a person has taken it over."""
        names = self._earlier.classes if self.classes is None else [str(one) for one in self.classes]
        models = self._earlier.models + [name for name in self.done if name not in self._earlier.models]
        costs = {name: self._earlier.costs.get(name, {}) | self.costs.get(name, {}) for name in models}
        text = toml_text(self.folder, self.agreement.kind or "probabilities", models, names, costs)
        if text is not None and text != self._toml:
            self._toml = text
            earlier, path = self._toml_written, self.folder / "pool.toml"

            def write() -> Naming:
                if earlier is not None:
                    earlier.result()  # The same hidden file becomes both.
                return write_text(path, text)

            self._toml_written = self._disk.later(write)
        return text is not None


def _all_groups(run: _Run, models: Mapping[str, Model], data: Data, given: bool, progress: Progress) -> None:
    """Model after model where the data can be read again, otherwise all of them in one pass."""
    names = list(models)
    groups = [names] if data.once else [[name] for name in names]
    for number, group in enumerate(groups):
        tracks: list[Track] = []
        if number == 0 and not given:
            tracks.append(LabelTrack(run.folder, run.classes))
        for name in group:
            tracks.append(ModelTrack(run.folder, name, models[name], run.agreement))
        what = group[0] if len(group) == 1 else f"{len(group)} models"
        stage = what if len(groups) == 1 else f"{what} ({number + 1} of {len(groups)})"
        with rows_listener(progress, stage, data.rows) as tell:
            run.group(data, tracks, tell)


def _check_label_range(run: _Run) -> None:
    path = run.folder / "labels.npy"
    if path.exists() and run.agreement.class_count is not None:
        labels = np.load(path, mmap_mode="r")
        if len(labels) and int(labels.max()) >= run.agreement.class_count:
            raise InputError(
                f"labels: sample {int(labels.argmax())}: the label {int(labels.max())} "
                f"is none of {run.agreement.class_count} classes"
            )


def collect(
    models: Mapping[str, Any],
    data: Any,
    labels: Any = None,
    out: str | os.PathLike[str] = "pool",
    *,
    kind: str | None = None,
    batch_size: int = 256,
    costs: bool = True,
    input_column: str | None = None,
    label_column: str | None = None,
    progress: Progress = None,
    lipschitz: int | None = None,
    lipschitz_radius: float = 0.5,
    lipschitz_norm: str = "l2",
) -> Collected:
    """Runs models over data and writes their predictions as a pool, with measured costs.

    `models` maps names to fitted estimators, torch modules, paths of `.onnx` files or functions of a
    batch. `data` is an array, a data set, a DataLoader or an iterable of batches; `labels` may come
    with it. A run that was killed goes on where it was when it is started again; a model that fails is
    left out, named in a CollectWarning and in `failed` of the result. `lipschitz=K` estimates how steep
    torch modules are near the data, for robustness radii. docs/collect.md has the rest.

    >>> import numpy as np, os, tempfile, hqe
    >>> weights = np.random.default_rng(0).random((3, 4, 5))
    >>> models = {f"m{i}": lambda x, w=w: x @ w - 1 for i, w in enumerate(weights)}
    >>> x, y = np.random.default_rng(1).random((100, 4)), np.arange(100) % 5
    >>> folder = tempfile.TemporaryDirectory()
    >>> hqe.collect(models, x, y, os.path.join(folder.name, "pool"), costs=False).open()
    <hqe.Pool 'pool': 3 models, 100 samples, 5 classes, probabilities>
    """
    if kind not in (None, *KINDS):
        raise UsageError(f"kind {kind!r}: expected one of {', '.join(KINDS)}")
    if isinstance(batch_size, bool) or not isinstance(batch_size, (int, np.integer)) or batch_size < 1:
        raise UsageError(f"batch_size {batch_size!r}: expected a whole number from 1")
    asked = _checked(models)
    opened = open_data(data, int(batch_size), input_column, label_column)
    ready, failed = {}, {}
    for name, value in asked.items():
        try:
            ready[name] = model_of(value)
        except Failure as error:
            failed[name] = str(error)
    ball = _ball(lipschitz, lipschitz_radius, lipschitz_norm, ready)
    classes = _classes(ready, failed)
    ready = {name: model for name, model in ready.items() if name not in failed}
    with folder_of(out) as folder, Disk() as disk:
        earlier = read_toml(folder)
        _check_earlier(folder, earlier, kind, classes, opened.rows)
        limit = 0
        if labels is not None:
            limit = int(_save_labels(folder, labels, classes, opened.rows).max(initial=-1)) + 1
        count = earlier.class_count if classes is None else len(classes)
        agreement = Agreement(kind or earlier.kind, count, limit)
        agreement.row_count = earlier.rows
        run = _Run(folder, disk, agreement, classes, costs, ball, earlier)
        run.failed = failed
        _all_groups(run, ready, opened, labels is not None, progress)
        disk.settle()
        made = _finished(run, list(asked))
        disk.settle()
        return made


def _finished(run: _Run, asked: list[str]) -> Collected:
    failed = {name: run.failed[name] for name in asked if name in run.failed}
    said = [f"model '{name}': {why}" for name, why in failed.items()] + run.notes
    if not run.done:
        raise InputError("no model gave predictions. " + "; ".join(said))
    _check_label_range(run)
    if not run.write_toml():
        said.append(f"{run.folder / 'pool.toml'}: somebody has changed it, so it is left alone")
    for line in said:
        warnings.warn(line, CollectWarning, stacklevel=3)
    kind = run.agreement.kind or "probabilities"
    return Collected(run.folder, run.done, failed, run.costs, kind, run.sample_count)
