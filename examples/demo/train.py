#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains the demo pool: fourteen classifiers of Fashion-MNIST, and what they say.

    scripts/setup demo-training
    build/venv-demo/bin/python examples/demo/train.py            writes examples/fashion-mnist/
    build/venv-demo/bin/python examples/demo/train.py --check    trains again, compares

Data: the Debian package dataset-fashion-mnist. Models are fitted on the first 55,000 training
images; the last 5,000 are held back to turn scores into probabilities. The 10,000 test images
are cut in two: the first 5,000 become the validation pool (teams are chosen there), the last
5,000 the test pool (teams are judged there). No model has seen either.

Costs written to pool.toml, all measured or counted on the fitted models:
    params      numbers the model needs to predict (nearest neighbours: the training images)
    gflops      multiply-adds for one image / 1e9 (as papers count: one multiply-add is one)
    latency_ms  processor time for one image, on one thread, in batches of 1,000, best of 3
    memory_mb   size of the fitted model, pickled
"""

import argparse
import gzip
import os
import pickle
import sys
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "2")

import numpy as np
from threadpoolctl import threadpool_limits

import models

ROOT = Path(__file__).resolve().parents[2]
CLASSES = ["t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"]
HALVES = ("validation", "test")
TOLERANCE = 0.005  # Half a point of accuracy between two runs.


def read_idx(path):
    raw = gzip.decompress(path.read_bytes())
    dimensions = raw[3]
    shape = np.frombuffer(raw, ">u4", dimensions, 4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def load(folder, part):
    images = read_idx(folder / f"{part}-images-idx3-ubyte.gz").reshape(-1, 784).astype(np.float32) / 255
    return images, read_idx(folder / f"{part}-labels-idx1-ubyte.gz").astype(np.int64)


def latency_ms(fitted, images):
    """Processor time, not wall time: the figure must not depend on who else uses the machine."""
    best = float("inf")
    with threadpool_limits(1):
        for _ in range(3):
            begin = time.process_time()
            fitted.probabilities(images[:1000])
            best = min(best, time.process_time() - begin)
    return best


def costs(fitted, images):
    return {
        "params": f"{fitted.params}",
        "gflops": f"{fitted.multiply_adds / 1e9:.3g}",
        "latency_ms": f"{latency_ms(fitted, images):.3g}",
        "memory_mb": f"{len(pickle.dumps(fitted.state)) / 1e6:.3g}",
    }


def pool_toml(half, all_costs):
    first, last = (0, 4999) if half == "validation" else (5000, 9999)
    quoted = ",\n  ".join(f'"{name}"' for name in all_costs)
    lines = [
        f'name = "fashion-mnist-{half}"',
        'kind = "probabilities"',
        f"models = [\n  {quoted},\n]",
        "classes = [" + ", ".join(f'"{name}"' for name in CLASSES) + "]",
        f'about = "Fourteen classifiers on Fashion-MNIST test images {first} to {last}. See ../README.md."',
        'licence = "MIT (Fashion-MNIST, Zalando SE; predictions, HQE)"',
        'source = "written by examples/demo/train.py from the Debian package dataset-fashion-mnist"',
    ]
    for name, values in all_costs.items():
        lines += ["", f"[cost.{name}]"] + [f"{key} = {value}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def train(data, out):
    x, y = load(data, "train")
    held_x, held_y, x, y = x[55000:], y[55000:], x[:55000], y[:55000]
    images, labels = load(data, "t10k")
    halves = dict(zip(HALVES, (slice(0, 5000), slice(5000, 10000))))
    for half in HALVES:
        (out / half).mkdir(parents=True, exist_ok=True)
        np.save(out / half / "labels.npy", labels[halves[half]].astype(np.uint8))
    all_costs = {}
    for name, fit in models.ALL.items():
        begin = time.time()
        fitted = fit(x, y, held_x, held_y)
        probabilities = fitted.probabilities(images).astype(np.float16)
        for half in HALVES:
            np.save(out / half / f"{name}.npy", probabilities[halves[half]])
        all_costs[name] = costs(fitted, images)
        accuracy = (probabilities.argmax(axis=1) == labels).mean()
        print(f"{name:24} {accuracy:.4f}  {time.time() - begin:6.1f} s  {all_costs[name]}", flush=True)
    for half in HALVES:
        (out / half / "pool.toml").write_text(pool_toml(half, all_costs))


def accuracy_of(folder, name):
    probabilities = np.load(folder / f"{name}.npy")
    return probabilities.shape, (probabilities.argmax(axis=1) == np.load(folder / "labels.npy")).mean()


def compare(committed, fresh):
    """Prints what differs; returns the number of differences."""
    differences = 0
    for half in HALVES:
        for name in models.ALL:
            old_shape, old = accuracy_of(committed / half, name)
            new_shape, new = accuracy_of(fresh / half, name)
            fine = old_shape == new_shape and abs(old - new) <= TOLERANCE
            differences += not fine
            print(f"{'same' if fine else 'DIFFERS':8} {half:10} {name:24} {old:.4f} {new:.4f}")
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("/usr/share/datasets/fashion-mnist"))
    parser.add_argument("--out", type=Path, default=ROOT / "examples" / "fashion-mnist")
    parser.add_argument("--check", action="store_true", help="train into build/demo-check and compare with --out")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        sys.exit(f"{arguments.data} is missing: apt-get install dataset-fashion-mnist, or pass --data")
    if not arguments.check:
        train(arguments.data, arguments.out)
        return
    fresh = ROOT / "build" / "demo-check"
    train(arguments.data, fresh)
    differences = compare(arguments.out, fresh)
    total = len(HALVES) * len(models.ALL)
    print(f"{total - differences} passed, {differences} failed")
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
