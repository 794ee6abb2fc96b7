# SPDX-License-Identifier: MIT
"""The builds behind the artefacts: Debian's compilers for commands that are one file, zig's for what must run with an
old C library."""

import os
import re
import shutil

from carried import carry, demo_archive
from places import ROOT, TOOLS, WORK, Failure, run

GLIBC = "2.17"  # What wheels may ask of the C library; the first that ARM64 had.
ZIG_FLAGS = "-O3 -s"
JOBS = os.cpu_count() or 2


def configure(name, *options, more=None):
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    # As deep as build/release: paths are then the same to ccache, which finds what that one compiled.
    folder = ROOT / "build" / f"dist-{name}"
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *launcher, *options, more=more)
    return folder


def carrying():
    """Options of a build that takes no library off the system."""
    return [f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={ROOT}/cmake/Carried.cmake", f"-DHQE_CARRIED={carry()}"]


def build(folder, *targets, more=None):
    run("cmake", "--build", folder, *(["--target", *targets] if targets else []), "-j", JOBS, more=more)


def debian_build():
    """The release build as Debian has it, with its own shared libraries; its folder."""
    folder = configure("deb", "-DHQE_BUILD_TESTS=OFF", "-DCMAKE_INSTALL_PREFIX=/usr")
    build(folder)
    return folder


def toolchain(processor):
    return [] if processor == "x86_64" else ["--toolchain", f"{ROOT}/cmake/toolchains/{processor}-linux-gnu.cmake"]


def static_options(processor):
    return [*carrying(), *toolchain(processor), "-DHQE_SMALL=ON", "-DCMAKE_EXE_LINKER_FLAGS=-static -s -Wl,--gc-sections",
            f"-DHQE_DEMO_ARCHIVE={demo_archive(debian_build() / 'cli/hqe')}"]


def static_command(processor):
    """A command that needs no other file; its path."""
    folder = configure(f"static-{processor}", *static_options(processor), "-DHQE_BUILD_TESTS=OFF", "-DHQE_BUILD_PYTHON=OFF")
    build(folder, "hqe_cli")
    return folder / "cli/hqe"


def zig():
    """The compiler from PyPI, which scripts/setup dist has installed."""
    found = next((TOOLS / "lib").glob("python3*/site-packages/ziglang/zig"), None)
    if not found:
        raise Failure("zig's compiler is not in build/venv-dist; run scripts/setup dist")
    return found


def zig_compilers(processor):
    """Compilers in the shape that CMake and ccache know: one program each. ZIG_FLAGS, as modules are linked, also for what CMake
    tries: zig compiles its C++ library, a minute, for each such way."""
    folder = WORK / "zig" / processor
    folder.mkdir(parents=True, exist_ok=True)
    for name, word in (("clang++", "c++"), ("clang", "cc")):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{zig()}" {word} -target {processor}-linux-gnu.{GLIBC} {ZIG_FLAGS} "$@"\n')
        program.chmod(0o755)
    return folder


def python_path():
    """By which any Python finds nanobind, which is the same for all."""
    return {"PYTHONPATH": str(next((TOOLS / "lib").glob("python3*/site-packages")))}


def zig_environment(processor):
    """To ccache a compiler is what it is called here, with the flags that it cannot see: the programs above are written again and again."""
    pinned = re.search(r"ziglang==\S+", (ROOT / "scripts/packing/requirements.txt").read_text())[0]
    return {"CCACHE_COMPILERTYPE": "clang", "CCACHE_COMPILERCHECK": f"string:{pinned} {processor} {GLIBC} {ZIG_FLAGS}", **python_path()}


def zig_options(processor):
    """A module with the C++ library inside and unseen."""
    compilers, tools = zig_compilers(processor), f"/usr/bin/{processor}-linux-gnu"
    # What __builtin_cpu_supports() reads is in libgcc, and not among zig's own; on ARM64 nobody asks for it.
    libgcc = run("gcc", "-print-libgcc-file-name").strip() if processor == "x86_64" else ""
    return [*carrying(), f"-DCMAKE_CXX_COMPILER={compilers}/clang++", f"-DCMAKE_C_COMPILER={compilers}/clang",
            f"-DCMAKE_AR={tools}-ar", f"-DCMAKE_RANLIB={tools}-ranlib", f"-DCMAKE_STRIP={tools}-strip",
            *([] if processor == "x86_64" else ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={processor}"]),
            "-DHQE_CARRIED_HEADERS=ON", "-DHQE_BUILD_CLI=OFF",
            # Also since -Og, which those modules have else, means debugging to zig: it adds a sanitizer, and 20 MB.
            "-DHQE_SMALL=ON",
            f"-DCMAKE_MODULE_LINKER_FLAGS={libgcc} -Wl,--gc-sections -Wl,--version-script={ROOT}/python/exports.map"]


def python_module(processor, python, version):
    """What a wheel of that Python holds beside Python sources and the command: the folder with the module, and its stub
    where this machine can import it. One folder for all Pythons, so that the library is compiled once."""
    is_ours = processor == "x86_64"
    more = zig_environment(processor)
    include = run(python, "-c", "import sysconfig; print(sysconfig.get_path('include'))").strip()
    folder = configure(f"wheel-{processor}", *zig_options(processor),
                       "-DHQE_BUILD_TESTS=OFF", "-DHQE_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={python}", f"-DPython_INCLUDE_DIR={include}",
                       "-UPython_SABI*", "-UNB_*", "-Unanobind*",
                       # CMake 3.25 does not know the stable ABI; scikit-build-core brings a search that does.
                       f"-DCMAKE_MODULE_PATH={python_path()['PYTHONPATH']}/scikit_build_core/resources/find_python", more=more)
    build(folder, "hqe_python", *(["hqe_python_stub"] if is_ours else []), more=more)
    files = WORK / f"files-{processor}-{version[0]}.{version[1]}"
    shutil.rmtree(files, ignore_errors=True)
    run("cmake", "--install", folder, "--component", "python", "--prefix", files, "--strip")
    return files / "hqe"
