"""The architecture: import order and names of modules."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
APP = ROOT / "app"

# A module may import its own package, the packages in rows above, and those to the left in its row.
ORDER = [
    "errors wording clock console resources version file_io memo notebook",
    "animation",
    "blending retargeting",
    "model",
    "gltf fields tomlfile",
    "motion",
    "scenedoc",
    "conversion",
    "loading images scene",
    "curves rendering checks differences golden batch",
    "pages",
    "options",
    "tasks",
    "session",
    "ui",
    "window",
    "api",
    "cli testing __init__ __main__",
]
PACKAGES = [name for row in ORDER for name in row.split()]

# Imports against the order: importing module, imported module, and the reason. Unused rows fail.
EXCEPTIONS: dict[tuple[str, str], str] = {}

# External packages, and the packages or modules that may import them.
EXTERNAL = {
    "numpy": "animation blending retargeting model gltf motion conversion.blender_script loading "
    "images scene curves rendering checks differences golden pages tasks session ui window api cli "
    "testing",
    "bpy": "conversion.blender_script",
    "mathutils": "conversion.blender_script",
    "pygltflib": "api gltf.document loading.load model.model",
    "PIL": "images gltf curves rendering.joint_labels fields.readers pages checks golden",
    "DracoPy": "gltf.draco",
    "opengl_basisu": "gltf.basisu",
    "av": "images.video images.exr scene.hdri",
    "distributed": "batch",
    "dask": "batch",
    "jinja2": "pages",
    "markupsafe": "pages",
    "pytest": "testing",
    "pyrr": "scene.camera",
    "glcontext": "rendering.context",
    "moderngl": "rendering window.imgui_backend window.draw_data_renderer",
    "moderngl_window": "window",
    "pyglet": "window",
    "imgui_bundle": "ui window",
    "platformdirs": "resources",
    "watchfiles": "loading.file_watcher",
}
CLOCKS = {"time", "datetime", "sched", "timeit"}  # of the standard library: app/clock.py alone

# Base names that several packages use, with the one meaning that they share.
COMMON_NAMES = {
    "__init__": "the package's docstring",
    "bake": "resample the clips of a file",
    "camera": "the camera of a picture: its record, its matrices",
    "convert": "files of other formats to glTF: the conversion, the command",
    "crowd": "many instances of one character: their poses, their places, their drawing",
    "curves": "tracks as curves: the command, the panel",
    "document": "a file as read: glTF, motion file",
    "environment": "image-based light: its data, its GPU textures",
    "events": "named triggers of clips: evaluation, command, panel",
    "lights": "punctual lights: from the file, in the scene, on the GPU",
    "materials": "materials: reading them, comparing them",
    "meshes": "meshes: reading them, comparing them",
    "mixer": "layers and their blending: evaluation, panel",
    "nodes": "nodes: reading them, comparing them",
    "page": "HTML pages: the report, the command that plays",
    "parameters": "the mixer's parameters: values, panel",
    "player": "what plays: in the window, on a page",
    "pose": "a pose: the type, the command",
    "skins": "skins: reading them, comparing them",
}


def modules() -> list[Path]:
    return sorted(path for path in APP.rglob("*.py") if "_data" not in path.parts)


def name_of(path: Path) -> str:
    """`gltf.meshes`; of a package's __init__.py, the package's name with `.__init__`."""
    return ".".join(path.relative_to(APP).with_suffix("").parts)


NAMES = {name_of(path): path for path in modules()}


def imports(module: str, source: str) -> Iterator[str]:
    """Every module that a module imports, anywhere in it; ours begin with ``rigview``."""
    package = "rigview." + module.rpartition(".")[0]
    for node in statements(source)[1]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = node.module or ""
            assert node.level or not name.startswith("rigview"), "imports inside are relative"
            if not node.level:
                yield name
                continue
            name = resolve_name("." * node.level + name, package.rstrip("."))
            inside = name.removeprefix("rigview").lstrip(".")
            for alias in node.names:
                longer = f"{inside}.{alias.name}".lstrip(".")
                yield f"{name}.{alias.name}" if longer in NAMES else name


@cache
def statements(source: str) -> tuple[str | None, list[ast.Import | ast.ImportFrom]]:
    """Return the docstring of a module and all its import statements."""
    tree = ast.parse(source)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return ast.get_docstring(tree), found


def package_of(module: str) -> str:
    return module.partition(".")[0]


def external(name: str) -> bool:
    """Return whether a module belongs neither to the project nor to the standard library."""
    top = name.partition(".")[0]
    return top != "rigview" and top not in sys.stdlib_module_names


def against_the_order(module: str, imported: str) -> bool:
    """Return whether ``rendering.mesh`` may not import ``gltf.meshes``."""
    own, other = package_of(module), package_of(imported)
    return own != other and PACKAGES.index(other) >= PACKAGES.index(own)


def against_the_sub_packages(module: str, imported: str) -> bool:
    """Return whether ``session.session`` may not import ``session.export.export_view``.

    Modules of the session import from no sub-package of it, apart from their own.
    """
    own, other = module.split("."), imported.split(".")
    return own[0] == other[0] == "session" and len(other) > 2 and own[:-1] != other[:-1]


def allowed_external(module: str, name: str) -> bool:
    places = EXTERNAL.get(name.partition(".")[0], "").split()
    return bool({package_of(module), module} & set(places))


def faults(module: str, source: str) -> list[str]:
    """Return the imports of a module that the rules above forbid."""
    found = []
    for name in imports(module, source):
        top, _, inside = name.partition(".")
        if top == "rigview":
            wrong = bool(inside) and against_the_order(module, inside)
            wrong = wrong and (module, inside) not in EXCEPTIONS
            wrong = wrong or against_the_sub_packages(module, inside)
        elif top in CLOCKS:
            wrong = module != "clock"
        else:
            wrong = external(name) and not allowed_external(module, name)
        if wrong:
            found.append(f"{module}: {name}")
    return found


@cache
def graph() -> dict[str, set[str]]:
    """Which of our modules each imports."""
    return {
        name: {
            inside
            for found in imports(name, path.read_text(encoding="utf-8"))
            if (inside := found.removeprefix("rigview").lstrip(".")) in NAMES
        }
        for name, path in NAMES.items()
    }


def test_modules():
    found = []
    for name, path in NAMES.items():
        source = path.read_text(encoding="utf-8")
        found += faults(name, source)
        if not statements(source)[0]:
            found.append(f"{name}: no docstring that says what it contains")
    assert not found


def test_order_names_every_package():
    assert sorted({package_of(name) for name in NAMES}) == sorted(PACKAGES)


def test_exceptions_are_needed():
    found = {
        (module, name)
        for module, names in graph().items()
        for name in names
        if against_the_order(module, name)
    }
    assert set(EXCEPTIONS) <= found
    assert all(EXCEPTIONS.values()), "an exception has a reason"


def test_no_two_modules_import_each_other():
    edges = graph()
    assert not [(a, b) for a in edges for b in edges[a] if a < b and a in edges[b]]


def test_base_names_are_used_once_or_have_a_common_meaning():
    homes: dict[str, set[str]] = {}
    for name in NAMES:
        package, _, base = name.rpartition(".")
        homes.setdefault(base, set()).add(package)
    assert {base for base, packages in homes.items() if len(packages) > 1} == set(COMMON_NAMES)


def test_no_test_module_imports_another():
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in imports_of_tests(path)
        if name.rpartition(".")[2].startswith("test_")
    ]
    assert not found


def imports_of_tests(path: Path) -> Iterator[str]:
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)) if "from tests" in source else ():
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests"):
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("animation.clip", "from ..model.model import Model"),
        ("animation.clip", "def f():\n    import moderngl"),
        ("animation.clip", "import time"),
        ("animation.clip", "from ..model import model"),
        ("gltf.meshes", "import pygltflib"),
        ("gltf.meshes", "from ..rendering import palette"),
        ("rendering.mesh", "from imgui_bundle import imgui"),
        ("scene.scene", "from ..rendering.context import create_context"),
        ("images.png", "from ..scene.camera import OrbitCamera"),
        ("blending.mask", "from ..retargeting.hips import find_hips"),
        ("ui.panel", "import moderngl"),
        ("ui.panel", "from ..window import viewer"),
        ("session.session", "from ..window.viewer import Viewer"),
        ("session.session", "from .timeline.timeline_view import TimelineView"),
        ("session.session", "def f():\n    from .commands import keys_file"),
        ("session.commands.actions", "from ..export.export_command import open_dialog"),
        ("tasks.still_pictures", "from ..cli.main import run"),
        ("cli.render", "import imgui_bundle"),
        ("cli.render", "from moderngl_window import context"),
        ("cli.render", "import requests"),
        ("scene.character", "from pyrr import matrix44"),
        ("__main__", "import numpy"),
    ],
)
def test_forbidden_import_is_found(module, source):
    assert len(faults(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("animation.clip", "import numpy as np\nfrom .track import Track"),
        ("gltf.document", "import json\nimport pygltflib"),
        ("rendering.mesh", "import moderngl\nfrom ..model.model import Mesh"),
        ("images.png", "from ..loading.load import load"),
        (
            "session.export.export_command",
            "from ..session import Session\nfrom . import export_view",
        ),
        ("ui.panel", "from ..session.export.export_view import ExportView"),
        ("clock", "import time"),
        ("__main__", "from .cli.main import run"),
    ],
)
def test_allowed_import_is_allowed(module, source):
    assert not faults(module, source)
