# SPDX-License-Identifier: MIT
"""The builds behind the artefacts: Debian's compilers for commands that are one file, zig's for what must run with an
old C library."""

import shutil

from carried import carry, demo_archive
from places import ROOT, TOOLS, WORK, Failure, run

GLIBC = "2.17"  # What wheels may ask of the C library: manylinux_2_17.
JOBS = 2


def configure(name, *options):
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    # As deep as build/release: paths are then the same to ccache, which finds what that one compiled.
    folder = ROOT / "build" / f"dist-{name}"
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHQE_BUILD_TESTS=OFF",
        f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={ROOT}/cmake/Carried.cmake", f"-DHQE_CARRIED={carry()}", *launcher, *options,
        more=zig_environment())
    return folder


def build(folder, *targets):
    run("cmake", "--build", folder, "--target", *targets, more=zig_environment())


def static_command(processor):
    """A command that needs no other file; its path."""
    toolchain = [] if processor == "x86_64" else ["--toolchain", f"{ROOT}/cmake/toolchains/{processor}-linux-gnu.cmake"]
    folder = configure(f"static-{processor}", *toolchain, "-DCMAKE_EXE_LINKER_FLAGS=-static -s -fuse-ld=gold", "-DHQE_SMALL=ON",
                       f"-DHQE_DEMO_ARCHIVE={demo_archive()}")
    build(folder, "hqe_cli")
    return folder / "cli/hqe"


def zig_environment():
    return {"CCACHE_COMPILERTYPE": "auto", "PYTHONPATH": str(next((TOOLS / "lib").glob("python3*/site-packages"), ""))}


def zig_compilers(processor):
    """Compilers in the shape that CMake and ccache know: one program each."""
    zig = next((TOOLS / "lib").glob("python3*/site-packages/ziglang/zig"), None)
    if not zig:
        raise Failure("zig's compiler is not in build/venv-dist; run scripts/setup dist")
    folder = WORK / "zig" / processor
    folder.mkdir(parents=True, exist_ok=True)
    for name, word in (("clang++", "c++"), ("clang", "cc")):
        text = f'#!/bin/sh\nexec {zig} {word} -target {processor}-linux-gnu.{GLIBC} "$@"\n'
        program = folder / name
        if not program.exists() or program.read_text() != text:
            program.write_text(text)
            program.chmod(0o755)
    return folder


def python_files(processor, python, version):
    """What a wheel of that Python holds beside Python sources, installed into a folder: module, command, demo pool."""
    compilers = zig_compilers(processor)
    cross = [] if processor == "x86_64" else ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={processor}"]
    include = run(python, "-c", "import sysconfig; print(sysconfig.get_path('include'))").strip()
    folder = configure(f"wheel-{processor}", *cross, f"-DCMAKE_CXX_COMPILER={compilers}/clang++", f"-DCMAKE_C_COMPILER={compilers}/clang",
                       f"-DCMAKE_AR=/usr/bin/{processor}-linux-gnu-ar", f"-DCMAKE_RANLIB=/usr/bin/{processor}-linux-gnu-ranlib",
                       f"-DCMAKE_STRIP=/usr/bin/{processor}-linux-gnu-strip", "-DHQE_CARRIED_HEADERS=ON", "-DHQE_BUILD_PYTHON=ON",
                       f"-DPython_EXECUTABLE={python}", f"-DPython_INCLUDE_DIR={include}", "-UPython_SABI*", "-UNB_*", "-Unanobind*")
    build(folder, "hqe_python", "hqe_cli", *(["hqe_python_stub"] if not cross else []))
    files = WORK / f"files-{processor}-{version[0]}.{version[1]}"
    shutil.rmtree(files, ignore_errors=True)
    run("cmake", "--install", folder, "--component", "python", "--prefix", files, "--strip")
    return files
