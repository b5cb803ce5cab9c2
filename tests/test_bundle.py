"""The program that needs no Python, where `make bundle` has built it."""

import os
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from rigview import __version__
from rigview.resources import asset_path

FOLDER = Path(__file__).resolve().parents[1] / "build" / "bundle" / "rigview"
LICENCES = FOLDER / "_internal" / "licences"
PROGRAM = FOLDER / ("rigview.exe" if os.name == "nt" else "rigview")
KEPT = ("SYSTEMROOT", "TEMP", "MESA_SHADER_CACHE_DIR")  # of the environment

pytestmark = pytest.mark.skipif(not PROGRAM.is_file(), reason="not built: make bundle")


def bundled(*arguments, cwd):
    bare = {name: value for name, value in os.environ.items() if name in KEPT}
    ran = subprocess.run(
        [PROGRAM, *map(str, arguments)],
        cwd=cwd,
        env={**bare, "HOME": str(cwd)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran


def test_it_says_what_it_is_made_of(tmp_path):
    first, parts, passed_on = bundled("--version", cwd=tmp_path).stdout.splitlines()
    assert first == f"rigview {__version__}"
    assert all(name in parts for name in ("Python 3.", "FFmpeg ", "x265 ", "av ", "DracoPy "))
    assert "GPL" in passed_on
    assert passed_on.endswith(str(LICENCES))


def test_every_part_has_its_licence_and_source():
    text = (LICENCES / "README.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 20
    assert all(len(row) == 5 and "https://" in row[4] for row in rows)
    assert "General Public" in (LICENCES / "GPL-3.0.txt").read_text(encoding="utf-8")


def test_it_draws_with_an_empty_environment(tmp_path):
    done = bundled(
        *("render", asset_path("mannequin.glb"), "--resolution", "64,64", "-o", "it.png"),
        cwd=tmp_path,
    )
    assert done.stderr == ""
    with Image.open(tmp_path / "it.png") as picture:
        assert picture.size == (64, 64)


def test_it_checks_in_several_processes(tmp_path):
    file = asset_path("mannequin.glb")
    assert "no findings" in bundled("check", "--jobs", "2", file, file, cwd=tmp_path).stdout


def test_it_starts_processes_beside_a_window(tmp_path):
    code = "from rigview.batch.child_process import ChildProcess as Process\n"
    ran = bundled("-c", f"{code}print(Process(callable).run(print))", cwd=tmp_path)
    assert (ran.stdout, ran.stderr) == ("True\n", "")


def test_files_are_watched(tmp_path):
    assert bundled("-c", "import watchfiles; print(1)", cwd=tmp_path).stdout == "1\n"


def test_it_has_no_file_of_tests_or_checkouts():
    names = {path.name for path in FOLDER.rglob("*")}
    assert {"rigview.1", "mannequin.glb", "page.css"} <= names
    assert not {"conftest.py", "make_mannequin.py"} & names
