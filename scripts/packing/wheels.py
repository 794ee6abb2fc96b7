# SPDX-License-Identifier: MIT
"""Wheels: the module, the command and the demo pool, for a Python here or for the stable ABI. Packed by ourselves, so
that the same inputs give the same bytes."""

import base64
import csv
import hashlib
import io
import json
import re
import shutil
import sys
import zipfile
from pathlib import Path

from builds import GLIBC, python_module, static_command
from places import DIST, ROOT, TOOLS, WORK, Failure, run, version

sys.path.insert(0, str(ROOT / "scripts/testing"))
from python_wheels import FIRST_STABLE, pythons  # noqa: E402


# Whose ARM64 Python tests a wheel (tests/artefacts/emulated.py); FIRST_STABLE stands for that of the stable ABI. No other
# wheel is made for ARM64: nobody would have used it.
ARM64_TESTERS = {(3, 11): "bookworm", FIRST_STABLE: "trixie"}


def wanted_pythons(processor):
    """Every Python before the stable ABI, and the oldest that has it."""
    found = pythons()
    stable = min((known for known in found if known >= FIRST_STABLE), default=None)
    return {known: path for known, path in found.items() if (known < FIRST_STABLE or known == stable)
            and (processor != "aarch64" or min(known, FIRST_STABLE) in ARM64_TESTERS)}


def metadata():
    """METADATA and LICENSE as pip would make them of pyproject.toml: name -> bytes."""
    folder = WORK / "metadata"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run(TOOLS / "bin/python", "-c", f"from scikit_build_core.build import prepare_metadata_for_build_wheel as make; make({str(folder)!r})")
    inside = next(folder.glob("hqe-*.dist-info"))
    return {str(path.relative_to(inside)): path.read_bytes() for path in sorted(inside.rglob("*"))
            if path.is_file() and path.name not in ("WHEEL", "RECORD")}


def contents(module, command, tag, suffix):
    """The files of a wheel: path -> bytes."""
    name = f"hqe-{version()}"
    held = {f"hqe/{path.relative_to(ROOT / 'python/hqe')}": path.read_bytes()
            for path in sorted((ROOT / "python/hqe").rglob("*")) if path.is_file() and "__pycache__" not in path.parts}
    held[f"hqe/_core{suffix}"] = next(module.glob("_core*.so")).read_bytes()
    stub = min(WORK.glob("files-x86_64-*/hqe/_core.pyi"), default=None)  # One for all, whichever were made before.
    if stub is None:
        raise Failure("the stub of the module is made with the wheels of this machine: scripts/dist wheels comes first")
    held["hqe/_core.pyi"] = stub.read_bytes()
    held[f"{name}.data/scripts/hqe"] = command.read_bytes()
    for path in sorted((ROOT / "examples/fashion-mnist").glob("*/*")):
        held[f"{name}.data/data/share/hqe/demo/{path.relative_to(ROOT / 'examples/fashion-mnist')}"] = path.read_bytes()
    for path, data in metadata().items():
        held[f"{name}.dist-info/{path}"] = data
    held[f"{name}.dist-info/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: hqe\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    return held


def record(held, path):
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, data in held.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={digest}", len(data)])
    rows.writerow([path, "", ""])
    return text.getvalue().encode()


def pack(held, wheel):
    """A zip archive without a time or a user in it; only the command may be executed."""
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in held.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if ".data/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)


def make_wheels(processor):
    command = static_command(processor)
    for known, python in wanted_pythons(processor).items():
        module = python_module(processor, python, known)
        is_stable = known >= FIRST_STABLE
        python_tag = "cp{}{}".format(*known)
        tag = f"{python_tag}-{'abi3' if is_stable else python_tag}-manylinux_{GLIBC.replace('.', '_')}_{processor}"
        suffix = ".abi3.so" if is_stable else f".cpython-{known[0]}{known[1]}-{processor}-linux-gnu.so"
        if is_stable != any(module.glob("_core.abi3.so")):
            raise Failure(f"the module for Python {known[0]}.{known[1]} was not compiled for the ABI of its wheel")
        held = contents(module, command, tag, suffix)
        path = f"hqe-{version()}.dist-info/RECORD"
        held[path] = record(held, path)
        wheel = DIST / f"hqe-{version()}-{tag}.whl"
        pack(held, wheel)
        check_symbols(wheel)


def oldest_glibc(name):
    """(2, 17) of manylinux_2_17_x86_64; nothing where a name promises none."""
    found = re.search(r"manylinux_(\d+)_(\d+)_", name)
    return (int(found[1]), int(found[2])) if found else None


def check_symbols(wheel):
    """auditwheel agrees with the name that we gave it: symbols, other libraries and all."""
    text = run(TOOLS / "bin/auditwheel", "show", "--json", wheel)
    said = json.loads(text[re.search(r"^{", text, re.MULTILINE).start():])["overall_tag"]
    if (oldest_glibc(said) or (99,)) > oldest_glibc(wheel.name):
        raise Failure(f"{wheel.name}: auditwheel calls it {said}")
