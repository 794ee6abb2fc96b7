# SPDX-License-Identifier: MIT
"""Installs the release build, moves it, and uses it as a stranger would."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "install-test"
POOL = ROOT / "examples" / "fashion-mnist" / "validation"
ALLOWED = {"linux-vdso", "ld-linux-x86-64", "libc", "libm", "libstdc++", "libgcc_s", "libz", "libfmt"}


def run(*command, cwd=WORK):
    """Returns the output; fails with it when the command does."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}", pytrace=False)
    return done.stdout


def built(folder, *options):
    """The stranger's project, built in `folder`."""
    run("cmake", "-S", ROOT / "tests/install/stranger", "-B", folder, "-G", "Ninja",
        f"-DEXAMPLE={ROOT / 'examples/prune.cpp'}", "-DCMAKE_BUILD_TYPE=Release", *options)
    run("cmake", "--build", folder)
    return folder


def check_answer(project):
    output = run(project / "stranger", POOL)
    assert re.search(r"^team \d+,\d+,\d+: 4\d+ right$", output, re.MULTILINE), output


@pytest.fixture(scope="module")
def work():
    """Kept under build/ until the next run, for a look at what failed."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    return WORK


@pytest.fixture(scope="module")
def moved(work):
    """What is installed, at another place than it was installed to."""
    run("cmake", "--install", ROOT / "build/release", "--prefix", work / "first")
    return Path(shutil.move(work / "first", work / "moved"))


@pytest.fixture(scope="module")
def of_sources(work):
    """The stranger's project with our sources as a folder of its own."""
    return built(work / "uses-sources", f"-DHQE_SOURCE={ROOT}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={ROOT / 'tests/install/same_object.py'}")


def test_the_installed_package_is_found_after_being_moved(moved):
    version = re.search(r"project\(hqe VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    check_answer(built(WORK / "uses-package", f"-DCMAKE_PREFIX_PATH={moved}", f"-DHQE_VERSION={version}"))


def test_the_sources_work_as_a_folder_of_another_project(of_sources):
    check_answer(of_sources)
    compiled = (of_sources / "compiled.txt").read_text().split()
    assert [Path(name).name for name in compiled] == ["prune.cpp"], f"compiled otherwise than in our own build: {compiled}"


def test_as_a_folder_of_another_project_we_neither_test_nor_install(of_sources):
    run("cmake", "--install", of_sources, "--prefix", WORK / "nothing")
    assert not (WORK / "nothing").exists(), sorted((WORK / "nothing").glob("**/*"))
    assert not list(of_sources.glob("**/*_test")), "our tests were built"


def test_only_public_headers_are_installed(moved):
    installed = {str(path.relative_to(moved / "include")) for path in (moved / "include").glob("**/*.h")}
    assert "hqe/hqe.h" in installed and "hqe/pruning/hierarchical.h" in installed, installed
    for path in installed:
        for included in re.findall(r'#include "(hqe/[^"]+)"', (moved / "include" / path).read_text()):
            assert included in installed, f"{path} includes {included}, which is not installed"


def test_the_command_links_only_what_every_machine_has(moved):
    names = {line.split()[0].split("/")[-1].split(".so")[0] for line in run("ldd", moved / "bin/hqe").split("\n") if line.strip()}
    assert names <= ALLOWED, f"unexpected libraries: {names - ALLOWED}"


def test_the_installed_command_finds_its_demo(moved, tmp_path):
    output = run(moved / "bin/hqe", "demo", cwd=tmp_path)  # Not in the source tree, where the pool would be found above.
    assert "fashion-mnist" in output and (tmp_path / "hqe-demo.html").stat().st_size > 0, output
