"""`rigview diff` of git revisions, and as the tool of `git diff` and `git difftool`."""

import json
import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.support.character_versions import character
from tests.support.git_repository import LOCAL, git, write_gltf

ROOT = Path(__file__).resolve().parents[2]

needs_git = pytest.mark.skipif(
    not shutil.which("git") or sys.platform == "win32", reason="git and a shell are needed"
)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """hero.glb at two revisions, another in the working tree; and art/hero.gltf with a .bin."""
    for name in LOCAL:
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "checkout"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git("init", "-q")
    for wave in (10, 20):
        (folder / "hero.glb").write_bytes(character(wave=(0, wave, 0)).glb())
        write_gltf(folder / "art", wave=(0, wave, 0))
        git("add", ".")
        git("commit", "-q", "-m", str(wave))
    (folder / "hero.glb").write_bytes(character(wave=(0, 25, 0)).glb())
    return folder


@needs_git
@pytest.mark.parametrize(
    ("a", "b", "degrees"),
    [
        ("HEAD~1:hero.glb", "HEAD:hero.glb", 10),
        ("HEAD:hero.glb", "hero.glb", 5),
        ("HEAD~1:art/hero.gltf", "HEAD:./art/hero.gltf", 10),
        ("HEAD~1:art/hero.gltf", "art/hero.gltf", 10),
        (":hero.glb", "hero.glb", 5),
    ],
)
def test_revisions(rigview, checkout, a, b, degrees):
    ran = rigview("diff", a, b, "--json")
    assert ran.code == 1
    found = json.loads(ran.out)
    assert (found["a"], found["b"]) == (a, b)
    assert found["clips"][0]["max_deg"] == pytest.approx(degrees, abs=1e-3)


@needs_git
def test_error_in_a_revision_names_it(rigview, checkout):
    (checkout / "art" / "hero.gltf").write_bytes(character().gltf("gone.bin"))
    git("commit", "-q", "-a", "-m", "gone")
    ran = rigview("diff", "HEAD:art/hero.gltf", "hero.glb")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert ran.err.startswith("rigview: HEAD:art/hero.gltf: ")
    assert "gone.bin" in ran.err
    assert "/tmp" not in ran.err.replace(str(checkout), "")


@needs_git
def test_root_of_a_revision(rigview, checkout):
    (checkout / "hero.gltf").write_bytes((checkout / "art" / "hero.gltf").read_bytes())
    b = character(wave=(0, 20, 0))
    (checkout / "art" / "up.gltf").write_bytes(b.gltf("../top.bin"))
    (checkout / "top.bin").write_bytes(bytes(b.blob))
    git("add", ".")
    git("commit", "-q", "-m", "up")
    assert rigview("diff", "HEAD:art/up.gltf", "HEAD:art/hero.gltf").code == 3
    ran = rigview("diff", "HEAD:art/up.gltf", "HEAD:art/hero.gltf", "--root", ".")
    assert ran.code == 0


def readme_config():
    readme = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    blocks = readme.split("```")
    return next(block.partition("\n")[2] for block in blocks if "[difftool" in block)


@pytest.fixture
def configured(checkout, tmp_path, monkeypatch):
    """The commands of the README, with `rigview` on the path."""
    with (checkout / ".git" / "config").open("a") as file:
        file.write(readme_config())
    (checkout / ".gitattributes").write_text("*.glb diff=rigview\n")
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "rigview"
    program.write_text(
        f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} "
        f'exec {shlex.quote(sys.executable)} -m rigview "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return checkout


@needs_git
def test_git_diff_goes_by_the_readme(configured):
    (configured / "note.txt").write_text("a\n")
    git("add", "note.txt")
    printed = git("diff", "HEAD")
    assert "the motion of 1 animation" in printed
    assert "5.000°" in printed
    assert "+a" in printed, "git goes on with the next file although ours differs"
    assert "10.000°" in git("log", "-p", "--ext-diff", "-1", "--", "hero.glb")


def heads(printed):
    return [line for line in printed.splitlines() if " → " in line]


@needs_git
def test_git_shows_paths_of_the_repository_and_object_ids(configured, tmp_path):
    two, one = (git("rev-parse", f"{rev}:hero.glb")[:7] for rev in ("HEAD", "HEAD~1"))
    assert heads(git("diff", "HEAD")) == [f"hero.glb {two} → hero.glb"]
    between = git("diff", "HEAD~1", "HEAD", "--", "hero.glb")
    assert heads(between) == [f"hero.glb {one} → hero.glb {two}"]
    git("checkout", "-q", "hero.glb")
    git("mv", "hero.glb", "art/star.glb")
    (renamed,) = heads(git("diff", "--cached", "-M", "HEAD"))
    assert renamed == f"hero.glb {two} → art/star.glb {two}"
    git("commit", "-q", "-m", "moved")
    tool = git("difftool", "-y", "-t", "rigview", "HEAD~2", "HEAD~1", "--", "hero.glb")
    assert heads(tool) == ["hero.glb (before) → hero.glb"]
    (configured / "art" / "star.glb").write_bytes(b"")
    broken = git("diff", "HEAD")
    assert "/tmp" not in broken.replace(str(tmp_path), "")


@needs_git
def test_labels_are_for_two_files(rigview, checkout):
    assert rigview("diff", "art", "art", "--label", "a").code == 2
    three = ("--label", "a", "--label", "b", "--label", "c")
    assert rigview("diff", "hero.glb", "hero.glb", *three).code == 2
    ran = rigview("diff", os.devnull, "hero.glb", "--label", f"hero.glb {'0' * 40}")
    assert heads(ran.out) == [f"{os.devnull} → hero.glb"]


@needs_git
def test_git_difftool_goes_by_the_readme(configured):
    printed = git("difftool", "--no-prompt", "--tool", "rigview", "HEAD~1", "--", "hero.glb")
    assert "15.000°" in printed
    other = "difftool.rigview.cmd=echo the tool for $MERGED"
    printed = git("-c", other, "difftool", "-y", "-t", "rigview", "HEAD~1", "--", "hero.glb")
    assert "the tool for hero.glb" in printed, "the tool is run, and not what `git diff` runs"
    git("difftool", "--no-prompt", "--tool", "rigview-picture", "HEAD", "--", "hero.glb")
    with Image.open(configured / "hero.glb.diff.png") as picture:
        assert picture.width > 1000


@needs_git
def test_git_diff_of_a_new_file(configured):
    (configured / "new.glb").write_bytes(character().glb())
    git("add", "new.glb")
    assert "added" in git("diff", "--cached", "--", "new.glb")
