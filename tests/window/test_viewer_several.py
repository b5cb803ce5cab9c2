"""Several characters in the real window, by mouse and keys, with screenshots."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from rigview.session.session import Session
from rigview.window.viewer import Viewer
from tests.support.fixed_clock import FixedClock
from tests.support.light_mannequin import light_mannequin
from tests.support.xvfb import SMALLER, Window, XServer, need_xserver

CLIPS = frozenset(("Idle", "Walk", "Run"))
VIEW = np.s_[60:440, 310:690]


@pytest.fixture
def paths(tmp_path):
    made = [tmp_path / f"{name}.glb" for name in ("one", "two")]
    for path in made:
        path.write_bytes(light_mannequin(CLIPS))
    return made


def test_comparing_two_characters(tmp_path, paths):
    need_xserver()
    xserver = XServer(tmp_path, SMALLER)
    window = Window(
        xserver,
        *paths,
        "--animation",
        "Walk",
        "--animation",
        "Run",
        "--view",
        "front",
        "--no-motion",
    )
    try:
        _compare(window, xserver, paths)
    finally:
        window.kill()
        xserver.close()


def _compare(window, xserver, paths):
    window.key("space")
    state = window.wait(lambda state: not state["running"], "a pause")
    assert (state["characters"], state["active"]) == (["one.glb", "two.glb"], 0)
    still = window.picture()
    title = window.tool("getwindowname", window.number).strip()
    assert title == "one.glb + 1 more – Rigview"

    window.key("a")
    window.wait(lambda state: state["active"] == 1 and state["clip"] == "Run", "the other one")
    assert (np.abs(still[VIEW] - window.picture()[VIEW]) > 8).mean() < 0.003, "nothing moves"

    window.tool("mousemove", *_seen(window.state(), 0.0, 1.2))
    window.settle()
    window.tool("click", 1)
    window.wait(lambda state: state["active"] == 0, "the one that was clicked")

    before = window.state()["times"]
    window.key("Right")
    stepped = window.wait(lambda state: state["times"] != before, "a frame's step")["times"]
    assert all(a != b for a, b in zip(before, stepped, strict=True))

    window.click("remove 2")
    window.wait(lambda state: state["characters"] == ["one.glb"], "one alone")
    window.key("ctrl+shift+o")
    window.wait(lambda state: state["popup"] == "add", "a field for a path")
    window.settle()
    window.tool("type", str(paths[1]))
    window.key("Return")
    window.wait(lambda state: state["characters"] == ["one.glb", "two.glb"], "one more")
    window.key("ctrl+q")
    assert window.wait_for_end() == 0


def _seen(state, x, y):
    """The screen position of a point in the plane z = 0, in the front view."""
    left, top, right, bottom = state["view"]
    camera = state["camera"]
    away = 0.5 * (bottom - top) / (camera["distance"] + camera["target"][2]) / math.tan(math.pi / 8)
    across, up = (x - camera["target"][0]) * away, (y - camera["target"][1]) * away
    return round((left + right) / 2 + across), round((top + bottom) / 2 - up)


@pytest.mark.parametrize(("shift", "done"), [(False, "try_open"), (True, "try_add")])
def test_dropped_files_are_opened_or_added(monkeypatch, paths, shift, done):
    taken, session = {}, Session(FixedClock(60.0))
    for name in ("try_open", "try_add"):
        monkeypatch.setattr(
            f"rigview.session.character_files.{name}",
            lambda of, *paths, name=name: taken.update({name: (of, paths)}),
        )
    monkeypatch.setattr("rigview.window.viewer.shift_held", lambda _window: shift)
    viewer = SimpleNamespace(
        session=session,
        _pyglet=SimpleNamespace(height=500),
        changed=lambda: None,
    )
    Viewer.dropped(viewer, 3, 4, [str(path) for path in paths])
    assert taken == {done: (session, tuple(paths))}
