"""`rigview desktop`, and the files that it puts into the user's folders."""

import configparser
import os
import shlex
import shutil
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from PIL import Image

from rigview.cli import desktop
from rigview.fields.command_groups import COMMANDS
from rigview.loading.git_revision import CHARACTERS
from rigview.options.parser import parse
from rigview.resources import asset_path

ROOT = asset_path("desktop")
ENTRY = ROOT / "applications" / "rigview.desktop"
THUMBNAILER = ROOT / "thumbnailers" / "rigview.thumbnailer"
MIME = ROOT / "mime" / "packages" / "rigview.xml"
METAINFO = ROOT / "metainfo" / "rigview.metainfo.xml"
ICONS = ROOT / "icons" / "hicolor"
SVG = ICONS / "scalable" / "apps" / "rigview.svg"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The data folder of a user with the program installed."""
    if not sys.platform.startswith("linux"):
        pytest.skip("only on Linux")
    program = tmp_path / "my programs" / "rigview"
    program.parent.mkdir()
    program.write_text("")
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return tmp_path / "share"


def entries(path):
    """The sections of a file in the format of desktop entries."""
    found = configparser.ConfigParser(interpolation=None)
    found.optionxform = str
    found.read(path, encoding="utf-8")
    return found


def files(folder):
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def test_install_and_uninstall(rigview, home, tmp_path):
    ran = rigview("desktop", "install")
    assert ran == (0, f"installed in {home}\n", "")
    assert files(ROOT) <= files(home)
    program = str(tmp_path / "my programs" / "rigview")
    entry = entries(home / "applications" / "rigview.desktop")
    for section in entry.sections():
        assert shlex.split(entry[section]["Exec"])[0] == program
    assert entry["Desktop Entry"]["TryExec"] == program
    thumbnailer = entries(home / "thumbnailers" / "rigview.thumbnailer")["Thumbnailer Entry"]
    assert shlex.split(thumbnailer["Exec"])[:2] == [program, "thumbnail"]
    assert rigview("desktop", "install").code == 0  # again, after an update
    assert rigview("desktop", "uninstall").code == 0
    assert not home.exists() or not list(home.iterdir())


def test_files_of_others_stay(rigview, home):
    others = [home / "applications" / "other.desktop", home / "mime" / "packages" / "other.xml"]
    for path in others:
        path.parent.mkdir(parents=True)
    others[0].write_text("[Desktop Entry]\nType=Application\nName=Other\nExec=true\n")
    shutil.copy(MIME, others[1])
    assert rigview("desktop", "install").code == 0
    assert rigview("desktop", "uninstall").code == 0
    assert all(path.is_file() for path in others)
    assert not (home / "icons").exists()


@pytest.mark.parametrize("words", [(), ("remove",), ("install", "uninstall")])
def test_other_words_are_refused(rigview, home, words):
    assert rigview("desktop", *words).code == 2
    assert not home.exists()


def test_a_program_that_is_not_installed(rigview, home, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["app/__main__.py"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    ran = rigview("desktop", "install")
    assert ran.code == 2
    assert "pipx" in ran.err


def test_quoting():
    assert desktop._quoted("/usr/bin/rigview") == "/usr/bin/rigview"
    assert desktop._quoted("/my programs/100%/rigview") == '"/my programs/100%%/rigview"'
    assert desktop._quoted('/a"b/$c') == '"/a\\\\"b/\\\\$c"'


def test_commands_of_the_entries_are_understood():
    lines = [
        section["Exec"]
        for path in (ENTRY, THUMBNAILER)
        for section in entries(path).values()
        if "Exec" in section
    ]
    assert len(lines) == 4
    for line in lines:
        for field, value in (("%F", "a.glb b.glb"), ("%i", "a.glb"), ("%o", "a.png"), ("%s", "64")):
            line = line.replace(field, value)
        program, *words = shlex.split(line)
        command, words = (words[0], words[1:]) if words[0] in COMMANDS else ("view", words)
        assert program == "rigview"
        parse(command, words)


def test_types_are_those_of_our_files():
    tree = ElementTree.parse(MIME).getroot()
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    globs = {each.get("pattern") for each in tree.iter(f"{space}glob")}
    assert globs == {f"*{ending}" for ending in CHARACTERS}
    types = [each.get("type") for each in tree]
    listed = ";".join(types) + ";"
    assert entries(ENTRY)["Desktop Entry"]["MimeType"] == listed
    assert entries(THUMBNAILER)["Thumbnailer Entry"]["MimeType"] == listed
    told = ElementTree.parse(METAINFO).getroot().iter("mediatype")
    assert [each.text for each in told] == types


@pytest.mark.parametrize("size", [16, 22, 24, 32, 48, 64, 128, 256, 512])
def test_icons(size):
    with Image.open(ICONS / f"{size}x{size}" / "apps" / "rigview.png") as icon:
        assert (icon.size, icon.mode) == ((size, size), "RGBA")
        assert icon.getpixel((0, 0))[3] < 128 < icon.getpixel((size // 2, size // 2))[3]


@pytest.mark.parametrize(
    "command",
    [
        ["desktop-file-validate", ENTRY],
        ["appstreamcli", "validate", "--no-net", METAINFO],
        ["xmllint", "--noout", MIME, METAINFO, SVG],
    ],
    ids=lambda command: command[0],
)
def test_validators_find_nothing(command):
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "error" not in ran.stdout
