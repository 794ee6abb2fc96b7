# SPDX-License-Identifier: MIT
"""What a build carries instead of taking it off the system (cmake/Carried.cmake): Debian's sources of zlib and fmt,
and the headers of the other libraries."""

import os
import platform
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

from places import ROOT, WORK, Failure, run

CARRIED = WORK / "carried"
HEADERS = ("fmt", "nlohmann", "toml++", "CLI", "hwy", "doctest")
PACKAGES = {"zlib": "zlib", "fmt": "fmtlib"}  # Our name -> the source package.


def source_list():
    """A list of sources of our own: the machine's, asked for sources."""
    places = set()
    for path in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        text = path.read_text() if path.is_file() else ""
        if path.suffix == ".sources":
            for part in re.split(r"\n\s*\n", text):
                fields = dict(re.findall(r"^(\w[\w-]*):\s*(.*)$", part, re.MULTILINE))
                if "bookworm" in fields.get("Suites", "").split():
                    places.add(fields["URIs"].split()[0])
        else:
            places.update(re.findall(r"^deb\s+(?:\[[^]]*\]\s+)?(\S+)\s+bookworm\s", text, re.MULTILINE))
    if not places:
        raise Failure("no source of Debian 12's packages is known to apt, and zlib's source is needed")
    return "".join(f"deb-src {place} bookworm main\n" for place in sorted(places) if "debian" in place)


def download():
    """Sources through apt, which checks their signatures; nothing of the machine's own settings changes."""
    folder = WORK / "apt"
    for inside in ("state/lists/partial", "cache/archives/partial", "sources"):
        (folder / inside).mkdir(parents=True, exist_ok=True)
    (folder / "sources.list").write_text(source_list())
    apt = ["apt-get", "-o", f"Dir::Etc::sourcelist={folder}/sources.list", "-o", "Dir::Etc::sourceparts=-",
           "-o", f"Dir::State={folder}/state", "-o", "Dir::State::status=/var/lib/dpkg/status", "-o", f"Dir::Cache={folder}/cache",
           "-o", "APT::Sandbox::User=", "-q"]
    run(*apt, "update")
    run(*apt, "source", "--download-only", *PACKAGES.values(), cwd=folder / "sources")
    return folder / "sources"


def carry():
    """The folder for HQE_CARRIED, made once."""
    if (CARRIED / "complete").exists():
        return CARRIED
    shutil.rmtree(CARRIED, ignore_errors=True)
    sources = download()
    for name, package in PACKAGES.items():
        archive = next(sources.glob(f"{package}_*.orig.tar.*"))
        with tarfile.open(archive) as opened:
            top = opened.getnames()[0].split("/")[0]
            opened.extractall(WORK / "unpacked", filter="data") if hasattr(tarfile, "data_filter") else opened.extractall(WORK / "unpacked")
        CARRIED.mkdir(parents=True, exist_ok=True)
        shutil.move(WORK / "unpacked" / top, CARRIED / name)
    (CARRIED / "include").mkdir()
    for name in HEADERS:
        (CARRIED / "include" / name).symlink_to(f"/usr/include/{name}")
    # Where Debian's Python.h looks for its pyconfig.h; that of another processor says the same of what we use.
    for machine in ("x86_64", "aarch64"):
        (CARRIED / "include" / f"{machine}-linux-gnu").mkdir()
        for path in sorted(Path(f"/usr/include/{platform.machine()}-linux-gnu").glob("python3.*")):
            (CARRIED / "include" / f"{machine}-linux-gnu" / path.name).symlink_to(path)
    (CARRIED / "complete").touch()
    return CARRIED


def demo_archive(command):
    """The demo pool as digests, which the command makes, to be held in a command; the same bytes whenever it is made."""
    archive, fresh = WORK / "demo.zip", WORK / "demo.zip.new"
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as opened:
        for half in ("validation", "test"):
            digest = WORK / f"{half}.digest"
            run(command, "digest", ROOT / "examples/fashion-mnist" / half, "-o", digest)
            entry = zipfile.ZipInfo(digest.name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            opened.writestr(entry, digest.read_bytes(), compresslevel=9)
    if not archive.exists() or archive.read_bytes() != fresh.read_bytes():
        os.replace(fresh, archive)
    return archive
