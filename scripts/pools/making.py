# SPDX-License-Identifier: MIT
"""Pools made, or found, and compared with the digests of docs/pools.md."""

import functools
import hashlib
import pathlib
import re
import shutil
import tempfile

from clones import CannotMake, Files
from pools import POOLS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/pools.md"

# Our own work: copied from the repository, or not published.
COPIED = {"cora-10-val": ROOT / "examples/cora-10/validation", "cora-10-test": ROOT / "examples/cora-10/test"}
UNPUBLISHED = ("mnist-7-val", "mnist-7-test")
NAMES = (*POOLS, *COPIED, *UNPUBLISHED)


def digest(files):
    """Of bytes by name: what `LC_ALL=C sha256sum * | sha256sum` prints in their folder."""
    lines = (f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def digests_of(page):
    """The digest of each pool that `page` states."""
    return dict(re.findall(r"^\| `([\w.-]+)` \|.*\| `([0-9a-f]{64})` \|$", page.read_text(), re.MULTILINE))


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def make_pool(name, clones, target, expected, sources):
    """Makes the folder `target`/`name`, or looks at the one that is there; says which. Raises CannotMake."""
    folder = target / name
    if folder.exists():
        if digest(files_in(folder)) != expected:
            raise CannotMake(f"{folder} is there, but its digest is not that of docs/pools.md. "
                             "Next: move it away and run this again")
        return "is there and agrees with docs/pools.md"
    if name in UNPUBLISHED:
        raise CannotMake("its predictions are not published, and too large for the repository. "
                         f"Next: put the folder to {folder} if you have it; else what needs it is skipped")
    files = files_in(COPIED[name]) if name in COPIED else \
        POOLS[name].files(name, functools.cache(lambda source: Files(clones, sources[source])))
    if digest(files) != expected:
        raise CannotMake(f"what was made has the digest {digest(files)}, docs/pools.md says {expected}: nothing was written. "
                         "Next: git fsck in the clone; if it is whole, report this")
    write_whole(folder, files)
    return f"made, {len(files)} files that agree with docs/pools.md"


def write_whole(folder, files):
    """All files or none: `folder` appears when they are complete."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as unfinished:
        complete = pathlib.Path(unfinished) / folder.name
        complete.mkdir()
        for name, data in files.items():
            (complete / name).write_bytes(data)
        shutil.move(complete, folder)


def make_pools(names, clones, target, sources, page=PAGE):
    """Each of `names`, or all; one that cannot be made does not keep the others. True when none of them was refused."""
    expected = digests_of(page)
    refused = []
    for name in names or NAMES:
        try:
            print(f"{name}: {make_pool(name, clones, target, expected[name], sources)}", flush=True)
        except CannotMake as reason:
            print(f"{name}: not made: {reason}", flush=True)
            if names or name not in UNPUBLISHED:
                refused.append(name)
    if refused:
        print(f"{len(refused)} not made: {', '.join(refused)}")
    return not refused
