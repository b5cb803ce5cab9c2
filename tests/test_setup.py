"""What `.ci/setup` asks for: goals, packages of the system, browsers."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import chromium

SETUP = Path(__file__).resolve().parents[1] / ".ci/setup"

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="a POSIX shell is needed")


@pytest.mark.parametrize("arguments", [[], ["tests"]])
def test_unknown_goal_is_an_error_that_lists_the_goals(arguments):
    ran = subprocess.run(
        ["sh", SETUP, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (f"Unknown goal '{''.join(arguments)}'; goals: run, check, test, wheel\n")


@pytest.mark.parametrize(
    ("python", "package"),
    [("python3", "python3-venv"), ("python3.12", "python3.12-venv")],
)
def test_venv_package_is_that_of_the_interpreter(tmp_path, python, package):
    """An interpreter without `ensurepip`, on a system without apt."""
    programs = tmp_path / "bin"
    programs.mkdir()
    stubs = {
        python: "case $2 in *ensurepip*) exit 1 ;; esac",
        "uname": "echo Linux",
        "dirname": 'echo "${1%/*}"',
    }
    for name, line in stubs.items():
        (programs / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    (tmp_path / ".ci").mkdir()
    ran = subprocess.run(
        [shutil.which("sh"), shutil.copy(SETUP, tmp_path / ".ci"), "wheel"],
        env={"PATH": str(programs), "PYTHON": python},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[1].split() == [package]


def test_browsers_are_those_that_the_tests_can_use():
    (names,) = re.findall(r"for name in ([\w -]+); do", SETUP.read_text(encoding="utf-8"))
    assert tuple(names.split()) == chromium.NAMES
