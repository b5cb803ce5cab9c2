"""A wheel carries what the program needs, and works from any folder without the checkout."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from rigview import __version__
from rigview.options.manual_page import manual_page
from rigview.resources import shader_names
from rigview.version import project_urls

ROOT = Path(__file__).resolve().parents[1]
SHARED = {
    f"rigview-{__version__}.data/data/share/{name}"
    for name in (
        "man/man1/rigview.1",
        "bash-completion/completions/rigview",
        "zsh/site-functions/_rigview",
        "fish/vendor_completions.d/rigview.fish",
    )
}


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
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    install(programs, wheel, cwd=folder)
    return programs


def install(programs, *packages, cwd):
    """Install packages with this environment's pip; what is imported compiles itself."""
    pip = (sys.executable, "-m", "pip", "--python", programs / "python", "install", "--no-compile")
    run(*pip, "--quiet", *packages, cwd=cwd)


def test_wheel_holds_the_program_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    meta = f"rigview-{__version__}.dist-info/"
    assert {name for name in names if not name.startswith(("rigview/", meta))} == SHARED
    assert meta + "licenses/LICENSE" in names
    folder = ROOT / "app"
    own = {f"rigview/{path.relative_to(folder).as_posix()}" for path in folder.rglob("*.py")}
    own |= {f"rigview/pages/{name}" for name in ("page.html.j2", "page.css", "page.js")}
    own |= {f"rigview/pages/player/{path.name}" for path in (folder / "pages" / "player").iterdir()}
    own.add("rigview/py.typed")
    folder = ROOT / "assets"
    assets = {
        f"rigview/_data/assets/{path.relative_to(folder).as_posix()}"
        for path in (*folder.iterdir(), *(folder / "desktop").rglob("*"))
        if path.is_file() and path.suffix != ".py"
    }
    assert "rigview/_data/assets/mannequin.glb" in assets
    shaders = {f"rigview/_data/shaders/{name}" for name in shader_names()}
    assert {name for name in names if name.startswith("rigview/")} == own | assets | shaders


def test_installed_program_works_from_any_folder(programs, folder):
    where = "import rigview.resources; print(rigview.__file__, rigview.resources.asset_path(''))"
    home = str(folder / "venv")
    assert all(
        path.startswith(home) for path in run(programs / "python", "-c", where, cwd=folder).split()
    )
    share = folder / "venv" / "share"  # where pipx finds the manual page
    manual = (share / "man" / "man1" / "rigview.1").read_text(encoding="utf-8")
    assert manual == manual_page(project_urls())
    script = (share / "bash-completion" / "completions" / "rigview").read_text(encoding="utf-8")
    assert script == run(programs / "rigview", "--print-completion", "bash", cwd=folder)
    version = run(programs / "rigview", "--version", cwd=folder).splitlines()
    assert version[0] == f"rigview {__version__}"
    assert "Walk" in run(programs / "rigview", "info", cwd=folder)
    run(programs / "rigview", "render", "--resolution", "64,64", "-o", "out.png", cwd=folder)
    with Image.open(folder / "out.png") as picture:
        assert picture.size == (64, 64)
        assert len(set(picture.convert("RGB").tobytes())) > 20


PROJECT = {
    "app/__init__.py": "",
    "app/main.py": "def answer():\n    return 42\n",
    "tests/test_app.py": (
        "from app.main import answer\n\n\n"
        "def test_answer(rigview_pose):\n    assert answer() == 42\n"
    ),
}
SCRIPT = """
from pathlib import Path

from rigview import Character, bind, load, read_motion, render

model = load(Path("character.glb"))
character = Character(model)
mixer = bind(model, read_motion("character.motion.toml").document)
image = render("character.glb", "Walk", 0.5)
height: int = image.shape[0]
"""


def write_project(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def with_pytest(programs, folder):
    """The environment of the wheel, with pytest and mypy as its user may have them."""
    install(programs, "pytest", "mypy", cwd=folder)
    return programs


@pytest.mark.parametrize("conftest", [False, True], ids=["plain", "conftest"])
@pytest.mark.parametrize("command", [["pytest"], ["python", "-m", "pytest"]], ids=" ".join)
def test_pytest_runs_in_a_project_with_its_own_app(with_pytest, tmp_path, command, conftest):
    project = write_project(tmp_path, PROJECT | ({"conftest.py": ""} if conftest else {}))
    if command == ["pytest"] and not conftest:  # which adds the root folder for a conftest only
        (project / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    assert "1 passed" in run(with_pytest / command[0], *command[1:], "-q", cwd=project)


def test_scripts_pass_mypy_strict_and_pyright(with_pytest, folder, tmp_path):
    scripts = sorted((ROOT / "docs" / "scripts").glob("*.py"))
    own = [tmp_path / path.name for path in scripts] + [tmp_path / "script.py"]
    for path, copy in zip(scripts, own, strict=False):
        shutil.copy(path, copy)
    own[-1].write_text(SCRIPT, encoding="utf-8")
    python = with_pytest / "python"
    assert run(python, "-m", "mypy", "--strict", *own, cwd=tmp_path).startswith("Success")
    try:
        install(with_pytest, "pyright[nodejs]", cwd=folder)
        version = run(python, "-m", "pyright", "--version", cwd=folder)
    except AssertionError as error:
        pytest.skip(f"pyright cannot be installed: {str(error).splitlines()[-1]}")
    assert version.startswith("pyright")
    assert "0 errors" in run(python, "-m", "pyright", "--pythonpath", python, *own, cwd=tmp_path)
