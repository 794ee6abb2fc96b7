# SPDX-License-Identifier: MIT
"""A digest is a pool: every verb prints the same bytes from it, and from any parts of it, but for `serving`."""

import random
import re

import pytest

from running import ROOT, hqe, refuses

VERBS = [
    ["prune", "--size", "3"], ["prune", "--size", "3", "--holdout", "0.3"], ["prune", "--size", "3", "--folds", "3"],
    ["prune", "--size", "3", "--choose", "consensus", "--vote", "plurality"], ["prune", "--size", "3", "--merit", "balanced"],
    ["sweep", "--size", "2:3", "--beta", "0.1"], ["explain", "--team", "0,1"], ["score", "--size", "2"],
    ["evaluate", "--size", "2"], ["compare", "--size", "3", "--repeats", "2", "--no-times"], ["front"], ["inspect"],
]
POOLS = {"probabilities": ("--classes", "30"), "logits": ("--classes", "6"), "labels": ("--classes", "5", "--abstain", "5%")}


def without_serving(text):
    """A study without what a digest cannot tell: all of one line."""
    return re.sub(r'^"serving":.*$', '"serving":null,', text, flags=re.MULTILINE)


@pytest.fixture(scope="module", params=POOLS)
def pool(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param) / "pool"
    hqe("synth", "--models", "6", "--samples", "400", "--kind", request.param, *POOLS[request.param], "--seed", "4", "-o", folder, check=0)
    return folder


def split(pool, place, cuts):
    place.mkdir()
    for number, (begin, end) in enumerate(zip([0, *cuts], [*cuts, 400])):
        hqe("digest", pool, "--rows", f"{begin}:{end}", "-o", place / f"{9 - number}.digest", "--quiet", check=0)
    return place


def test_every_verb_prints_the_same(pool, tmp_path):
    hqe("digest", pool, "-o", tmp_path / "whole.digest", check=0)
    cuts = sorted(random.Random(3).sample(range(1, 400), 3))
    parts = split(pool, tmp_path / "parts", cuts)
    for verb, *words in VERBS:
        wanted = hqe(verb, pool, *words, "--json", check=0).out
        for digest in (tmp_path / "whole.digest", parts):
            found = hqe(verb, digest, *words, "--json", check=0).out
            assert without_serving(found) == without_serving(wanted), (verb, words, digest)


def test_what_a_digest_does_not_keep_is_refused(tmp_path):
    pool = ROOT / "examples/fashion-mnist/validation"
    digest = tmp_path / "a.digest"
    told = hqe("digest", pool, "-o", digest, "--json", check=0).json
    assert told["bytes"] == digest.stat().st_size < told["prediction_bytes"] / 2
    assert 0 < told["contested"] < told["samples"] == 5000
    refuses(2, "apply", digest, "--team", "0,1", "-o", tmp_path / "answers.npy", saying="the scores of every class")
    refuses(2, "order", digest, "--team", "0,1", saying="the scores of every class")
    refuses(2, "digest", digest, "-o", tmp_path / "b.digest", saying="is a digest already")
    refuses(2, "digest", pool, "-o", tmp_path / "b.npy", saying="ends in .digest")
    refuses(2, "digest", pool, "--rows", "4990:5001", "-o", tmp_path / "b.digest", saying="the pool has 5000")
    refuses(3, "prune", digest, "--kind", "logits", saying="a digest has its true labels and its kind")
    assert not (tmp_path / "b.digest").exists()


def test_a_digest_needs_true_labels(tmp_path):
    hqe("synth", "--models", "3", "--samples", "50", "-o", tmp_path / "pool", check=0)
    (tmp_path / "pool/labels.npy").unlink()
    refuses(3, "digest", tmp_path / "pool", "-o", tmp_path / "a.digest", saying="there are no true labels")


def test_a_digest_cut_short_or_not_there_is_to_be_made_again(tmp_path):
    hqe("synth", "--models", "3", "--samples", "50", "-o", tmp_path / "pool", check=0)
    digest = tmp_path / "a.digest"
    refuses(3, "inspect", digest, saying="there is no such file")
    hqe("digest", tmp_path / "pool", "-o", digest, check=0)
    whole = digest.read_bytes()
    for size in (4, len(whole) // 2, len(whole) - 1):
        digest.write_bytes(whole[:size])
        refuses(3, "inspect", digest, saying="Make it again with `hqe digest`")
