#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses each file of dist/ where nothing else is: static commands in empty roots, packages and the source archive in a minimal
Debian 12, wheels in bare environments that find no compiler. Needs root or sudo, and what `make dist` left.

    tests/artefacts/rooms.py            all
    tests/artefacts/rooms.py static     those whose name has the word
"""

import gzip
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from common import (ANSWER, DIST, ROOT, VERSION, Skipped, check_command, check_page, download, into, only, program, room, run,
                    use_in_an_empty_root)
from emulated import arm64_wheel_in_a_debian_12, arm64_wheel_in_a_debian_13, static_arm64_command_in_an_empty_root
from places import Failure
from python_wheels import oldest_numpy, pythons

BASH_COMPLETES = (". /usr/share/bash-completion/completions/hqe; COMP_WORDS=(hqe explain /usr/share/hqe/demo/validation --team conv);"
                  "COMP_CWORD=4; _hqe; printf '%s\\n' \"${COMPREPLY[@]}\"")


def static_command_in_an_empty_root():
    use_in_an_empty_root("static", only("hqe-*-linux-x86_64"))


def minimal_debian(root, *words):
    """Debian 12 from the places that this machine has its packages from."""
    sources = [path for path in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*.*"))]
               if path.is_file() and "debian" in path.read_text() and path.suffix in (".list", ".sources")]
    run("mmdebstrap", "--quiet", "--variant=minbase", *words, "bookworm", root, *sources)


def packages_in_a_minimal_debian():
    folder = room("deb")
    packages = [only("hqe_*.deb"), only("libhqe-dev_*.deb")]
    minimal_debian(folder / "root", f"--customize-hook=copy-in {packages[0]} {packages[1]} /srv",
                   '--customize-hook=chroot "$1" sh -c "apt-get install -y --no-install-recommends /srv/*.deb"')
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
    offered = run(*into(folder / "root"), "bash", "-c", BASH_COMPLETES)
    assert offered == "conv-net\n", offered
    for path in ("bin/hqe", "share/doc/hqe/docs/install.md", "share/doc/hqe/README.md", "share/doc/hqe/CHANGELOG.md",
                 "share/doc/libhqe-dev/CHANGELOG.md", "share/hqe/demo/test/labels.npy", "include/hqe/hqe.h"):
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


def source_archive_in_a_minimal_debian():
    """What who has only the archive does: `make build` and the command's demo, then the module by `pip install .`. Objects may come
    from the compiler's cache, of an earlier time in this room: that they compile from nothing is what make cleanroom tests."""
    root = room("source") / "root"
    minimal_debian(root, "--include=make,python3-dev,python3-venv")
    run("tar", "-C", root / "srv", "-xzf", only("hqe-*.tar.gz"))
    sources = f"/srv/hqe-{VERSION}"
    assert not (root / sources[1:] / ".git").exists()
    run("chroot", root, f"{sources}/scripts/setup", "build")
    cache = shutil.which("ccache") and run("ccache", "--get-config", "cache_dir").strip()
    enter = [*into(root, cache and Path(cache)), "env", *(["CCACHE_DIR=/srv/ccache"] if cache else [])]
    run(*enter, "make", "-C", sources, "build")
    check_command(*enter, f"{sources}/build/hqe")
    assert ANSWER in run(*enter, f"{sources}/build/hqe", "demo")
    check_page(root / "hqe-demo.html")
    use_sources_as_a_module(root, enter, sources)
    shutil.rmtree(root.parent)


def use_sources_as_a_module(root, enter, sources):
    """pip finds here what pyproject.toml asks for, and the internet is not asked."""
    needed = re.search(r"^requires = \[(.*)\]", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[1]
    download(root / "srv/wheels", "3.11", "x86_64", "numpy", *re.findall(r'"(.*?)"', needed))
    run(*enter, "python3", "-m", "venv", "/srv/venv")
    run(*enter, "CMAKE_CXX_COMPILER_LAUNCHER=ccache", "CXX=c++", "CCACHE_NOHASHDIR=1", f"CCACHE_BASEDIR={sources}", "CCACHE_DEPEND=1",
        "/srv/venv/bin/pip", "install", "--no-index", "--find-links=/srv/wheels", sources)
    check_command(*enter, "/srv/venv/bin/hqe")
    pool = "/srv/venv/share/hqe/demo/validation"
    said = run(*enter, "/srv/venv/bin/python", "-c", program(pool, "/page.html"))
    assert said == run(*enter, f"{sources}/build/hqe", "prune", pool, "--json"), "module and command differ"
    check_page(root / "page.html")


def bare_environment(version, python, numpy):
    """A wheel, which pip chooses, in a new environment, and nothing else on the PATH: no compiler."""
    name = "{}.{}".format(*version)
    folder = room(f"python-{name}")
    inside = folder / "venv/bin"
    run(python, "-m", "venv", folder / "venv")
    pip = [inside / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(*pip, "--only-binary=:all:", numpy)
    run(*pip, "--no-index", f"--find-links={DIST}", "hqe")  # As the README has it.
    bare = {"PATH": str(inside), "HOME": str(folder)}
    with tempfile.TemporaryDirectory(dir=folder) as work:
        check_command(inside / "hqe", cwd=work, env=bare)
        said = run(inside / "hqe", "demo", cwd=work, env=bare)
        assert ANSWER in said
        check_page(Path(work) / "hqe-demo.html")
        (Path(work) / "hqe-demo.html").unlink()
        assert run(inside / "python", "-m", "hqe", "demo", cwd=work, env=bare) == said
        check_page(Path(work) / "hqe-demo.html")
        assert run(inside / "python", "-m", "hqe", "--version", cwd=work, env=bare) == f"hqe {VERSION}\n"
        pool = folder / "venv/share/hqe/demo/validation"
        said = run(inside / "python", "-c", program(pool, "page.html"), cwd=work, env=bare)
        # Two compilers, two libraries of C++, the same bytes.
        assert said == run(inside / "hqe", "prune", pool, "--json", env=bare), "module and command differ"
        check_page(Path(work) / "page.html")
    doctor = run(inside / "hqe", "doctor", env={"PATH": "/nowhere", "HOME": str(folder)})
    assert str(inside / "python3") in doctor and re.search(rf"^ +hqe +{re.escape(VERSION)} ", doctor, re.MULTILINE), doctor


def wheels_in_bare_environments():
    """Each Python with the newest NumPy and with the oldest that it has."""
    assert pythons(), "no Python was found"
    for version, python in pythons().items():
        bare_environment(version, python, "numpy")
        bare_environment(version, python, f"numpy~={oldest_numpy(version)}.0")


CHECKS = [static_command_in_an_empty_root, static_arm64_command_in_an_empty_root, packages_in_a_minimal_debian, wheels_in_bare_environments,
          arm64_wheel_in_a_debian_12, arm64_wheel_in_a_debian_13, source_archive_in_a_minimal_debian]


def main():
    if os.geteuid() != 0:
        os.execvp("sudo", ["sudo", "--preserve-env", sys.executable, __file__, *sys.argv[1:]])
    passed = failed = skipped = 0
    for check in CHECKS:
        if sys.argv[1:] and not any(word in check.__name__ for word in sys.argv[1:]):
            continue
        name = check.__name__.replace("_", " ")
        try:
            check()
            passed += 1
            print(f"ok: {name}", flush=True)
        except Skipped as reason:
            skipped += 1
            print(f"SKIPPED: {name}: {reason}", flush=True)
        except (AssertionError, OSError, Failure) as error:
            failed += 1
            print(f"FAILED: {name}\n{error}", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
