# SPDX-License-Identifier: MIT
"""Files of public repositories, read from the clones that the user has. Nothing is fetched."""

import os
import subprocess
from dataclasses import dataclass

# A clone made with --filter would fetch what it lacks: no transport is allowed.
ENVIRONMENT = {**os.environ, "GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1"}


class CannotMake(Exception):
    """Why a pool is not made, and what to do next."""


@dataclass(frozen=True)
class Source:
    """A commit of a public repository."""

    repository: str  # owner/name on github.com
    commit: str

    @property
    def name(self):
        return self.repository.partition("/")[2]


class Files:
    """The files of one commit, whatever the clone has checked out. Raises CannotMake when they cannot be read."""

    def __init__(self, clones, source):
        self.clone, self.source = clones / source.name, source
        address = f"https://github.com/{source.repository}"
        if not self.clone.is_dir():
            raise CannotMake(f"there is no clone {self.clone}. Next: git clone {address} {self.clone}")
        if self._git("rev-parse", "--git-dir") is None:
            raise CannotMake(f"{self.clone} is not a git clone. Next: move it away, then git clone {address} {self.clone}")
        if self._git("cat-file", "-e", f"{source.commit}^{{commit}}") is None:
            raise CannotMake(f"{self.clone} lacks the commit {source.commit}. "
                             f"Next: git -C {self.clone} fetch --unshallow, or clone {address} anew, in full")

    def read(self, path):
        data = self._git("cat-file", "blob", f"{self.source.commit}:{path}")
        if data is None:
            raise CannotMake(f"{self.clone} lacks {path} of commit {self.source.commit[:12]}. "
                             f"Next: clone https://github.com/{self.source.repository} anew, without --filter")
        return data

    def names(self, folder):
        """What lies in `folder`, in the order of the names' bytes."""
        listing = self._git("ls-tree", "-z", "--name-only", f"{self.source.commit}:{folder}")
        if listing is None:
            raise CannotMake(f"{self.clone} has no folder {folder} at commit {self.source.commit[:12]}. "
                             f"Next: is it a clone of https://github.com/{self.source.repository}?")
        return sorted(name for name in listing.decode().split("\0") if name)

    def _git(self, *words):
        """What git prints; nothing when it fails."""
        # A clone may belong to another user: it is only read. Ours, not a repository around it.
        done = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(self.clone), *words], capture_output=True,
                              env={**ENVIRONMENT, "GIT_CEILING_DIRECTORIES": str(self.clone.resolve().parent)}, check=False)
        return done.stdout if done.returncode == 0 else None
