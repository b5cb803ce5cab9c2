"""The architecture: which module may import which, how long one may grow, what a command loads."""

import ast
import graphlib
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
APP = ROOT / "app"
LONGEST = 400  # lines of a module

# A room is a package, or a module directly in app/. Which other rooms each may import:
DOORS = {
    "errors": "",
    "version": "",
    "clock": "",
    "watching": "clock",
    "resources": "",
    "animation": "",
    "values": "animation",
    "option": "",
    "views": "",
    "flags": "option values views",
    "options": "flags option",
    "settings": "errors",
    "model": "animation",
    "gltf": "errors animation metering model",
    "select": "errors model",
    "bvh": "errors animation model",
    "files": "errors animation gltf bvh model",
    "motion": "errors animation model select values",
    "casting": "errors animation model motion select",
    "anims": "animation model files errors motion casting",
    "figure": "animation model",
    "extents": "animation model figure",
    "deviation": "animation model figure",
    "bake": "animation gltf model figure deviation",
    "joins": "animation model figure",
    "curves": "animation",
    "lines": "animation model curves",
    "drawing": "animation lettering",
    "chart": "animation curves drawing",
    "check": "errors animation gltf model figure bake joins bounds motion select",
    "gif": "animation",
    "webp": "animation",
    "movie": "errors animation gif webp",
    "reel": "errors animation",
    "batch": "errors clock",
    "likeness": "animation",
    "revision": "errors gltf",
    "diff": "errors animation gltf model figure deviation facts evaluate",
    "heat": "animation model figure diff views",
    "page": "errors animation model check facts sheet",
    "golden": "errors animation likeness",
    "testing": "errors cli golden",
    "facts": "animation model",
    "evaluate": "animation model",
    "camera": "animation model",
    "environment": "animation",
    "surroundings": "errors animation environment settings",
    "metering": "animation model",
    "moving": "animation metering model",
    "bounds": "animation model moving",
    "character": "errors animation model motion moving",
    "billboard": "animation camera character model",
    "light": "animation billboard camera model character moving",
    "gathering": "animation bounds character",
    "actor": "animation model bounds character",
    "scene": "actor animation model character camera bounds gathering motion views environment",
    "render": "errors resources animation model bounds camera character scene environment light "
    "billboard moving "
    "extents views",
    "fonts": "",
    "lettering": "fonts",
    "labels": "animation render scene lettering",
    "png": "animation",
    "picture": "animation gltf model render scene labels motion files anims",
    "sheet": "animation lettering",
    "triptych": "animation lettering",
    "transport": "animation model character scene motion",
    "editing": "errors animation model character transport motion",
    "interface": "animation curves motion",
    "reading": "errors model editing files motion anims",
    "performer": "errors model actor bounds character transport editing interface motion reading "
    "scene watching anims",
    "together": "transport performer",
    "session": "actor errors clock animation model camera character scene settings transport "
    "motion editing interface performer reading together",
    "actions": "settings views animation model character camera scene transport session motion "
    "interface together",
    "ui": "fonts views errors animation model facts camera character scene settings transport "
    "session actions interface performer together motion curves lines select",
    "gui": "model settings errors resources animation session ui motion",
    "dialog": "errors",
    "input": "",
    "trace": "session transport",
    "snapshot": "errors labels png render session settings transport motion",
    "listing": "copying options session snapshot",
    "copying": "settings animation character camera options performer scene select session "
    "snapshot transport",
    "window": "errors",
    "viewer": "errors resources clock animation gltf model camera character scene render labels "
    "png settings transport session actions ui gui dialog input trace snapshot copying window "
    "motion files anims watching interface together listing",
    "cli": "actor performer errors resources clock animation gltf model select facts evaluate "
    "camera bounds character scene render labels png picture sheet options values session viewer "
    "motion files anims bvh bake joins curves lines chart option check movie reel batch likeness "
    "revision diff heat triptych page environment surroundings settings gathering",
}

# Which rooms or modules may import a package that is not ours.
OUTSIDE = {
    "numpy": "actor performer surroundings extents billboard environment moving light animation "
    "motion metering bvh casting anims figure deviation bake joins curves lines drawing "
    "chart gltf model facts evaluate camera bounds character scene render labels png picture sheet "
    "transport actions copying ui gui viewer cli check movie gif webp likeness diff "
    "heat triptych page testing golden gathering",
    "scipy": "animation",
    "pygltflib": "gltf.document gltf.load files",
    "PIL": "fonts lettering gltf values labels png sheet drawing movie gif webp likeness page "
    "check golden triptych",
    "DracoPy": "gltf.draco",
    "opengl_basisu": "gltf.basisu",
    "av": "movie surroundings",
    "distributed": "batch",
    "dask": "batch",
    "jinja2": "page",
    "markupsafe": "page",
    "pytest": "testing",
    "pyrr": "camera",
    "moderngl": "render gui",
    "moderngl_window": "window",
    "pyglet": "window input",
    "imgui_bundle": "ui gui dialog input",
    "platformdirs": "settings",
    "watchfiles": "watching",
}
CLOCKS = {"time", "datetime", "sched", "timeit"}  # of the standard library: app/clock.py alone


def modules() -> list[Path]:
    return sorted(path for path in APP.rglob("*.py") if "_data" not in path.parts)


def name_of(path: Path) -> str:
    """`rigview.gltf.load`; of a package's __init__.py, the package's name."""
    parts = ("rigview", *path.relative_to(APP).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(module: str, source: str) -> Iterator[str]:
    """Every module named by an import statement, wherever in the file it stands."""
    folder = APP.joinpath(*module.split(".")[1:])
    package = module if folder.is_dir() else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = node.module or ""
            if node.level:
                name = resolve_name("." * node.level + name, package)
            assert node.level or not name.startswith("rigview"), "imports inside are relative"
            if name == "rigview":
                yield from (f"rigview.{alias.name}" for alias in node.names)
            else:
                yield name


def wrong_doors(module: str, source: str) -> list[str]:
    """Say which imports of a module (`rigview.render.mesh`) lead through a wall."""
    inside = module.removeprefix("rigview.")
    room = inside.split(".")[0]
    if module in ("rigview", "rigview.__main__"):  # the public names, `python -m`: any room of ours
        return [f"{module}: {name}" for name in imports(module, source) if outside(name)]
    wrong = []
    for name in imports(module, source):
        top, _, rest = name.partition(".")
        if top == "rigview":
            target = rest.split(".")[0]
            allowed = target in {room, "version", *DOORS.get(room, "").split()}
        elif top in CLOCKS:
            allowed = room == "clock"
        elif outside(name):
            allowed = bool({room, inside} & set(OUTSIDE.get(top, "").split()))
        else:
            allowed = True
        if not allowed:
            wrong.append(f"{module}: {name}")
    return wrong


def outside(name: str) -> bool:
    """Whether a module belongs neither to us nor to the standard library."""
    top = name.partition(".")[0]
    return top != "rigview" and top not in sys.stdlib_module_names


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_module(path):
    source = path.read_text(encoding="utf-8")
    assert not wrong_doors(name_of(path), source)
    assert len(source.splitlines()) <= LONGEST
    assert ast.get_docstring(ast.parse(source)), "a module says what it is for"


def test_every_room_has_doors():
    rooms = {name_of(path).split(".")[1] for path in modules() if path.parent != APP}
    rooms |= {path.stem for path in APP.glob("*.py")} - {"__init__", "__main__"}
    assert rooms <= set(DOORS)


def test_doors_open_one_way():
    graph = {room: set(doors.split()) for room, doors in DOORS.items()}
    assert set().union(*graph.values()) <= set(graph)
    assert list(graphlib.TopologicalSorter(graph).static_order())  # raises on a circle


def test_packages_are_two_deep_at_most():
    assert {len(path.relative_to(APP).parts) for path in modules()} <= {1, 2}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("rigview.animation.clip", "from ..model import Model"),
        ("rigview.animation.clip", "def f():\n    import moderngl"),
        ("rigview.animation.clip", "import time"),
        ("rigview.animation.clip", "from .. import model"),
        ("rigview.gltf.meshes", "import pygltflib"),
        ("rigview.gltf.load", "from ..render import target"),
        ("rigview.render.mesh", "from imgui_bundle import imgui"),
        ("rigview.render.mesh", "from ..gltf import load"),
        ("rigview.ui.panel", "import moderngl"),
        ("rigview.ui.panel", "from ..render import target"),
        ("rigview.scene", "from .viewer import Viewer"),
        ("rigview.cli.render", "import imgui_bundle"),
        ("rigview.cli.render", "from moderngl_window import context"),
        ("rigview.cli.render", "import requests"),
        ("rigview.character", "from pyrr import matrix44"),
        ("rigview.__main__", "import numpy"),
    ],
)
def test_wrong_door_is_seen(module, source):
    assert len(wrong_doors(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("rigview.animation.clip", "import numpy as np\nfrom ..animation.track import Track"),
        ("rigview.gltf.document", "import json\nimport pygltflib"),
        ("rigview.render.mesh", "import moderngl\nfrom ..model import Mesh"),
        ("rigview.clock", "import time"),
        ("rigview.__main__", "from .cli.main import run"),
    ],
)
def test_right_door_is_open(module, source):
    assert not wrong_doors(module, source)


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
NEVER_FOR_NUMBERS = WINDOW | GPU | {"pygltflib", "pyrr"}


def test_import_app_costs_nothing():
    assert not loaded_by("import rigview") & (WINDOW | GPU | {"numpy", "PIL", "pygltflib", "pyrr"})


def test_error_is_had_without_numpy():
    assert not loaded_by("from rigview import AppError") & (WINDOW | GPU | {"numpy"})


@pytest.mark.parametrize(
    ("command", "options", "never"),
    [
        ("info", [], NEVER_FOR_NUMBERS),
        ("curves", ["--joint", "Hips", "-o", "OUT.svg"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        ("check", ["--joins"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        ("check", [], NEVER_FOR_NUMBERS),
        ("diff", ["assets/mannequin.glb"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        ("bake", ["--animation", "Nod", "-o", "OUT.glb"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        ("pose", ["--animation", "0", "-o", "OUT.npz"], NEVER_FOR_NUMBERS | {"PIL.Image"}),
        ("render", ["--resolution", "32,32", "-o", "OUT.png"], WINDOW | {"pygltflib", "av"}),
        ("turntable", ["--time", "0", "--seconds", "0.1", "-o", "OUT.gif"], WINDOW | {"av"}),
        ("sheet", ["--resolution", "32,32", "-o", "OUT.png"], WINDOW | {"pygltflib"}),
        (
            "report",
            ["--resolution", "32,32", "--animation", "Nod", "-o", "OUT.html"],
            WINDOW | {"pygltflib"},
        ),
    ],
)
def test_command_loads_only_what_it_needs(command, options, never, tmp_path):
    options = [option.replace("OUT", str(tmp_path / "out")) for option in options]
    code = "import sys; from rigview.cli.main import main; assert main(sys.argv[1:]) == 0"
    loaded = loaded_by(code, command, "assets/mannequin.glb", *options)
    assert "rigview.gltf.load" in loaded
    assert not loaded & never
