"""Finding Blender: by setting, environment and path; its version, and programs that are none."""

import sys

import pytest

from rigview.conversion.find_blender import Blender, find_blender
from rigview.errors import ConversionError
from tests.support.blender_stand_in import StandIn


def refused(named=None) -> str:
    with pytest.raises(ConversionError) as found:
        find_blender(named)
    return str(found.value)


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without Blender."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("RIGVIEW_BLENDER", raising=False)
    monkeypatch.setattr("rigview.conversion.find_blender._usual", list)
    return tmp_path


def test_without_blender_one_sentence_says_how_to_get_it(bare):
    assert refused() == (
        "no Blender was found, which reads this format; install Blender (blender.org), or name one "
        "with --blender PATH"
    )


def test_places(bare, monkeypatch):
    on_path, named, other = (StandIn(bare / name, "4.5.1") for name in ("bin", "named", "other"))
    assert find_blender(None) == Blender(str(on_path.program), "4.5.1", is_python=False)
    monkeypatch.setenv("RIGVIEW_BLENDER", str(named.program))
    assert find_blender(None).program == str(named.program)
    assert find_blender(str(other.folder)).program == str(other.program), "a folder"
    monkeypatch.chdir(bare)
    assert find_blender("other/blender").program == str(other.program)
    assert find_blender("blender").program == str(on_path.program)


def test_the_working_folder_is_not_searched(bare, monkeypatch):
    StandIn(bare / "bin")
    monkeypatch.chdir(bare / "bin")
    assert "no Blender was found" in refused()


def test_the_version_is_asked_once(bare, monkeypatch):
    stand_in = StandIn(bare / "bin", "3.4.1")
    assert find_blender(None).version == "3.4.1"
    monkeypatch.setattr("rigview.conversion.find_blender._asked", pytest.fail)
    assert find_blender(None).number == (3, 4)
    monkeypatch.undo()
    monkeypatch.setenv("PATH", str(bare / "bin"))
    stand_in = StandIn(stand_in.folder, "3.4.10")
    assert find_blender(str(stand_in.program)).version == "3.4.10"


@pytest.mark.parametrize(
    ("version", "offline"), [("3.4.1", False), ("4.1.0", False), ("4.2.0", True), ("5.0.0", True)]
)
def test_options_that_a_version_knows(tmp_path, version, offline):
    command = Blender("blender", version, is_python=False).command(tmp_path / "x.py", tmp_path)
    assert ("--offline-mode" in command) == offline


def test_a_python_with_bpy(bare):
    (bare / "bpy.py").write_text("class app:\n    version_string = '4.5.15 LTS'\n")
    python = bare / "python"
    python.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && exec {sys.executable} --version\n'
        f'shift 3\nPYTHONPATH={bare} exec {sys.executable} -c "$@"\n'
    )
    python.chmod(0o755)
    found = find_blender(str(python))
    assert found == Blender(str(python), "4.5.15 LTS", is_python=True)
    assert found.command(bare / "x.py", bare)[1:] == ["-I", "-B", str(bare / "x.py"), str(bare)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "there is no Blender at"),
        ("#!/bin/sh\necho hello\n", "is no Blender"),
        ("junk", "cannot be run: Exec format error"),
        ("#!/bin/sh\necho Python 3.11.7\n", "has no working bpy"),
    ],
)
def test_programs_that_are_no_blender(bare, text, says):
    program = bare / "program"
    if text is not None:
        program.write_text(text)
        program.chmod(0o755)
    assert says in refused(str(program))
    assert "install Blender (blender.org)" in refused(str(program))
