# SPDX-License-Identifier: MIT
"""Help, version, and the shape of the binary."""

import re
import shlex
import subprocess

import harness
from files import small_pool
from harness import folder, hqe, refuses, test

COMMANDS = ["inspect", "score", "evaluate", "prune", "sweep", "explain", "apply", "synth", "report", "plot", "demo",
            "version"]


@test("the overview lists every command")
def _():
    text = hqe("--help", check=0).out
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", text, re.MULTILINE), command


@test("each command's help fits the page and ends with examples")
def _():
    for command in COMMANDS:
        result = hqe(command, "--help", check=0)
        assert result.err == ""
        assert f"usage: hqe {command}" in result.out
        assert "\nexamples:\n" in result.out
        assert result.out.rstrip("\n").splitlines()[-1].startswith("  "), command
        for line in result.out.splitlines():
            assert len(line) <= 100, line


@test("every example in every help works when pasted")
def _():
    for command in ["--help", *COMMANDS]:
        words = [command] if command == "--help" else [command, "--help"]
        examples = [line.strip() for line in hqe(*words, check=0).out.split("\nexamples:\n")[1].splitlines()]
        with folder() as home:
            if command not in ("--help", "synth"):
                pool = small_pool(home / "pool", models=12)
                for name, model in (("labels", "labels"), ("a", "model_0"), ("b", "model_1"), ("c", "model_2")):
                    (home / f"{name}.npy").write_bytes((pool / f"{model}.npy").read_bytes())
            for example in examples:
                done = subprocess.run(example.replace("hqe ", f"{shlex.quote(str(harness.BINARY))} ", 1), shell=True,
                                      cwd=home, capture_output=True, text=True, timeout=300)
                assert done.returncode == 0, f"{example}: {done.stderr}"


@test("help names the defaults of the option structs")
def _():
    text = hqe("prune", "--help", check=0).out
    for default in ("0.1", "50000000", "2000000", "hierarchical", "candidates", "rank", "accuracy"):
        assert f"default: {default})" in re.sub(r"\s+", " ", text), default


@test("version names the version, the SIMD target and the compiler")
def _():
    text = hqe("version", check=0).out
    assert re.match(r"hqe \d+\.\d+\.\d+\n", text), text
    document = hqe("version", "--json", check=0).json
    assert document["target"] in document["targets"]
    assert document["target"] == document["targets"][-1]
    assert re.match(r"(g\+\+|clang) \d+", document["compiler"])


@test("HQE_TARGET forces a target, and the force took")
def _():
    for target in hqe("version", "--json", check=0).json["targets"]:
        assert hqe("version", "--json", env={"HQE_TARGET": target}, check=0).json["target"] == target


@test("an unknown HQE_TARGET is refused, naming those there are")
def _():
    refuses(2, "version", env={"HQE_TARGET": "abacus"}, saying=["abacus", "scalar"])


@test("the binary needs few libraries")
def _():
    try:
        lines = subprocess.run(["ldd", str(harness.BINARY)], capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        raise harness.Skipped("no ldd") from None
    names = {line.split()[0].split("/")[-1].split(".so")[0] for line in lines.splitlines()}
    if names & {"libasan", "libtsan", "libubsan"} or b"__asan_init" in harness.BINARY.read_bytes():
        raise harness.Skipped("a sanitizer is linked in")
    allowed = {"linux-vdso", "libc", "libm", "libstdc++", "libgcc_s", "libz", "libhwy", "ld-linux-x86-64", "ld-linux-aarch64"}
    assert names <= allowed, names - allowed
