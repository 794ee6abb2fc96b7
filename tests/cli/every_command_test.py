# SPDX-License-Identifier: MIT
"""What holds for every command that `hqe --help` lists."""

import json
import os
import re
import shlex
import shutil
import subprocess

import pytest

import running
from files import small_pool
from running import ROOT, commands, hqe, refuses

# Words with which a command does its work in the folder `work`; its output is last.
WORDS = {
    "inspect": ["pool"], "score": ["pool", "--size", "2"], "evaluate": ["pool", "--size", "2"],
    "prune": ["pool", "--size", "2"], "sweep": ["pool", "--size", "2", "--beta", "0.1"],
    "compare": ["pool", "--size", "2", "--repeats", "2", "--no-times"], "front": ["pool"],
    "explain": ["pool", "--team", "0,1"], "order": ["pool", "--team", "0,1"], "apply": ["pool", "--team", "0,1", "-o", "answers.npy"],
    "team": ["study.json", "-o", "team.json"], "digest": ["pool", "-o", "pool.digest"],
    "synth": ["--models", "3", "--samples", "50", "-o", "made"], "report": ["study.json", "-o", "page.html"],
    "plot": ["study.json", "--figure", "scatter", "-o", "figure.svg"], "demo": [],
    "doctor": [], "completion": ["bash"], "man": [], "version": [],
}


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A folder with a pool, and the study of it: to copy, not to change."""
    folder = tmp_path_factory.mktemp("made")
    small_pool(folder / "pool")
    hqe("prune", "pool", "--size", "2", "-o", "study.json", "--quiet", cwd=folder, check=0)
    return folder


@pytest.fixture
def work(home, made):
    return shutil.copytree(made, home, dirs_exist_ok=True)


def without_output(command):
    words = WORDS[command]
    return words[:words.index("-o")] if "-o" in words else words


def output_name(command):
    return WORDS[command][-1] if "-o" in WORDS[command] else "out.json"


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def has(command, option, work):
    """Whether the command takes an option that its help has for every command; one that it has not is refused by name."""
    result = hqe(command, *without_output(command), option, *(["out.json"] if option == "-o" else []), cwd=work)
    if result.err != f"hqe: {command} has no {option}.\n":
        return True
    assert result.code == 2 and result.out == ""
    return False


def paste(example, folder):
    """Runs a line of a help as a shell would."""
    line = example.replace("hqe ", f"{shlex.quote(str(running.BINARY))} ", 1)
    done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{example}: {done.stderr}"


def examples_of(text):
    return [line.strip() for line in text.split("\nexamples:\n")[1].splitlines()]


def test_these_tests_know_how_to_call_every_command():
    assert sorted(WORDS) == sorted(commands())


def test_the_overview_lists_every_command_of_the_readme():
    quoted = set(re.findall(r"^hqe (\w+) ", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert len(quoted) > 5 and quoted <= set(commands()), quoted - set(commands())


def test_the_demo_answers_as_the_readme_shows(home):
    shown = re.search(r"\n`hqe demo` .*?\n```\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    assert shown.startswith("Ship these") and shown in hqe("demo", cwd=home, check=0).out


def test_help_fits_the_page_and_ends_with_examples(command):
    result = hqe(command, "--help", check=0)
    assert result.err == ""
    assert f"usage: hqe {command}" in result.out
    assert "\nexamples:\n" in result.out
    assert result.out.rstrip("\n").splitlines()[-1].startswith("  ")
    for line in result.out.splitlines():
        assert len(line) <= 100, line


def test_every_example_of_the_overview_works_when_pasted(home):
    for example in examples_of(hqe("--help", check=0).out):
        paste(example, home)


def test_every_example_works_when_pasted(command, home):
    if command != "synth":  # Which makes the pool.
        pool = small_pool(home / "pool", models=12)
        for name, model in (("labels", "labels"), ("a", "model_0"), ("b", "model_1"), ("c", "model_2")):
            (home / f"{name}.npy").write_bytes((pool / f"{model}.npy").read_bytes())
    for example in examples_of(hqe(command, "--help", check=0).out):
        paste(example, home)


def test_an_unknown_option_is_refused_and_nothing_is_written(command, work):
    before = contents(work)
    refuses(2, command, *WORDS[command], "--no-such-option", cwd=work,
            saying=[f"{command}: unknown option --no-such-option", "did you mean", f"hqe {command} --help"])
    assert contents(work) == before


def test_nothing_goes_to_standard_error_when_nobody_watches(command, work):
    result = hqe(command, *WORDS[command], cwd=work, check=0)
    assert result.err == "" and result.out
    assert "\x1b" not in result.out
    for line in result.out.splitlines():
        assert len(line) <= 100, line


@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_documents_and_rows_are_all_that_is_printed(command, option, work):
    if not has(command, option, work):
        return
    result = hqe(command, *without_output(command), *(["-o", f"new-{output_name(command)}"] if "-o" in WORDS[command] else []),
                 option, cwd=work, check=0)
    assert result.err == ""
    if option == "--json":
        assert isinstance(json.loads(result.out), dict)
    else:
        assert len(result.out.splitlines()) > 1


def test_an_output_that_cannot_be_written_is_refused_first(command, work):
    if not has(command, "-o", work):
        return
    (work / "file").write_text("")
    before = contents(work)
    refuses(1, command, *without_output(command), "-o", f"file/{output_name(command)}", cwd=work, saying="file/")
    refuses(1, command, *without_output(command), "-o", "pool", cwd=work, saying=["pool", "folder"])
    if command != "synth":  # Which makes folders.
        refuses(1, command, *without_output(command), "-o", f"nowhere/{output_name(command)}", cwd=work, saying="nowhere")
    assert contents(work) == before


@pytest.mark.parametrize("reader", [command for command in WORDS if WORDS[command][:1] in (["pool"], ["study.json"])])
def test_an_output_that_is_read_is_refused(reader, work):
    words = without_output(reader)
    link = work / f"link-{output_name(reader)}"
    link.symlink_to(work / ("pool/model_2.npy" if words[0] == "pool" else "study.json"))
    before = contents(work)
    refuses(2, reader, *words, "-o", link.name, cwd=work, saying="would be replaced")
    assert contents(work) == before


def test_a_closed_pipe_ends_the_run_in_silence(command, work):
    for words in (WORDS[command], ["--help"]):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            assert hqe(command, *words, stdout=pipe, cwd=work, check=141).err == ""


def test_a_full_standard_output_is_an_error(command, work):
    for words in (WORDS[command], ["--help"]):
        with open("/dev/full", "wb") as full:
            result = hqe(command, *words, stdout=full, cwd=work, check=1)
        assert result.err.startswith("hqe: standard output: cannot be written: no space"), result.err
