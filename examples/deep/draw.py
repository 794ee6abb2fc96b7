# SPDX-License-Identifier: MIT
"""Draws robust accuracy against radius, from what attack.py found."""

import math

WIDTH, HEIGHT, LEFT, TOP = 400, 300, 56, 62
BLUE, ORANGE, GREY = "#1f5fa8", "#c8641c", "#b9bec6"
TITLES = {"l2": "moved by at most r in l2", "linf": "moved by at most r in l-infinity"}


def line(places, colour, width=2.0, dashes=""):
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>'


def text(x, y, words, anchor="middle", colour="#30343a", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{more}>{words}</text>'


class Panel:
    """One norm, drawn from `left` on."""

    def __init__(self, left, norm, of, images):
        self.left, self.norm, self.of, self.images = left, norm, of, images
        self.radii = of["radii"]

    def place(self, radius, share):
        """Radii double from step to step; 0 stands one before the first."""
        step = max(0.0, 1 + math.log2(radius / self.radii[1])) if radius else 0.0
        return self.left + step / (len(self.radii) - 1) * WIDTH, TOP + (1 - share) * HEIGHT

    def curve(self, shares, *style):
        return line([self.place(r, s) for r, s in zip(self.radii, shares)], *style)

    def bound(self, who, colour):
        """The share of images whose estimated radius is at least r: a step down at each."""
        radii, total = self.of[who]["bound"], self.images
        places = [self.place(0, len(radii) / total)]
        for number, radius in enumerate(radii):
            places += [self.place(radius, (len(radii) - number) / total), self.place(radius, (len(radii) - number - 1) / total)]
        return line(places, colour, 1.8, "7 4")

    def axes(self):
        parts = [text(self.left + WIDTH / 2, TOP - 14, TITLES[self.norm], more=' font-weight="600"')]
        for tenths in range(0, 11, 2):
            _, y = self.place(0, tenths / 10)
            parts.append(line([(self.left, y), (self.left + WIDTH, y)], "#e6e8eb", 1))
            parts.append(text(self.left - 8, y + 4, f"{10 * tenths} %", "end"))
        for radius in self.radii:
            x, y = self.place(radius, 0)
            parts.append(text(x, y + 18, f"{radius:.3g}"))
        return [*parts, text(self.left + WIDTH / 2, TOP + HEIGHT + 38, "radius r")]

    def parts(self, team):
        members = [name for name in self.of["lipschitz"] if name not in team]
        drawn = [self.curve(self.of[name]["pgd"], GREY, 1.2) for name in members]
        drawn += [self.curve(self.of[name]["pgd"], "#8fb3dc", 1.4) for name in team]
        for who, colour in (("all", ORANGE), ("team", BLUE)):
            drawn.append(self.bound(who, colour))
            drawn.append(self.curve(self.of[who]["fgsm"], colour, 1.6, "2 3"))
            drawn.append(self.curve(self.of[who]["pgd"], colour, 2.8))
        return self.axes() + drawn


def legend(team, top):
    entries = [
        (BLUE, 2.8, "", "the team, PGD"), (BLUE, 1.6, "2 3", "FGSM"), (BLUE, 1.8, "7 4", "estimated bound"),
        ("#8fb3dc", 1.4, "", "its members, PGD"),
        (ORANGE, 2.8, "", "all, PGD"), (ORANGE, 1.6, "2 3", "FGSM"), (ORANGE, 1.8, "7 4", "estimated bound"),
        (GREY, 1.2, "", "other networks, PGD"),
    ]  # fmt: skip
    parts = []
    for number, (colour, width, dashes, words) in enumerate(entries):
        x, y = LEFT + 210 * (number % 4), top + 22 * (number // 4)
        parts += [line([(x, y), (x + 34, y)], colour, width, dashes), text(x + 42, y + 4, words, "start")]
    return [*parts, text(LEFT, top + 52, f"Team: {', '.join(team)}", "start")]


def picture(found):
    """An SVG, as text."""
    parts = []
    for number, (norm, of) in enumerate(found["norms"].items()):
        parts += Panel(LEFT + number * (WIDTH + 70), norm, of, found["images"]).parts(found["team"])
    parts += legend(found["team"], TOP + HEIGHT + 70)
    size = (LEFT + 2 * WIDTH + 70 + 24, TOP + HEIGHT + 140)
    title = f"Share of {found['images']} images that stay right"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" height="{size[1]}" '
    head += 'font-family="system-ui, sans-serif" font-size="13">'
    back = f'<title>{title}</title><rect width="{size[0]}" height="{size[1]}" fill="white"/>'
    return "\n".join([head, back, text(LEFT, 22, title, "start", more=' font-size="14" font-weight="600"'), *parts, "</svg>\n"])
