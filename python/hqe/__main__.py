# SPDX-License-Identifier: MIT
"""python -m hqe collect: a pool from ONNX files. All else is the command `hqe`."""

from __future__ import annotations

import argparse
import pathlib
import sys
import warnings
from typing import Any

import numpy as np

import hqe


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hqe", description="What of hqe needs Python.")
    collect = parser.add_subparsers(dest="command", required=True, metavar="COMMAND").add_parser(
        "collect",
        help="run ONNX models over data, and write a pool with measured costs",
        description="Runs ONNX models over data with onnxruntime and writes their predictions as a pool, with measured "
        "costs. Started again after it was killed, it goes on where it was.",
    )
    collect.add_argument("models", nargs="+", metavar="MODEL.onnx", help="a model each, named by its file")
    collect.add_argument("--data", required=True, metavar="FILE.npy", help="the inputs, a row a sample; mapped, not read")
    collect.add_argument("--labels", metavar="FILE.npy", help="the true labels, which `hqe prune` will need")
    collect.add_argument("-o", "--output", default="pool", metavar="FOLDER", help="where the pool goes (%(default)s)")
    collect.add_argument("--kind", choices=("probabilities", "logits", "labels"), help="what to write (probabilities)")
    collect.add_argument("--batch-size", type=int, default=256, metavar="N", help="samples at once (%(default)s)")
    collect.add_argument("--no-costs", action="store_true", help="do not measure costs")
    return parser


def _array(path: str) -> Any:
    try:
        values = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise hqe.InputError(f"{path}: cannot be read ({error})") from None
    if not isinstance(values, np.ndarray):
        raise hqe.InputError(f"{path}: not a .npy file. Save the array with np.save")
    return values


def _models(paths: list[str]) -> dict[str, str]:
    models: dict[str, str] = {}
    for path in paths:
        name = pathlib.Path(path).stem
        if name in models:
            raise hqe.UsageError(f"{models[name]} and {path} are both called '{name}'. Rename one")
        models[name] = path
    return models


def _collect(asked: argparse.Namespace) -> int:
    labels = None if asked.labels is None else _array(asked.labels)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hqe.CollectWarning)
        made = hqe.collect(
            _models(asked.models),
            _array(asked.data),
            labels,
            asked.output,
            kind=asked.kind,
            batch_size=asked.batch_size,
            costs=not asked.no_costs,
        )
    for name, why in made.failed.items():
        print(f"hqe: {hqe.InputError(f'model {name!r}: {why}')}", file=sys.stderr)
    print(f"{made.folder}: {len(made.models)} models, {made.sample_count:,} samples, {made.kind}")
    if labels is not None:
        print(f"Next: hqe prune {made.folder}")
    return 3 if made.failed else 0


def main(words: list[str] | None = None) -> int:
    try:
        return _collect(_parser().parse_args(words))
    except hqe.Error as error:
        print(f"hqe: {error}", file=sys.stderr)
        return 2 if isinstance(error, hqe.UsageError) else 3 if isinstance(error, hqe.InputError) else 1
    except KeyboardInterrupt:
        print("hqe: interrupted. Started again, it goes on from here", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
