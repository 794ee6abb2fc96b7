# SPDX-License-Identifier: MIT
"""How the scripts for a Python with torch run their tests and report them: as JSON on standard output."""

import json
import os
import re
import sys
import traceback
from contextlib import redirect_stdout
from pathlib import Path


def run_snippets(page, folder):
    """The code of a document that needs torch, block after block."""
    document = (Path(__file__).parents[2] / page).read_text()
    blocks = re.findall(r"^```python\n(import torch\n.*?)^```", document, re.MULTILINE | re.DOTALL)
    assert blocks
    os.chdir(folder)
    with redirect_stdout(sys.stderr):  # What is printed is not ours to report.
        exec(compile("\n".join(blocks), page, "exec"), {})


def raised(test, folder):
    folder.mkdir()
    try:
        test(folder)
    except Exception:
        return traceback.format_exc()
    return ""


def report(*tests):
    """What each raised in a folder of its own, below that of the command line."""
    print(json.dumps({test.__name__: raised(test, Path(sys.argv[1]) / test.__name__) for test in tests}))
