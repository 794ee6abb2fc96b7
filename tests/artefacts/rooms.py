#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses each file of dist/ where nothing else is: the static command in an empty root, packages in a minimal Debian 12,
wheels in bare environments that find no compiler. Needs root, and what `make dist` left.

    tests/artefacts/rooms.py            all
    tests/artefacts/rooms.py static     those whose name has the word
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
ROOMS = ROOT / "build" / "rooms"
VERSION = re.search(r"project\(hqe VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
ANSWER = "Ship these 4: gradient-boosting, edge-histograms, conv-net, random-patches"
BASH_COMPLETES = (". /usr/share/bash-completion/completions/hqe; COMP_WORDS=(hqe explain /usr/share/hqe/demo/validation --team conv);"
                  "COMP_CWORD=4; _hqe; printf '%s\\n' \"${COMPREPLY[@]}\"")
sys.path[:0] = [str(ROOT / "scripts/testing"), str(ROOT / "scripts/packing")]
from carried import source_list  # noqa: E402
from python_wheels import oldest_numpy, pythons  # noqa: E402


def run(*command, cwd=ROOT, env=None):
    """Returns the output; raises with it when the command fails."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def room(name):
    folder = ROOMS / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def only(pattern):
    found = sorted(DIST.glob(pattern))
    assert len(found) == 1, f"dist/{pattern}: {[path.name for path in found]}"
    return found[0]


def check_page(page):
    text = page.read_text()
    assert len(text) > 100_000 and "gradient-boosting" in text, page


def check_command(*command, **where):
    """What every artefact's command says of itself."""
    assert run(*command, "--version", **where) == run(*command, "-V", **where) == f"hqe {VERSION}\n"
    assert "usage: hqe prune" in run(*command, "help", "prune", **where)
    assert "threads" in run(*command, "doctor", **where)


def static_command_in_an_empty_root():
    folder = room("static")
    shutil.copy(only("hqe-*-linux-x86_64"), folder / "hqe")
    enter = ["chroot", folder, "/hqe"]
    check_command(*enter)
    assert ANSWER in run(*enter, "demo")
    check_page(folder / "hqe-demo.html")
    run(*enter, "synth", "--models", "5", "--samples", "300", "-o", "/pool")
    assert "Ship" in run(*enter, "prune", "/pool", "--report", "/page.html")
    assert {path.name for path in folder.iterdir()} == {"hqe", "hqe-demo.html", "pool", "page.html"}


def static_arm64_command_under_qemu():
    """Its page, too, is that of x86-64."""
    pages = []
    for name, command in (("arm64", ["qemu-aarch64", only("hqe-*-linux-aarch64")]), ("x86-64", [only("hqe-*-linux-x86_64")])):
        with tempfile.TemporaryDirectory() as folder:  # Not below the sources, where the pool itself would be found.
            check_command(*command)
            assert ANSWER in run(*command, "demo", cwd=folder), name
            check_page(Path(folder) / "hqe-demo.html")
            pages.append((Path(folder) / "hqe-demo.html").read_bytes())
    assert pages[0] == pages[1]


def packages_in_a_minimal_debian():
    folder = room("deb")
    sources = [path for path in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*.*"))]
               if path.is_file() and "debian" in path.read_text() and path.suffix in (".list", ".sources")]
    packages = [only("hqe_*.deb"), only("libhqe-dev_*.deb")]
    run("mmdebstrap", "--quiet", "--variant=minbase", f"--customize-hook=copy-in {packages[0]} {packages[1]} /srv",
        '--customize-hook=chroot "$1" sh -c "apt-get install -y --no-install-recommends /srv/*.deb"', "bookworm", folder / "root", *sources)
    enter = ["chroot", folder / "root"]
    check_command(*enter, "hqe")
    assert ANSWER in run(*enter, "hqe", "demo")
    check_page(folder / "root/hqe-demo.html")
    usr = folder / "root/usr"
    for path, words in {"bash-completion/completions/hqe": "completion bash", "zsh/vendor-completions/_hqe": "completion zsh",
                        "fish/vendor_completions.d/hqe.fish": "completion fish", "man/man1/hqe.1.gz": "man",
                        "man/man1/hqe-prune.1.gz": "man prune"}.items():
        data = (usr / "share" / path).read_bytes()
        text = (gzip.decompress(data) if path.endswith(".gz") else data).decode()
        assert len(text) > 100 and text == run(*enter, "hqe", *words.split()), path
    # With /proc, which bash needs for what the script does.
    offered = run("unshare", "--mount", "--pid", "--fork", f"--mount-proc={folder / 'root' / 'proc'}", *enter, "bash", "-c", BASH_COMPLETES)
    assert offered == "conv-net\n", offered
    for path in ("bin/hqe", "share/doc/hqe/docs/install.md", "share/hqe/demo/test/labels.npy", "include/hqe/hqe.h"):
        assert (usr / path).is_file(), path
    empty = [path for path in usr.glob("share/doc/hqe/**/") if not any(path.iterdir())]
    assert not empty, empty
    assert list(usr.glob("lib/**/libhqe.a")) and list(usr.glob("lib/**/hqe-config.cmake"))
    build_with_the_library(folder / "root")
    shutil.rmtree(folder)


def build_with_the_library(root):
    """A stranger's project finds the package of libhqe-dev by its name alone."""
    enter = ["chroot", root]
    run(*enter, "apt-get", "update", "-q")
    run(*enter, "apt-get", "install", "-y", "-q", "--no-install-recommends", "g++", "cmake", "make")
    shutil.copy(ROOT / "tests/install/stranger/CMakeLists.txt", root / "srv")
    shutil.copy(ROOT / "examples/prune.cpp", root / "srv")
    run(*enter, "cmake", "-S", "/srv", "-B", "/srv/made", "-DEXAMPLE=/srv/prune.cpp")
    run(*enter, "cmake", "--build", "/srv/made")
    assert "right" in run(*enter, "/srv/made/stranger", "/usr/share/hqe/demo/validation")


def bare_environment(version, python, numpy):
    """A wheel in a new environment, and nothing else on the PATH: no compiler."""
    name = "{}.{}".format(*version)
    folder = room(f"python-{name}")
    run(python, "-m", "venv", folder / "venv")
    tag = "cp{}{}-cp{}{}-".format(*version, *version)
    wheels = sorted(DIST.glob(f"hqe-*-{tag}*_x86_64.whl")) or sorted(DIST.glob("hqe-*-abi3-*_x86_64.whl"))
    assert wheels, f"dist/ has no wheel for Python {name}"
    inside = folder / "venv/bin"
    run(inside / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", numpy, wheels[-1])
    bare = {"PATH": str(inside), "HOME": str(folder)}
    with tempfile.TemporaryDirectory(dir=folder) as work:
        check_command(inside / "hqe", cwd=work, env=bare)
        assert ANSWER in run(inside / "hqe", "demo", cwd=work, env=bare)
        check_page(Path(work) / "hqe-demo.html")
        assert run(inside / "python", "-m", "hqe", "--version", cwd=work, env=bare) == f"hqe {VERSION}\n"
        pool = folder / "venv/share/hqe/demo/validation"
        program = (f"import hqe, numpy; study = hqe.prune(hqe.Pool.open({str(pool)!r}));"
                   "study.report('page.html'); print(study.to_json(), end='')")
        said = run(inside / "python", "-c", program, cwd=work, env=bare)
        # Two compilers, two libraries of C++, the same bytes.
        assert said == run(inside / "hqe", "prune", pool, "--json", env=bare), "module and command differ"
        check_page(Path(work) / "page.html")


def wheels_in_bare_environments():
    assert pythons(), "no Python was found"
    for version, python in pythons().items():
        bare_environment(version, python, "numpy")
        if version < (3, 12):  # Later Pythons have no NumPy that old.
            bare_environment(version, python, f"numpy~={oldest_numpy()}.0")


def arm64_wheel_under_qemu():
    """The wheel of Debian 12's Python beside the oldest NumPy, that of the stable ABI with Debian 13's beside the newest."""
    use_arm64_wheel("bookworm", "cp311", f"numpy~={oldest_numpy()}.0")
    use_arm64_wheel("trixie", "abi3", "numpy")


def use_arm64_wheel(suite, abi, numpy):
    """Unpacked beside NumPy, for that Debian's ARM64 Python, which is unpacked, too, and never installed. NumPy loads that Debian's C++
    library before the module brings its own."""
    folder = room(f"arm64-python-{suite}")
    mirror = sorted(set(re.findall(r"^deb-src (\S+)", source_list(), re.MULTILINE)))[0]
    run("mmdebstrap", "--quiet", "--variant=extract", "--arch=arm64", "--include=python3,libstdc++6", suite, folder / "root", mirror)
    if not (folder / "root/lib").exists():
        (folder / "root/lib").symlink_to("usr/lib")  # Which a package's script would do.
    python = next((folder / "root/usr/bin").glob("python3.[0-9]*"))
    run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:",
        f"--python-version={python.name.removeprefix('python')}", "--platform=manylinux_2_28_aarch64", "--platform=manylinux_2_27_aarch64",
        "--platform=manylinux_2_17_aarch64", "--platform=manylinux2014_aarch64", "--dest", folder, numpy)
    packages, work, pool = folder / "packages", folder / "work", ROOT / "examples/fashion-mnist/validation"
    for wheel in (next(folder.glob("numpy-*.whl")), only(f"hqe-*-{abi}-*_aarch64.whl")):
        zipfile.ZipFile(wheel).extractall(packages)
    work.mkdir()
    program = (f"import hqe, numpy; study = hqe.prune(hqe.Pool.open({str(pool)!r}));"
               "study.report('page.html'); print(study.to_json(), end='')")
    said = run("qemu-aarch64", "-L", folder / "root", "-E", f"PYTHONPATH={packages}", python, "-c", program, cwd=work)
    assert said == run(only("hqe-*-linux-x86_64"), "prune", pool, "--json"), "the module for ARM64 and the command for x86-64 differ"
    check_page(work / "page.html")
    held = next(packages.glob("hqe-*.data")) / "scripts/hqe"
    assert held.read_bytes() == only("hqe-*-linux-aarch64").read_bytes(), "the wheel has another command"
    shutil.rmtree(folder)


CHECKS = [static_command_in_an_empty_root, static_arm64_command_under_qemu, packages_in_a_minimal_debian, wheels_in_bare_environments,
          arm64_wheel_under_qemu]


def main():
    if os.geteuid() != 0:
        sys.exit("rooms: needs root, for chroot")
    passed = failed = 0
    for check in CHECKS:
        if sys.argv[1:] and not any(word in check.__name__ for word in sys.argv[1:]):
            continue
        try:
            check()
            passed += 1
            print(f"ok: {check.__name__.replace('_', ' ')}", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"FAILED: {check.__name__.replace('_', ' ')}\n{error}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
