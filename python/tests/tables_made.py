# SPDX-License-Identifier: MIT
"""A pool as the columns of a table, for the tests of tables."""

import numpy as np

WORDS = np.array(["bird", "cat", "dog", "eel"])
M, N, C = 5, 240, 4


def drawn():
    """Shares of M models, and true labels."""
    random = np.random.default_rng(3)
    labels = random.integers(0, C, N)
    raw = random.random((M, N, C))
    raw[:, np.arange(N), labels] += 0.6 * random.random((M, N))
    return raw / raw.sum(axis=2, keepdims=True), labels


def label_columns(made, words=False):
    shares, labels = made
    columns = {f"m{i}": one.argmax(axis=1) for i, one in enumerate(shares)}
    columns = {"id": np.arange(N) * 3 + 7, "y": labels} | columns
    if words:
        columns = {name: values if name == "id" else WORDS[values] for name, values in columns.items()}
    return {name: values.tolist() for name, values in columns.items()}


def share_columns(made, mark, words=False):
    shares, labels = made
    names = WORDS if words else range(C)
    columns = {"id": list(range(N)), "y": (WORDS[labels] if words else labels).tolist()}
    for i, one in enumerate(shares):
        columns |= {f"m{i}{mark}{word}": one[:, c].copy() for c, word in enumerate(names)}
    return columns
