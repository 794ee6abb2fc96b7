# SPDX-License-Identifier: MIT
"""Running tools: quietly, with everything they say kept in a log."""

import os
import shutil
import subprocess
import sys
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from counts import Counts, of_script
from junit import of_junit

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
CORES = os.cpu_count() or 2
QUIET = ("-q", "-p", "no:cacheprovider")  # Of pytest, where no pytest.ini says so.
FOLDERS = defaultdict(threading.Lock)  # One build at a time in each folder: lanes run side by side.
# As the Makefile has it, for those who call scripts/test themselves.
ENVIRONMENT = {"CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1", "CCACHE_DEPEND": "1",
               "CCACHE_SLOPPINESS": "pch_defines,time_macros", **os.environ}


class Log:
    """Runs commands in the repository's root and writes what they say to one file."""

    def __init__(self, name):
        self.name = name
        self.path = LOGS / f"{name}.log"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("")
        self.processor_seconds = 0.0  # Of all commands and what they started.
        self.failures = []  # What commands that failed said, each with its command.

    def run(self, *command, shown=False):
        """Returns (exit code, output); `shown` prints the output too, as it comes."""
        words = [str(word) for word in command]
        process = subprocess.Popen(words, cwd=ROOT, env=ENVIRONMENT, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output = ""
        for line in process.stdout:
            output += line
            if shown:
                print(line, end="", flush=True)
        _, status, usage = os.wait4(process.pid, 0)
        exit_code = process.returncode = os.waitstatus_to_exitcode(status)
        self.processor_seconds += usage.ru_utime + usage.ru_stime
        said = f"$ {' '.join(words)}\n{output.rstrip()}\n[ended with {exit_code}]\n"
        with self.path.open("a") as file:
            file.write(said + "\n")
        if exit_code != 0:
            self.failures.append(said)
        return exit_code, output

    def passes(self, *command):
        return self.run(*command)[0] == 0

    def explanation(self, commands=3, lines=25):
        """The ends of what the first failing commands said."""
        return [line for said in self.failures[:commands] for line in said.rstrip().split("\n")[-lines:]]


def our_files(*patterns):
    """Tracked and new files, as paths relative to the root; nothing that git ignores."""
    listing = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
                             cwd=ROOT, text=True, capture_output=True, check=True).stdout.split("\n")
    return [name for name in listing if name and (ROOT / name).is_file()]


def each(names, check):
    """Runs check(name) -> bool for every name, as many at a time as there are cores."""
    counts = Counts()
    with ThreadPoolExecutor(CORES) as pool:
        for name, passed in zip(names, pool.map(check, names)):
            counts.one(name, passed)
    return counts


def build(log, preset, *targets, tests="ON", options=()):
    """Configures with `options` and builds, everything or only `targets`; returns whether it went well."""
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    wanted = ["--target", *targets] if targets else []
    with FOLDERS[preset]:
        return (log.passes("cmake", "--preset", preset, f"-DHQE_BUILD_TESTS={tests}", *launcher, *options)
                and log.passes("cmake", "--build", "--preset", preset, *wanted))


def reported(log, name, command, option):
    """Runs a command that writes a JUnit report to the file that follows `option`; the report is kept beside the log."""
    report = LOGS / f"{name}.xml"
    report.unlink(missing_ok=True)
    exit_code, _ = log.run(*command, option, report)
    return of_junit(name, report, exit_code)


def ctest(log, preset, *options, through=()):
    """Runs the tests of a build that `options` choose; `through` is put before the command. Programs that have test
    cases of their own are asked for a report of them, which must fit into what ctest keeps of their output."""
    return reported(log, log.name, [*through, "env", "HQE_JUNIT=1", "ctest", "--test-dir", BUILD / preset, "-j", CORES,
                                    "--timeout", 1200, "--output-on-failure", "--test-output-size-passed", 10**7,
                                    "--test-output-size-failed", 10**7, *options], "--output-junit")


def pytest(log, *words, python=(), name=""):
    """Runs pytest: Debian's, or that of another Python. `name` is the report's, where a step has several."""
    return reported(log, name or log.name, [*([python, "-m", "pytest"] if python else ["pytest-3"]), *words], "--junitxml")


def vitest(log, name, npm, task):
    """Runs a task of web/package.json that is vitest."""
    return reported(log, name, [*npm, "run", task, "--", "--reporter=default", "--reporter=junit"], "--outputFile.junit")


def script(log, path, *arguments, shown=False):
    """Runs a script of `make soak` or `make bench`, which ends with `N passed, N failed[, N skipped]`."""
    exit_code, output = log.run(sys.executable, path, *arguments, shown=shown)
    return of_script(path, output, exit_code)
