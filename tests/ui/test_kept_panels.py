"""Panels that show what they drew last while a clip plays: as if all were drawn."""

from itertools import pairwise

import numpy as np
import pytest

from rigview.scene.selected import Selected
from rigview.ui import theme
from tests.support.panels import PanelDriver

TABS = ("Stage", "Findings")
WIDE, NARROW = (1280, 800), (640, 900)


def play(driver):
    """Play with panels that take turns; return the boxes of the widgets."""
    interface = driver.session.interface
    interface.tabs["right"] = TABS[0]
    driver.frames(3)
    boxes, interface.widget_boxes = driver.marks, None
    driver.frames(5)
    assert interface.turns.taken
    return boxes


def pictures(driver):
    """Return pictures of the same moment: with kept panels, and with all drawn."""
    interface = driver.session.interface
    kept = driver.picture()
    driver.clock.frame -= 1
    interface.widget_boxes = {}
    drawn = driver.picture()
    interface.widget_boxes = None
    return kept, drawn


def crop(picture, box):
    left, top, right, bottom = map(round, box)
    return picture[top:bottom, left:right]


def test_kept_panels_look_like_drawn_ones_and_the_playhead_moves(driver):
    boxes = play(driver)
    accent = np.round(255.0 * np.array(theme.palette().accent[:3]))
    for _ in range(2):
        kept, drawn = pictures(driver)
        high = round(boxes["ruler"][1]) - 40
        assert np.array_equal(kept[:high], drawn[:high])
        rows = [crop(each, boxes["scrub"]) for each in (kept, drawn)]
        heads = [(np.abs(each - accent) < 40).all(axis=-1)[2] for each in rows]
        assert heads[1].any()
        assert np.array_equal(*heads)
        driver.frames(5)
        assert driver.session.interface.turns.taken


def test_the_panel_under_the_pointer_is_drawn_in_every_frame(driver):
    tab = play(driver)[f"tab {TABS[1]}"]
    before = crop(driver.picture(), tab)
    driver.gui.mouse_move((tab[0] + tab[2]) / 2, (tab[1] + tab[3]) / 2)
    kept, drawn = (crop(each, tab) for each in pictures(driver))
    assert not np.array_equal(kept, before), "highlighted at once"
    assert np.array_equal(kept, drawn)
    driver.press((tab[0] + tab[2]) / 2, (tab[1] + tab[3]) / 2)
    assert not driver.session.interface.turns.taken
    driver.release()
    assert driver.session.interface.tabs["right"] == TABS[1]


def test_what_the_pointer_lights_does_not_stay(driver):
    edge = play(driver)["left edge"]
    cube = driver.session.interface.viewport.cube
    for box in (edge, cube):
        before = crop(driver.picture(), box)
        driver.gui.mouse_move((box[0] + box[2]) / 2, box[1] + 48.0)
        assert not np.array_equal(before, crop(driver.picture(), box))
        driver.gui.mouse_move(640.0, 400.0)
        assert np.array_equal(before, crop(driver.picture(), box))


def test_all_panels_are_drawn_in_long_frames(driver):
    play(driver)
    driver.gui.begin(driver.size, 1.0, 0.1)
    driver.gui.draw_panels(driver.session)
    driver.gui.skip()
    assert not driver.session.interface.turns.taken


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_numbers_of_the_inspector_change_in_every_second_frame(gl, driver, size):
    driver = PanelDriver(gl, driver.session.path, size)
    session = driver.session
    joint = session.model.skeleton.find("Head")
    session.selections.select(session.active, Selected(joint))
    session.interface.mixer_panels.panel = session.interface.tabs["right"] = "Inspector"
    driver.frames(3)
    box, session.interface.widget_boxes = driver.marks["numbers Quaternion"], None
    driver.frames(6)
    assert session.interface.turns.taken
    seen = [crop(driver.picture(), box) for _ in range(5)]
    changed = [not np.array_equal(*pair) for pair in pairwise(seen)]
    assert sum(changed) == 2
    driver.close()
