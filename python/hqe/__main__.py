# SPDX-License-Identifier: MIT
"""python -m hqe collect: a pool from ONNX files; export: one ONNX file from a team. All else becomes the command `hqe`."""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import sys
import sysconfig
import warnings
from typing import Any

import numpy as np

import hqe
from hqe._options import KINDS


def _become_command(words: list[str]) -> None:
    """The command that was installed with this module, else one on the PATH; returns where there is none."""
    beside = pathlib.Path(sysconfig.get_path("scripts"), "hqe")
    command = str(beside) if beside.is_file() else shutil.which("hqe")
    if command is not None:
        os.execve(command, [command, *words], {**os.environ, "HQE_PYTHON": sys.executable})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hqe", description="What of hqe needs Python.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_collect(commands)
    _add_export(commands)
    return parser


def _add_collect(commands: Any) -> None:
    collect = commands.add_parser(
        "collect",
        help="run ONNX models over data, and write a pool with measured costs",
        description="Runs ONNX models over data with onnxruntime and writes their predictions as a pool, with measured "
        "costs. Started again after it was killed, it goes on where it was.",
    )
    collect.add_argument("models", nargs="+", metavar="MODEL.onnx", help="a model each, named by its file")
    collect.add_argument("--data", required=True, metavar="FILE.npy", help="the inputs, a row a sample; mapped, not read")
    collect.add_argument("--labels", metavar="FILE.npy", help="the true labels, which `hqe prune` will need")
    collect.add_argument("-o", "--output", default="pool", metavar="FOLDER", help="where the pool goes (%(default)s)")
    collect.add_argument("--kind", choices=KINDS, help="what to write (probabilities)")
    collect.add_argument("--batch-size", type=int, default=256, metavar="N", help="samples at once (%(default)s)")
    collect.add_argument("--no-costs", action="store_true", help="do not measure costs")
    collect.set_defaults(run=_collect)


def _add_export(commands: Any) -> None:
    export = commands.add_parser(
        "export",
        help="write a team and its vote as one ONNX file",
        description="Writes a team's members and their vote as one ONNX file, which gives labels and, where the vote has "
        "shares, probabilities. With --check it is run on samples first, and written only if it answers as the members' vote.",
    )
    export.add_argument("team", metavar="TEAM.json", help="a team, or a study that recommends one")
    export.add_argument("models", nargs="+", metavar="MODEL.onnx", help="named like the members; others are left alone")
    export.add_argument("-o", "--output", default="ensemble.onnx", metavar="FILE", help="what to write (%(default)s)")
    export.add_argument("--check", action="append", metavar="[INPUT=]FILE.npy", help="samples to hold the result against")
    export.add_argument("--triton", metavar="FOLDER", help="a Triton model repository to put it into, too")
    export.add_argument("--name", help="what Triton calls it (the name of the file)")
    export.add_argument("--input", action="append", metavar="MODEL:ITS=NAME", help="that input of the model is this one of the ensemble")
    export.add_argument("--scores", action="append", metavar="MODEL=OUTPUT", help="the output to use (the first of floats)")
    export.add_argument("--kind", action="append", metavar="[MODEL=]KIND", help="what models give: probabilities or logits (looked at)")
    export.add_argument("--opset", type=int, metavar="N", help="of the file (that of the newest member)")
    export.set_defaults(run=_export)


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


def _pairs(option: str, words: list[str] | None) -> dict[str, str]:
    """NAME=VALUE, each once. A name may hold the sign, a value cannot."""
    pairs: dict[str, str] = {}
    for word in words or []:
        name, equals, value = word.rpartition("=")
        if not equals or not name or not value:
            raise hqe.UsageError(f"{option} {word}: expected a name, = and a value")
        if name in pairs:
            raise hqe.UsageError(f"{option} {word}: '{name}' is named twice")
        pairs[name] = value
    return pairs


def _whole_or_pairs(option: str, words: list[str] | None) -> Any:
    """One value for all, or pairs."""
    return words[0] if words and len(words) == 1 and "=" not in words[0] else _pairs(option, words) or None


def _inputs(words: list[str] | None) -> dict[str, dict[str, str]]:
    inputs: dict[str, dict[str, str]] = {}
    for place, outer in _pairs("--input", words).items():
        model, colon, inner = place.partition(":")
        if not colon:
            raise hqe.UsageError(f"--input {place}={outer}: expected MODEL:ITS=NAME")
        inputs.setdefault(model, {})[inner] = outer
    return inputs


def _export(asked: argparse.Namespace) -> int:
    samples = _whole_or_pairs("--check", asked.check)
    if isinstance(samples, dict):
        samples = {name: _array(path) for name, path in samples.items()}
    made = hqe.export_onnx(
        asked.team,
        _models(asked.models),
        asked.output,
        inputs=_inputs(asked.input),
        outputs=_pairs("--scores", asked.scores),
        kinds=_whole_or_pairs("--kind", asked.kind),
        check=_array(samples) if isinstance(samples, str) else samples,
        opset=asked.opset,
        triton=asked.triton,
        name=asked.name,
    )
    print(f"{made.path}: {len(made.members)} models, {' and '.join(made.outputs)}, opset {made.opset}, IR version {made.ir_version}")
    if made.checked is not None:
        print(made.checked)
    if made.triton is not None:
        print(f"{made.triton}: for Triton")
    return 0


def main(words: list[str] | None = None) -> int:
    if words is None and sys.argv[1:2] not in (["collect"], ["export"]):
        _become_command(sys.argv[1:])
    try:
        asked = _parser().parse_args(words)
        code: int = asked.run(asked)
        return code
    except hqe.Error as error:
        print(f"hqe: {error}", file=sys.stderr)
        return 2 if isinstance(error, hqe.UsageError) else 3 if isinstance(error, hqe.InputError) else 1
    except KeyboardInterrupt:
        print("hqe: interrupted. Started again, it collects on from here, and exports anew", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
