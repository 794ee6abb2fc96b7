# SPDX-License-Identifier: MIT
"""What Python costs: importing hqe over importing NumPy, and hqe.prune over the C++ call.

    python bench/python_overhead.py [REPEATS]

Both sides of a comparison run alternately, and the medians are compared. Run it in an environment
where hqe is installed. The last two lines are for machines:

    import_ms MILLISECONDS      may be up to 100
    prune_overhead FRACTION     may be up to 0.05
"""

import statistics
import subprocess
import sys
import time

import numpy as np

import hqe
from hqe import _core


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def import_seconds(statement):
    return seconds(lambda: subprocess.run([sys.executable, "-c", statement], check=True))


def arrays():
    """Ten models, 20,000 samples, 50 classes: 40 MB of float32."""
    random = np.random.default_rng(0)
    labels = random.integers(0, 50, 20_000)
    predictions = {}
    for model in range(10):
        scores = random.random((20_000, 50), dtype=np.float32)
        scores[np.arange(20_000), labels] += 0.3 + 0.1 * model * random.random(20_000, np.float32)
        predictions[f"model_{model}"] = scores / scores.sum(axis=1, keepdims=True)
    return predictions, labels


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    imports = [(import_seconds("import numpy"), import_seconds("import hqe")) for _ in range(repeats)]
    numpy_ms, hqe_ms = (1000 * statistics.median(column) for column in zip(*imports))
    print(f"import numpy {numpy_ms:.0f} ms, import hqe {hqe_ms:.0f} ms (medians of {repeats})")

    predictions, labels = arrays()
    options = _core.prune_options([("size", "4")], True, False)
    core = hqe.Pool(predictions, labels)._core

    def from_python():
        study = hqe.prune(hqe.Pool(predictions, labels), size=4, detail=False)
        return study.best.team, len(study.consensus)

    pairs = [(_core.seconds_of_prune(core, options), seconds(from_python)) for _ in range(repeats)]
    engine, python = (statistics.median(column) for column in zip(*pairs))
    print(f"prune: C++ call {1000 * engine:.2f} ms, hqe.prune with its pool and answer "
          f"{1000 * python:.2f} ms (medians of {repeats})")
    print(f"import_ms {hqe_ms - numpy_ms:.1f}")
    print(f"prune_overhead {python / engine - 1:.4f}")


if __name__ == "__main__":
    main()
