"""What a command imports, seen in a fresh interpreter: nothing that it does not need."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.light_mannequin import light_mannequin

ROOT = Path(__file__).resolve().parents[1]


def loaded_by(code: str, *arguments: str) -> set[str]:
    """Run code in a fresh interpreter; return the packages that it left imported."""
    report = "import json, sys; sys.stderr.write('\\n' + json.dumps(sorted(sys.modules)))"
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return set(json.loads(ran.stderr.rsplit("\n", 1)[1]))


WINDOW = {"moderngl_window", "imgui_bundle", "pyglet"}
GPU = {"moderngl", "glcontext"}
SELDOM = {
    "rigview.conversion.convert",
    "numpy.ma",
    "platformdirs",
    "rigview.motion.document",
    "PIL.BmpImagePlugin",
    "tomllib",
}
NEVER_FOR_NUMBERS = WINDOW | GPU | {"pygltflib", "pyrr", "rigview.conversion.convert"}


def test_import_app_costs_nothing():
    assert not loaded_by("import rigview") & (WINDOW | GPU | {"numpy", "PIL", "pygltflib", "pyrr"})


def test_png_files_are_written_without_pillow():
    assert "PIL" not in loaded_by("import rigview.images.png")


def test_errors_import_without_numpy():
    assert not loaded_by("from rigview import AppError") & (WINDOW | GPU | {"numpy"})


def test_the_window_opens_without_checks_and_processes():
    loaded = loaded_by("import rigview.window.view_files")
    seldom = {"checks.rule_list", "batch.child_process", "conversion.convert"}
    assert not loaded & {f"rigview.{name}" for name in seldom}


@pytest.fixture(scope="module")
def character(tmp_path_factory):
    """The path of the bundled character with two clips."""
    path = tmp_path_factory.mktemp("character") / "mannequin.glb"
    path.write_bytes(light_mannequin(frozenset({"Nod", "Walk"})))
    return str(path)


@pytest.mark.parametrize(
    ("command", "options", "never"),
    [
        ("info", [], NEVER_FOR_NUMBERS),
        ("curves", ["--joint", "Hips", "-o", "OUT.svg"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        ("check", ["--joins"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        ("check", [], NEVER_FOR_NUMBERS | {"rigview.blending.layer_mixer", "subprocess"}),
        ("diff", ["CHARACTER"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        ("bake", ["--animation", "Nod", "-o", "OUT.glb"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        ("pose", ["--animation", "0", "-o", "OUT.npz"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        (
            "render",
            ["--resolution", "32,32", "-o", "OUT.png"],
            WINDOW | SELDOM | {"pygltflib", "av"},
        ),
        ("turntable", ["--time", "0", "--seconds", "0.1", "-o", "OUT.gif"], WINDOW | {"av"}),
        ("sheet", ["--resolution", "32,32", "-o", "OUT.png"], WINDOW | {"pygltflib"}),
        (
            "report",
            ["--resolution", "32,32", "--animation", "Nod", "-o", "OUT.html"],
            WINDOW | {"pygltflib"},
        ),
    ],
)
def test_command_loads_only_what_it_needs(command, options, never, character, tmp_path):
    options = [option.replace("OUT", str(tmp_path / "out")) for option in options]
    options = [option.replace("CHARACTER", character) for option in options]
    code = "import sys; from rigview.cli.main import main; assert main(sys.argv[1:]) == 0"
    loaded = loaded_by(code, command, character, *options)
    assert "rigview.gltf.read_model" in loaded
    assert not loaded & never
