# SPDX-License-Identifier: MIT
"""src/hqe/LAYERS: which module may include which."""

from pathlib import Path

LAYERS = Path(__file__).resolve().parents[2] / "src/hqe/LAYERS"


def layers():
    """module -> the others that it may include, from the lowest module up."""
    lines = [line.partition("#")[0] for line in LAYERS.read_text().splitlines()]
    return {name.strip(): others.split() for name, _, others in (line.partition(":") for line in lines if line.strip())}


def with_below(modules):
    """These modules and all that they may include, which is what their tests link."""
    allowed = layers()
    wanted = set(modules)
    for name in reversed(allowed):
        if name in wanted:
            wanted.update(allowed[name])
    return [name for name in allowed if name in wanted]
