"""The example project of the docs, and its workflow for a build machine, are run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rigview.cli.pose
import rigview.golden.golden
import rigview.rendering.offscreen
import rigview.tasks.still_pictures
from rigview import __version__
from rigview.cli.main import main
from rigview.golden.files import as_png, read_png
from rigview.resources import asset_path
from tests.support.command_files import write_document
from tests.support.light_mannequin import light_mannequin
from tests.support.pages import BLOCKS, FENCED, FILES, PYTEST, ROOT, TEXTS

pytest_plugins = "pytester"

PRELOADED = (
    rigview.cli.pose,
    rigview.tasks.still_pictures,
    rigview.golden.golden,
    rigview.rendering.offscreen,
)  # C libraries load once
WORKFLOW = next(block for kind, block in BLOCKS if kind == "yaml")
yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
STEPS = next(iter(yaml.safe_load(WORKFLOW)["jobs"].values()))["steps"]
LIST = [
    block
    for kind, block in FENCED.findall(TEXTS["testing.md"])
    if kind == "python" and block not in FILES.values()
]
PROJECT = ("pyproject.toml", "tests/test_hero.py")


@pytest.fixture
def project(pytester, monkeypatch):
    """The example of the README, with the bundled character and its three clips in it."""
    monkeypatch.delenv("CI", raising=False)
    for name in PROJECT:
        (pytester.path / name).parent.mkdir(exist_ok=True)
        (pytester.path / name).write_text(FILES[name], encoding="utf-8")
    (pytester.path / "characters").mkdir()
    data = light_mannequin(frozenset({"Run", "Walk", "Wave"}))
    (pytester.path / "characters/hero.glb").write_bytes(data)
    return pytester


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_files_are_a_whole_project():
    assert set(FILES) >= set(PROJECT)
    assert PYTEST == ["pytest --update-goldens", "pytest"]


def test_story_of_the_project(project, monkeypatch):
    goldens, left = project.path / "tests/goldens", project.path / "golden-failures/tests/test_hero"
    hero = project.path / "characters/hero.glb"

    monkeypatch.setenv("CI", "true")
    ran = project.runpytest_inprocess("-k", "Walk or walk")
    ran.assert_outcomes(failed=2, deselected=3)
    ran.stdout.fnmatch_lines(["E *AssertionError: missing golden file tests?goldens?hero-Walk.png"])
    assert not goldens.exists()
    assert "hero-Walk-actual.png" in names(left)

    project.runpytest_inprocess("--update-goldens").assert_outcomes(passed=5)
    assert names(goldens) == ["hero-Run.png", "hero-Walk.png", "hero-Wave.png", "hero-walk.npz"]
    assert names(left) == []

    sound = hero.read_bytes()
    assert main(["bake", str(hero), "--animation", "Walk", "--fps", "3", "--in-place"]) == 0
    ran = project.runpytest_inprocess()
    ran.assert_outcomes(passed=3, failed=2)
    ran.stdout.fnmatch_lines(
        [
            "E *the picture differs from tests?goldens?hero-Walk.png",
            "E *greatest difference * of 255 (at most 0)*",
            "E *mean difference 0.1*, silhouettes overlap by 0.*",
            "E *node_local: 'Right*' rotated by *° (local) at 0.5 s (at most 0.01°), and * more",
        ]
    )
    pictures = [f"hero-Walk-{kind}.png" for kind in ("actual", "difference", "expected")]
    assert names(left) == [*pictures, "hero-walk-actual.npz", "hero-walk-expected.npz"]
    difference, _ = read_png((left / "hero-Walk-difference.png").read_bytes())
    assert np.ptp(difference[..., :3].astype(int), axis=-1).max() > 100

    hero.write_bytes(sound)
    pixels, _ = read_png((goldens / "hero-Walk.png").read_bytes())
    (goldens / "hero-Walk.png").write_bytes(as_png(pixels, "Another 9000"))
    ran = project.runpytest_inprocess("-k", "Walk or walk")
    ran.assert_outcomes(passed=2, deselected=3)
    ran.stdout.fnmatch_lines(["compared loosely: 1", "  tests?goldens?hero-Walk.png*"])
    assert names(left) == []
    ran = project.runpytest_inprocess("-k", "Walk or walk", "--golden-strict")
    ran.assert_outcomes(passed=1, failed=1, deselected=3)


def test_examples_of_the_page_about_tests(project):
    assert len(LIST) == 2
    for ending in ("glb", "motion.toml"):
        shutil.copy(asset_path(f"mannequin.{ending}"), project.path / f"characters/hero.{ending}")
    (project.path / "tests/test_page.py").write_text("\n".join(LIST), encoding="utf-8")
    project.runpytest_inprocess("tests/test_page.py").assert_outcomes(passed=2)


def test_workflow_installs_this_version_and_what_opengl_needs():
    install = next(step["run"] for step in STEPS if step.get("name") == "Install")
    assert f"rigview-{__version__}-py3-none-any.whl" in install
    from rigview.rendering.context import _HINT

    wanted = re.search(r"apt-get install ([^)]+)", _HINT)[1]
    assert wanted in install
    assert [step["uses"].partition("@")[0] for step in STEPS if "uses" in step] == [
        "actions/checkout",
        "actions/setup-python",
        "actions/upload-artifact",
    ]


def git(*arguments):
    names = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *names, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A branch on which one character of a folder has changed, and stand-ins for the tools."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, line in {
        "rigview": f'exec "{sys.executable}" -m rigview "$@"',
        "pytest": f'exec "{sys.executable}" -m pytest -p no:cacheprovider "$@"',
        "sudo": 'echo "$@" >> "$ASKED"',
        "pip": 'echo pip "$@" >> "$ASKED"',
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    for name, value in {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "BASE": "main",
        "ASKED": str(tmp_path / "asked"),
        "CI": "true",
        "HOME": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "repository"
    (folder / "characters/more").mkdir(parents=True)
    (folder / "tests").mkdir()
    monkeypatch.chdir(folder)
    write_document(folder / "characters/same.gltf")
    changed = write_document(folder / "characters/more/a changed one.gltf")
    (folder / "tests/test_names.py").write_text(
        "def test_names(rigview_pose):\n"
        "    assert 'Root' in rigview_pose('characters/same.gltf')['node_names']\n"
    )
    git("init", "--quiet", "--initial-branch=main")
    git("add", ".")
    git("commit", "--quiet", "--message=one")
    git("switch", "--quiet", "--create=work")
    text = changed.read_text()
    assert '"name": "Tip"' in text
    changed.write_text(text.replace('"name": "Tip"', '"name": "End"'))
    git("commit", "--quiet", "--all", "--message=two")
    return folder


def run_step(step):
    """Run a step as a build machine does, whose shell is less strict where none is named."""
    strict = ["--noprofile", "--norc", "-eo", "pipefail"] if step.get("shell") == "bash" else ["-e"]
    return subprocess.run(
        ["bash", *strict, "-c", step["run"]], capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(not shutil.which("bash") or not shutil.which("git"), reason="no bash or no git")
def test_workflow_runs(repository):
    ran = {step["name"]: run_step(step) for step in STEPS if "run" in step}
    assert {
        name: (done.returncode, done.stderr) for name, done in ran.items() if done.returncode
    } == {}
    asked = Path(os.environ["ASKED"]).read_text().splitlines()
    assert [line.split()[0] for line in asked] == ["apt-get", "apt-get", "pip"]
    changes = (repository / "out/changes.txt").read_text(encoding="utf-8")
    assert ran["Compare"].stdout == changes
    assert "End" in changes
    assert "same.gltf" not in changes
    assert names(repository / "out") == [
        "a changed one.png",
        "changes.txt",
        "report.html",
    ]
    report = (repository / "out/report.html").read_text(encoding="utf-8")
    assert "same" in report
    assert "a changed one" in report
    assert "1 passed" in ran["Test"].stdout


@pytest.mark.skipif(not shutil.which("bash") or not shutil.which("git"), reason="no bash or no git")
def test_workflow_stops_at_what_cannot_be_compared(repository):
    (repository / "characters/same.gltf").write_text("{}", encoding="utf-8")
    git("commit", "--quiet", "--all", "--message=three")
    compare, check = (
        next(step for step in STEPS if step.get("name") == name) for name in ("Compare", "Check")
    )
    assert run_step(compare).returncode != 0
    assert run_step(check).returncode != 0
