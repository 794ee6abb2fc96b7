# SPDX-License-Identifier: MIT
"""Small neural networks in plain NumPy: dense, convolution, pooling, trained with Adam.

The learning rate falls to zero along half a cosine, so that the last steps average out and two
runs on different machines end at nearly the same accuracy.
"""

import numpy as np


class Dense:
    def __init__(self, rng, inputs, outputs):
        self.weights = (rng.standard_normal((inputs, outputs)) * np.sqrt(2 / inputs)).astype(np.float32)
        self.bias = np.zeros(outputs, np.float32)
        self.multiply_adds = inputs * outputs

    def forward(self, x):
        self.shape = x.shape
        self.x = x.reshape(len(x), -1)
        return self.x @ self.weights + self.bias

    def backward(self, slope, wants_input):
        self.slopes = [self.x.T @ slope, slope.sum(axis=0)]
        return (slope @ self.weights.T).reshape(self.shape) if wants_input else None

    def values(self):
        return [self.weights, self.bias]


class Convolution:
    """A square window over images stored as (images, rows, columns, channels), no padding."""

    def __init__(self, rng, side, width, channels, outputs):
        inputs = width * width * channels
        self.width = width
        self.weights = (rng.standard_normal((inputs, outputs)) * np.sqrt(2 / inputs)).astype(np.float32)
        self.bias = np.zeros(outputs, np.float32)
        self.multiply_adds = (side - width + 1) ** 2 * inputs * outputs

    def forward(self, x):
        self.shape = x.shape
        windows = np.lib.stride_tricks.sliding_window_view(x, (self.width, self.width), axis=(1, 2))
        self.out_shape = windows.shape[:3] + (len(self.bias),)
        self.columns = windows.transpose(0, 1, 2, 4, 5, 3).reshape(-1, len(self.weights))
        return (self.columns @ self.weights + self.bias).reshape(self.out_shape)

    def backward(self, slope, wants_input):
        flat = slope.reshape(-1, len(self.bias))
        self.slopes = [self.columns.T @ flat, flat.sum(axis=0)]
        if not wants_input:
            return None
        images, rows, columns, _ = self.out_shape
        spread = (flat @ self.weights.T).reshape(images, rows, columns, self.width, self.width, -1)
        result = np.zeros(self.shape, np.float32)
        for row in range(self.width):
            for column in range(self.width):
                result[:, row:row + rows, column:column + columns] += spread[:, :, :, row, column]
        return result

    def values(self):
        return [self.weights, self.bias]


class Relu:
    multiply_adds = 0

    def forward(self, x):
        self.positive = x > 0
        return x * self.positive

    def backward(self, slope, wants_input):
        return slope * self.positive

    def values(self):
        return []


class HalveByMaximum:
    """The maximum of each 2 x 2 square."""

    multiply_adds = 0

    def forward(self, x):
        images, rows, columns, channels = x.shape
        squares = x.reshape(images, rows // 2, 2, columns // 2, 2, channels)
        largest = squares.max(axis=(2, 4), keepdims=True)
        self.is_largest = squares == largest
        self.shape = x.shape
        return largest[:, :, 0, :, 0]

    def backward(self, slope, wants_input):
        return (self.is_largest * slope[:, :, None, :, None]).reshape(self.shape)

    def values(self):
        return []


class Network:
    def __init__(self, layers):
        self.layers = layers

    def scores(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def probabilities(self, x):
        return np.concatenate([softmax(self.scores(part)) for part in np.array_split(x, max(1, len(x) // 500))])

    def train(self, rng, x, y, epochs, rate, batch=100, decay=1e-4):
        targets = np.eye(10, dtype=np.float32)
        values = [value for layer in self.layers for value in layer.values()]
        first = [np.zeros_like(value) for value in values]
        second = [np.zeros_like(value) for value in values]
        steps = epochs * (len(x) // batch)
        step = 0
        for _ in range(epochs):
            order = rng.permutation(len(x))
            for begin in range(0, len(x) - batch + 1, batch):
                chosen = order[begin:begin + batch]
                slope = (softmax(self.scores(x[chosen])) - targets[y[chosen]]) / batch
                for layer in reversed(self.layers):
                    slope = layer.backward(slope, wants_input=layer is not self.layers[0])
                slopes = [slope for layer in self.layers if layer.values() for slope in layer.slopes]
                step += 1
                now = rate * 0.5 * (1 + np.cos(np.pi * step / steps))
                for value, gradient, mean, square in zip(values, slopes, first, second):
                    mean += 0.1 * (gradient - mean)
                    square += 0.001 * (gradient * gradient - square)
                    scale = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                    value -= now * (mean / (1 - 0.9**step) / scale + decay * value)
        return self

    def params(self):
        return sum(value.size for layer in self.layers for value in layer.values())

    def multiply_adds(self):
        return sum(layer.multiply_adds for layer in self.layers)


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def multilayer_perceptron(rng, widths):
    layers = []
    for inputs, outputs in zip(widths, widths[1:]):
        layers += [Dense(rng, inputs, outputs), Relu()]
    return Network(layers[:-1])


def convolutional_network(rng):
    return Network([
        Convolution(rng, side=28, width=5, channels=1, outputs=12), Relu(), HalveByMaximum(),
        Convolution(rng, side=12, width=3, channels=12, outputs=32), Relu(), HalveByMaximum(),
        Dense(rng, 5 * 5 * 32, 10),
    ])
