#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the release build, moves it, and uses it as a stranger would."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "install-test"
POOL = ROOT / "examples" / "fashion-mnist" / "validation"
ALLOWED = {"linux-vdso", "ld-linux-x86-64", "libc", "libm", "libstdc++", "libgcc_s", "libz", "libfmt"}


def run(*command, cwd=WORK):
    """Returns the output; raises with it when the command fails."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def stranger(folder, *options):
    """Builds the stranger's project in `folder` and runs it on the demo pool."""
    run("cmake", "-S", ROOT / "tests/install/stranger", "-B", WORK / folder, "-G", "Ninja",
        f"-DEXAMPLE={ROOT / 'examples/prune.cpp'}", "-DCMAKE_BUILD_TYPE=Release", *options)
    run("cmake", "--build", WORK / folder)
    output = run(WORK / folder / "stranger", POOL)
    assert re.search(r"^team \d+,\d+,\d+: 4\d+ right$", output, re.MULTILINE), output


def the_installed_package_is_found_after_being_moved():
    run("cmake", "--install", ROOT / "build/release", "--prefix", WORK / "first")
    shutil.move(WORK / "first", WORK / "moved")
    version = re.search(r"project\(hqe VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    stranger("uses-package", f"-DCMAKE_PREFIX_PATH={WORK / 'moved'}", f"-DHQE_VERSION={version}")


def the_sources_work_as_a_folder_of_another_project():
    stranger("uses-sources", f"-DHQE_SOURCE={ROOT}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={ROOT / 'tests/install/same_object.py'}")
    compiled = (WORK / "uses-sources/compiled.txt").read_text().split()
    assert [Path(name).name for name in compiled] == ["prune.cpp"], f"compiled otherwise than in our own build: {compiled}"


def as_a_folder_of_another_project_we_neither_test_nor_install():
    run("cmake", "--install", WORK / "uses-sources", "--prefix", WORK / "nothing")
    assert not (WORK / "nothing").exists(), sorted((WORK / "nothing").glob("**/*"))
    assert not list((WORK / "uses-sources").glob("**/*_test")), "our tests were built"


def only_public_headers_are_installed():
    installed = {str(path.relative_to(WORK / "moved/include")) for path in (WORK / "moved/include").glob("**/*.h")}
    assert "hqe/hqe.h" in installed and "hqe/pruning/hierarchical.h" in installed, installed
    for path in installed:
        for included in re.findall(r'#include "(hqe/[^"]+)"', (WORK / "moved/include" / path).read_text()):
            assert included in installed, f"{path} includes {included}, which is not installed"


def the_command_links_only_what_every_machine_has():
    names = {line.split()[0].split("/")[-1].split(".so")[0] for line in run("ldd", WORK / "moved/bin/hqe").split("\n") if line.strip()}
    assert names <= ALLOWED, f"unexpected libraries: {names - ALLOWED}"


def the_installed_command_finds_its_demo():
    with tempfile.TemporaryDirectory() as elsewhere:  # Not in the source tree, where the pool would be found above.
        output = run(WORK / "moved/bin/hqe", "demo", cwd=elsewhere)
        assert "fashion-mnist" in output and (Path(elsewhere) / "hqe-demo.html").stat().st_size > 0, output


CHECKS = [the_installed_package_is_found_after_being_moved, the_sources_work_as_a_folder_of_another_project,
          as_a_folder_of_another_project_we_neither_test_nor_install, only_public_headers_are_installed,
          the_command_links_only_what_every_machine_has, the_installed_command_finds_its_demo]


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    failed = 0
    for check in CHECKS:
        sentence = check.__name__.replace("_", " ")
        try:
            check()
            print(f"passed: {sentence}", flush=True)
        except Exception as error:
            failed += 1
            print(f"FAILED: {sentence}\n{error}", flush=True)
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
