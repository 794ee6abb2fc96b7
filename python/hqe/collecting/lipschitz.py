# SPDX-License-Identifier: MIT
"""How steep a torch module is near the data: an estimate of L_q, section 4 of the paper.

The paper bounds the gradient of g = p_c - p_j, the margin of the model's answer over another class.
Finitely many points prove no bound. They give an estimate, as in CLEVER (Weng et al., ICLR 2018): the
largest gradients of many draws follow a reverse Weibull law, and the end of the fitted law is what no
gradient exceeds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hqe.collecting.data import Batch, is_plain, some_rows, torch_module
from hqe.collecting.outputs import Failure, Values, scores_of

ANCHORS = 32  # Samples around which points are drawn.
RIVALS = 9  # Other classes: those that come next in the model's opinion of the anchor.
FEWEST_ROUNDS = 8
SHAPES = (1.0, 100.0)  # Below 1 the likelihood has no maximum; above 100 no end can be told.
FURTHEST = 3.0  # The end is at most so many spreads of the maxima above the largest.
NORMS = {"l2": 2.0, "linf": 1.0}  # In which distances are measured -> the dual one, of gradients.


class Ball(NamedTuple):
    """Where points are drawn: `rounds` of one a sample, at most `radius` away from it."""

    rounds: int
    radius: float
    norm: str


class Anchors:
    """Samples of the data, evenly spread; which ones depends on nothing but their number. Follows a
    pass like a track, but becomes no file."""

    failure: str | None = None
    is_saved = False

    def __init__(self, rows: int | None) -> None:
        self.done = False
        self._stride = 1 if rows is None else max(1, math.ceil(rows / ANCHORS))
        self._kept: dict[int, Any] = {}

    def take(self, batch: Batch) -> None:
        first = -batch.start % self._stride
        if first >= batch.rows:
            return
        inputs = batch.load()[0]
        for row in range(first, batch.rows, self._stride):
            self._kept[batch.start + row] = _copied(some_rows(inputs, row, row + 1))
        self._thin()

    def _thin(self) -> None:
        while len(self._kept) > ANCHORS:
            self._stride *= 2
            self._kept = {row: value for row, value in self._kept.items() if row % self._stride == 0}

    def end(self, total: int) -> None:
        self.done = True

    def fail(self, why: str) -> None:
        self.failure, self.done = why, True

    def close(self) -> None:
        pass

    def tensor(self) -> Any:
        """All of them as a tensor of floats."""
        torch = torch_module()
        if self.failure is not None:
            raise Failure(self.failure)
        values = torch.cat(list(self._kept.values()))
        if not values.is_floating_point():
            raise Failure("its inputs are no floats, so that there is no gradient")
        return values


def _copied(values: Any) -> Any:
    torch = torch_module()
    if not is_plain(values):
        raise Failure("its inputs are several columns, of which none is the one to move")
    return values.detach().cpu().clone() if isinstance(values, torch.Tensor) else torch.from_numpy(np.array(values))


def _moved(anchors: Any, ball: Ball, generator: Any) -> Any:
    """A point around each anchor, evenly distributed in its ball."""
    torch = torch_module()
    shape, size = anchors.shape, anchors[0].numel()
    if ball.norm == "linf":
        steps = 2 * torch.rand(shape, generator=generator) - 1
    else:
        directions = torch.randn((len(anchors), size), generator=generator)
        lengths = torch.rand((len(anchors), 1), generator=generator) ** (1 / size)
        steps = (directions / directions.norm(dim=1, keepdim=True) * lengths).reshape(shape)
    return anchors + (ball.radius * steps).to(anchors.device, anchors.dtype)


def largest_gradients(call: Callable[[Any], Any], anchors: Any, ball: Ball, gives_logits: bool) -> Values:
    """Of every round the largest norm of a gradient of p_c - p_j, over all anchors and rivals j."""
    torch = torch_module()

    def probabilities(points: Any) -> Any:
        scores = scores_of(call(points))
        return torch.softmax(scores, dim=1) if gives_logits else scores

    with torch.no_grad():
        order = probabilities(anchors).argsort(dim=1, descending=True)
    generator = torch.Generator().manual_seed(0)
    maxima = []
    for _ in range(ball.rounds):
        points = _moved(anchors, ball, generator).requires_grad_()
        with torch.enable_grad():
            scores = probabilities(points)
            margins = scores.gather(1, order[:, :1]) - scores.gather(1, order[:, 1 : 1 + RIVALS])
        largest = 0.0
        for margin in margins.sum(dim=0):  # Samples do not see each other, so one call serves all of them.
            (gradient,) = torch.autograd.grad(margin, points, retain_graph=True)
            largest = max(largest, float(gradient.flatten(1).norm(p=NORMS[ball.norm], dim=1).max()))
        maxima.append(largest)
    return np.array(maxima)


def _shapes(gaps: Values) -> Values:
    """The likeliest shape of a Weibull law for every row, by halving; the score falls with the shape."""
    logs = np.log(gaps)
    low, high = (np.full((len(gaps), 1), one) for one in SHAPES)
    for _ in range(60):
        middle = np.sqrt(low * high)
        powers = np.exp(middle * (logs - logs.max(axis=1, keepdims=True)))
        score = 1 / middle + logs.mean(axis=1, keepdims=True)
        score -= (powers * logs).sum(axis=1, keepdims=True) / powers.sum(axis=1, keepdims=True)
        low, high = np.where(score > 0, middle, low), np.where(score > 0, high, middle)
    return low


def likelihoods(gaps: Values) -> Values:
    """The log-likelihood of every row of gaps under its likeliest Weibull law, a value."""
    shapes, logs = _shapes(gaps), np.log(gaps)
    top = logs.max(axis=1, keepdims=True)
    means = np.log(np.exp(shapes * (logs - top)).mean(axis=1, keepdims=True)) + shapes * top
    values: Values = (np.log(shapes) - means + (shapes - 1) * logs.mean(axis=1, keepdims=True) - 1)[:, 0]
    return values


def end_of(maxima: Values) -> float:
    """The end of the reverse Weibull law that fits best: what the maxima approach from below."""
    largest, spread = float(maxima.max()), float(np.ptp(maxima))
    if spread <= 1e-6 * largest:
        return largest
    ends = np.geomspace(1e-3, FURTHEST, 300)[:, None]  # Above the largest, in spreads.
    return largest + spread * float(ends[likelihoods(ends + (largest - maxima)[None] / spread).argmax(), 0])


def estimated(call: Callable[[Any], Any], anchors: Any, ball: Ball, gives_logits: bool) -> dict[str, Any]:
    """What pool.toml says about it."""
    bound = end_of(largest_gradients(call, anchors, ball, gives_logits))
    if not math.isfinite(bound):
        raise Failure("its gradient is not finite")
    return {
        "lipschitz": float(f"{bound:.4g}"),
        "lipschitz_radius": ball.radius,
        "lipschitz_norm": ball.norm,
        "lipschitz_estimated": True,
    }
