"""Broken files raise only `AppError`, within limits of time and memory."""

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import broken_files
from tests.fuzz.animated_file import animated_file
from tests.support.command_files import document
from tests.support.light_mannequin import light_mannequin
from tests.support.shared import MODELS, needs_shared

pytest.importorskip("resource", reason="limits of memory need POSIX")

ROOT = Path(__file__).resolve().parents[2]
TRIES = {"truncations": 0, "byte_flips": 300, "changed_integers": 300}  # CI runs the fuzzer too
SKINNED = MODELS / "blender-io" / "03_skinned_cylinder" / "03_skinned_cylinder.gltf"
FEWER_TRIES = {"byte_flips": 120, "changed_integers": 120}  # for a file that takes longer
CLIPS = frozenset(("Walk", "Wave", "Blink"))  # more clips are more of the same


@pytest.mark.parametrize("kind", FEWER_TRIES)
def test_broken_bundled_character(tmp_path, kind):
    path = tmp_path / "mannequin.glb"
    path.write_bytes(light_mannequin(CLIPS))
    run(path, kind, FEWER_TRIES[kind])


@pytest.mark.parametrize("kind", TRIES)
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(MODELS / "Fox.glb", marks=needs_shared),
        pytest.param(MODELS / "AnimatedMorphCube" / "AnimatedMorphCube.gltf", marks=needs_shared),
        pytest.param(MODELS / "InterpolationTest" / "interpolation_test.gltf", marks=needs_shared),
    ],
    ids=lambda path: path.stem,
)
def test_broken_files(path, kind):
    run(path, kind, TRIES[kind])


@pytest.mark.parametrize(
    ("path", "kind", "tries"),
    [
        pytest.param(MODELS / "Fox.glb", "byte_flips", 40, marks=needs_shared),
        pytest.param(MODELS / "Fox.glb", "extreme_floats", 40, marks=needs_shared),
        pytest.param(SKINNED, "changed_integers", 200, marks=needs_shared),
        pytest.param(SKINNED, "extreme_floats", 40, marks=needs_shared),
    ],
)
def test_rules_run_on_broken_files(path, kind, tries):
    run(path, kind, tries, "tests.fuzz.check_rules")


@pytest.mark.parametrize("kind", ["byte_flips", "changed_integers", "extreme_floats"])
def test_rules_run_on_a_broken_document(tmp_path, kind):
    made = document()
    blob = base64.b64decode(made["buffers"][0].pop("uri").partition(",")[2])
    path = tmp_path / "small.glb"
    path.write_bytes(broken_files.join(json.dumps(made).encode(), blob))
    run(path, kind, 150, "tests.fuzz.check_rules")


@pytest.mark.parametrize(
    ("kind", "tries"), [("changed_values", 250), ("extreme_floats", 50), ("byte_flips", 80)]
)
def test_broken_animated_properties(tmp_path, kind, tries):
    valid = animated_file()
    assert valid.load().warnings == []
    run(valid.path(tmp_path), kind, tries, "tests.fuzz.animated_file")


def run(path, kind, tries, program="tests.fuzz.run_broken_files"):
    done = subprocess.run(
        [sys.executable, "-m", program, str(path), kind, str(tries)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=250,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    tried, rejected = (int(part.split()[0]) for part in done.stdout.splitlines()[-1].split(",")[:2])
    assert tried >= max(tries, 10)
    assert 0 < rejected <= tried
