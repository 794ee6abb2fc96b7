# SPDX-License-Identifier: MIT
"""What is for ARM64, where nothing of this machine is but an emulator: the static command in an empty root, wheels installed by
pip into the Pythons of two Debians. `python -m hqe` is not tried: it starts the command, and a process under qemu-user cannot start
another one where the kernel does not know of qemu."""

import re
import shutil
from pathlib import Path

from common import (ANSWER, DIST, VERSION, Skipped, check_command, check_page, download, into, only, program, room, run,
                    use_in_an_empty_root)
from carried import source_list
from python_wheels import FIRST_STABLE, oldest_numpy, pythons
from wheels import ARM64_TESTERS

QEMU = "/usr/bin/qemu-aarch64-static"


def static_arm64_command_in_an_empty_root():
    """Its page, too, is that of x86-64."""
    page = use_in_an_empty_root("static-arm64", only("hqe-*-linux-aarch64"), QEMU)
    assert page == use_in_an_empty_root("static", only("hqe-*-linux-x86_64"))


def arm64_wheel_in_a_debian_12():
    """With the oldest NumPy."""
    use_arm64_wheel((3, 11), f"numpy~={oldest_numpy((3, 11))}.0")


def arm64_wheel_in_a_debian_13():
    """That of the stable ABI, with the newest NumPy."""
    use_arm64_wheel(FIRST_STABLE, "numpy")


def debian_for_arm64(suite):
    """A root whose packages are unpacked: their scripts would need a kernel that knows of qemu."""
    root = room(f"arm64-{suite}") / "root"
    mirror = sorted(set(re.findall(r"^deb-src (\S+)", source_list(), re.MULTILINE)))[0]
    run("mmdebstrap", "--quiet", "--variant=extract", "--arch=arm64", "--include=python3,python3-venv,libstdc++6,ca-certificates", suite, root, mirror)
    # What packages' scripts would do; Debian 13's pip does not start without certificates.
    for name in ("bin", "lib"):
        if not (root / name).exists():
            (root / name).symlink_to(f"usr/{name}")
    (root / "etc/ssl/certs").mkdir(parents=True, exist_ok=True)
    certificates = sorted((root / "usr/share/ca-certificates/mozilla").glob("*.crt"))
    (root / "etc/ssl/certs/ca-certificates.crt").write_text("".join(path.read_text() for path in certificates))
    (root / "srv").mkdir(exist_ok=True)
    shutil.copy(QEMU, root / "srv/qemu")
    return root


def use_arm64_wheel(version, numpy):
    """Installed by pip, which chooses among all wheels for ARM64. NumPy loads that Debian's C++ library before the module brings
    its own."""
    if not any(min(known, FIRST_STABLE) == version for known in pythons()):
        raise Skipped("no Python {}.{} is here, or later, to make its wheel for ARM64 with".format(*version))
    root = debian_for_arm64(ARM64_TESTERS[version])
    python = next((root / "usr/bin").glob("python3.[0-9]*"))
    wheels = root / "srv/wheels"
    wheels.mkdir()
    download(wheels, python.name.removeprefix("python"), "aarch64", numpy, more=["--no-deps"])
    for wheel in DIST.glob("hqe-*_aarch64.whl"):
        shutil.copy(wheel, wheels)
    enter = [*into(root), "/srv/qemu"]
    run(*enter, f"/usr/bin/{python.name}", "-m", "venv", "--without-pip", "/srv/venv")
    pip = next((root / "usr/share/python-wheels").glob("pip-*.whl")).relative_to(root)
    run(*enter, "/srv/venv/bin/python", f"/{pip}/pip", "install", "--no-index", "--no-compile", "--disable-pip-version-check",
        "--find-links=/srv/wheels", f"hqe=={VERSION}", numpy)
    use_arm64_environment(root, enter)
    shutil.rmtree(root.parent)


def use_arm64_environment(root, enter):
    """The command and the module that pip has put there; the answer is that of x86-64."""
    inside = Path("/srv/venv/bin")
    check_command(*enter, inside / "hqe")
    assert ANSWER in run(*enter, inside / "hqe", "demo")
    check_page(root / "hqe-demo.html")
    held = root / "srv/venv/bin/hqe"
    assert held.read_bytes() == only("hqe-*-linux-aarch64").read_bytes(), "the wheel has another command"
    pool = "/srv/venv/share/hqe/demo/validation"
    said = run(*enter, inside / "python", "-c", program(pool, "/page.html"))
    check_page(root / "page.html")
    shutil.copy(only("hqe-*-linux-x86_64"), root / "srv/hqe")
    expected = run(*into(root), "/srv/hqe", "prune", pool, "--json")
    assert said == expected, "the module for ARM64 and the command for x86-64 differ"
