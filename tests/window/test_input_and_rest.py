"""Quick input, lists, and rest of the real window."""

import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from rigview.resources import asset_path
from tests.support.xvfb import Window, XServer, need_xserver

CHARACTER = asset_path("mannequin.glb")
BELOW_THE_MENU = np.s_[30:]  # rows of the screen; the menu bar shows the time of a frame
REST = 1.0  # seconds: longer than a tooltip may take to appear


@pytest.fixture
def window(tmp_path):
    need_xserver()
    xserver = XServer(tmp_path)
    file = Path(shutil.copy(CHARACTER, tmp_path / "figure.glb"))
    window = Window(xserver, file, "--no-motion", "--time", "0.5", "--resolution", "700x500")
    window.file = file
    yield window
    window.kill()
    xserver.close()


def come_to_rest(window):
    """Wait until no frame is drawn for some time."""
    for _ in range(30):
        before = window.state()["frame"]
        time.sleep(REST)
        if window.state()["frame"] == before:
            return
    raise AssertionError("frames are drawn while nothing happens")


def test_quick_input_lists_and_rest(window):
    window.tool("key", "--delay", 0, "b", "n", "x", "g", "b", "o")
    look = window.settle()["look"]
    names = "skeleton", "joint_names", "axes", "bounds"
    assert [look["overlays"][name] for name in names] == [False, True, True, True]
    assert not look["grid"]

    left, top, right, bottom = window.box("loop")
    before = window.state()
    window.tool("mousemove", (left + right) // 2, (top + bottom) // 2, "click", 1)
    window.tool("key", "--delay", 0, "Down", "Down", "space")
    after = window.settle()
    assert after["loop"] != before["loop"], "the list takes the keys"
    assert (after["time"], after["running"]) == (before["time"], False)

    come_to_rest(window)
    picture = window.xserver.picture()[BELOW_THE_MENU]
    assert window.state()["idle"]
    window.picture()
    assert np.array_equal(window.xserver.picture()[BELOW_THE_MENU], picture)

    window.file.write_bytes(CHARACTER.read_bytes())
    window.wait(lambda state: state["notice"].startswith("Reloaded"), "a reload while it rests")

    window.key("space")
    window.wait(lambda state: state["running"], "playing")
    window.tool("windowunmap", "--sync", window.number)
    come_to_rest(window)
    window.tool("windowmap", "--sync", window.number)
    frame = window.state()["frame"]
    window.wait(lambda state: state["frame"] > frame, "frames again")
