# SPDX-License-Identifier: MIT
"""Defaults in the help, version, and the shape of the binary."""

import pathlib
import re
import subprocess

import pytest

import running
from running import hqe, refuses

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_help_names_the_defaults_of_the_option_structs():
    text = hqe("prune", "--help", check=0).out
    for default in ("0.1", "50000000", "2000000", "hierarchical", "candidates", "rank", "accuracy"):
        assert f"default: {default})" in re.sub(r"\s+", " ", text), default


def choices(command, option):
    """What the option may be, as the engine's table has it: a word that it is not is refused with all that it may be."""
    expected = refuses(2, command, ROOT / "examples/fashion-mnist/validation", f"--{option}", "nonsense", saying=["expected"]).err
    listed = re.search(r"one of ([^.]*)\.", expected)[1]
    return re.split(r",? ", listed)


def test_the_specification_lists_the_choices_and_defaults_that_there_are():
    text = (ROOT / "docs/spec.md").read_text()
    listed = re.findall(r"--(\w+) (\w+(?:\|\w+)+)", text)
    assert {"by", "weights", "scale", "ties"} <= {option for option, _ in listed}, listed
    for option, words in listed:
        if not words.endswith("|auto"):
            assert words.split("|") == choices("prune", option), option
    assert f"Metrics: {' '.join(choices('prune', 'metric'))} (any case)" in text
    helped = re.sub(r"\s+", " ", hqe("prune", "--help", check=0).out)
    size = re.search(r"default: (\d+), at most half of the models", helped)[1]
    beta = re.search(r"--beta B .*?default: ([\d.]+)\)", helped)[1]
    assert f"default min({size}, floor(M/2))" in text and f"0 <= beta < 1, default {beta};" in text
    limit = int(re.search(r"more candidates \(default: (\d+)\)", helped)[1])
    assert f"`--max-candidates`, default {limit:,}," in text


def test_formats_and_the_page_know_the_costs_that_there_are():
    costs = choices("prune", "budget")
    quoted = ", ".join(f"`{cost}`" for cost in costs)
    assert f"(those of {quoted}, `lipschitz` that are known)" in (ROOT / "docs/formats.md").read_text()
    names = re.search(r"costNames = \[(.*)\]", (ROOT / "web/src/data.ts").read_text())[1]
    assert re.findall(r'"(\w+)"', names) == costs


def test_version_names_the_version_the_simd_target_and_the_compiler():
    text = hqe("version", check=0).out
    assert re.match(r"hqe \d+\.\d+\.\d+\n", text), text
    document = hqe("version", "--json", check=0).json
    assert document["target"] in document["targets"]
    assert document["target"] == document["targets"][-1]
    assert re.match(r"(g\+\+|clang) \d+", document["compiler"])


def test_hqe_target_forces_a_target_and_the_force_took():
    for target in hqe("version", "--json", check=0).json["targets"]:
        assert hqe("version", "--json", env={"HQE_TARGET": target}, check=0).json["target"] == target


def test_an_unknown_hqe_target_is_refused_naming_those_there_are():
    refuses(2, "version", env={"HQE_TARGET": "abacus"}, saying=["abacus", "scalar"])


def test_the_binary_needs_few_libraries():
    try:
        lines = subprocess.run(["ldd", str(running.BINARY)], capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        pytest.skip("no ldd")
    names = {line.split()[0].split("/")[-1].split(".so")[0] for line in lines.splitlines()}
    if names & {"libasan", "libtsan", "libubsan"} or b"__asan_init" in running.BINARY.read_bytes():
        pytest.skip("a sanitizer is linked in")
    allowed = {"linux-vdso", "libc", "libm", "libstdc++", "libgcc_s", "libz", "libfmt", "ld-linux-x86-64", "ld-linux-aarch64"}
    assert names <= allowed, names - allowed
