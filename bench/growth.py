# SPDX-License-Identifier: MIT
"""How time and memory grow with the samples, the classes, the models, the team size and the threads: fits and a picture."""

import contextlib
import math
import os

from measuring import BUILD, Row, interleaved, say, timed

# Every pool is far larger than a cache, so that one slope fits all of them.
SAMPLES, CLASSES, MODELS = 20_000, 250, 10
AXES = {
    "samples": [(MODELS, SAMPLES * k, CLASSES) for k in (1, 2, 4, 8)],
    "classes": [(MODELS, SAMPLES, CLASSES * k) for k in (1, 2, 4, 8)],
    "models": [(models, SAMPLES, CLASSES) for models in (6, 9, 13, 18)],
}
PLACE = {"models": 0, "samples": 1, "classes": 2}
# Reading must not hide what larger teams cost: many models, few bytes.
SIZES, SIZES_POOL = (2, 3, 4, 5, 6), (30, 5_000, 10)


def exponent(points):
    """The slope of a straight line through the points' logarithms, by least squares."""
    xs, ys = ([math.log(value) for value in column] for column in zip(*points))
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / sum((x - x_mean) ** 2 for x in xs)


def growth(bench):
    found, memory = {}, {}
    for axis, shapes in AXES.items():
        with contextlib.ExitStack() as stack:
            pools = {str(shape[PLACE[axis]]): stack.enter_context(bench.pool(*shape)) for shape in shapes}
            bench.scenario("check", pools[min(pools, key=int)], size=3, draws=3)
            times = interleaved(5, **{value: measure(bench, pool) for value, pool in pools.items()})
            found[axis] = [(int(value), seconds) for value, seconds in times.items()]
            memory[axis] = [(int(value), anonymous_mb(bench, pool, 3)) for value, pool in pools.items()]
            if axis == "samples":
                most = max(pools, key=int)
                counts = sorted({1, 2, len(os.sched_getaffinity(0))})
                threads = interleaved(5, **{str(count): measure(bench, pools[most], threads=count) for count in counts})
    with bench.pool(*SIZES_POOL, "--kind", "labels") as pool:
        bench.scenario("check", pool, size=3, draws=3)
        times = interleaved(3, **{str(size): measure(bench, pool, size=size) for size in SIZES})
        found["team size"] = [(int(size), seconds) for size, seconds in times.items()]
        memory["team size"] = [(size, anonymous_mb(bench, pool, size)) for size in SIZES]
    found["threads"] = [(int(count), seconds) for count, seconds in threads.items()]
    exponents = {axis: exponent(points) for axis, points in found.items() if len(points) > 1}
    bench.results.figures["growth"] = {"seconds": found, "exponents": exponents, "memory_mb": memory}
    for axis, value in exponents.items():
        must = 1.1 if axis in ("samples", "classes") else None
        text = f"time ~ {axis}^{value:.2f} ({', '.join(f'{x:,}: {1000 * y:.0f} ms' for x, y in found[axis])})"
        bench.results.add(Row(f"growth with {axis}", value, text, must=must))
    for axis, points in memory.items():
        slope = exponent(points)
        text = f"memory ~ {axis}^{slope:.2f} ({', '.join(f'{x:,}: {y:.0f} MB' for x, y in points)})"
        bench.results.add(Row(f"memory with {axis}", slope, text))
    path = BUILD / "bench-growth.svg"
    path.write_text(picture(found, exponents))
    say(f"  picture: {path.relative_to(BUILD.parent)}")


def measure(bench, pool, size=3, **settings):
    """Opening the pool and pruning it, all within one process that has read it before."""
    return lambda: bench.scenario("hierarchical", pool, size=size, repeats=3, **settings)["seconds"]


def anonymous_mb(bench, pool, size):
    """The most memory that the whole command holds, files apart."""
    return max(0.1, timed(bench.hqe, "prune", pool, "--size", size, "--quiet", keep_output=False, watch_memory=True).anonymous_mb)


def picture(found, exponents):
    """Small panels side by side, both axes logarithmic."""
    width, height, left, top = 240, 200, 48, 36
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(found) * (width + left) + 20} {height + 84}" '
             'font-family="sans-serif" font-size="11" fill="#333">', '<rect width="100%" height="100%" fill="#fff"/>']
    for panel, (axis, points) in enumerate(found.items()):
        x0, y0 = left + panel * (width + left), top
        xs, ys = ([math.log10(value) for value in column] for column in zip(*points))
        low, high = min(ys) - 0.1, max(ys) + 0.1

        def place(x, y):
            across = (x - xs[0]) / max(1e-9, xs[-1] - xs[0])
            return x0 + 12 + across * (width - 36), y0 + height - (y - low) / (high - low) * height

        slope = f", exponent {exponents[axis]:.2f}" if axis in exponents else ""
        parts.append(f'<text x="{x0}" y="{y0 - 12}" font-weight="bold">time against {axis}{slope}</text>')
        parts.append(f'<path d="M{x0} {y0}V{y0 + height}H{x0 + width - 12}" fill="none" stroke="#999"/>')
        where = [place(x, y) for x, y in zip(xs, ys)]
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in where)
        parts.append(f'<path d="M{line}" fill="none" stroke="#1f6feb" stroke-width="2"/>')
        for (x, y), (value, seconds) in zip(where, points):
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#1f6feb"/>')
            parts.append(f'<text x="{x:.1f}" y="{y - 8:.1f}" text-anchor="middle">{1000 * seconds:.0f} ms</text>')
            parts.append(f'<text x="{x:.1f}" y="{y0 + height + 16}" text-anchor="middle">{value:,}</text>')
    parts.append(f'<text x="{left}" y="{height + 74}">Both axes logarithmic. Pools of {MODELS} models, {SAMPLES:,} samples and '
                 f'{CLASSES} classes unless the panel varies it; opened and pruned to teams of 3. Team sizes: {SIZES_POOL[0]} models that vote on '
                 f'{SIZES_POOL[1]:,} samples.</text></svg>')
    return "\n".join(parts) + "\n"
