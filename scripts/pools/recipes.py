# SPDX-License-Identifier: MIT
"""How each pool is made of what is published; docs/pools.md says the same in words.

A recipe answers the labels and the predictions of each model, by name, in the order of the pool.
"""

import csv
import io
import json
import re
import zipfile

import arrays
from clones import CannotMake, Source

SOURCES = {
    "cifar": Source("modestyachts/CIFAR-10.1", "d9982abb0bfc4846b8d13a11e66b887d946205d0"),
    "cifar labels": Source("cleanlab/label-errors", "6d5d6b31a13216290afc40e5c6319399c4d15c06"),
    "imagenet": Source("modestyachts/ImageNetV2", "0b0c3fe89058e4c7ee2348938b3f4f706a931bf3"),
    "adult": Source("mljar/mljar-examples", "1516281b37936072c35ceb6c259eb3cd99c4cd6a"),
    "mmlu": Source("TIGER-AI-Lab/MMLU-Pro", "f418b116db00b065c2aea046518d8fcf74d39872"),
    "mmlu of 2024": Source("TIGER-AI-Lab/MMLU-Pro", "eeeb46ca13acc9e60ce45a8dc2fb141ee76600ab"),
    "mmlu merged": Source("TIGER-AI-Lab/MMLU-Pro", "4885ba7d293b6615be332ca69a9df773fdf67dce"),
}

CIFAR_TEN = ("shake_shake_26_2x32d_SSI", "densenet_BC_100_12", "resnext_29_8x64d", "wrn_28_10", "vgg_15_BN_64",
             "resnet_basic_32", "resnet_basic_44", "resnet_basic_56", "resnet_basic_110", "resnetv2_tf")
IMAGENET_TEN = ("alexnet", "densenet161", "resnet50", "resnet101", "inception_v3", "resnet152", "resnet18",
                "squeezenet1_0", "vgg16", "vgg19_bn")
# Its rows in imagenetv2-b-33 are not those of the images.
IMAGENETV2_WITHOUT = ("fv_16k",)
# The archives that hold all questions or nearly all: a clone has more.
MMLU_ARCHIVES = ("Llama-2-13b-hf", "Llama-2-70b-hf", "Llama-2-7b-hf", "Meta-Llama-3-70B", "Meta-Llama-3-8B",
                 "Meta-Llama-3_1-70B", "Meta-Llama-3_1-70B-Instruct", "Meta-Llama-3_1-8B", "Meta-Llama-3_1-8B-Instruct",
                 "Mistral-7B-Instruct-v0.1", "Mistral-7B-Instruct-v0.2", "Mistral-7B-v0.1", "Mistral-7B-v0.2-hf",
                 "Mixtral-8x7B-Instruct-v0.1", "Mixtral-8x7B-v0.1", "Phi-3-mini-4k-instruct", "Qwen1.5-110B",
                 "Qwen1.5-72B-Chat", "Qwen1.5-7B-Chat", "Yi-34B", "Yi-6B", "Yi-6b-Chat", "c4ai-command-r-v01",
                 "gemini-1.5-flash-002", "gemini-1.5-pro-002", "gemma-7b", "jamba-1.5-large", "mathstral-7B")
# name -> source and folder of a model whose answers lie in a file a subject
MMLU_FOLDERS = {"deepseek-chat_history": ("mmlu of 2024", "deepseek"), "gpt-4o_history": ("mmlu of 2024", "gpt4o"),
                "gemini-3.1-pro_history": ("mmlu merged", "merged")}
LETTERS = "ABCDEFGHIJ"


def cifar(files, folder, models=None):
    """`files` answers the Files of a source by its name."""
    clone, ending = files("cifar"), "_predictions.json"
    path = f"model_predictions/{folder}_predictions"
    names = models or _stems(clone.names(path), ending)
    if folder == "original":
        labels = files("cifar labels").read("original_test_labels/cifar10_test_set_original_labels.npy")
    else:
        labels = clone.read(f"datasets/cifar10.1_{folder}_labels.npy")
    return arrays.first_column(labels), {name: json.loads(clone.read(f"{path}/{name}{ending}")) for name in names}


def imagenet(files, dataset, models=None, without=()):
    clone, ending = files("imagenet"), ".npy"
    images = json.loads(clone.read(f"data/datasets/{dataset}.json"))["image_filenames"]
    classes = {wordnet: place for place, wordnet in enumerate(sorted({wordnet for _, wordnet in images}))}
    path = f"data/predictions/{dataset}"
    names = models or _stems(clone.names(path), ending)
    return ([classes[wordnet] for _, wordnet in images],
            {name: arrays.first_column(clone.read(f"{path}/{name}{ending}")) for name in names if name not in without})


def _stems(names, ending):
    return sorted(name.removesuffix(ending) for name in names if name.endswith(ending))


def adult(files):
    clone, path = files("adult"), "Income_classification/AutoML_1"
    rows = re.findall(r"^\|[^|]*\| *(model_\d+) *\| *([^|]*?) *\|", clone.read(f"{path}/README.md").decode(), re.MULTILINE)
    labels, predictions = None, {}
    for folder, kind in sorted(rows, key=lambda row: named(*row)):
        table = list(csv.DictReader(io.StringIO(clone.read(f"{path}/{folder}/predictions_out_of_folds.csv").decode())))
        truth = [int(row["target"]) for row in table]
        if labels is not None and truth != labels:
            raise CannotMake(f"{folder} has other targets than the models before it. Next: compare its commit with docs/pools.md")
        labels = truth
        said = [decimal(row["prediction"]) for row in table]
        predictions[named(folder, kind)] = [(1 - value, value) for value in said]
    return labels, predictions


def named(folder, kind):
    return f"{folder}_{kind.replace(' ', '')}"


def decimal(text):
    """A number as pandas.read_csv reads it, with which the pool was made: 17 digits at most, then a power of ten.
    Its last bit may not be that of the nearest double, which 1 - p shows where p is nearly 1."""
    digits, _, exponent = text.partition("e")
    whole, _, fraction = digits.partition(".")
    read = (whole + fraction)[:17]
    value = 0.0
    for digit in read:
        value = value * 10 + int(digit)
    power = len(whole) - len(read) + int(exponent or 0)
    return value * 10.0 ** power if power > 0 else value / 10.0 ** -power


def mmlu(files):
    said = {name: _answers(_archive(files("mmlu"), name)) for name in MMLU_ARCHIVES}
    for name, (source, folder) in MMLU_FOLDERS.items():
        said[name] = _answers(_subjects(files(source), folder))
    asked = set.intersection(*map(set, said.values()))
    questions = sorted(each for each in asked if len({answers[each][0] for answers in said.values()}) == 1)
    key = said[MMLU_ARCHIVES[0]]
    return [key[each][0] for each in questions], {name: [said[name][each][1] for each in questions] for name in sorted(said)}


def _archive(clone, name):
    with zipfile.ZipFile(io.BytesIO(clone.read(f"eval_results/model_outputs_{name}_5shots.zip"))) as archive:
        return json.loads(archive.read(f"model_outputs_{name}_5shots.json"))


def _subjects(clone, folder):
    path = f"eval_results/{folder}"
    return [entry for name in clone.names(path) if name.endswith("_result.json") for entry in json.loads(clone.read(f"{path}/{name}"))]


def _answers(entries):
    """By question: the key and the answer; -1 where no answer could be read."""
    return {entry["question_id"]: (LETTERS.index(entry["answer"]), LETTERS.index(entry["pred"]) if entry["pred"] else -1)
            for entry in entries}
