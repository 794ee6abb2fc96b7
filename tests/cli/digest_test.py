# SPDX-License-Identifier: MIT
"""A digest is a pool: every verb prints the same bytes from it, and from any parts of it, but for what it cannot tell."""

import json
import random
import struct

import pytest

from files import npy_bytes
from running import ROOT, hqe, refuses, shared_pool
from split_pools import by_turns, check_splits, questions, takes_a_pool

POOLS = {"probabilities": ("--classes", "30"), "logits": ("--classes", "6"), "labels": ("--classes", "5", "--abstain", "5%")}


@pytest.fixture(scope="module", params=POOLS)
def pool(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param) / "pool"
    hqe("synth", "--models", "6", "--samples", "400", "--kind", request.param, *POOLS[request.param], "--seed", "4", "-o", folder, check=0)
    return folder


def test_these_tests_ask_every_command_that_takes_a_pool():
    """But digest, which a digest is made by, and which refuses one."""
    assert {words[0] for words in questions(6)} | {"digest"} == takes_a_pool()


def test_every_verb_prints_the_same(pool, tmp_path):
    check_splits(pool.parent.name, pool, tmp_path, 3, by_turns(3))


def test_a_table_whose_notes_name_options_prints_the_same(tmp_path):
    """Also the notes, which people read as options of the command."""
    chosen, pool, parts = random.Random(8), tmp_path / "pool.csv", tmp_path / "parts"
    lines = ["id,y,a,b,c,d"]
    for row in range(200):
        truth = chosen.randrange(4)
        said = [truth if chosen.random() < 0.7 else chosen.randrange(4) for _ in "abcd"]
        lines.append(",".join(map(str, [7 * row, truth, *said])))
    pool.write_text("\n".join(lines) + "\n")
    parts.mkdir()
    for begin, end in ((0, 60), (60, 200)):
        hqe("digest", pool, "--label-column", "y", "--rows", f"{begin}:{end}", "-o", parts / f"{begin}.digest", "--quiet", check=0)
    for words in (["inspect"], ["inspect", "--json"], ["prune", "--size", "2", "--verbose"], ["evaluate", "--size", "2"]):
        whole = hqe(words[0], pool, "--label-column", "y", *words[1:], check=0).out
        assert hqe(words[0], parts, *words[1:], check=0).out == whole
        assert words != ["inspect"] or "--id-column" in whole


@pytest.mark.longest
@pytest.mark.parametrize("name", ["cora-10-val", "cifar10-10", "mnist-7-val"])
def test_parts_of_a_shared_pool_are_the_pool(name, tmp_path):
    """Twenty splits, over which every question is asked once in every form: all of all splits take minutes, and are
    left to check_parts.py."""
    asked = check_splits(name, shared_pool(name), tmp_path, 20, by_turns(20))
    assert len(asked) == 3 * len(questions(10))


@pytest.mark.longest
@pytest.mark.parametrize("descr", ["<f2", "<f4", "<f8"])
@pytest.mark.parametrize("samples", [300, 20_000])
def test_probabilities_of_class_1_alone_stay_that_small(descr, samples, tmp_path):
    """In memory they are two columns, of at least four bytes, and a digest has one of them, as narrow as in the files."""
    chosen = random.Random(samples)
    pool = tmp_path / "pool"
    pool.mkdir()
    truth = [chosen.randrange(2) for _ in range(samples)]
    (pool / "labels.npy").write_bytes(npy_bytes(truth, "|u1"))
    spread = 0.2 if samples == 300 else 0.6
    for name in "abcd":
        shares = [min(max(0.1 + 0.8 * label + chosen.uniform(-spread, spread), 0.0), 1.0) for label in truth]
        (pool / f"{name}.npy").write_bytes(npy_bytes(shares, descr))
    size = sum(file.stat().st_size for file in pool.iterdir())
    told = hqe("digest", pool, "-o", tmp_path / "a.digest", "--json", check=0).json
    assert told["prediction_bytes"] == 4 * samples * int(descr[-1])
    assert "times as many" not in hqe("digest", pool, "-o", tmp_path / "a.digest", check=0).out
    made = (tmp_path / "a.digest").read_bytes()
    assert b'"complements":true' in made and len(made) < 1.01 * size + (2048 if samples > 300 else 65536)
    check_splits(descr, pool, tmp_path, 2, by_turns(2))


def test_two_columns_that_are_no_complements_are_both_kept(tmp_path):
    pool = tmp_path / "pool"
    pool.mkdir()
    (pool / "labels.npy").write_bytes(npy_bytes([0, 1, 1, 0], "|u1"))
    for name in "ab":
        (pool / f"{name}.npy").write_bytes(npy_bytes([[0.5, 0.5], [0.25, 0.75], [0.7, 0.3], [0.4, 0.600001]], "<f8"))
    hqe("digest", pool, "-o", tmp_path / "a.digest", check=0)
    assert b"complements" not in (tmp_path / "a.digest").read_bytes()
    assert hqe("evaluate", tmp_path / "a.digest", "--json", check=0).out == hqe("evaluate", pool, "--json", check=0).out


def test_what_a_digest_does_not_keep_is_refused(tmp_path):
    pool = ROOT / "examples/fashion-mnist/validation"
    digest = tmp_path / "a.digest"
    told = hqe("digest", pool, "-o", digest, "--json", check=0).json
    assert told["bytes"] == digest.stat().st_size < told["prediction_bytes"] / 2
    assert 0 < told["contested"] < told["samples"] == 5000
    refuses(2, "apply", digest, "--team", "0,1", "--scores", "-o", tmp_path / "answers.npy", saying="the scores of every class")
    refuses(2, "apply", digest, "--team", "0,1", "-o", tmp_path / "answers.csv", saying="the scores of every class")
    refuses(2, "front", digest, "--cascade", saying="the scores of every class")
    refuses(2, "order", digest, "--team", "0,1", saying="the scores of every class")
    refuses(2, "digest", digest, "-o", tmp_path / "b.digest", saying="is a digest already")
    refuses(2, "digest", pool, "-o", tmp_path / "b.npy", saying="ends in .digest")
    refuses(2, "digest", pool, "--rows", "4990:5001", "-o", tmp_path / "b.digest", saying="the pool has 5000")
    refuses(3, "prune", digest, "--kind", "logits", saying="a digest has its true labels and its kind")
    assert not (tmp_path / "b.digest").exists()


def test_parts_of_logits_that_look_like_probabilities_name_the_kind_that_makes_them_one_pool(tmp_path):
    """The kind of a part is what its own rows show, when the first rows of the pool show nothing."""
    pool, parts, chosen = tmp_path / "pool", tmp_path / "parts", random.Random(3)
    pool.mkdir()
    parts.mkdir()
    truth = [chosen.randrange(2) for _ in range(200)]
    (pool / "labels.npy").write_bytes(npy_bytes(truth, "|u1"))
    for name in "abc":
        shares = [chosen.betavariate(2, 1) if label else chosen.betavariate(1, 2) for label in truth]
        rows = [[1 - share, share] if row < 150 else [-3 * share, 3 * share] for row, share in enumerate(shares)]
        (pool / f"{name}.npy").write_bytes(npy_bytes(rows, "<f8"))
    for begin in (0, 100):
        hqe("digest", pool, "--rows", f"{begin}:{begin + 100}", "-o", parts / f"{begin}.digest", "--quiet", check=0)
    refuses(3, "inspect", parts, saying=["100.digest", "holds logits, not probabilities", "make those again with --kind logits"])
    hqe("digest", pool, "--rows", "0:100", "--kind", "logits", "-o", parts / "0.digest", "--quiet", check=0)
    assert hqe("inspect", parts, "--json", check=0).out == hqe("inspect", pool, "--json", check=0).out


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


def test_labels_in_types_of_their_own_stay_that_small(tmp_path):
    """Of 200 classes, one model abstains and has two bytes a label; the others have one."""
    chosen, samples = random.Random(4), 30_000
    pool = tmp_path / "pool"
    pool.mkdir()
    truth = [chosen.randrange(200) for _ in range(samples)]
    (pool / "labels.npy").write_bytes(npy_bytes(truth, "|u1"))
    for name in "abcdefghi":
        said = [label if chosen.random() < 0.7 else chosen.randrange(200) for label in truth]
        (pool / f"{name}.npy").write_bytes(npy_bytes(said, "|u1"))
    (pool / "j.npy").write_bytes(npy_bytes([label if label % 7 else -1 for label in truth], "<i2"))
    size = sum(file.stat().st_size for file in pool.iterdir())
    told = hqe("digest", pool, "-o", tmp_path / "a.digest", "--json", check=0).json
    assert told["prediction_bytes"] == 11 * samples
    assert told["bytes"] == (tmp_path / "a.digest").stat().st_size < 1.01 * size
    for words in (["inspect"], ["evaluate", "--size", "2"]):
        assert hqe(words[0], tmp_path / "a.digest", *words[1:], "--json", check=0).out == hqe(words[0], pool, *words[1:], "--json", check=0).out


def about_bytes(digest):
    """How many bytes of a digest are its description."""
    made = digest.read_bytes()
    begin, end = json.loads(made[8:8 + struct.unpack("<Q", made[:8])[0]])["about"]["data_offsets"]
    return end - begin


def test_a_value_that_is_no_probability_is_refused_where_the_kind_was_detected(tmp_path):
    """What values that were read later say of a pool's kind, a digest cannot be asked: it keeps no rows."""
    pool, path = tmp_path / "pool", tmp_path / "a.digest"
    hqe("synth", "--models", "3", "--samples", "60", "--classes", "40", "-o", pool, check=0)
    (pool / "pool.toml").unlink()
    hqe("digest", pool, "-o", path, check=0)
    made = bytearray(path.read_bytes())
    size = struct.unpack("<Q", made[:8])[0]
    values = 8 + size + json.loads(made[8 : 8 + size])["values"]["data_offsets"][0]
    made[values : values + 4] = struct.pack("<f", 5.0)
    path.write_bytes(made)
    assert b'"kind_detected":true' in made
    refuses(3, "inspect", path, saying=["a.digest", "5 is no probability"])


def test_only_texts_make_a_digest_larger_than_the_predictions(tmp_path):
    """Names of any length lie in `about`, with 80 bytes a model and 3 a class beside them where they need no escape."""
    pool = tmp_path / "pool"
    pool.mkdir()
    chosen, samples, classes = random.Random(6), 40, 50
    (pool / "labels.npy").write_bytes(npy_bytes([chosen.randrange(classes) for _ in range(samples)], "|u1"))
    models, words = [letter * 200 for letter in "abcdefgh"], [f"{k}" + "x" * 3000 for k in range(classes)]
    for name in models:
        (pool / f"{name}.npy").write_bytes(npy_bytes([chosen.randrange(classes) for _ in range(samples)], "|u1"))
    (pool / "pool.toml").write_text(f"classes = {json.dumps(words)}\n")
    hqe("digest", pool, "-o", tmp_path / "a.digest", check=0)
    size, about = (tmp_path / "a.digest").stat().st_size, about_bytes(tmp_path / "a.digest")
    predictions = (len(models) + 1) * samples
    assert size > 1.01 * predictions + 65536
    assert size - about < 1.01 * predictions + 4096
    assert about < 1024 + sum(len(name) + 80 for name in models) + sum(len(word) + 3 for word in words)


@pytest.mark.parametrize("kind", ["probabilities", "logits"])
def test_a_teams_labels_are_those_of_the_predictions(kind, tmp_path):
    pool, digest = tmp_path / "pool", tmp_path / "a.digest"
    hqe("synth", "--models", "6", "--samples", "400", "--kind", kind, *POOLS[kind], "--seed", "4", "-o", pool, check=0)
    hqe("digest", pool, "-o", digest, check=0)
    hqe("team", pool, "--team", "4,1,2", "-o", tmp_path / "team.json", check=0)
    for words in (["--team", "0,2,5"], ["--team", "0,2,5", "--vote-weights", "3,1,1"], ["--team", tmp_path / "team.json"]):
        told = [hqe("apply", place, *words, "-o", tmp_path / f"{place.name}.npy", "--json", check=0).out for place in (pool, digest)]
        assert told[0] == told[1]
        assert (tmp_path / "pool.npy").read_bytes() == (tmp_path / "a.digest.npy").read_bytes()


def test_a_team_of_a_digest_says_what_it_lacks(tmp_path):
    pool, digest = tmp_path / "pool", tmp_path / "a.digest"
    hqe("synth", "--models", "4", "--samples", "300", "-o", pool, check=0)
    hqe("digest", pool, "-o", digest, check=0)
    whole, part = (hqe("team", place, "--team", "0,1", "--json", check=0).json for place in (pool, digest))
    assert whole["temperature"] and "warnings" not in whole
    assert part["temperature"] is None and "a digest does not keep" in part["warnings"][0]
    assert "Make the team from the predictions" in " ".join(hqe("team", digest, "--team", "0,1", check=0).out.split())
    hqe("prune", digest, "-o", tmp_path / "study.json", check=0)
    study = hqe("team", tmp_path / "study.json", "--json", check=0).json
    assert ("warnings" in study) == (study["vote"] == "soft")


SORTED = {  # True labels of three folders, each without some class; what names them; what one of them says without that.
    "from 1, of scores": ([[1, 2, 2], [2, 1, 1], [3, 3, 2]], "[1, 2, 3]", "3 is not one of the 3 classes (0 to 2)"),
    "from 1, of labels": ([[1, 2, 2], [2, 1, 1], [3, 3, 2]], "[1, 2, 3]", "has other classes"),
    "-1 and 1, of scores": ([[-1, -1], [1, 1, 1], [-1, 1]], "[-1, 1]", "the true label -1 is not one of"),
    "-1 and 1, of labels": ([[-1, -1], [1, 1, 1], [-1, 1]], "[-1, 1]", "the true label -1 is not one of"),
    "-1 and 1, of P(class 1)": ([[-1, -1], [1, 1, 1], [-1, 1]], "[-1, 1]", "true labels show one of two classes alone, name both"),
    "1 and 2, of P(class 1)": ([[1, 1], [1, 2], [2, 2]], "[1, 2]", "true labels show one of two classes alone, name both"),
}


@pytest.mark.parametrize("case", SORTED)
def test_folders_sorted_by_class_are_refused_until_all_name_the_classes(case, tmp_path):
    """What the refusal asks for makes the pool that all rows are."""
    truths, classes, refusal = SORTED[case]
    chosen, known = random.Random(2), json.loads(classes)

    def write(folder, rows, named):
        folder.mkdir(parents=True)
        (folder / "labels.npy").write_bytes(npy_bytes([truth for truth, _ in rows], "<i4"))
        for place, name in enumerate("abc"):
            said = [row[place] for _, row in rows]
            (folder / f"{name}.npy").write_bytes(npy_bytes(said, "<i4" if case.endswith("of labels") else "<f8"))
        (folder / "pool.toml").write_text('name = "pool"\n' + (f"classes = {classes}\n" if named else ""))

    def say(number):
        if case.endswith("of labels"):
            return chosen.choice(truths[number])
        share = chosen.random()
        return share if "P(class 1)" in case else [share, 1 - share, 0.0][: len(known)]

    shards = [[(truth, [say(number) for _ in "abc"]) for truth in truths[number]] for number in range(3)]
    for named in (False, True):
        place, told, row = tmp_path / f"named {named}", [], 0
        write(place / "whole", [row for shard in shards for row in shard], named)
        (place / "parts").mkdir()
        for number, rows in enumerate(shards):
            write(place / str(number), rows, named)
            done = hqe("digest", place / str(number), "--first-row", row, "-o", place / f"parts/{number}.digest", "--quiet")
            assert done.code in ((0,) if named else (0, 3))
            told.append(done.err)
            row += len(rows)
        if named:
            assert hqe("evaluate", place / "parts", "--json", check=0).out == hqe("evaluate", place / "whole", "--json", check=0).out
            continue
        if len(list((place / "parts").iterdir())) == len(shards):
            told = [hqe("evaluate", place / "parts", "--json", check=3).err]
        told = " ".join(" ".join(told).split())
        assert refusal in told and ("classes = [1, 2, 3]" in told or "name both" in told)


def test_a_digest_does_not_go_where_its_pool_is(tmp_path):
    hqe("synth", "--models", "3", "--samples", "50", "-o", tmp_path / "pool", check=0)
    (tmp_path / "link").symlink_to(tmp_path / "pool")
    for place in ("pool/x.digest", "link/x.digest", "pool/../pool/x.digest"):
        refuses(2, "digest", tmp_path / "pool", "-o", tmp_path / place, saying="is in the folder of the pool")
    refuses(2, "digest", ".", "-o", "x.digest", saying="is in the folder of the pool", cwd=tmp_path / "pool")
    hqe("inspect", tmp_path / "pool", check=0)
    hqe("digest", tmp_path / "pool", "-o", tmp_path / "x.digest", check=0)
