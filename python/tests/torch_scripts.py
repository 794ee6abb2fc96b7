# SPDX-License-Identifier: MIT
"""What the tests of torch models run: by our Python where it has torch, else by Debian's, in one process because torch
is slow to import. Prints what each test raised.

    python torch_scripts.py FOLDER
"""

import warnings

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch_running import report, run_snippets

import hqe

torch.manual_seed(0)
X = torch.rand(60, 1, 12, 12)
Y = torch.randint(0, 4, (60,))


def perceptron():
    return nn.Sequential(nn.Flatten(), nn.Linear(144, 20), nn.ReLU(), nn.Dropout(), nn.Linear(20, 4)), 144 * 20 + 20 * 4


def convolutions():
    layers = [nn.Conv2d(1, 6, 3, stride=2, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.Conv2d(6, 6, 3, groups=6),
              nn.ConvTranspose2d(6, 2, 2, stride=2), nn.Flatten(), nn.Linear(2 * 8 * 8, 4)]  # fmt: skip
    return nn.Sequential(*layers), 6 * 6 * 6 * 9 + 4 * 4 * 6 * 9 + 4 * 4 * 6 * 2 * 4 + 2 * 8 * 8 * 4


class Mixer(nn.Module):
    """Products of matrices that are no layers."""

    def __init__(self):
        super().__init__()
        self.pixels = nn.Parameter(torch.randn(16, 10))
        self.patches = nn.Parameter(torch.randn(9, 5))
        self.last = nn.Linear(10, 4)

    def forward(self, x):
        x = x.reshape(-1, 9, 16) @ self.pixels
        return self.last((x.transpose(1, 2) @ self.patches).relu().mean(dim=2))


def mixer():
    return Mixer(), 9 * 16 * 10 + 10 * 9 * 5 + 10 * 4


NETWORKS = {"perceptron": perceptron, "convolutions": convolutions, "mixer": mixer}


def networks():
    return {name: make()[0] for name, make in NETWORKS.items()}


def agree(folder):
    """Torch, a plain function and a loader give one pool; the .onnx files are for others to compare."""
    models = networks()
    modules = hqe.collect(models, X, Y, folder / "torch", batch_size=16, costs=False)
    assert all(module.training for model in models.values() for module in model.modules())  # As it was.

    def plain(model):
        def call(x):
            model.eval()
            with torch.no_grad():
                return torch.softmax(model(torch.from_numpy(x)), dim=1).numpy()

        return call

    functions = hqe.collect({n: plain(m) for n, m in models.items()}, X.numpy(), Y, folder / "function", costs=False)
    loader = DataLoader(TensorDataset(X, Y), batch_size=16)
    loaded = hqe.collect(models, loader, out=folder / "loader", costs=False)
    samples = hqe.collect(models, TensorDataset(X, Y), out=folder / "samples", batch_size=16, costs=False)
    for other in (functions, loaded, samples):
        for name in models:
            first, second = (np.load(made.folder / f"{name}.npy") for made in (modules, other))
            assert np.abs(first - second).max() < 1e-5
        assert (np.load(other.folder / "labels.npy") == Y.numpy()).all()
    np.save(folder / "x.npy", X.numpy())
    np.save(folder / "y.npy", Y.numpy())
    for name, model in models.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            axes = {"x": {0: "n"}, "y": {0: "n"}}
            names = {"input_names": ["x"], "output_names": ["y"]}
            torch.onnx.export(model.eval(), X[:2], str(folder / f"{name}.onnx"), dynamic_axes=axes, opset_version=13, **names)


def costs(folder):
    """Multiply-adds are those counted by hand."""
    made = hqe.collect(networks(), X, Y, folder / "pool")
    for name, make in NETWORKS.items():
        module, by_hand = make()
        measured = made.costs[name]
        assert round(measured["gflops"] * 1e9) == by_hand, name
        assert measured["params"] == sum(one.numel() for one in module.parameters())
        buffers = sum(one.numel() * one.element_size() for one in module.buffers())
        assert round(measured["memory_mb"] * 1e6) == 4 * measured["params"] + buffers
        assert measured["latency_ms"] > 0 and measured["latency_batch"] == 1
    assert "gflops" not in hqe.collect({"a": Fused()}, X, out=folder / "fused").costs["a"]


class Fused(nn.Module):
    """What torch does in one step that we do not know is not guessed."""

    def __init__(self):
        super().__init__()
        self.last = nn.Linear(6, 4)

    def forward(self, x):
        return self.last(torch.fft.rfft(x.reshape(len(x), -1)[:, :10]).abs()[:, :6]) - 5


def refused(folder):
    """Bad modules, devices and loaders."""

    class Random(nn.Module):
        def forward(self, x):
            return x.reshape(len(x), -1)[:, :3] * float("nan")

    bad = {"good": perceptron()[0], "nan": Random(), "wide": nn.Linear(5, 4)}
    messages = {"nan": "batch 0: sample 0: returned NaN or infinity", "wide": "batch 0: RuntimeError: mat1 and mat2 shapes"}
    bad["double"] = perceptron()[0].double()  # Inputs follow the weights.
    bad["meta"] = nn.Linear(144, 4, device="meta")
    messages["meta"] = "its weights are on the device 'meta', where there are no values. Load them first"
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        made = hqe.collect(bad, X, Y, folder / "bad", costs=False)
    assert made.models == ["good", "double"] and sorted(made.failed) == sorted(messages), made.failed
    for name, message in messages.items():
        assert message in made.failed[name], made.failed[name]
    try:
        hqe.collect(bad, DataLoader(TensorDataset(X, Y), shuffle=True), out=folder / "shuffled")
    except hqe.InputError as error:
        assert "the DataLoader shuffles" in str(error)
    else:
        raise AssertionError("a loader that shuffles was taken")


def steepest(weights, norm):
    """Of p_0 - p_1 = 1 - 2 / (1 + exp((w_0 - w_1) x)): half of the dual norm of w_0 - w_1, reached where both are 1/2."""
    return float((weights[0] - weights[1]).norm(p=2 if norm == "l2" else 1)) / 2


def lipschitz(folder):
    """The estimate is near a bound that is known, is written with its radius, and makes radii estimated."""
    x, y = torch.randn(200, 20), torch.randint(0, 2, (200,))
    models = {name: nn.Linear(20, 2, bias=False) for name in "abc"}
    models["probabilities"] = nn.Sequential(models["a"], nn.Softmax(dim=1))
    models["function"] = lambda batch: np.full((len(batch), 2), 0.5)
    for norm in ("l2", "linf"):
        place = folder / norm
        asked = {"costs": False, "lipschitz": 32, "lipschitz_radius": 0.25, "lipschitz_norm": norm}
        made = hqe.collect(models, x, y, place, **asked)
        for name in "abc":
            ratio = made.costs[name]["lipschitz"] / steepest(models[name].weight, norm)
            assert 0.97 < ratio < 1.1, (norm, name, ratio)
        assert made.costs["probabilities"] == made.costs["a"] and "function" not in made.costs
        toml = (place / "pool.toml").read_text()
        assert f'lipschitz_radius = 0.25\nlipschitz_norm = "{norm}"\nlipschitz_estimated = true\n' in toml
        assert hqe.collect(models, x, y, place, **asked).costs == made.costs and (place / "pool.toml").read_text() == toml
        hqe.collect(models, x, y, place, costs=False)  # What was estimated is not forgotten.
        assert (place / "pool.toml").read_text() == toml
    # Batches that are read once, from the same spread of samples.
    once = hqe.collect({"a": models["a"]}, iter(x.split(7)), y, folder / "once", costs=False, lipschitz=32)
    assert 0.9 < once.costs["a"]["lipschitz"] / steepest(models["a"].weight, "l2") < 1.1
    del models["function"]
    hqe.collect(models, x, y, folder / "radii", costs=False, lipschitz=8, lipschitz_radius=0.01)
    best = hqe.prune(hqe.Pool.open(folder / "radii"), size=2).best
    assert best.robustness.estimated and best.robustness.median_radius <= 0.01
    beyond = [one for one in best.robustness.certified if one.radius > 0.01]
    assert beyond and all(one.share == 0 for one in beyond)  # Further out nothing is known.


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 4)

    def forward(self, words):
        return self.table(words).sum(dim=1)


class Flat(nn.Module):
    def forward(self, x):
        return (x.reshape(len(x), -1)[:, :4] > 0.5).float() - 2


def without_gradients(folder):
    """What has no gradient is said, and its predictions are kept."""
    for model, data, why in (
        (Words(), torch.randint(0, 10, (60, 5)), "its inputs are no floats, so that there is no gradient"),
        (Flat(), X, "RuntimeError: element 0 of tensors does not require grad"),
    ):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            made = hqe.collect({"a": model}, data, Y, folder / type(model).__name__, costs=False, lipschitz=8)
        assert made.models == ["a"] and not made.failed and not made.costs
        assert f"model 'a': its gradient could not be estimated: {why}" in str(said[0].message), said[0].message


def snippets(folder):
    run_snippets("docs/collect.md", folder)


if __name__ == "__main__":
    report(agree, costs, refused, lipschitz, without_gradients, snippets)
