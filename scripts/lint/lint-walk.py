#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/architecture.md draws every module of src/hqe/LAYERS once, above all that it may include. Its walk of `hqe prune` meets each
room once, from the top of LAYERS down, and names files that are there; a module that it does not meet is named as left out."""

import re

from lint import ROOT, finish, layers

PAGE = "docs/architecture.md"
OUTSIDE = {"cli": ("cli", "cli/commands"), "options": ("options",)}
# What is drawn stands left of this column, what is said of it right of it.
DRAWN = 47


def drawn(page):
    """(room, row of the picture) of each name that is drawn."""
    picture = page.partition("```\n")[2].partition("```\n")[0].split("\n")
    return [(name, row) for row, line in enumerate(picture) for name in re.findall(r"[a-z]+", line[:DRAWN])]


def problems_of_picture(page):
    rows = dict(drawn(page))
    names = [name for name, _ in drawn(page)]
    for room in [*OUTSIDE, *layers()]:
        if names.count(room) != 1:
            yield f"{PAGE}: the picture draws {room} {names.count(room)} times"
    for room, below in layers().items():
        for other in below:
            if rows.get(other, len(page)) <= rows.get(room, -1):
                yield f"{PAGE}: the picture draws {other} beside or above {room}, which may include it"


def problems_of_walk(page):
    walk = page.partition("to the table\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", walk, re.MULTILINE)
    order = [*OUTSIDE, *reversed(layers())]
    met = [room for room, _ in rows]
    left_out = re.findall(r"`(\w+)`", walk.partition("\nLeft out: ")[2].partition("\n\n")[0])
    yield from (f"{PAGE}: the walk meets {room}, which is no room" for room in [*met, *left_out] if room not in order)
    yield from (f"{PAGE}: the walk neither meets {room} nor names it as left out" for room in order if room not in [*met, *left_out])
    yield from (f"{PAGE}: the walk meets {room}, and names it as left out" for room in met if room in left_out)
    known = [room for room in met if room in order]
    if known != sorted(set(known), key=order.index):
        yield f"{PAGE}: the walk does not meet each room once, from the top of src/hqe/LAYERS down"
    for room, what in rows:
        places = OUTSIDE.get(room, (f"src/hqe/{room}",))
        yield from (f"{PAGE}: there is no {name} in {room}" for name in re.findall(r"`([\w]+\.(?:cpp|h))`", what)
                    if not any((ROOT / place / name).is_file() for place in places))


def main():
    page = (ROOT / PAGE).read_text()
    finish([*problems_of_picture(page), *problems_of_walk(page)])


main()
