# SPDX-License-Identifier: MIT
"""scripts/make-pools on miniature clones: each layout that is read, and each way in which it can be missing."""

import contextlib
import io
import json
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/pools"))
sys.dont_write_bytecode = True

import arrays  # noqa: E402
import making  # noqa: E402
import recipes  # noqa: E402
from clones import Source  # noqa: E402

CIFAR = {f"model_predictions/{part}_predictions/{name}_predictions.json": json.dumps(classes).encode()
         for part, classes in (("original", [3, 1, 9, 0]), ("v6", [2, 0, 1]))
         for name in (*recipes.CIFAR_TEN, "nas", "nas_large")}
CIFAR |= {"datasets/cifar10.1_v6_labels.npy": arrays.integers([2, 0, 300]), "README.md": b"not a prediction"}
CIFAR_LABELS = {"original_test_labels/cifar10_test_set_original_labels.npy": arrays.integers([3, 1, 9, 8])}


def best_five(*firsts):
    """An N x 5 matrix of int64, as ImageNetV2 stores it."""
    numbers = [number for first in firsts for number in (first, 77, 78, 79, 80)]
    header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({len(firsts)}, 5), }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(numbers)}q", *numbers)


IMAGENET = {f"data/datasets/{part}.json": json.dumps({"image_filenames": [["a", "n03"], ["b", "n01"], ["c", "n02"]]}).encode()
            for part in ("imagenet-validation-original", "imagenetv2-b-33")}
IMAGENET |= {f"data/predictions/{part}/{name}.npy": best_five(2, 999, 1)
             for part in ("imagenet-validation-original", "imagenetv2-b-33") for name in (*recipes.IMAGENET_TEN, "fv_16k")}

AUTOML = "Income_classification/AutoML_1"
ADULT = {f"{AUTOML}/README.md": b"| Best model | name | model_type |\n|:--|:--|:--|\n| | model_2 | Linear |\n"
                                b"| | model_10 | Decision Tree |\n| *** the best *** | ensemble | Ensemble |\n",
         f"{AUTOML}/model_2/predictions_out_of_folds.csv": b"target,prediction\n0,0.25\n1,0.9999999999999487\n",
         f"{AUTOML}/model_10/predictions_out_of_folds.csv": b"target,prediction\n0,1.5e-05\n1,1.0\n"}


def entries(said, key="ABC"):
    return json.dumps([{"question_id": 9 - place, "answer": answer, "pred": pred}
                       for place, (answer, pred) in enumerate(zip(key, said))]).encode()


def archive(name, data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr(f"model_outputs_{name}_5shots.json", data)
    return out.getvalue()


MMLU = {f"eval_results/model_outputs_{name}_5shots.zip": archive(name, entries("ABJ")) for name in recipes.MMLU_ARCHIVES}
MMLU |= {"eval_results/model_outputs_other_5shots.zip": b"not one of ours"}
MMLU_2024 = {"eval_results/deepseek/law_result.json": entries(["A"]),
             "eval_results/deepseek/math_result.json": json.dumps([{"question_id": 8, "answer": "B", "pred": None},
                                                                   {"question_id": 7, "answer": "C", "pred": "C"}]).encode(),
             "eval_results/deepseek/math_summary.json": b"{}", "eval_results/gpt4o/law_result.json": entries("BBB")}
MMLU_MERGED = {"eval_results/merged/law_result.json": entries("ABC", key="DBC")}


class MakePoolsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clones, self.made = Path(folder.name) / "clones", Path(folder.name) / "made"
        self.page = Path(folder.name) / "pools.md"
        self.sources = dict(recipes.SOURCES)

    def git(self, clone, *words):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        return subprocess.run(["git", *identity, "-C", clone, *words], check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, source, files):
        """Commits `files`, and nothing else, to the miniature clone of a source."""
        clone = self.clones / self.sources[source].name
        if not clone.exists():
            clone.mkdir(parents=True)
            self.git(clone, "init", "-q")
        else:
            self.git(clone, "rm", "-rq", ".")
        for name, data in files.items():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            (clone / name).write_bytes(data)
        self.git(clone, "add", "-A")
        self.git(clone, "commit", "-q", "-m", "miniature")
        self.sources[source] = Source(self.sources[source].repository, self.git(clone, "rev-parse", "HEAD"))

    def make(self, *names, page=None):
        """Whether it went well, and what was said. Without `page`, the page is made to agree."""
        for attempt in range(2):
            self.page.write_text("".join(f"| `{name}` | 1 x 1 | `{(page or {}).get(name, 64 * '0')}` |\n" for name in making.NAMES))
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                well = making.make_pools(names, self.clones, self.made, self.sources, self.page)
            if page is not None or attempt == 1:
                return well, said.getvalue()
            page = dict(re.findall(r"^(\S+): .* has the digest ([0-9a-f]{64})", said.getvalue(), re.MULTILINE))

    def numbers(self, pool, model, code, count):
        return struct.unpack(f"<{count}{code}", (self.made / pool / f"{model}.npy").read_bytes()[128:])

    def test_cifar_10_has_the_labels_of_another_clone(self):
        self.commit("cifar", CIFAR)
        self.commit("cifar labels", CIFAR_LABELS)
        self.assertEqual(self.make("cifar10-30", "cifar10-10", "cifar10.1-30")[0], True)
        self.assertEqual(self.numbers("cifar10-30", "labels", "b", 4), (3, 1, 9, 8))
        self.assertEqual(self.numbers("cifar10-30", "nas", "b", 4), (3, 1, 9, 0))
        self.assertEqual(self.numbers("cifar10.1-30", "labels", "h", 3), (2, 0, 300))
        self.assertEqual(self.numbers("cifar10.1-30", "nas", "b", 3), (2, 0, 1))
        settings = (self.made / "cifar10-30/pool.toml").read_text()
        self.assertIn('"nas", "nas_large"', settings)  # By the model's name, not by the file's.
        self.assertIn('models = ["shake_shake_26_2x32d_SSI", ', (self.made / "cifar10-10/pool.toml").read_text())
        self.assertEqual(len(list((self.made / "cifar10-10").iterdir())), 12)

    def test_imagenet_has_the_first_of_five_classes(self):
        self.commit("imagenet", IMAGENET)
        self.assertEqual(self.make("imagenet-67", "imagenet-10", "imagenetv2-66")[0], True)
        self.assertEqual(self.numbers("imagenet-67", "labels", "b", 3), (2, 0, 1))
        self.assertEqual(self.numbers("imagenet-67", "alexnet", "h", 3), (2, 999, 1))
        self.assertIn("[cost.alexnet]\nparams = 61.1e6\n", (self.made / "imagenet-10/pool.toml").read_text())
        self.assertTrue((self.made / "imagenet-67/fv_16k.npy").exists())
        self.assertFalse((self.made / "imagenetv2-66/fv_16k.npy").exists())

    def test_adult_has_two_columns_of_a_commit_of_the_history(self):
        self.commit("adult", ADULT)
        clone = self.clones / "mljar-examples"
        self.git(clone, "rm", "-rq", ".")
        self.git(clone, "commit", "-q", "-m", "gone since")
        self.assertEqual(self.make("adult-43")[0], True)
        self.assertIn('models = ["model_10_DecisionTree", "model_2_Linear"]', (self.made / "adult-43/pool.toml").read_text())
        self.assertEqual(self.numbers("adult-43", "labels", "b", 2), (0, 1))
        single = [struct.unpack("<f", struct.pack("<f", value))[0] for value in (1 - 1.5e-05, 1.5e-05, 0, 1)]
        self.assertEqual(self.numbers("adult-43", "model_10_DecisionTree", "f", 4), tuple(single))
        # As pandas reads it: 461 and not 462 halves of the last bit below 1.
        self.assertEqual(self.numbers("adult-43", "model_2_Linear", "f", 4)[2], 461 * 2.0 ** -53)

    def test_adult_refuses_targets_that_differ(self):
        self.commit("adult", ADULT | {f"{AUTOML}/model_2/predictions_out_of_folds.csv": b"target,prediction\n1,0.5\n1,0.5\n"})
        well, said = self.make("adult-43")
        self.assertFalse(well)
        self.assertIn("other targets", said)

    def test_mmlu_joins_three_commits_by_question(self):
        self.commit("mmlu of 2024", MMLU_2024)
        self.commit("mmlu merged", MMLU_MERGED)
        self.commit("mmlu", MMLU)
        self.assertEqual(self.make("mmlu-pro-31")[0], True)
        # Question 9 has two keys; 7 and 8 come in the order of their numbers.
        self.assertEqual(self.numbers("mmlu-pro-31", "labels", "b", 2), (2, 1))
        self.assertEqual(self.numbers("mmlu-pro-31", "Yi-6B", "b", 2), (9, 1))
        self.assertEqual(self.numbers("mmlu-pro-31", "deepseek-chat_history", "b", 2), (2, -1))
        self.assertEqual(len(list((self.made / "mmlu-pro-31").iterdir())), 33)

    def test_predictions_of_another_length_are_refused(self):
        self.commit("cifar", CIFAR | {"model_predictions/v6_predictions/nas_predictions.json": b"[1, 2]"})
        well, said = self.make("cifar10.1-30")
        self.assertFalse(well)
        self.assertIn("do not all answer 3 samples", said)

    def test_a_pool_with_another_digest_is_not_written(self):
        self.commit("cifar", CIFAR)
        well, said = self.make("cifar10.1-30", page={})
        self.assertFalse(well)
        self.assertIn("docs/pools.md says 000", said)
        self.assertEqual(list(self.made.glob("*")), [])

    def test_a_pool_that_is_there_is_compared_and_left(self):
        self.commit("cifar", CIFAR)
        self.make("cifar10.1-30")
        agreed = {"cifar10.1-30": making.digest(making.files_in(self.made / "cifar10.1-30"))}
        self.assertIn("is there and agrees", self.make("cifar10.1-30", page=agreed)[1])
        (self.made / "cifar10.1-30/nas.npy").write_bytes(b"changed")
        well, said = self.make("cifar10.1-30", page=agreed)
        self.assertFalse(well)
        self.assertIn("Next: move it away", said)
        self.assertEqual((self.made / "cifar10.1-30/nas.npy").read_bytes(), b"changed")

    def test_what_is_missing_is_named_with_the_next_step_and_the_rest_is_made(self):
        self.commit("cifar", CIFAR)
        (self.clones / "ImageNetV2").mkdir()
        self.commit("mmlu", {"README.md": b""})
        self.sources["mmlu"] = recipes.SOURCES["mmlu"]
        well, said = self.make("cifar10-30", "imagenet-67", "mmlu-pro-31", "cora-10-val", "cifar10.1-30")
        self.assertFalse(well)
        self.assertIn("Next: git clone https://github.com/cleanlab/label-errors", said)
        self.assertIn("ImageNetV2 is not a git clone", said)
        self.assertIn(f"MMLU-Pro lacks the commit {recipes.SOURCES['mmlu'].commit}", said)
        self.assertIn("3 not made: cifar10-30, imagenet-67, mmlu-pro-31", said)
        self.assertEqual(sorted(path.name for path in self.made.iterdir()), ["cifar10.1-30", "cora-10-val"])

    def test_a_clone_that_lacks_a_file_is_told_so(self):
        self.commit("cifar", {name: data for name, data in CIFAR.items() if "labels" not in name})
        self.assertIn("lacks datasets/cifar10.1_v6_labels.npy", self.make("cifar10.1-30")[1])

    def test_what_is_not_published_fails_only_where_it_is_asked_for(self):
        self.assertFalse(self.make("mnist-7-val")[0])
        said = self.make()[1]
        self.assertIn("mnist-7-val: not made: its predictions are not published", said)
        self.assertNotIn("mnist", said.splitlines()[-1])

    def test_the_page_names_every_pool_and_commit(self):
        page = making.PAGE.read_text()
        self.assertEqual(set(making.digests_of(making.PAGE)), set(making.NAMES))
        for source in recipes.SOURCES.values():
            self.assertIn(f"`{source.commit}`", page)
            self.assertIn(f"git clone https://github.com/{source.repository} ", page)

    def test_the_shipped_folders_agree_with_the_page(self):
        for name, folder in making.COPIED.items():
            self.assertEqual(making.digest(making.files_in(folder)), making.digests_of(making.PAGE)[name])

    def test_the_script_ends_with_3_and_says_what_to_clone(self):
        script = [sys.executable, str(ROOT / "scripts/make-pools"), str(self.clones), "-o", str(self.made)]
        done = subprocess.run([*script, "adult-43"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("Next: git clone https://github.com/mljar/mljar-examples", done.stdout)
        self.assertEqual(subprocess.run([*script, "adult"], capture_output=True, check=False).returncode, 2)
        self.assertEqual(subprocess.run([*script, "cora-10-test"], capture_output=True, check=False).returncode, 0)
