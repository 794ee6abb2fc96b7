# SPDX-License-Identifier: MIT
"""src/hqe/LAYERS: which module may include which."""

from pathlib import Path

LAYERS = Path(__file__).resolve().parents[2] / "src/hqe/LAYERS"


def rows():
    """(module, the others that it may include, what only its unit tests include besides), from the lowest module up."""
    for line in LAYERS.read_text().splitlines():
        name, _, others = line.partition("#")[0].partition(":")
        if name.strip():
            included, _, tested = others.partition("|")
            yield name.strip(), included.split(), tested.split()


def layers():
    """module -> the others that it may include, from the lowest module up."""
    return {name: included for name, included, _ in rows()}


def tested_with():
    """module -> the others that only its unit tests include, and that lie nowhere below it."""
    return {name: tested for name, _, tested in rows()}


def below(modules):
    """These modules and all that lies below them."""
    allowed = layers()
    found = set(modules)
    for name in reversed(allowed):
        if name in found:
            found.update(allowed[name])
    return found


def with_below(modules):
    """These modules and all that they and their unit tests may include, which is what the tests link."""
    allowed, tested = layers(), tested_with()
    wanted = set(modules)
    for name in reversed(allowed):
        if name in wanted:
            wanted.update(allowed[name], tested[name])
    return [name for name in allowed if name in wanted]
