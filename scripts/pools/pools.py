# SPDX-License-Identifier: MIT
"""The pools that can be made: what their pool.toml says, and by which recipe."""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import arrays
import recipes
from clones import CannotMake

CIFAR = "github.com/modestyachts/CIFAR-10.1 (labels: CIFAR-10 test set)"
IMAGENET = "github.com/modestyachts/ImageNetV2"

# Millions of parameters, billions of multiply-adds.
IMAGENET_TEN_COSTS = {
    "alexnet": ("61.1", "0.71"), "densenet161": ("28.7", "7.73"), "resnet50": ("25.6", "4.09"),
    "resnet101": ("44.5", "7.80"), "inception_v3": ("27.2", "5.71"), "resnet152": ("60.2", "11.51"),
    "resnet18": ("11.7", "1.81"), "squeezenet1_0": ("1.25", "0.82"), "vgg16": ("138.4", "15.47"),
    "vgg19_bn": ("143.7", "19.63")}


def cost_tables(costs):
    lines = ["", "# parameters and multiply-adds as published for these architectures at their usual input size"]
    for name, (params, gflops) in costs.items():
        lines += [f"[cost.{name}]", f"params = {params}e6", f"gflops = {gflops}"]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Pool:
    about: str
    licence: str
    source: str
    recipe: Callable  # of a function from the name of a source to its Files
    kind: str = "labels"
    costs: str = ""

    def files(self, name, sources):
        """The files of the pool's folder: bytes by name. Raises CannotMake."""
        labels, predictions = self.recipe(sources)
        if not predictions or {len(each) for each in predictions.values()} != {len(labels)}:
            raise CannotMake(f"its {len(predictions)} models do not all answer {len(labels)} samples. "
                             "Next: compare the clone with docs/pools.md")
        write = arrays.integers if self.kind == "labels" else arrays.probabilities
        return {"labels.npy": arrays.integers(labels), "pool.toml": self._settings(name, predictions).encode(),
                **{f"{model}.npy": write(said) for model, said in predictions.items()}}

    def _settings(self, name, models):
        fields = {"name": name, "kind": self.kind, "about": self.about, "licence": self.licence, "source": self.source}
        lines = [f'{field} = "{text}"\n' for field, text in fields.items()]
        listed = ", ".join(f'"{model}"' for model in models)
        return "".join(lines) + f"models = [{listed}]\n" + self.costs


POOLS = {
    "cifar10-30": Pool("thirty networks, top-1 on the 10,000 CIFAR-10 test images", "MIT", CIFAR,
                       functools.partial(recipes.cifar, folder="original")),
    "cifar10-10": Pool("ten networks chosen to resemble the paper's CIFAR-10 pool, top-1 on the 10,000 test images",
                       "MIT", CIFAR, functools.partial(recipes.cifar, folder="original", models=recipes.CIFAR_TEN)),
    "cifar10.1-30": Pool("the same thirty networks on CIFAR-10.1 v6, 2,000 new images (distribution shift)", "MIT", CIFAR,
                         functools.partial(recipes.cifar, folder="v6")),
    "imagenet-67": Pool("sixty-seven networks, top-1 on the 50,000 ImageNet validation images", "MIT", IMAGENET,
                        functools.partial(recipes.imagenet, dataset="imagenet-validation-original")),
    "imagenet-10": Pool("ten networks chosen to resemble the paper's ImageNet pool, top-1 on the 50,000 validation images",
                        "MIT", IMAGENET, functools.partial(recipes.imagenet, dataset="imagenet-validation-original",
                                                           models=recipes.IMAGENET_TEN),
                        costs=cost_tables(IMAGENET_TEN_COSTS)),
    "imagenetv2-66": Pool("sixty-six of them on ImageNetV2 matched-frequency, 10,000 new images", "MIT", IMAGENET,
                          functools.partial(recipes.imagenet, dataset="imagenetv2-b-33",
                                            without=recipes.IMAGENETV2_WITHOUT)),
    "adult-43": Pool("forty-three AutoML models on UCI Adult, out-of-fold probabilities", "Apache-2.0",
                     "github.com/mljar/mljar-examples", recipes.adult, kind="probabilities"),
    "mmlu-pro-31": Pool("thirty-one language models on MMLU-Pro; -1 means no answer could be read (an abstention)",
                        "Apache-2.0", "github.com/TIGER-AI-Lab/MMLU-Pro", recipes.mmlu),
}
