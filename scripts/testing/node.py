# SPDX-License-Identifier: MIT
"""The Node that builds and tests the report page: the machine's own, or the one that scripts/setup provides."""

import os
import re
import shutil

from commands import BUILD

OLDEST = (20, 19)


def npm_command(log):
    """The words that run npm on web/ with a new enough Node, or None where there is none."""
    own = os.environ["PATH"]
    for path in (own, f"{BUILD / 'venv-node/bin'}:{own}"):
        if is_new_enough(log, path):
            return ["env", f"PATH={path}", "npm", "--prefix", "web"]
    return None


def is_new_enough(log, path):
    if not (shutil.which("node", path=path) and shutil.which("npm", path=path)):
        return False
    version = re.match(r"v(\d+)\.(\d+)", log.run("env", f"PATH={path}", "node", "--version")[1])
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST
