# SPDX-License-Identifier: MIT
"""A server's loop: run a team's models one after another, and stop where the rest cannot change the answer."""

import numpy as np

import hqe

# Stand-ins for five trained models: each gives four classes a probability.
random = np.random.default_rng(3)
labels = random.integers(0, 4, 1000)
raw = random.random((5, 1000, 4)) + 6 * (np.arange(4) == labels[:, None]) * (random.random((5, 1000, 1)) < 0.9)
scores = raw / raw.sum(axis=2, keepdims=True)
models = [lambda sample, own=own: own[sample] for own in scores]

pool = hqe.Pool(scores[:, :500], labels[:500])
order = hqe.order(pool, team=range(5)).early_exit.order
voter = hqe.Voter("soft", members=5, classes=4)
run = 0
for sample in range(500, 1000):
    voter.clear()
    for member in order:
        voter.add(member, models[member](sample))
        run += 1
        if voter.is_decided:
            break
    assert voter.answer == scores[:, sample].sum(axis=0).argmax()  # What all five would say.
print(f"{run / 500:.2f} of {len(models)} models run a sample, with the answers of all of them")
