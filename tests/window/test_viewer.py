"""The real window on a virtual screen, by mouse and keys, with screenshots."""

import math
import os
import shlex
import shutil
import subprocess
import sys
import tomllib

import numpy as np
import pytest
from PIL import Image

from rigview.resources import asset_path
from tests.support.light_mannequin import light_mannequin
from tests.support.shared import MODELS
from tests.support.xvfb import PATIENCE, ROOT, SMALLER, Window, XServer, need_xserver

CHARACTER = asset_path("mannequin.glb")
CLIPS = frozenset(("Idle", "Walk", "Run"))
VIEW = np.s_[40:690, 310:920]  # of the screen: rows and columns that no panel covers
SMALLER_VIEW = np.s_[40:500, 310:650]  # the same in a smaller window


@pytest.fixture
def xserver(tmp_path, request):
    need_xserver()
    xserver = XServer(tmp_path, getattr(request, "param", SMALLER))
    yield xserver
    xserver.close()


@pytest.fixture
def open_window(xserver):
    windows = []

    def open_one(*arguments, samples=1):
        windows.append(Window(xserver, *arguments, "--no-motion", samples=samples))
        return windows[-1]

    yield open_one
    for window in windows:
        window.kill()


@pytest.fixture
def character(xserver):
    """The path of a character that is faster to load than the bundled one."""
    path = xserver.folder / "figure.glb"
    path.write_bytes(light_mannequin(CLIPS))
    return path


def changed(before, after, part=np.s_[:, :]):
    """Share of pixels that differ."""
    return float((np.abs(before[part] - after[part]) > 8).any(axis=-1).mean())


@pytest.mark.parametrize("xserver", [None], indirect=True, ids=["no settings"])
def test_user_session(xserver, open_window):
    fox = MODELS / "Fox.glb"
    window = open_window(fox if fox.is_file() else CHARACTER, samples=4)
    first = window.state()
    assert first["running"]
    window.key("space")
    window.wait(lambda state: not state["running"], "a pause")
    still = window.picture()
    assert changed(still, np.full_like(still, still[60, 640]), VIEW) > 0.1, "a character is there"
    assert changed(still, window.picture(), VIEW) == 0.0, "nothing moves while it is paused"

    window.click("clip Walk")
    window.wait(lambda state: state["clip"] == "Walk" and state["running"], "another clip")
    window.key("space")
    window.wait(lambda state: not state["running"], "a pause")
    walking = window.picture()
    assert changed(still, walking, VIEW) > 0.01, "another pose"
    assert changed(window.part(still, "clip Walk"), window.part(walking, "clip Walk")) > 0.3

    window.key("bracketright")
    window.wait(lambda state: state["speed"] == 1.25, "more speed")
    faster = window.picture()
    assert changed(window.part(walking, "speed"), window.part(faster, "speed")) > 0.0
    assert changed(walking, faster, VIEW) == 0.0

    window.key("l")
    window.wait(lambda state: state["loop"] == "Ping-pong", "another loop")
    looped = window.picture()
    assert changed(window.part(faster, "loop"), window.part(looped, "loop")) > 0.0
    assert changed(faster, looped, VIEW) == 0.0

    window.key("b")
    window.wait(lambda state: state["look"]["overlays"]["skeleton"], "bones")
    bones = window.picture()
    assert 0.0 < changed(looped, bones, VIEW) < 0.2, "lines over the character"
    assert changed(window.part(looped, "bones"), window.part(bones, "bones")) > 0.1

    before = window.state()["camera"]
    window.drag((640, 300), (760, 330))
    window.wait(lambda state: state["camera"]["azimuth"] != before["azimuth"], "a turn")
    window.settle()
    after = window.state()["camera"]
    height = window.state()["view"][3] - window.state()["view"][1]
    turn = math.remainder(after["azimuth"] - before["azimuth"], math.tau)
    assert turn == pytest.approx(-120 / height * math.pi, abs=0.02)
    assert after["distance"] == pytest.approx(before["distance"], rel=1e-12), "placed at rest"
    turned = window.picture()
    assert changed(bones, turned, VIEW) > 0.1
    assert changed(window.part(bones, "bones"), window.part(turned, "bones")) == 0.0

    window.tool("click", 4)
    window.wait(lambda state: state["camera"]["distance"] < after["distance"], "the wheel")
    window.tool("mousemove", 640, 790)  # no name under the pointer in the scene
    window.wait(lambda state: state["hovered"] == "", "no name")
    near = window.picture()

    time = window.state()["time"]
    window.key("Right")
    stepped = window.wait(lambda state: state["time"] != time, "a frame's step")
    assert stepped["time"] == (math.floor(time * 30 + 1e-6) + 1) / 30
    step = window.picture()
    assert 0.0 < changed(near, step, VIEW) < 0.5
    assert changed(window.part(near, "scrub"), window.part(step, "scrub")) > 0.0

    window.key("F12")
    window.wait(lambda state: state["notice"].startswith("Saved"), "a picture")
    saved = list((xserver.folder / "pictures").iterdir())
    assert len(saved) == 1
    left, top, right, bottom = (round(x) for x in window.state()["view"])
    written = np.asarray(Image.open(saved[0]).convert("RGB")).astype(int)
    assert written.shape == (bottom - top, right - left, 3)
    np.testing.assert_allclose(
        written[40:600, 310:880], step[top + 40 : top + 600, 310:880], atol=1
    )

    window.key("F1")
    window.wait(lambda state: state["popup"] == "help", "help")
    assert changed(step, window.picture(), VIEW) > 0.3
    window.key("Escape")
    window.wait(lambda state: state["popup"] == "", "help to close")
    window.key("Escape")
    window.settle()
    window.alive()

    window.key("ctrl+q")
    assert window.wait_for_end() == 0
    assert list(window.cwd.iterdir()) == [], "nothing is left in the working directory"
    settings = tomllib.loads((xserver.folder / "config/rigview/settings.toml").read_text())
    assert settings["recent"][0].endswith(".glb")
    assert settings["size"] == [1280, 800]


def test_resize_hide_and_close_then_a_broken_file(xserver, open_window, tmp_path, character):
    window = open_window(character)
    window.tool("windowsize", window.number, 900, 600)
    window.wait(lambda state: state["view"][2] == 900.0, "a smaller view")
    window.key("Tab")
    window.wait(lambda state: state["view"] == [0.0, 0.0, 900.0, 600.0], "no panels")
    window.settle()
    window.ask_to_close()
    assert window.wait_for_end() == 0
    assert (
        "size = [900, 600]" in (window.xserver.folder / "config/rigview/settings.toml").read_text()
    )
    broken = tmp_path / "broken.glb"
    broken.write_bytes(character.read_bytes()[:999])
    again = open_window(broken)
    state = again.state()
    assert state["view"][2] == 900.0, "the size is remembered"
    assert (state["popup"], state["file"]) == ("error", "")
    again.ask_to_close()
    assert again.program.wait(PATIENCE) == 0
    (line,) = again.errors.read_text().splitlines()
    assert line.startswith(f"rigview: {broken}: ")
    strict = subprocess.run(
        [sys.executable, "-m", "rigview", "view", broken, "--strict"],
        env=xserver.environment,
        timeout=PATIENCE,
        check=False,
        stderr=subprocess.DEVNULL,
    )
    assert strict.returncode == 3


def test_broken_settings_and_the_file_dialog(xserver, open_window, monkeypatch, character):
    """A stub of the dialog program of Linux desktops; the window keeps playing meanwhile."""
    settings = xserver.folder / "config/rigview/settings.toml"
    settings.write_text("recent = [")
    answer = xserver.folder / "answer"
    program = xserver.folder / "bin" / "zenity"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nwhile [ ! -e {answer} ]; do sleep 0.05; done\ncat {answer}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    chosen = shutil.copy(character, xserver.folder / "chosen.glb")
    window = open_window(character, "--resolution", "960,600")
    assert "settings.toml.broken" in window.state()["notice"]
    window.key("ctrl+o")
    assert window.settle()["file"] == character.name
    window.key("b")
    window.wait(lambda state: state["look"]["overlays"]["skeleton"], "a responsive window")
    answer.write_text(f"{chosen}\n")
    window.wait(lambda state: state["file"] == "chosen.glb", "the file that was chosen")
    window.key("F11")
    window.settle()
    window.key("ctrl+q")
    assert window.wait_for_end() == 0
    assert tomllib.loads(settings.read_text())["recent"] == [str(chosen), str(character)]


def test_views_and_a_copied_command(xserver, open_window, character):
    window = open_window(
        character, "--animation", "Walk", "--skeleton", "--view", "front", "--frame-rate", "24"
    )
    state = window.state()
    assert state["clip"] == "Walk"
    assert state["look"]["overlays"]["skeleton"]
    assert state["camera"]["azimuth"] == 0.0
    window.key("space")
    _set_the_pivot(window)
    _change_the_view(window)
    _copy_the_view(window, xserver)


def _set_the_pivot(window):
    before = window.settle()["camera"]
    for _ in range(5):  # in slow frames two clicks may be too far apart for a double click
        window.tool("mousemove", 480, 190, "click", "--repeat", 2, "--delay", 60, 1)
        window.settle()
        after = window.settle()["camera"]
        if after["target"] != before["target"]:
            break
    assert after["azimuth"] == before["azimuth"]
    assert after["target"][1] > before["target"][1]


def _change_the_view(window):
    """Show other surfaces and a camera of the file by keys."""
    window.key("v", "v")
    window.wait(lambda state: state["look"]["shading"]["view_mode"] == "normals", "normals")
    normals = window.picture()
    window.key("shift+v", "shift+v", "o", "d")
    wanted = {"view_mode": "lit", "shadow": False}
    window.wait(lambda state: state["look"]["overlays"]["bounds"], "boxes")
    window.wait(lambda state: wanted.items() <= state["look"]["shading"].items(), "no shadow")
    assert changed(normals, window.picture(), SMALLER_VIEW) > 0.05
    window.key("k")
    window.wait(lambda state: state["through"] == 0, "the camera of the file")
    window.drag((480, 225), (500, 225))
    window.wait(lambda state: state["through"] == -1, "the mouse to take over")


def _copy_the_view(window, xserver):
    """Paste the command of another clip and view: it draws the picture that F12 saves."""
    pytest.importorskip("tkinter", reason="to paste with")
    window.key("Next")
    window.wait(lambda state: state["clip"] != "Walk" and state["time"] > 0.1, "another clip")
    window.key("space", "n")
    window.wait(
        lambda state: not state["running"] and state["look"]["overlays"]["joint_names"], "names"
    )
    window.drag((480, 225), (553, 266))
    window.settle()
    window.key("ctrl+shift+c")
    window.wait(lambda state: state["notice"].startswith("Copied"), "a copy")
    window.key("F12")
    window.wait(lambda state: state["notice"].startswith("Saved"), "a picture")
    paste = "import tkinter; print(tkinter.Tk().clipboard_get(type='UTF8_STRING'))"
    ask = {"env": xserver.environment, "stdout": subprocess.PIPE, "text": True, "timeout": PATIENCE}
    line = subprocess.run([sys.executable, "-c", paste], check=True, **ask).stdout
    program, *arguments = shlex.split(line)
    assert program == "rigview"
    output = arguments[arguments.index("-o") + 1]
    command = [sys.executable, "-m", "rigview", *arguments]
    subprocess.run(command, check=True, cwd=xserver.folder, **ask)
    with (
        Image.open(xserver.folder / output) as drawn,
        Image.open(xserver.folder / "pictures" / output) as saved,
    ):
        assert np.array_equal(np.asarray(drawn), np.asarray(saved)), line


@pytest.mark.parametrize("display", [None, ":98765"])
def test_without_a_display(display, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    if display is not None:
        environment["DISPLAY"] = display
    done = subprocess.run(
        [sys.executable, "-m", "rigview", CHARACTER],
        env={**environment, "XDG_CONFIG_HOME": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 4
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "rigview render" in done.stderr
