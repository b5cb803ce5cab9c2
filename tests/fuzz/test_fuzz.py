"""Runs of the fuzzer: earlier findings, its first cases, and many broken copies of some files."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.animated_file import animated_file
from tests.fuzz.sources import small
from tests.support.light_mannequin import light_mannequin
from tests.support.shared import MODELS, needs_shared

pytest.importorskip("resource", reason="limits of memory need POSIX")
if not Path("/proc/self/statm").exists():
    pytest.skip("limits of memory need /proc", allow_module_level=True)

ROOT = Path(__file__).resolve().parents[2]
FOUND = sorted((Path(__file__).parent / "cases").glob("*.json"))
CASES = 120  # about 4 s
MORPHED = MODELS / "AnimatedMorphCube" / "AnimatedMorphCube.gltf"
INTERPOLATED = MODELS / "InterpolationTest" / "interpolation_test.gltf"
SKINNED = MODELS / "blender-io" / "03_skinned_cylinder" / "03_skinned_cylinder.gltf"
CLIPS = frozenset(("Walk", "Wave", "Blink"))  # more clips are more of the same
FLOATS = ("floats", "graph")
VALUES = ("other value", "any value")


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run", *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )


def test_earlier_findings_and_first_cases(tmp_path):
    """Cases that were findings, and the first of a seed; `make fuzz` runs more."""
    done = run(*FOUND, "--seconds", 250, "--cases", CASES, "--seed", 3, "--out", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("as it should be") == len(FOUND) > 0
    assert re.search(rf"^{CASES} cases in .* no findings$", done.stdout, re.MULTILINE)
    commands = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")}
    assert {"info", "pose", "check", "bake", "load_bytes", "motion_text"} <= commands
    assert list(tmp_path.iterdir()) == []


def run_file(path, changes, tries, folder, command="play"):
    """Run a command on broken copies of a file: some are rejected, and none is a finding."""
    given = ("--commands", command, "--changes", ",".join(changes), "--out", folder)
    done = run("--file", path, "--cases", tries, "--seconds", 250, *given)
    assert done.returncode == 0, done.stdout + done.stderr
    *_, counts, summary = done.stdout.splitlines()
    assert summary.startswith(f"{tries} cases in ")
    assert counts.split()[:2] == [command, str(tries)]
    codes = {int(code): int(count) for code, count in re.findall(r"exit (\d+): (\d+)", counts)}
    assert 0 < tries - codes.get(0, 0) <= tries
    return codes


def test_broken_bundled_character(tmp_path):
    path = tmp_path / "mannequin.glb"
    path.write_bytes(light_mannequin(CLIPS))
    run_file(path, ("byte", "integer"), 240, tmp_path / "out")


@needs_shared
@pytest.mark.parametrize(
    ("path", "tries"),
    [(MODELS / "Fox.glb", 920), (MORPHED, 620), (INTERPOLATED, 680)],
    ids=["Fox", "AnimatedMorphCube", "interpolation_test"],
)
def test_broken_files(tmp_path, path, tries):
    run_file(path, ("cut", "byte", "integer"), tries, tmp_path)


@needs_shared
@pytest.mark.parametrize(
    ("path", "changes", "tries"),
    [
        (MODELS / "Fox.glb", ("byte", "byte", *FLOATS), 80),
        (SKINNED, (*["integer"] * 10, *FLOATS), 240),
    ],
    ids=["Fox", "skinned"],
)
def test_rules_run_on_broken_files(tmp_path, path, changes, tries):
    run_file(path, changes, tries, tmp_path, "run_all_rules")


def test_rules_run_on_a_broken_document(tmp_path):
    path = tmp_path / "small.glb"
    path.write_bytes(small())
    run_file(
        path,
        ("byte", "byte", "integer", "integer", *FLOATS),
        450,
        tmp_path / "out",
        "run_all_rules",
    )


def test_broken_animated_properties(tmp_path):
    valid = animated_file()
    assert valid.load().warnings == []
    changes = (*VALUES * 3, *FLOATS, "byte", "byte")
    run_file(valid.path(tmp_path), changes, 380, tmp_path / "out", "play_all")


def test_a_rejected_valid_file_ends_the_run(tmp_path):
    path = tmp_path / "a.glb"
    path.write_bytes(small()[:-4])
    done = run("--file", path, "--cases", 1, "--out", tmp_path / "out")
    assert done.returncode == 1
    assert "the valid file: exit code 3" in done.stderr
