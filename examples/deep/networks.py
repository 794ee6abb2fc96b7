# SPDX-License-Identifier: MIT
"""Eight small networks for 28 x 28 pixels and ten classes, each with an idea of its own."""

import torch
from torch import nn


def mlp():
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))


def wide():
    """One layer, very wide."""
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 1024), nn.GELU(), nn.Dropout(0.3), nn.Linear(1024, 10))


def deep():
    """Eight narrow layers, normalised."""
    layers = [nn.Flatten(), nn.Linear(784, 64)]
    for _ in range(7):
        layers += [nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 64)]
    return nn.Sequential(*layers, nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 10))


def lenet():
    """Large filters, averages between them, tanh."""
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Tanh(), nn.AvgPool2d(2),
        nn.Flatten(), nn.Linear(400, 84), nn.Tanh(), nn.Linear(84, 10),
    )  # fmt: skip


def vgg():
    """Pairs of small filters, maxima between them."""
    def pair(before, after):
        return [nn.Conv2d(before, after, 3, padding=1), nn.ReLU(), nn.Conv2d(after, after, 3, padding=1), nn.ReLU(),
                nn.MaxPool2d(2)]  # fmt: skip

    return nn.Sequential(*pair(1, 12), *pair(12, 24), nn.Flatten(), nn.Linear(24 * 49, 10))


class _Residual(nn.Module):
    def __init__(self, inner, shortcut=None):
        super().__init__()
        self.inner = inner
        self.shortcut = shortcut or nn.Identity()

    def forward(self, x):
        return self.shortcut(x) + self.inner(x)


def resnet():
    """Every block adds to what came before."""
    def block(before, after, stride):
        inner = nn.Sequential(nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(),
                              nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after))  # fmt: skip
        shortcut = None if before == after and stride == 1 else nn.Conv2d(before, after, 1, stride, bias=False)
        return nn.Sequential(_Residual(inner, shortcut), nn.ReLU())

    return nn.Sequential(nn.Conv2d(1, 12, 3, 2, 1, bias=False), nn.BatchNorm2d(12), nn.ReLU(), block(12, 12, 1),
                         block(12, 24, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(24, 10))  # fmt: skip


def mobilenet():
    """Each filter sees one channel; filters of one pixel mix them."""
    def block(before, after, stride):
        return [nn.Conv2d(before, before, 3, stride, 1, groups=before, bias=False), nn.BatchNorm2d(before), nn.ReLU6(),
                nn.Conv2d(before, after, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU6()]  # fmt: skip

    return nn.Sequential(nn.Conv2d(1, 16, 3, 2, 1), nn.ReLU6(), *block(16, 32, 1), *block(32, 64, 2),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))  # fmt: skip


class Mixer(nn.Module):
    """Sixteen patches; layers mix pixels and patches in turn."""

    def __init__(self, width=48, patches=16):
        super().__init__()
        self.embed = nn.Conv2d(1, width, 7, 7)
        self.blocks = nn.ModuleList()
        for _ in range(2):
            self.blocks.append(nn.ModuleList([nn.LayerNorm(width), self._two(patches, 32), nn.LayerNorm(width), self._two(width, 96)]))
        self.last = nn.Linear(width, 10)

    @staticmethod
    def _two(size, inner):
        return nn.Sequential(nn.Linear(size, inner), nn.GELU(), nn.Linear(inner, size))

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        for first_norm, over_patches, second_norm, over_pixels in self.blocks:
            x = x + over_patches(first_norm(x).transpose(1, 2)).transpose(1, 2)
            x = x + over_pixels(second_norm(x))
        return self.last(x.mean(dim=1))


def networks():
    """Name -> a new network; the same weights each time."""
    torch.manual_seed(0)
    makers = {"mlp": mlp, "wide": wide, "deep": deep, "lenet": lenet, "vgg": vgg, "resnet": resnet,
              "mobilenet": mobilenet, "mixer": Mixer}  # fmt: skip
    return {name: make() for name, make in makers.items()}
