"""Motion editing in the real window: layers, a space, a mask, an aim; undo, saving, closing."""

import os
import shlex
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from rigview.motion.document import MotionDoc
from rigview.motion.read import MotionFile, read_motion
from rigview.motion.write import save_motion
from tests.support.full_motion_file import CLIPS, DOCUMENT
from tests.support.light_mannequin import light_mannequin
from tests.support.xvfb import PATIENCE, SMALLER, Window, XServer, need_xserver

VIEW = np.s_[40:500, 310:650]  # of the screen: rows and columns that no panel covers


@pytest.fixture
def window(tmp_path):
    need_xserver()
    path = tmp_path / "figure.glb"
    path.write_bytes(light_mannequin(CLIPS))
    save_motion(tmp_path / "figure.motion.toml", MotionFile(MotionDoc()), DOCUMENT)
    xserver = XServer(tmp_path, SMALLER)
    window = Window(xserver, path)
    yield window
    window.kill()
    xserver.close()


def changed(before, after, part=np.s_[:, :]):
    """Share of pixels that differ."""
    return float((np.abs(before[part] - after[part]) > 8).any(axis=-1).mean())


def across(window, widget, begin, end):
    """Drag over a widget from one share of its width to another."""
    left, top, right, bottom = window.box(widget)
    wide, middle = right - left, (top + bottom) // 2
    window.drag((left + round(begin * wide), middle), (left + round(end * wide), middle))
    window.settle()


def title(window):
    return window.tool("getwindowname", window.number).strip()


def keep(window, name):
    """Save a screenshot in the folder RIGVIEW_PICTURES, for inspection."""
    folder = os.environ.get("RIGVIEW_PICTURES")
    if folder:
        Image.fromarray(window.picture().astype(np.uint8)).save(f"{folder}/{name}.png")


def test_editing_a_motion(window, tmp_path):
    state = window.wait(lambda state: state["motion"] and "weight wave" in state["widgets"], "it")
    assert state["layers"] == ["base", "wave", "look"]
    window.key("space")
    window.wait(lambda state: not state["running"], "a pause")
    _weigh(window)
    _aim(window)
    _change_space_and_mask(window)
    _save(window, tmp_path / "figure.motion.toml")
    _copy(window, tmp_path)
    _close_with_changes(window, tmp_path / "figure.motion.toml")


def _weigh(window):
    """Change the weight of a layer, undo and redo it."""
    still = window.picture()
    across(window, "weight wave", 0.8, 0.2)
    state = window.wait(lambda state: state["undo"] == "Weight of wave", "an edit")
    assert state["dirty"]
    assert title(window).startswith("*figure.glb")
    weighed = window.picture()
    keep(window, "weighed")
    assert changed(still, weighed, VIEW) > 0.001

    window.key("ctrl+z")
    window.wait(lambda state: state["undo"] == "", "nothing to undo")
    undone = window.picture()
    assert changed(still, undone, np.s_[40:400, 310:650]) == 0.0
    window.key("ctrl+shift+z")
    window.wait(lambda state: state["undo"] == "Weight of wave", "it again")


def _aim(window):
    """Drag the target of an aim."""
    window.click("layer look")
    window.wait(lambda state: "handle look_at" in state["widgets"], "its details")
    window.settle()
    window.click("handle look_at")
    window.wait(lambda state: "handle" in state["widgets"], "the handle")
    keep(window, "handle")
    left, top, right, bottom = window.box("handle")
    x, y = (left + right) // 2, (top + bottom) // 2
    camera = window.state()["camera"]
    window.drag((x, y), (x - 50, y + 80))
    state = window.wait(lambda state: state["undo"] == "Value of look_at", "the target moved")
    assert state["camera"] == camera
    keep(window, "aimed")


def _change_space_and_mask(window):
    """Drag the point of a blend space, and paint a mask."""
    window.click("tab Space")
    window.wait(lambda state: "space line" in state["widgets"], "the space")
    across(window, "space line", 0.3, 0.7)
    window.wait(lambda state: state["undo"] == "Point of gait", "the point moved")
    keep(window, "space")

    window.click("tab Mask")
    window.wait(lambda state: "mask weight Neck" in state["widgets"], "the tree")
    left, top, right, bottom = window.box("mask weight Spine2")
    low = window.box("mask weight Head")[3] - 4
    window.drag(((left + right) // 2, (top + bottom) // 2), ((left + right) // 2, low))
    window.wait(lambda state: state["undo"] == "Paint upper", "paint")
    keep(window, "mask")
    window.click("tab View")


def _save(window, saved):
    window.key("ctrl+s")
    window.wait(lambda state: not state["dirty"] and "Saved" in state["notice"], "a file")
    document = read_motion(saved).document
    assert document != DOCUMENT
    assert document.layers[1].weight == pytest.approx(0.2, abs=0.06)
    painted = document.masks["upper"].joints
    assert painted["Spine2"] == painted["Neck"] == painted["Head"] == pytest.approx(0.5, abs=0.1)
    window.settle()
    assert title(window).startswith("figure.glb")


def _copy(window, tmp_path):
    """Draw the copied command: it is the picture that F12 saves."""
    window.key("ctrl+shift+c")
    window.wait(lambda state: state["notice"] == "Copied as a command", "a copy")
    window.key("F12")
    window.wait(lambda state: "pictures" in state["notice"], "a picture")
    time = window.state()["time"]
    (shown,) = (tmp_path / "pictures").glob("*.png")
    out = tmp_path / "out.png"
    subprocess.run(
        [sys.executable, "-m", "rigview", *shlex.split(copied(window))[1:], "-o", str(out)],
        check=True,
        cwd=tmp_path,
        env=window.xserver.environment,
        timeout=PATIENCE,
    )
    np.testing.assert_array_equal(np.asarray(Image.open(out)), np.asarray(Image.open(shown)))
    assert f"--time {time!r}" in copied(window)


def _close_with_changes(window, saved):
    """Close the window with an unsaved undo of the paint: cancel, then save."""
    window.key("ctrl+z")
    window.wait(lambda state: state["dirty"], "an unsaved change")
    window.ask_to_close()
    window.wait(lambda state: state["popup"] == "unsaved", "the question")
    keep(window, "unsaved")
    window.click("Cancel pop-up")
    window.wait(lambda state: state["popup"] == "", "going on")
    window.key("ctrl+q")
    window.wait(lambda state: state["popup"] == "unsaved", "the question again")
    window.click("Save pop-up")
    assert window.wait_for_end() == 0
    assert read_motion(saved).document.masks == DOCUMENT.masks


def copied(window):
    """The text that another program would paste."""
    pytest.importorskip("tkinter", reason="to paste with")
    code = "import tkinter; print(tkinter.Tk().clipboard_get(type='UTF8_STRING'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=window.xserver.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return done.stdout.strip()
