# SPDX-License-Identifier: MIT
"""Instructions of the kernels of kernels.cpp. They do not depend on what else the machine does, seconds do. valgrind counts them
within the kernel's function alone, on one thread and on AVX2: it does not know AVX-512, and a fixed target makes counts comparable
between machines."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

RECORD = Path(__file__).resolve().parent / "instructions.json"
KERNELS = ["pass", "scores", "accuracy", "subsets", "agreement", "one_rival", "best_team"]
TOLERANCE = 0.05


def recorded():
    return json.loads(RECORD.read_text())


def reason_not_to_count():
    """Why they cannot be counted on this machine; nothing where they can."""
    if not shutil.which("valgrind"):
        return "no valgrind; instructions were not counted"
    if not re.search(r"\bavx2\b", Path("/proc/cpuinfo").read_text()):
        return "no AVX2 on this CPU; the recorded instructions are of that target"
    return None


def count(program, kernel):
    """Instructions of kernel_KERNEL, by valgrind."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--toggle-collect=kernel_{kernel}", f"--callgrind-out-file={folder}/out",
                               program, kernel], env={**os.environ, "HQE_TARGET": "avx2"}, text=True, capture_output=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not collected or int(collected[1]) == 0:
        raise RuntimeError(f"valgrind counted nothing: {done.stderr.strip()[-600:]}")
    return int(collected[1])


def judged(kernel, instructions, record):
    """(whether the count holds, a sentence)."""
    change = instructions / record - 1
    advice = ""
    if change > TOLERANCE:
        advice = f": more than {TOLERANCE:.0%} worse. Mend it, or accept it with bench/instructions PROGRAM --accept"
    elif change < -TOLERANCE:
        advice = ": better. Record it with bench/instructions PROGRAM --accept, so that it stays"
    return change <= TOLERANCE, f"{kernel}: {instructions:,} instructions, recorded {record:,} ({change:+.1%}){advice}"
