#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles unit tests for ARM64, which ctest runs under qemu-user.

    scripts/packing/arm64_tests.py                     all of them, in build/dist-static-aarch64
    scripts/packing/arm64_tests.py bits evaluation     those of these modules alone, in build/dist-short-aarch64
"""

import sys

from builds import build, carrying, configure, static_options, toolchain
from places import ROOT, Failure

sys.path.insert(0, str(ROOT / "scripts/testing"))
from layers import with_below  # noqa: E402


def compile_some(modules):
    """Hardly optimised: most of the time would be the compiler's."""
    folder = configure("short-aarch64", *carrying(), *toolchain("aarch64"), f"-DHQE_MODULES={';'.join(with_below(modules))}", "-DHQE_BUILD_TESTS=ON",
                       "-DHQE_BUILD_CLI=OFF", "-DHQE_STRICT=ON", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", "-DCMAKE_EXE_LINKER_FLAGS=-static")
    build(folder, *(f"hqe_{module}_test" for module in modules))


def compile_all():
    """Linked of the objects that the command is made of. Every case, as the release build has them."""
    build(configure("static-aarch64", *static_options("aarch64"), "-DHQE_BUILD_TESTS=ON", "-DHQE_BUILD_PYTHON=OFF", "-DHQE_FEWER_CASES=OFF"))


if __name__ == "__main__":
    try:
        compile_some(sys.argv[1:]) if sys.argv[1:] else compile_all()
    except Failure as failure:
        sys.exit(f"arm64: {failure}")
