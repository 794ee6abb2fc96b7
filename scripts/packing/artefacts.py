# SPDX-License-Identifier: MIT
"""The files of dist/: who makes each, how large each may be, and their checksums."""

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys

from builds import debian_build, static_command
from places import DIST, ROOT, WORK, Failure, epoch, git, run, version
from wheels import make_wheels

MEGABYTE = 1_000_000
LIMITS = {"-linux-x86_64": 6 * MEGABYTE, "-linux-aarch64": 6 * MEGABYTE, ".whl": 8 * MEGABYTE}


def make_command(processor):
    shutil.copy(static_command(processor), DIST / f"hqe-{version()}-linux-{processor}")


def make_debian_packages():
    folder = debian_build()
    packed = WORK / "deb"
    shutil.rmtree(packed, ignore_errors=True)
    run("cpack", "--config", folder / "CPackConfig.cmake", "-G", "DEB", "-B", packed)
    for package in sorted(packed.glob("*.deb")):
        run("lintian", "--fail-on", "error", "--allow-root", package)
        shutil.copy(package, DIST)


def make_source_archive():
    """The last commit."""
    name = f"hqe-{version()}"
    tar = subprocess.run(["git", "-c", "safe.directory=*", "archive", "--format=tar", f"--prefix={name}/", "HEAD"], cwd=ROOT,
                         check=True, capture_output=True).stdout
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=epoch()) as file:
        file.write(tar)
    (DIST / f"{name}.tar.gz").write_bytes(packed.getvalue())
    if git("status", "--porcelain"):
        print("dist: there are uncommitted changes; the source archive is the last commit", file=sys.stderr)


MAKERS = {
    "command": lambda: make_command("x86_64"),
    "arm64": lambda: make_command("aarch64"),
    "wheels": lambda: make_wheels("x86_64"),
    "arm64-wheel": lambda: make_wheels("aarch64"),
    "deb": make_debian_packages,
    "source": make_source_archive,
}


def files():
    return sorted(path for path in DIST.iterdir() if path.name != "SHA256SUMS")


def write_checksums():
    fresh = DIST / "SHA256SUMS.new"
    fresh.write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files()
                             if path != fresh))
    os.replace(fresh, DIST / "SHA256SUMS")


def check():
    """Prints what there is, and returns 1 where a file is larger than it may be."""
    too_large = 0
    for path in files():
        size = path.stat().st_size
        limit = next((most for end, most in LIMITS.items() if path.name.endswith(end)), None)
        too_large |= limit is not None and size > limit
        print(f"{size / MEGABYTE:8.2f} MB  {path.name}" + (f"  (at most {limit / MEGABYTE:.0f} MB)" if limit else ""))
    if not files():
        raise Failure("nothing was made")
    return int(too_large)
