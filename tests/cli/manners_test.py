# SPDX-License-Identifier: MIT
"""What people expect of any command: version, help, manual pages, completion, and a look at the machine."""

import json
import os
import re
import shutil
import subprocess
import tomllib

import pytest

import running
from files import small_pool
from running import commands, hqe, refuses


def offered(*words, cwd=None):
    """What a shell is told when the last word is not finished yet."""
    lines = hqe("complete", *words, cwd=cwd, check=0)
    assert lines.err == ""
    return [line.partition("\t")[0] for line in lines.out.splitlines()]


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version_is_one_line(option):
    assert hqe(option, check=0).out == hqe("version", check=0).out.splitlines()[0] + "\n"


def test_help_of_a_command_is_its_own(command):
    assert hqe("help", command, check=0).out == hqe(command, "--help", check=0).out


def test_help_alone_is_the_overview():
    assert hqe("help", check=0).out == hqe("--help", check=0).out
    refuses(2, "help", "prun", saying=["unknown command prun", "did you mean prune"])


def test_help_of_what_python_does_is_pythons(home):
    python = home / "python"
    python.write_text('#!/bin/sh\nshift 2\nprintf "%s|" "$@"\n')
    python.chmod(0o755)
    assert hqe("help", "collect", env={"HQE_PYTHON": str(python)}, check=0).out == "collect|--help|"


def test_every_option_of_the_help_is_in_the_manual_page(command):
    page = hqe("man", command, check=0).out.replace("\\-", "-")
    assert page.startswith(f".TH HQE-{command.upper()} 1 ")
    for option in re.findall(r"^  (--[\w-]+|-o, --output)", hqe(command, "--help", check=0).out, re.MULTILINE):
        assert re.search(rf"^\.B {option}\b", page, re.MULTILINE), option


def test_man_understands_the_pages():
    if not shutil.which("groff"):
        pytest.skip("no groff")
    for words in [[], *([name] for name in commands())]:
        page = hqe("man", *words, check=0).out
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=True)
        assert done.stderr == "", (words, done.stderr)
        assert "EXAMPLES" in re.sub(".\x08", "", done.stdout)


def test_the_manual_lists_every_command():
    page = hqe("man", check=0).out
    for name in commands():
        assert f".BR hqe\\-{name} (1)" in page, name
    refuses(2, "man", "prun", saying=["did you mean prune"])


def test_commands_and_options_complete():
    assert offered("pr") == ["prune"]
    assert set(commands()) <= set(offered(""))
    assert offered("help", "expl") == ["explain"] == offered("man", "expl")
    assert {"--size", "--team", "--json", "--help"} - set(offered("prune", "pool", "--")) == {"--team"}
    assert offered("completion", "") == ["bash", "zsh", "fish"]


def test_what_an_option_may_be_completes():
    assert offered("prune", "pool", "--by", "") == ["hierarchical", "mean"]
    assert offered("prune", "pool", "--by", "=", "m") == ["mean"]
    assert "F-GD" in offered("prune", "pool", "--metric", "F-")
    assert offered("plot", "study.json", "--figure", "rank") == ["ranks"]
    assert offered("compare", "pool", "--method", "gre")
    assert offered("prune", "pool", "--size", "") == []


def test_the_names_of_models_complete_from_the_pool(home):
    small_pool(home / "pool")
    assert offered("explain", "pool", "--team", "model_", cwd=home)[:2] == ["model_0", "model_1"]
    assert offered("prune", "pool", "--size", "2", "--require", "model_1", cwd=home)[0] == "model_1"
    assert "model_0,model_1" in offered("apply", "pool", "--team", "model_0,", cwd=home)
    assert "model_0,model_0" not in offered("apply", "pool", "--team", "model_0,", cwd=home)
    loose = ["--labels", "pool/labels.npy", "pool/model_0.npy", "pool/model_1.npy"]
    assert offered("explain", *loose, "--team", "", cwd=home) == ["model_0", "model_1"]


@pytest.mark.parametrize("words", [[], ["explain", "nowhere", "--team", ""], ["prune", "--labels"], ["nonsense", ""],
                                   ["prune", "pool", "--kind", "nonsense", "--require", ""]])
def test_completion_never_complains(words, home):
    assert hqe("complete", *words, cwd=home, check=0).err == ""


OFFERS = {
    "bash": ["bash", "-c", '. ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hqe; printf "%s\\n" "${COMPREPLY[@]}"', "bash"],
    # Stands in for zsh's completion system: words as it has them, quoted, and what takes the offers prints them.
    "zsh": ["zsh", "-f", "-c", 'compdef() { }; _describe() { print -l -- ${(P)2} }; _files() { print files }; . ./script;'
                               'words=("${(@q)@}"); CURRENT=$#; _hqe', "zsh"],
    "fish": ["fish", "--no-config", "-c", 'source script; complete -C "$argv"'],
}


def offers_of(shell, home, *words):
    """What a shell itself would offer, with the script that the command prints."""
    if not shutil.which(shell):
        pytest.skip(f"no {shell}")
    if not (home / "hqe").exists():
        (home / "hqe").symlink_to(running.BINARY)
    (home / "script").write_text(hqe("completion", shell, check=0).out)
    environment = {**os.environ, "PATH": f"{home}:{os.environ['PATH']}", "HOME": str(home)}
    done = subprocess.run([*OFFERS[shell], "hqe", *words], cwd=home, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_bash_completes_names_with_spaces(home):
    pool = small_pool(home / "pool")
    (pool / "model_0.npy").rename(pool / "first model.npy")
    assert offers_of("bash", home, "explain", "pool", "--team", "model_1,f") == ["model_1,first\\ model"]


@pytest.mark.parametrize("shell, about, file", [("bash", "", ""), ("zsh", ":a model", "files"), ("fish", "\ta model", "pool/")])
def test_shells_complete_the_names_of_models(shell, about, file, home):
    small_pool(home / "pool", models=3)
    assert offers_of(shell, home, "explain", "pool", "--team", "mod") == [f"model_{i}{about}" for i in range(3)]
    assert [line.rstrip(":") for line in offers_of(shell, home, "prune", "pool", "--by", "h")] == ["hierarchical"]
    assert offers_of(shell, home, "inspect", "po") == [file], "no words: it is a file"


@pytest.mark.parametrize("shell, check", [("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])])
def test_shells_understand_their_scripts(shell, check, home):
    script = home / "script"
    script.write_text(hqe("completion", shell, check=0).out)
    assert "hqe complete" in script.read_text()
    if not shutil.which(shell):
        pytest.skip(f"no {shell}")
    assert subprocess.run([*check, script], capture_output=True, text=True).stderr == ""


def test_an_unknown_shell_is_refused():
    refuses(2, "completion", "tcsh", saying=["which shell", "fish"])
    refuses(2, "completion", saying=["which shell"])


def test_the_doctor_says_what_version_says_and_what_it_is_told():
    found = hqe("doctor", "--json", "--threads", "3", check=0).json
    told = hqe("version", "--json", check=0).json
    assert {key: found[key] for key in ("version", "target", "targets", "compiler")} == \
           {key: told[key] for key in ("version", "target", "targets", "compiler")}
    assert found["threads"] == 3
    assert 0 < found["available_bytes"] <= found["memory_bytes"]


def test_the_doctor_finds_the_packages_of_the_python_that_is_named(home):
    site = home / "site"
    for name in ("hqe-9.8.7", "torch-6.5"):
        (site / f"{name}.dist-info").mkdir(parents=True)
        (site / f"{name}.dist-info/METADATA").write_text("Name: {}\nVersion: {}\n".format(*name.split("-")))
    python = home / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={site} exec /usr/bin/python3 -S "$@"\n')
    python.chmod(0o755)
    text = hqe("doctor", env={"HQE_PYTHON": str(python)}, check=0).out
    assert re.search(r"^    hqe +9\.8\.7 ", text, re.MULTILINE), text
    packages = hqe("doctor", "--json", env={"HQE_PYTHON": str(python)}, check=0).json["packages"]
    assert packages["torch"] == "6.5" and packages["onnx"] is None


def test_the_doctor_knows_every_package_that_hqe_works_with():
    project = tomllib.loads((running.ROOT / "pyproject.toml").read_text())["project"]
    named = project["dependencies"] + [package for packages in project["optional-dependencies"].values() for package in packages]
    packages = hqe("doctor", "--json", env={"HQE_PYTHON": "/usr/bin/python3"}, check=0).json["packages"]
    assert {re.match(r"[\w-]+", name)[0] for name in named} | {"hqe", "polars", "duckdb", "jax"} == set(packages)


def test_the_command_of_a_virtual_environment_goes_with_its_python(home):
    """Not the PATH's, which is another one where the environment is not activated; nor through a link from elsewhere."""
    inside = home / "environment/bin"
    inside.mkdir(parents=True)
    shutil.copy(running.BINARY, inside / "hqe")
    (inside / "python3").write_text('#!/bin/sh\necho "that of the environment (3.10.0)"\n')
    (inside / "python3").chmod(0o755)
    (home / "link").symlink_to(inside / "hqe")

    def asked(program, **environment):
        said = subprocess.run([program, "doctor", "--json"], env={**os.environ, **environment}, capture_output=True, text=True, check=True)
        return json.loads(said.stdout)["python"]

    assert "environment" not in asked(inside / "hqe"), "it is none before it says so"
    (inside.parent / "pyvenv.cfg").touch()
    for program in (inside / "hqe", home / "link"):
        assert asked(program) == "that of the environment (3.10.0)"
    assert asked(inside / "hqe", HQE_PYTHON="/usr/bin/python3").startswith("/usr/bin/python3 ")


def test_the_doctor_does_without_python(home):
    nobody = {"HQE_PYTHON": str(home / "none")}
    assert "cannot be asked" in hqe("doctor", env=nobody, check=0).out
    document = json.loads(hqe("doctor", "--json", env=nobody, check=0).out)
    assert document["python"] is None and document["packages"] == {}


def test_a_pool_may_be_called_like_a_command(home):
    small_pool(home / "sweep")
    assert hqe("inspect", "sweep", cwd=home, check=0).out == hqe("inspect", "./sweep", cwd=home, check=0).out
