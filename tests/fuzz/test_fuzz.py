"""Of broken files only `AppError` may come out, in bounded time and memory."""

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import cases
from tests.fuzz.full_file import everything
from tests.support.command_files import document
from tests.support.shared import MODELS, needs_shared

pytest.importorskip("resource", reason="memory of a process can only be bounded on POSIX")

ROOT = Path(__file__).resolve().parents[2]
TRIES = {"truncations": 0, "flips": 1500, "rewired": 1500}  # a few seconds each
SKINNED = MODELS / "blender-io" / "03_skinned_cylinder" / "03_skinned_cylinder.gltf"
FEW = {"flips": 120, "rewired": 120}  # of a file that takes twenty times as long


@pytest.mark.parametrize("kind", FEW)
def test_broken_bundled_character(kind):
    attack(ROOT / "assets" / "mannequin.glb", kind, FEW[kind])


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
    attack(path, kind, TRIES[kind])


@pytest.mark.parametrize(
    ("path", "kind", "tries"),
    [
        pytest.param(MODELS / "Fox.glb", "flips", 40, marks=needs_shared),
        pytest.param(MODELS / "Fox.glb", "absurd", 40, marks=needs_shared),
        pytest.param(SKINNED, "rewired", 200, marks=needs_shared),
        pytest.param(SKINNED, "absurd", 40, marks=needs_shared),
    ],
)
def test_rules_bear_broken_files(path, kind, tries):
    attack(path, kind, tries, "tests.fuzz.check_rules")


@pytest.mark.parametrize("kind", ["flips", "rewired", "absurd"])
def test_rules_bear_a_broken_document(tmp_path, kind):
    made = document()
    blob = base64.b64decode(made["buffers"][0].pop("uri").partition(",")[2])
    path = tmp_path / "small.glb"
    path.write_bytes(cases.join(json.dumps(made).encode(), blob))
    attack(path, kind, 150, "tests.fuzz.check_rules")


@pytest.mark.parametrize(("kind", "tries"), [("bent", 250), ("absurd", 50), ("flips", 80)])
def test_a_broken_file_of_everything_that_moves(tmp_path, kind, tries):
    sound = everything()
    assert sound.load().warnings == []
    attack(sound.path(tmp_path), kind, tries, "tests.fuzz.full_file")


def attack(path, kind, tries, program="tests.fuzz.attack"):
    done = subprocess.run(
        [sys.executable, "-m", program, str(path), kind, str(tries)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=250,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    tried, refused = (int(part.split()[0]) for part in done.stdout.splitlines()[-1].split(",")[:2])
    assert tried >= max(tries, 10)
    assert 0 < refused <= tried
