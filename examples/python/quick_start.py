# SPDX-License-Identifier: MIT
"""A pool of arrays, pruned: which three of eight models answer as well as all of them?"""

import numpy as np

import hqe

# Any predictions will do. Here eight models of different strength look at 2,000 samples.
random = np.random.default_rng(7)
labels = random.integers(0, 4, 2000)
predictions = {}
for place, strength in enumerate(np.linspace(0.2, 2, 8)):
    scores = random.random((2000, 4))
    scores[np.arange(2000), labels] += strength * random.random(2000)
    predictions[f"model_{place}"] = scores / scores.sum(axis=1, keepdims=True)

pool = hqe.Pool(predictions, labels)
study = hqe.prune(pool, size=3)

print(study)  # The tables that the command prints.
print("take", study.names(study.best.team), "because", study.best.why)
for one in study.consensus[:3]:
    print(one.team, f"score {one.score:.3f}", f"{one.correct} of {pool.sample_count} right")

answers = hqe.apply(pool, study.best.team).labels
assert (answers == labels).sum() == study.best.correct
