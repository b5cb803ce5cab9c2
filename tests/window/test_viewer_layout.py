"""The real window with large text: every control is on the screen, and panel sizes are saved."""

import tomllib

import pytest

from tests.support.light_mannequin import light_mannequin
from tests.support.xvfb import Window, XServer, need_xserver


def test_small_window_with_large_text(tmp_path):
    need_xserver()
    path = tmp_path / "character.glb"
    path.write_bytes(light_mannequin(frozenset({"Idle", "Walk", "Run"})))
    settings = tmp_path / "config" / "rigview" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("ui_scale = 2.0\n")
    xserver = XServer(tmp_path)
    window = Window(xserver, path, "--resolution", "900,600", "--no-motion")
    try:
        window.key("c")
        window.wait(lambda state: "curves" in state["widgets"], "curves")
        widgets = window.settle()["widgets"]
        outside = [
            name
            for name, (left, top, right, bottom) in widgets.items()
            if not name.startswith(("key ", "legend ", "curve"))
            and (left < -1 or right > 901 or (name in ("play", "speed") and bottom > 601))
        ]
        assert not outside
        window.click("curves close")
        window.wait(lambda state: "panel" in state["widgets"], "the list of panels")
        window.click("panel")
        window.wait(lambda state: "panel View" in state["widgets"], "its entries")
        window.settle()
        window.click("panel View")
        window.wait(lambda state: "orthographic" in state["widgets"], "the panel View")
        window.click("overlay settings")
        window.wait(lambda state: "bones" in state["widgets"], "the list of overlays")
        window.settle()
        window.click("bones")
        window.wait(lambda state: state["look"]["overlays"]["skeleton"], "the skeleton")
        window.key("Escape")
        window.wait(lambda state: "bones" not in state["widgets"], "no list")
        left, top, right, bottom = window.box("left edge")
        middle = (left + right) // 2, (top + bottom) // 2
        window.drag(middle, (middle[0] + 64, middle[1]))
        window.wait(lambda state: state["view"][0] > 500, "a wider panel")
        window.key("ctrl+q")
        assert window.wait_for_end() == 0
        saved = tomllib.loads(settings.read_text())
        assert saved["panels"]["left"] == pytest.approx(17.0, abs=0.3)
    finally:
        window.kill()
        xserver.close()
