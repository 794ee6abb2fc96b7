# SPDX-License-Identifier: MIT
"""Defaults in the help, version, and the shape of the binary."""

import re
import subprocess

import pytest

import running
from running import hqe, refuses

def test_help_names_the_defaults_of_the_option_structs():
    text = hqe("prune", "--help", check=0).out
    for default in ("0.1", "50000000", "2000000", "hierarchical", "candidates", "rank", "accuracy"):
        assert f"default: {default})" in re.sub(r"\s+", " ", text), default


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
    allowed = {"linux-vdso", "libc", "libm", "libstdc++", "libgcc_s", "libz", "libfmt", "libhwy", "ld-linux-x86-64", "ld-linux-aarch64"}
    assert names <= allowed, names - allowed
