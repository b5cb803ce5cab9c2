"""docs/contributing.md has all make targets and environment variables, and commits that fit."""

import re
import shutil
import subprocess

import pytest

from tests.support.pages import ROOT, TEXTS

PAGE = TEXTS["contributing.md"]
COMMITS = re.findall("git show ([0-9a-f]+)", PAGE)


def test_every_make_target_is_on_the_page():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    (phony,) = re.findall("^[.]PHONY:(.*)$", makefile, re.MULTILINE)
    named = set(re.findall("(?:`|^)make ([a-z]+)", PAGE, re.MULTILINE))
    assert named == set(phony.split())


def test_every_environment_variable_is_on_the_page():
    folders = [ROOT / name for name in ("app", "tests", "assets", ".ci", ".github")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    used = set()
    for path in (ROOT / "Makefile", *files):
        if path.suffix in (".py", ".sh", ".yml", "") and "__pycache__" not in path.parts:
            used |= set(re.findall("RIGVIEW_[A-Z_]+", path.read_text(encoding="utf-8")))
    named = set(re.findall("^[|] `(RIGVIEW_[A-Z_]+)", PAGE, re.MULTILINE))
    assert named == used


@pytest.mark.parametrize("commit", COMMITS)
def test_commits_of_the_recipes_change_present_files(commit):
    if not shutil.which("git"):
        pytest.skip("git is not here")
    shown = ["git", "show", "--format=", "--name-only", commit]
    ran = subprocess.run(shown, cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        pytest.skip("this is no checkout with its history")
    assert [path for path in ran.stdout.split() if not (ROOT / path).exists()] == []
