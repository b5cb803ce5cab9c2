"""Two versions in the real window: a wipe at the pointer, and a click on a difference."""

import numpy as np
import pytest

from tests.support.character_versions import character
from tests.support.xvfb import SMALLER, Window, XServer, need_xserver

RED, BLUE = (
    {"pbrMetallicRoughness": {"baseColorFactor": color}, "doubleSided": True}
    for color in ([1, 0, 0, 1], [0, 0, 1, 1])
)


def test_comparing_two_versions(tmp_path):
    need_xserver()
    paths = [tmp_path / "old.glb", tmp_path / "new.glb"]
    paths[0].write_bytes(character(material=RED).glb())
    paths[1].write_bytes(character(material=BLUE, wave=(0, 120, 0)).glb())
    xserver = XServer(tmp_path, SMALLER)
    window = Window(xserver, *paths, "--view", "front", "--time", "0.3", "--no-motion")
    try:
        _compare(window)
    finally:
        window.kill()
        xserver.close()


def _compare(window):
    window.click("tab Compare")
    window.click("compare Wipe")
    state = window.wait(lambda state: state["compare"] == "wipe", "a wipe")
    left, top, right, bottom = state["view"]
    middle = np.s_[round(top) + 20 : round(bottom) - 20, 350:600]  # between panels and cube
    for share, color in ((0.7, 0), (0.35, 2)):  # the old version is red, the new one blue
        window.tool("mousemove", round(left + share * (right - left)), round(bottom - 60))
        window.wait(lambda state, share=share: abs(state["edge"] - share) < 0.01, "an edge there")
        shown = window.picture()[middle]
        columns = np.flatnonzero(_is(shown, color).any(axis=0))
        others = np.flatnonzero(_is(shown, 2 - color).any(axis=0))
        assert len(columns) > 20
        assert not len(others), "all of the character is on one side of the edge"

    state = window.wait(
        lambda state: "difference Arm rotation" in state["widgets"], "the differences"
    )
    window.click("difference Arm rotation")
    state = window.wait(lambda state: state["selected"] == "Arm", "the joint")
    assert state["times"] == pytest.approx([1.0, 1.0])
    assert not state["running"]
    window.key("e")
    window.wait(lambda state: state["compare"] == "error", "the errors")
    window.key("ctrl+q")
    assert window.wait_for_end() == 0


def _is(pixels, channel):
    """Whether pixels are much brighter in a channel than in the others."""
    others = np.delete(pixels, channel, axis=-1).max(axis=-1)
    return pixels[..., channel] > others + 60
