# SPDX-License-Identifier: MIT
"""Fourteen genuinely different classifiers of 28 x 28 images, each a function that fits one.

A fit function takes training images (n x 784 floats in [0,1]) and labels, and held-back images
and labels for those models whose scores still need a temperature to become probabilities.
Multiply-adds are counted per image; a comparison in a tree counts as one.
"""

from dataclasses import dataclass
from typing import Any, Callable

import numpy as np
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from networks import convolutional_network, multilayer_perceptron, softmax

SEED = 20230817


@dataclass
class Fitted:
    probabilities: Callable[[np.ndarray], np.ndarray]
    params: int
    multiply_adds: int
    state: Any  # What has to be kept for prediction; its pickled size is the memory cost.


def best_temperature(scores, labels):
    """The factor that makes softmax(factor * scores) most likely on held-back images."""
    factors = np.geomspace(0.05, 50, 61)
    rows = np.arange(len(labels))
    losses = [-np.log(softmax(scores * f)[rows, labels] + 1e-12).mean() for f in factors]
    return float(factors[int(np.argmin(losses))])


def logistic(x, y, held_x, held_y):
    model = LogisticRegression(C=0.1, max_iter=60, tol=1e-3).fit(x, y)
    return Fitted(model.predict_proba, model.coef_.size + 10, model.coef_.size, model)


def linear_svm(x, y, held_x, held_y):
    model = SGDClassifier(loss="hinge", alpha=1e-4, max_iter=8, tol=None, average=True, random_state=SEED).fit(x, y)
    factor = best_temperature(model.decision_function(held_x), held_y)
    return Fitted(lambda images: softmax(factor * model.decision_function(images)), model.coef_.size + 10,
                  model.coef_.size, (model.coef_, model.intercept_, factor))


def quadratic_discriminant(x, y, held_x, held_y):
    project = PCA(40, svd_solver="randomized", random_state=SEED).fit(x)
    model = QuadraticDiscriminantAnalysis(reg_param=0.02).fit(project.transform(x), y)
    factor = best_temperature(model.decision_function(project.transform(held_x)), held_y)
    params = 784 * 41 + 10 * (40 * 40 + 40 + 40)
    return Fitted(lambda images: softmax(factor * model.decision_function(project.transform(images))), params,
                  784 * 40 + 10 * (40 * 40 + 40), (project, model))


def nearest_neighbours(x, y, held_x, held_y):
    model = KNeighborsClassifier(7, weights="distance", algorithm="brute").fit(x, y)
    return Fitted(model.predict_proba, x.size, x.size, model)


def tree_costs(trees):
    params = sum(int((t.feature >= 0).sum()) * 2 + int((t.feature < 0).sum()) * 10 for t in trees)
    return params, sum(int(t.max_depth) for t in trees)


def decision_tree(x, y, held_x, held_y):
    model = DecisionTreeClassifier(min_samples_leaf=20, random_state=SEED).fit(x, y)
    return Fitted(model.predict_proba, *tree_costs([model.tree_]), model)


def random_forest(x, y, held_x, held_y):
    model = RandomForestClassifier(50, min_samples_leaf=3, n_jobs=-1, random_state=SEED).fit(x, y)
    return Fitted(model.predict_proba, *tree_costs([t.tree_ for t in model.estimators_]), model)


def extra_trees(x, y, held_x, held_y):
    model = ExtraTreesClassifier(50, min_samples_leaf=3, n_jobs=-1, random_state=SEED).fit(x, y)
    return Fitted(model.predict_proba, *tree_costs([t.tree_ for t in model.estimators_]), model)


def halved(x):
    """Means of 2 x 2 squares."""
    return x.reshape(-1, 14, 2, 14, 2).mean(axis=(2, 4)).reshape(len(x), 196)


def gradient_boosting(x, y, held_x, held_y):
    model = HistGradientBoostingClassifier(max_iter=60, learning_rate=0.2, max_leaf_nodes=15, min_samples_leaf=5,
                                           l2_regularization=1.0, early_stopping=False, random_state=SEED).fit(halved(x), y)
    trees = [tree.nodes for step in model._predictors for tree in step]
    leaves = sum(int(nodes["is_leaf"].sum()) for nodes in trees)
    inner = sum(len(nodes) for nodes in trees) - leaves
    return Fitted(lambda images: model.predict_proba(halved(images)), 2 * inner + leaves,
                  784 + sum(int(nodes["depth"].max()) for nodes in trees), model)


def rbf_svm(x, y, held_x, held_y):
    chosen = np.random.default_rng(SEED).permutation(len(x))[:12000]
    project = PCA(60, svd_solver="randomized", random_state=SEED).fit(x)
    model = SVC(C=8, gamma=0.015, cache_size=500).fit(project.transform(x[chosen]), y[chosen])
    factor = best_temperature(model.decision_function(project.transform(held_x)), held_y)
    kept = len(model.support_)
    return Fitted(lambda images: softmax(factor * model.decision_function(project.transform(images))),
                  784 * 61 + kept * (60 + 9), 784 * 60 + kept * (60 + 9), (project, model))


def edge_features(x):
    """Histograms of edge directions: 8 directions in each of 7 x 7 cells of 4 x 4 pixels."""
    images = x.reshape(-1, 28, 28)
    down, right = np.gradient(images, axis=(1, 2))
    strength = np.hypot(down, right)
    direction = (np.arctan2(down, right) / np.pi % 1.0) * 8
    cells = np.empty((len(x), 7, 7, 8), np.float32)
    for k in range(8):
        gap = np.abs((direction - k + 4) % 8 - 4)
        share = strength * np.clip(1 - gap, 0, 1)
        cells[..., k] = share.reshape(-1, 7, 4, 7, 4).sum(axis=(2, 4))
    features = np.sqrt(cells.reshape(len(x), -1))
    return np.concatenate([features, halved(x)], axis=1)


def edge_histograms(x, y, held_x, held_y):
    model = LogisticRegression(C=1.0, max_iter=80, tol=1e-3).fit(edge_features(x), y)
    return Fitted(lambda images: model.predict_proba(edge_features(images)), model.coef_.size + 10,
                  model.coef_.size + 784 * 20, model)


def mlp_wide(x, y, held_x, held_y):
    rng = np.random.default_rng(SEED)
    return of_network(multilayer_perceptron(rng, [784, 384, 10]).train(rng, x, y, epochs=10, rate=1e-3))


def mlp_deep(x, y, held_x, held_y):
    rng = np.random.default_rng(SEED + 1)
    return of_network(multilayer_perceptron(rng, [784, 128, 96, 64, 48, 10]).train(rng, x, y, epochs=10, rate=1.5e-3))


def conv_net(x, y, held_x, held_y):
    rng = np.random.default_rng(SEED + 2)
    network = convolutional_network(rng).train(rng, x.reshape(-1, 28, 28, 1), y, epochs=6, rate=2e-3)
    return of_network(network, (-1, 28, 28, 1))


def of_network(network, shape=(-1, 784)):
    state = [value for layer in network.layers for value in layer.values()]
    return Fitted(lambda images: network.probabilities(images.reshape(shape)), network.params(),
                  network.multiply_adds(), state)


def random_patches(x, y, held_x, held_y):
    """Untrained convolution: 80 patches cut from training images, pooled, then ridge regression."""
    rng = np.random.default_rng(SEED + 3)
    width, count = 7, 80
    rows, columns = rng.integers(0, 28 - width, (2, 4000))
    images = x.reshape(-1, 28, 28)[rng.integers(0, len(x), 4000)]
    patches = np.stack([image[r:r + width, c:c + width].ravel() for image, r, c in zip(images, rows, columns)])
    patches -= patches.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(patches, axis=1)
    filters = (patches[lengths > 1.0][:count] / lengths[lengths > 1.0][:count, None]).T.astype(np.float32)

    def features(all_images):
        parts = []
        for part in np.array_split(all_images.reshape(-1, 28, 28), max(1, len(all_images) // 250)):
            windows = np.lib.stride_tricks.sliding_window_view(part, (width, width), axis=(1, 2))
            answers = windows.reshape(-1, width * width) @ filters
            answers = answers.reshape(len(part), 22, 22, count)[:, :20, :20].reshape(len(part), 4, 5, 4, 5, count)
            both = [np.maximum(answers, 0).mean(axis=(2, 4)), np.maximum(-answers, 0).mean(axis=(2, 4))]
            parts.append(np.concatenate(both, axis=-1).reshape(len(part), -1))
        return np.sqrt(np.concatenate(parts))

    inputs = features(x)
    mean, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-3
    inputs = (inputs - mean) / spread
    targets = np.eye(10, dtype=np.float32)[y] - 0.1
    square = inputs.T @ inputs + 300 * np.eye(inputs.shape[1], dtype=np.float32)
    weights = np.linalg.solve(square.astype(np.float64), inputs.T @ targets).astype(np.float32)

    def scores(all_images):
        return ((features(all_images) - mean) / spread) @ weights

    factor = best_temperature(scores(held_x), held_y)
    return Fitted(lambda images: softmax(factor * scores(images)), filters.size + weights.size + 2 * mean.size,
                  22 * 22 * filters.size + weights.size, (filters, mean, spread, weights))


ALL = {
    "logistic": logistic,
    "linear-svm": linear_svm,
    "quadratic-discriminant": quadratic_discriminant,
    "nearest-neighbours": nearest_neighbours,
    "decision-tree": decision_tree,
    "random-forest": random_forest,
    "extra-trees": extra_trees,
    "gradient-boosting": gradient_boosting,
    "rbf-svm": rbf_svm,
    "edge-histograms": edge_histograms,
    "mlp-wide": mlp_wide,
    "mlp-deep": mlp_deep,
    "conv-net": conv_net,
    "random-patches": random_patches,
}
