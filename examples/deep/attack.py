#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attacks the networks, the team and all of them together, and holds what happens against estimated bounds.

    python examples/deep/attack.py FOLDER [--images N] [--steps S] [--points K]

FOLDER is what train.py and `python -m hqe collect` have filled. FGSM and PGD move judge images by ever larger radii, in l2
and l-infinity; an image that was broken stays broken. `hqe.collect(lipschitz=K)` estimates how far nobody could.
FOLDER gets the pools steep-l2 and steep-linf, attack.json and the picture attack.svg. Needs torch and hqe in one Python.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from draw import picture
from networks import networks

import hqe

RADII = {"l2": [0, *(0.01 * 2 ** np.arange(8))], "linf": [0, *(0.0005 * 2 ** np.arange(8))]}
BALLS = {"l2": 0.3, "linf": 0.015}  # In which gradients are looked at.


def averaged(members):
    """The logarithm of the mean of the members' probabilities: what a soft vote decides by."""
    def answer(x):
        return torch.logsumexp(torch.stack([member(x).log_softmax(dim=1) for member in members]), dim=0)

    return answer


def gradient(answer, x, y):
    """Of the lead of the strongest wrong class, which an attack wants to raise."""
    x = x.detach().requires_grad_()
    scores = answer(x)
    own = torch.nn.functional.one_hot(y, scores.shape[1]).bool()
    lead = scores.masked_fill(own, -torch.inf).amax(dim=1) - scores[own]
    return torch.autograd.grad(lead.sum(), x)[0]


def lengths(x):
    return x.flatten(1).norm(dim=1).clamp_min(1e-12)[:, None, None, None]


def moved(x, start, step, size, radius, norm):
    """One step from `start` along `step`, back into the ball around `x` and into what pixels can be."""
    if norm == "linf":
        away = (start - x + size * step.sign()).clamp(-radius, radius)
    else:
        away = start - x + size * step / lengths(step)
        away = away * (radius / lengths(away)).clamp_max(1)
    return (x + away).clamp(0, 1)


def attacked(answer, x, y, radius, norm, steps):
    """FGSM in one step, PGD in several. One radius for all, or one an image."""
    radius = torch.as_tensor(radius, dtype=x.dtype).reshape(-1, 1, 1, 1)
    size = radius if steps == 1 else 2.5 * radius / steps
    at = x
    for _ in range(steps):
        at = moved(x, at, gradient(answer, at, y), size, radius, norm)
    return at


def survived(answer, x, y, norm, steps):
    """Of each image the first of RADII at which the answer was wrong; their number where none."""
    first = torch.full((len(x),), len(RADII[norm]))
    for number, radius in enumerate(RADII[norm]):
        left = torch.nonzero(first == len(RADII[norm]))[:, 0]
        if not len(left):
            break
        at = x[left] if radius == 0 else attacked(answer, x[left], y[left], float(radius), norm, steps)
        with torch.no_grad():
            first[left[answer(at).argmax(dim=1) != y[left]]] = number
    return first.numpy()


def bounds(pool, costs, names, labels):
    """How far each image may be moved before the answer can change, as `hqe prune` estimates it; -1 where it is wrong."""
    scores = sum(np.load(pool / f"{name}.npy").astype(float) for name in names)
    own = scores[np.arange(len(labels)), labels]
    scores[np.arange(len(labels)), labels] = -np.inf
    margins = own - scores.max(axis=1)
    radii = margins / sum(costs[name]["lipschitz"] for name in names)
    return np.where(margins > 0, np.minimum(radii, costs[names[0]]["lipschitz_radius"]), -1)


def run(folder, asked):
    x, y = (np.load(folder / "judge" / f"{name}.npy")[: asked.images] for name in "xy")
    members = networks()
    for name, member in members.items():
        member.load_state_dict(torch.load(folder / "models" / f"{name}.pt"))
        member.eval()
    best = hqe.prune(hqe.Pool.open(folder / "choose-pool"), detail=False).best
    teams = {name: [name] for name in members} | {"team": list(best.names), "all": list(members)}
    found = {"team": list(best.names), "images": len(x), "norms": {}}
    images, labels = torch.from_numpy(x), torch.from_numpy(y)
    for norm, radii in RADII.items():
        made = hqe.collect(members, x, y, folder / f"steep-{norm}", costs=False, lipschitz=asked.points,
                           lipschitz_radius=BALLS[norm], lipschitz_norm=norm)  # fmt: skip
        of = {"radii": [float(one) for one in radii], "lipschitz": {name: made.costs[name]["lipschitz"] for name in members}}
        for who, names in teams.items():
            answer = averaged([members[name] for name in names])
            estimated = bounds(made.folder, made.costs, names, y)
            of[who] = {"bound": sorted(estimated[estimated > 0].tolist())}
            for attack, steps in (("fgsm", 1), ("pgd", asked.steps)):
                first = survived(answer, images, labels, norm, steps)
                of[who][attack] = [float((first > number).mean()) for number in range(len(radii))]
            right = torch.from_numpy(estimated > 0)
            at = attacked(answer, images[right], labels[right], estimated[estimated > 0], norm, asked.steps)
            of[who]["broken_within"] = int((answer(at).argmax(dim=1) != labels[right]).sum())
            print(f"{norm:5}{who:10}" + "".join(f"{share:8.1%}" for share in of[who]["pgd"]), flush=True)
        found["norms"][norm] = of
    return found


def told(found):
    """What Theorem 2 says, and what was seen."""
    for norm, of in found["norms"].items():
        members = [of[name] for name in found["team"]]
        weakest, strongest = (choose([one["pgd"] for one in members], axis=0) for choose in (np.min, np.max))
        team = np.array(of["team"]["pgd"])
        within = sum(one["broken_within"] for one in of.values() if "pgd" in one)
        tried = sum(len(one["bound"]) for one in of.values() if "pgd" in one)
        print(f"{norm}: the team withstands PGD at least as often as its weakest member at {(team >= weakest).sum()} of "
              f"{len(team)} radii, as its strongest at {(team >= strongest).sum()}. PGD within the estimated radius, of "
              f"everybody on every image: {within} of {tried} succeeded")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--images", type=int, default=100, help="judge images to attack (%(default)s)")
    parser.add_argument("--steps", type=int, default=10, help="of PGD (%(default)s)")
    parser.add_argument("--points", type=int, default=32, help="around an image, to estimate bounds (%(default)s)")
    asked = parser.parse_args()
    found = run(asked.folder, asked)
    (asked.folder / "attack.json").write_text(json.dumps(found, indent=1))
    (asked.folder / "attack.svg").write_text(picture(found))
    told(found)


main()
