"""A wheel carries what the program needs, and works from any folder without the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from app import __version__
from app.resources import shader_names

ROOT = Path(__file__).resolve().parents[1]


def run(*command, cwd):
    """Run a command that knows nothing of the checkout; return its standard output."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ran = subprocess.run(command, cwd=cwd, env=bare, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An empty folder on a machine that reaches a package registry."""
    path = tmp_path_factory.mktemp("wheel")
    probe = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "-d",
        path / "probe",
        "hatchling",
    ]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("pip reaches no package registry from here")
    return path


@pytest.fixture(scope="module")
def wheel(folder):
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder / "dist", ROOT, cwd=folder)
    return folder / "dist" / f"rigview-{__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def programs(folder, wheel):
    """The folder of the programs of a fresh virtual environment with the wheel in it."""
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", wheel, cwd=folder)
    return programs


def test_wheel_holds_the_program_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    meta = f"rigview-{__version__}.dist-info/"
    assert {name for name in names if not name.startswith(("app/", meta))} == set()
    assert meta + "licenses/LICENSE" in names
    own = {path.relative_to(ROOT).as_posix() for path in (ROOT / "app").rglob("*.py")}
    own |= {f"app/page/{name}" for name in ("page.html.j2", "page.css", "page.js")}
    assets = {
        f"app/_data/assets/{path.name}"
        for path in (ROOT / "assets").iterdir()
        if path.is_file() and path.suffix != ".py"
    }
    assert "app/_data/assets/mannequin.glb" in assets
    shaders = {f"app/_data/shaders/{name}" for name in shader_names()}
    assert {name for name in names if name.startswith("app/")} == own | assets | shaders


def test_installed_program_works_from_any_folder(programs, folder):
    where = "import app, app.resources; print(app.__file__, app.resources.asset_path(''))"
    home = str(folder / "venv")
    assert all(
        path.startswith(home) for path in run(programs / "python", "-c", where, cwd=folder).split()
    )
    assert run(programs / "rigview", "--version", cwd=folder) == f"rigview {__version__}\n"
    assert "Walk" in run(programs / "rigview", "info", cwd=folder)
    run(programs / "rigview", "render", "--resolution", "64,64", "-o", "out.png", cwd=folder)
    with Image.open(folder / "out.png") as picture:
        assert picture.size == (64, 64)
        assert len(set(picture.convert("RGB").tobytes())) > 20
