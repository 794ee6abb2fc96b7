#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The walk of `hqe prune` in docs/architecture.md meets each room once, from the top of src/hqe/LAYERS down, and names files
that are there."""

import re

from lint import ROOT, finish, layers

PAGE = "docs/architecture.md"
OUTSIDE = {"cli": ("cli", "cli/commands"), "options": ("options",)}


def rows():
    """(room, what happens there), in the order of the page."""
    walk = (ROOT / PAGE).read_text().partition("to the table\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \| (.*) \|$", walk, re.MULTILINE)


def main():
    order = [*OUTSIDE, *reversed(layers())]
    met = [room for room, _ in rows()]
    problems = [] if met else [f"{PAGE}: no walk of `hqe prune` was found"]
    problems += [f"{PAGE}: the walk meets {room}, which is no room" for room in met if room not in order]
    known = [room for room in met if room in order]
    if known != sorted(set(known), key=order.index):
        problems.append(f"{PAGE}: the walk does not meet each room once, from the top of src/hqe/LAYERS down")
    for room, what in rows():
        places = OUTSIDE.get(room, (f"src/hqe/{room}",))
        problems += [f"{PAGE}: there is no {name} in {room}" for name in re.findall(r"`([\w]+\.(?:cpp|h))`", what)
                     if not any((ROOT / place / name).is_file() for place in places)]
    finish(problems)


main()
