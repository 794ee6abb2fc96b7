# SPDX-License-Identifier: MIT
"""The steps of `make test`, `make soak` and `make bench`.

A step is a function of a Log that returns Counts. A new step is a function here and a line in
TEST, SOAK or BENCH. Most new tests need neither: a ctest, a lint, a fuzzer or a header is found
by itself.
"""

import json
import re
import shutil
import sys
import threading

from commands import BUILD, QUIET, ROOT, build, ctest, each, our_files, pytest, script, vitest
from counts import Counts, failure
from layers import with_below
from node import npm_command
from python_wheels import test_wheels, test_with_autogluon

FUZZ_SECONDS = 8
SOAK_FUZZ_SECONDS = 600
# Modules with code for each SIMD target.
KERNEL_MODULES = sorted({path.parent.name for path in (ROOT / "src/hqe").glob("*/*.cpp") if "foreach_target.h" in path.read_text()})


def format_step(log):
    """All files at once, since starting clang-format takes longer than a file; one by one to name those that fail."""
    check, files = ("clang-format-19", "--dry-run", "-Werror"), our_files("*.h", "*.cpp")
    if log.passes(*check, *files):
        return Counts(passed=len(files))
    return each(files, lambda name: log.passes(*check, name))


def lint_step(log):
    counts = Counts()
    for name in our_files("scripts/lint/lint-*.py"):
        counts.one(name, log.passes(sys.executable, name))
    counts.add(pytest(log, *QUIET, "scripts/testing"))
    return counts


COMMAND = threading.Lock()
command_built = []


def command(log):
    """Builds the command, once a run: who tests it need not wait for what the release build compiles next."""
    with COMMAND:
        if not command_built:
            command_built.append(build(log, "release", "hqe_cli"))
    return command_built[0]


def release_step(log, without="soak"):
    if not command(log) or not build(log, "release"):
        return failure("build of release")
    link = BUILD / "hqe"
    link.unlink(missing_ok=True)
    link.symlink_to("release/cli/hqe")
    return ctest(log, "release", "-LE", without)


def release_soon_step(log):
    """The same without every small pool and every digest, a quarter of the time: for `make check`."""
    return release_step(log, without="soak|longest")


def tidy_step(log):
    """Our own sources, not their tests, as the sanitized build compiles them: a module at a time."""
    if not build(log, "dev", "help"):
        return failure("configuration of dev")
    listed = sorted(entry["file"] for entry in json.loads((BUILD / "dev/compile_commands.json").read_text()))
    ours = [name for name in listed if ("/Unity/" in name and "_test.dir/" not in name)
            or (name.startswith((f"{ROOT}/src/hqe/", f"{ROOT}/cli/", f"{ROOT}/options/")) and not name.endswith("_test.cpp"))]

    def passes(name):
        # Following every path takes as long as half of the other checks together: only where bytes are hostile.
        checks = [] if re.search("unity_formats_", name) else ["--checks=-clang-analyzer-*"]
        return log.passes(BUILD / "venv-tidy/bin/clang-tidy", "-p", BUILD / "dev", "--quiet", *checks, name)

    return each(ours, passes)


def headers_step(log):
    """Each public header compiles alone, without our own flags."""
    if not build(log, "release", "hqe_verify_interface_header_sets"):
        return failure("a public header does not compile alone")
    checked = (BUILD / "release/src/hqe/hqe_verify_interface_header_sets").glob("**/*.cxx")
    return Counts(passed=len(list(checked)))


def dev_step(log):
    return ctest(log, "dev", "-LE", "soak") if build(log, "dev") else failure("build of dev")


def tsan_step(log):
    """The tests that carry the label `threads`, and of the library what they use. Address randomisation is off where it can
    be: ThreadSanitizer cannot place its shadow memory in some kernels' layouts."""
    if not build(log, "tsan", "help"):
        return failure("configuration of tsan")
    listing = log.run("ctest", "--test-dir", BUILD / "tsan", "-L", "threads", "--show-only=json-v1")[1]
    tests = json.loads(listing[listing.index("{"):])["tests"]
    names = sorted({test["name"].partition(".")[0] for test in tests})  # program, or program.part
    if not names:
        return failure("no test carries the label threads")
    # Some of them open pools.
    used = with_below(["formats", *(name.removeprefix("hqe_").removesuffix("_test") for name in names)])
    if not build(log, "tsan", *names, options=[f"-DHQE_MODULES={';'.join(used)}"]):
        return failure("build of tsan")
    through = ("setarch", "-R") if log.passes("setarch", "-R", "true") else ()
    return ctest(log, "tsan", "-L", "threads", through=through)


def fuzz(log, seconds):
    """Every fuzzer over its kept corpus; what it adds stays under build/."""
    if not build(log, "dev", "fuzzers"):
        return failure("build of the fuzzers")
    programs = sorted(path for path in (BUILD / "dev/tests/fuzz").glob("fuzz_*") if path.is_file())
    if not programs:
        return failure("no fuzzer was built")

    def passes(program):
        found = BUILD / "fuzz-corpus" / program.name
        found.mkdir(parents=True, exist_ok=True)
        kept = ROOT / "tests/fuzz/corpus" / program.name.removeprefix("fuzz_")
        return log.passes(program, f"-max_total_time={seconds}", "-rss_limit_mb=2048", "-timeout=10",
                          "-print_final_stats=1", f"-artifact_prefix={found}-", found, *([kept] if kept.is_dir() else []))

    return each(programs, passes)


def fuzz_step(log):
    return fuzz(log, FUZZ_SECONDS)


def cli_step(log, *chosen):
    """The command as a user runs it: the release binary, driven from outside."""
    if not command(log):
        return failure("build of the command")
    return pytest(log, "tests/cli", "--hqe", BUILD / "release/cli/hqe", *chosen)


def cli_soon_step(log):
    """The same without the few tests that take half of the time: for `make check`."""
    return cli_step(log, "-m", "not longest")


def install_step(log):
    if not build(log, "release"):
        return failure("build of release")
    return pytest(log, *QUIET, "tests/install")


def python_step(log):
    """Wheels for every Python found, tested in fresh environments against the release command."""
    return test_wheels(log) if command(log) else failure("build of the command")


def arm64_step(log):
    """Unit tests of everything that has NEON code, compiled here and run under qemu-user: three processor minutes. The command
    would take five more, and is left to make soak."""
    if not log.passes(sys.executable, "scripts/packing/arm64_tests.py", *KERNEL_MODULES):
        return failure("build of the unit tests for ARM64 (scripts/setup test)")
    return ctest(log, "dist-short-aarch64", "-R", f"^hqe_({'|'.join(KERNEL_MODULES)})_")


def soak_arm64_step(log):
    """The command for ARM64 under qemu-user beside this machine's own: every verb, and every number of every golden. Then
    every unit test, and those that only make soak runs, too."""
    if not command(log) or not log.passes(sys.executable, "scripts/packing/arm64_tests.py"):
        return failure("build of the ARM64 command and its tests (scripts/setup dist)")
    emulated = BUILD / "dist-static-aarch64/cli/hqe-emulated"
    counts = pytest(log, "tests/arm64", "--hqe", BUILD / "release/cli/hqe", "--arm64", emulated)
    counts.add(pytest(log, "tests/cli/goldens_test.py", "tests/cli/same_answer_test.py", "--hqe", emulated))
    counts.add(script(log, "tests/golden/shipped_pools.py", emulated))
    counts.add(ctest(log, "dist-static-aarch64"))
    return counts


def soak_artefacts_step(log):
    """What `make dist` makes: used where nothing else is, and made twice."""
    if not log.passes(sys.executable, "scripts/dist"):
        return failure("make dist")
    counts = script(log, "tests/artefacts/rooms.py")
    counts.add(script(log, "tests/artefacts/twice.py"))
    return counts


def web_step(log):
    """The report page: its types, its functions, its committed build, and how it looks in a browser."""
    npm = npm_command(log)
    if not npm:
        return failure("web: no Node 20.19 or newer; run scripts/setup test")
    # Not `npm ci`: it insists on the builds of other platforms, which the lock file leaves out.
    if not log.passes(*npm, "install", "--no-save", "--no-audit", "--no-fund"):
        return failure("npm install")
    counts = Counts()
    counts.one("types of the report page", log.passes(*npm, "run", "check"))
    counts.add(vitest(log, "web", npm, "test"))
    counts.one("web/dist is what web/src builds", log.passes(*npm, "run", "check-dist"))
    if not shutil.which("chromium"):
        counts.add(failure("web: no chromium; run scripts/setup test"))
        return counts
    counts.add(vitest(log, "web-browser", npm, "browser"))
    return counts


def soak_tests_step(log):
    return ctest(log, "release", "-L", "soak") if build(log, "release") else failure("build of release")


def soak_kills_step(log):
    """The command ended at random moments: each file is whole, old or new."""
    if not command(log):
        return failure("build of the command")
    return pytest(log, "tests/cli/check_kills.py", "--hqe", BUILD / "release/cli/hqe")


def soak_pinned_step(log):
    """The numbers behind the pinned outputs, computed a second time by a plain implementation."""
    if not command(log):
        return failure("build of the command")
    return pytest(log, "tests/cli/check_pinned.py", "--hqe", BUILD / "release/cli/hqe")


def soak_parts_step(log):
    """Every shared pool as digests of random parts: the same bytes from every verb."""
    if not command(log):
        return failure("build of the command")
    return pytest(log, "tests/cli/check_parts.py", "--hqe", BUILD / "release/cli/hqe")


def soak_fuzz_step(log):
    return fuzz(log, SOAK_FUZZ_SECONDS)


def soak_autogluon_step(log):
    """A predictor of AutoGluon itself as a pool."""
    return test_with_autogluon(log) if command(log) else failure("build of the command")


def demo_pool_step(log):
    """Trains the demo pool again and compares it with the committed one."""
    python = BUILD / "venv-demo/bin/python"
    exit_code, _ = log.run(python, "examples/demo/train.py", "--check")
    counts = Counts()
    counts.one("the demo pool trained again", exit_code == 0)
    return counts


def instructions_step(log):
    """Instructions of small fixed kernels against the recorded ones: a guard that noise does not reach."""
    if not build(log, "release", "hqe_kernels"):
        return failure("build of the kernels")
    return pytest(log, *QUIET, "-rP", "bench/instructions_test.py")


def bench_step(log):
    """Every benchmark; each checks its answer before it is timed. What must be reached and is not, fails."""
    if not build(log, "bench", "hqe_cli", "hqe_bench", "read_table", tests="OFF"):
        return failure("build of bench")
    return script(log, "bench/run", shown=True)


def soak_table_step(log):
    """A table of 10 GB, read within 2 GB of memory; it takes 25 GB of disk and some minutes."""
    if not build(log, "bench", "hqe_cli", "hqe_bench", tests="OFF"):
        return failure("build of bench")
    return script(log, "bench/run", "large table", shown=True)


TEST = {
    "format": format_step,
    "lint": lint_step,
    "release": release_step,
    "headers": headers_step,
    "tidy": tidy_step,
    "dev": dev_step,
    "tsan": tsan_step,
    "fuzz": fuzz_step,
    "cli": cli_step,
    "install": install_step,
    "python": python_step,
    "arm64": arm64_step,
    "instructions": instructions_step,
    "web": web_step,
}
SOAK = {
    "soak-tests": soak_tests_step,
    "soak-kills": soak_kills_step,
    "soak-pinned": soak_pinned_step,
    "soak-parts": soak_parts_step,
    "soak-fuzz": soak_fuzz_step,
    "soak-autogluon": soak_autogluon_step,
    "soak-arm64": soak_arm64_step,
    "soak-artefacts": soak_artefacts_step,
    "demo-pool": demo_pool_step,
    "soak-table": soak_table_step,
    "bench": bench_step,
}
# Steps of one lane run in this order, since they share a folder under build/; the lanes run side by
# side, so that what keeps one core busy (a last link, pytest, a browser) leaves none idle. Steps of no
# lane run after them, alone: seconds are all that a fuzzer or a benchmark is given. The command is
# tested as soon as it is linked, while the release build compiles its unit tests.
LANES = (
    ("release", "release-soon", "web", "python", "install", "headers", "arm64", "instructions"),
    ("format", "lint", "tidy", "dev", "tsan"),
    ("cli", "cli-soon"),
)
# What `scripts/setup unit` is enough for; it may begin while the rest is being installed.
UNINSTALLED = ("release", "release-soon")
# What `scripts/setup dev` is enough for: the second lane need not wait for browsers and Python packages.
SETUP_DEV = ("format", "lint", "tidy", "dev", "tsan")
CHECK = {"format": format_step, "lint": lint_step, "release-soon": release_soon_step, "cli-soon": cli_soon_step}
TOGETHER = {"unit": ["release", "dev"], "check": list(CHECK)}
