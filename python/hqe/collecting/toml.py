# SPDX-License-Identifier: MIT
"""pool.toml as collect writes it, and reads it again to go on."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hqe.errors import InputError

MARK = "# Written by hqe collect, and written again by the next. Remove this line to keep what you change.\n"


@dataclass
class Earlier:
    """What earlier runs have put into the folder; nothing where a person has taken pool.toml over."""

    kind: str | None = None
    models: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    costs: dict[str, dict[str, Any]] = field(default_factory=dict)
    rows: int | None = None
    class_count: int | None = None


def read_toml(folder: pathlib.Path) -> Earlier:
    """What the last run wrote, of the models whose files are still there."""
    path = folder / "pool.toml"
    if not is_ours(path) or not path.exists():
        return Earlier()
    earlier = Earlier()
    costs: dict[str, Any] = {}
    try:
        for line in path.read_text().splitlines():
            key, _, value = line.partition(" = ")
            if match := re.fullmatch(r"\[cost\.(\".*\")\]", line):
                costs = earlier.costs.setdefault(json.loads(match[1]), {})
            elif key in ("kind", "models", "classes"):
                setattr(earlier, key, json.loads(value))
            elif value and key != "name":
                costs[key] = json.loads(value)
    except ValueError:
        raise InputError(f"{path}: somebody has changed it. Remove its first line to keep it, or the file") from None
    earlier.models = [name for name in earlier.models if (folder / f"{name}.npy").exists()]
    if earlier.models:
        try:
            shape = np.load(folder / f"{earlier.models[0]}.npy", mmap_mode="r", allow_pickle=False).shape
        except (OSError, ValueError) as error:
            raise InputError(f"{folder / earlier.models[0]}.npy: cannot be read ({error}). Remove it") from None
        earlier.rows, earlier.class_count = shape[0], shape[1] if len(shape) == 2 else None
    return earlier if earlier.models else Earlier()


def is_ours(path: pathlib.Path) -> bool:
    """Whether the file may be written: it is not there, or nobody has removed its first line."""
    return not path.exists() or path.read_bytes().startswith(MARK.encode())


def _value(value: float | bool | str) -> str:
    if isinstance(value, (bool, str)):
        return json.dumps(value)
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))


def _text(value: str) -> str:
    whole = value.encode("utf-8", "replace").decode()  # A folder's name may be any bytes.
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_text(
    folder: pathlib.Path,
    kind: str,
    models: Sequence[str],
    classes: Sequence[str],
    costs: Mapping[str, Mapping[str, Any]],
) -> str | None:
    """What pool.toml is to hold; None where a person has taken it over, and it is left alone."""
    if not is_ours(folder / "pool.toml"):
        return None
    lines = [f"name = {_text(folder.resolve().name)}", f'kind = "{kind}"']
    lines.append(f"models = [{', '.join(map(_text, models))}]")
    if classes:
        lines.append(f"classes = [{', '.join(map(_text, classes))}]")
    for name in models:
        if costs.get(name):
            lines += ["", f"[cost.{_text(name)}]"]
            lines += [f"{key} = {_value(value)}" for key, value in costs[name].items()]
    return MARK + "\n".join(lines) + "\n"
