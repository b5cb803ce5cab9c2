"""The timeline in the real window: the range by mouse and keys, strips, undo, a clip's settings."""

import pytest

from rigview.motion.document import At, Fade, LayerSettings, MotionDoc, Set
from rigview.motion.read import MotionFile, read_motion
from rigview.motion.write import save_motion
from tests.support.light_mannequin import light_mannequin
from tests.support.xvfb import SMALLER, Window, XServer, need_xserver

DOCUMENT = MotionDoc(
    layers=(LayerSettings("base", "Walk"), LayerSettings("wave", "Wave", weight=0.0)),
    at=(At(1.0, Fade("base", "Run", 0.5)), At(0.5, Set("wave.weight", 1.0, 0.25))),
)


@pytest.fixture
def window(tmp_path):
    need_xserver()
    path = tmp_path / "figure.glb"
    path.write_bytes(light_mannequin(("Walk", "Wave", "Run")))
    save_motion(tmp_path / "figure.motion.toml", MotionFile(MotionDoc()), DOCUMENT)
    xserver = XServer(tmp_path, SMALLER)
    window = Window(xserver, path, "--time", "0.2")
    yield window
    window.kill()
    xserver.close()


def across(window, widget, begin, end, low=0.5):
    """Drag over a widget from one share of its width to another, at a share of its height."""
    left, top, right, bottom = window.box(widget)
    wide, y = right - left, round(top + low * (bottom - top))
    window.drag((left + round(begin * wide), y), (left + round(end * wide), y))
    return window.settle()


def test_timeline_by_mouse_and_keys(window, tmp_path):
    window.wait(lambda state: "lane wave" in state["widgets"], "the strips")
    begin, end = across(window, "ruler", 0.3, 0.6, 0.8)["range"]
    assert 0.2 < begin < end
    window.key("space")
    window.wait(lambda state: state["running"] and begin < state["time"] < end, "playback in it")
    window.key("space", "ctrl+bracketleft")
    state = window.settle()
    assert not state["running"]
    assert state["range"] == [pytest.approx(state["time"]), end]

    state = across(window, "lane base", 0.6, 0.7)
    assert state["undo"] == "Move Run"
    window.key("ctrl+s")
    window.wait(lambda state: not state["dirty"], "a saved file")
    assert read_motion(tmp_path / "figure.motion.toml").document.at[0].time > 1.1
    window.key("ctrl+z")
    assert window.wait(lambda state: state["dirty"], "the edit undone")["undo"] == ""
