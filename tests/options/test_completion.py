"""The completion scripts, run by the shells that are installed."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rigview.fields.command_groups import COMMANDS
from rigview.options.completion import completion, flags_of
from tests.support.command_files import document, write_document

ROOT = Path(__file__).resolve().parents[2]
BASH, ZSH, FISH = (shutil.which(name) for name in ("bash", "zsh", "fish"))
VIEWS = ["front", "right", "back", "left", "top", "bottom", "iso"]
EVIL = "$(touch evil) `touch evil`"


def needs(shell, name):
    return pytest.mark.skipif(shell is None, reason=f"{name} is not installed")


@pytest.fixture
def folder(tmp_path):
    """A folder with characters, one with clips whose names need quotes, and the program."""
    folder = tmp_path / "characters"
    (folder / "render").mkdir(parents=True)
    animations = document()["animations"]
    for row, name in zip(animations, ("Turn", "Turn fast", "rig:Turn", EVIL), strict=True):
        row["name"] = name
    write_document(folder / "hero.gltf", animations=animations)
    write_document(folder / "my hero.gltf")
    (folder / "hero.txt").write_text("")
    program = folder / "bin" / "rigview"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rigview "$@"\n')
    program.chmod(0o755)
    return folder


def run(folder, *command):
    path = os.pathsep.join((str(folder / "bin"), os.environ["PATH"]))
    env = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / ".ci/editable")}
    ran = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    assert not (folder / "evil").exists()
    return ran.stdout.splitlines()


def in_bash(folder, *words):
    """Return what bash offers for the last of the words, as readline splits a line into them."""
    script = folder / "bin" / "completion.bash"
    script.write_text(completion("bash"))
    line = " ".join(map(shlex.quote, words))
    return run(
        folder,
        BASH,
        "--norc",
        "-c",
        f"source {script}; complete -p rigview >/dev/null || exit 1; COMP_WORDS=({line});"
        f"COMP_CWORD={len(words) - 1}; _rigview rigview; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
    )


@needs(BASH, "bash")
def test_bash_registers_its_function(folder):
    script = completion("bash")
    assert run(folder, BASH, "--norc", "-c", f"{script}\ncomplete -p rigview") == [
        "complete -F _rigview rigview"
    ]


@needs(BASH, "bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["rigview", "tur"], ["turntable"]),
        (["rigview", "--view", ""], VIEWS),
        (["rigview", "render", "--view", "b"], ["back", "bottom"]),
        (["rigview", "render", "--view", "="], VIEWS),
        (["rigview", "render", "--view", "=", "is"], ["iso"]),
        (["rigview", "check", "--form"], ["--format"]),
        (["rigview", "check", "--format", "s"], ["sarif"]),
        (["rigview", "--print-completion", ""], ["bash", "zsh", "fish"]),
        (["rigview", "render", "--time", ""], [""]),
        (["rigview", "render", "--no-gr"], ["--no-grid"]),
        (["rigview", "info", "--view"], [""]),
        (["rigview", "info", "he"], ["hero.gltf"]),
        (["rigview", "info", "my\\ h"], ["my hero.gltf"]),
        (["rigview", "info", "ren"], ["render"]),
        (["rigview", "info", "--root", "r"], ["render"]),
        (["rigview", "view", "--motion", "hero.t"], ["hero.txt"]),
    ],
    ids=lambda each: " ".join(each) if each[0] == "rigview" else "",
)
def test_bash(folder, words, offered):
    assert in_bash(folder, *words) == offered


@needs(BASH, "bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["render", "hero.gltf", "--animation", ""], ["Turn", "Turn fast", "rig:Turn", EVIL]),
        (["hero.gltf", "--animation", "Tu"], ["Turn", "Turn fast"]),
        (["my\\ hero.gltf", "--animation", "Turn\\ f"], ["Turn fast"]),
        (["'my hero.gltf'", "--animation", '"Turn f'], ["Turn fast"]),
        (["pose", "hero.gltf", "--animation", "rig", ":"], ["Turn"]),
        (["pose", "hero.gltf", "--animation", "rig", ":", "Tu"], ["Turn"]),
        (["pose", "hero.gltf", "--animation", "=", "rig", ":", "Tu"], ["Turn"]),
        (["curves", "hero.gltf", "--joint", "R"], ["Root"]),
        (["render", "none.gltf", "--animation", ""], [""]),
    ],
    ids=lambda each: " ".join(each),
)
def test_bash_completes_names_of_the_file(folder, words, offered):
    assert in_bash(folder, "rigview", *words) == offered


@needs(BASH, "bash")
def test_bash_completes_clips_of_the_bundled_character(folder):
    assert "Walk" in in_bash(folder, "rigview", "render", "--animation", "W")


@needs(BASH, "bash")
@pytest.mark.parametrize("command", COMMANDS)
def test_bash_offers_all_flags(folder, command):
    offered = in_bash(folder, "rigview", command, "-")
    assert offered == [each for flag in flags_of(command) for each in flag.spellings]


@needs(FISH, "fish")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rigview tur", ["turntable"]),
        ("rigview --view ", VIEWS),
        ("rigview render --view=b", ["--view=back", "--view=bottom"]),
        ("rigview check --format s", ["sarif"]),
        ("rigview render --time ", []),
        ("rigview render --no-gr", ["--no-grid"]),
        ("rigview info --view", []),
        ("rigview hero.gltf --animation Tu", ["Turn", "Turn fast"]),
        ("rigview pose my\\ hero.gltf --animation rig", []),
        ("rigview curves hero.gltf --joint R", ["Root"]),
    ],
)
def test_fish(folder, line, offered):
    script = folder / "bin" / "completion.fish"
    script.write_text(completion("fish"))
    lines = run(folder, FISH, "--no-config", "-c", f"source {script}; complete -C {line!r}")
    assert sorted(each.partition("\t")[0] for each in lines) == sorted(offered)


ZSH_TEST = """
compdef() {{ }}
source {script}
_describe() {{ print -rl -- ${{(P)4}} }}
_arguments() {{ print -rl -- "$@" }}
_wanted() {{ print -rl -- $names }}
words=({words}); CURRENT={current}; PREFIX=
_rigview_line=("${{words[@]}}")
_rigview_names clips
_rigview
"""


@needs(ZSH, "zsh")
def test_zsh(folder):
    script = folder / "bin" / "_rigview"
    script.write_text(completion("zsh"))
    run(folder, ZSH, "-n", script)
    source = ZSH_TEST.format(script=script, words="rigview render hero.gltf ''", current=4)
    lines = run(folder, ZSH, "-f", "-c", source)
    names, specs = lines[:4], lines[4:]
    assert names == ["Turn", "Turn fast", "rig:Turn", EVIL]
    assert len(specs) == 1 + sum(len(flag.spellings) for flag in flags_of("render"))
    assert any(spec.endswith(f":SIDE:({' '.join(VIEWS)})") for spec in specs)
    source = ZSH_TEST.format(script=script, words="rigview ''", current=2)
    assert any(line.startswith("turntable:") for line in run(folder, ZSH, "-f", "-c", source))


def test_a_flag_has_the_same_values_in_all_commands():
    """The script of bash does not ask for the command."""
    seen = {}
    for command in COMMANDS:
        for flag in flags_of(command):
            values = json.dumps([bool(flag.metavar), flag.words, flag.names, flag.path])
            assert all(seen.setdefault(each, values) == values for each in flag.spellings)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_program_prints_the_script(rigview, shell):
    printed = (0, completion(shell), "")
    assert rigview("--print-completion", shell) == printed
    assert rigview(f"--print-completion={shell}") == printed


@pytest.mark.parametrize("arguments", [["--print-completion"], ["--print-completion", "tcsh"]])
def test_an_unknown_shell(rigview, arguments):
    ran = rigview(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "choose from 'bash', 'zsh', 'fish'" in ran.err
