#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the team as one ONNX file, and serves it: both ways answer alike.

    python examples/deep/serve.py FOLDER [--images N]

FOLDER has the pool choose-pool that `python -m hqe collect` made. It gets ensemble.onnx, for any server that runs ONNX. The
loop below is the other way: members run one after another, and stop where the rest cannot change the answer.
"""

import argparse
from pathlib import Path

import numpy as np
import onnxruntime

import hqe


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def softmax(logits):
    exact = np.exp(logits.astype(float) - logits.max())
    return exact / exact.sum()


def served(best, sessions, images):
    """The answers, and how many members had to run."""
    places = {model: place for place, model in enumerate(best.team)}
    voter = hqe.Voter(best.vote, members=len(best.team), classes=10, weights=best.weights)
    answers, run = [], 0
    for image in images:
        voter.clear()
        for model in best.serving.early_exit.order:
            voter.add(places[model], softmax(sessions[places[model]].run(None, {"x": image[None]})[0][0]))
            run += 1
            if voter.is_decided:
                break
        answers.append(voter.answer)
    return np.array(answers), run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--images", type=int, default=2000, help="to serve (%(default)s)")
    asked = parser.parse_args()

    images, labels = (np.load(asked.folder / "judge" / f"{name}.npy")[: asked.images] for name in "xy")
    study = hqe.prune(hqe.Pool.open(asked.folder / "choose-pool"), detail=False)
    best = study.best
    models = {name: asked.folder / "models" / f"{name}.onnx" for name in best.names}
    one_file = asked.folder / "ensemble.onnx"
    hqe.export_onnx(study, models, one_file, check=images[:256])

    together = session(one_file).run(["label"], {"x": images})[0]
    answers, run = served(best, [session(path) for path in models.values()], images)
    print(f"{' + '.join(best.names)}, {best.vote} vote: {(answers == labels).mean():.2%} of {len(images)} images right")
    print(f"{one_file}: {one_file.stat().st_size:,} bytes; {(together == answers).sum()} of {len(images)} answers as served")
    print(f"{run / len(images):.2f} of {len(best.team)} members run an image")


main()
