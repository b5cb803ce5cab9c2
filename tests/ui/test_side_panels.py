"""The tabs of the right column: the inspector opens with the first selection, chosen tabs stay."""

from itertools import pairwise

import numpy as np
import pytest
from imgui_bundle import imgui

from rigview.scene.selected import Selected
from rigview.session.character_files import add_files
from rigview.session.export.export_view import ExportView
from rigview.session.ui_state import Interface
from rigview.window.input_queue import MouseButton
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver


@pytest.fixture(scope="module")
def character(tmp_path_factory):
    path = tmp_path_factory.mktemp("side") / "character.glb"
    path.write_bytes(light_mannequin(frozenset(("Idle",))))
    return path


@pytest.fixture
def driver(gl, character):
    driver = PanelDriver(gl, character)
    yield driver
    driver.close()


def select(driver, name):
    session = driver.session
    session.selections.select(session.active, Selected(session.model.skeleton.find(name)))
    driver.frames(3)


def test_the_first_selection_opens_the_inspector(driver):
    assert "orthographic" in driver.marks
    select(driver, "Head")
    assert "inspected" in driver.marks
    driver.click("tab View")
    select(driver, "Hips")
    assert "orthographic" in driver.marks, "a tab chosen by hand stays"
    driver.click("tab Inspector")
    driver.session.selections.clear()
    driver.frames(3)
    assert "inspected" not in driver.marks
    assert "orthographic" not in driver.marks


def test_the_chosen_tab_is_remembered(driver):
    assert driver.session.settings.tab == ""
    select(driver, "Head")
    assert driver.session.settings.tab == "", "it was not chosen by hand"
    driver.click("tab Findings")
    assert driver.session.settings.tab == "Findings"
    driver.session.interface = Interface(widget_boxes={})
    driver.frames(3)
    assert "check state" in driver.marks
    driver.session.settings.tab = "Mask"
    driver.session.interface = Interface(widget_boxes={})
    driver.frames(3)
    assert "orthographic" in driver.marks, "Mask is a tab of the mixer"


def test_a_selection_does_not_close_a_mask(driver):
    driver.key("m")
    driver.click("tab Mask")
    driver.frames(2)
    select(driver, "Head")
    assert "new mask" in driver.marks


def test_the_tab_returns_with_the_mixer(driver):
    driver.key("m")
    driver.click("tab Mask")
    driver.key("m")
    assert "tab Mask" not in driver.marks
    assert "orthographic" in driver.marks
    driver.key("m")
    assert "new mask" in driver.marks


def test_a_narrow_window_lists_the_inspector(gl, character):
    driver = PanelDriver(gl, character, size=(700, 500))
    select(driver, "Head")
    assert "inspected" in driver.marks
    driver.click("panel")
    driver.click("panel Clips")
    select(driver, "Hips")
    assert "inspected" not in driver.marks, "a panel chosen by hand stays"
    driver.click("panel")
    driver.click("panel Inspector")
    driver.frames(2)
    assert "inspected" in driver.marks
    driver.close()


def test_tabs_stay_in_one_row(driver, character):
    driver.key("m")
    add_files(driver.session, [character])
    driver.frames(3)
    names = ("View", "Stage", "Inspector", "Findings", "Compare", "Space", "Mask", "Events")
    for name in names:
        driver.click(f"tab {name}")
        boxes = [driver.marks[f"tab {each}"] for each in names]
        assert len({box[1] for box in boxes}) == 1, "one row"
        assert all(box[2] <= other[0] + 0.5 for box, other in pairwise(boxes))
        assert boxes[-1][2] <= driver.size[0] - 20
        assert driver.session.interface.tabs["right"] == name


def test_the_cube_is_small_in_a_narrow_view(gl, character):
    driver = PanelDriver(gl, character, size=(800, 700))
    left, top, right, bottom = driver.marks["view cube"]
    view = driver.session.interface.viewport.box
    assert right - left == pytest.approx(bottom - top)
    assert 40 < right - left < 65
    assert left > (view[0] + view[2]) / 2 + 25, "beside the head of the character"
    driver.close()


def test_messages_lie_between_the_panels(gl, character):
    driver = PanelDriver(gl, character, size=(900, 600))
    session = driver.session
    session.interface.of(ExportView).running = "/home/me/Pictures/character-Walk.mp4"
    session.notify("Saved /home/me/Pictures/character-Idle-turntable.mp4")
    driver.frames(5)
    left, right = driver.marks["left edge"][0], driver.marks["right edge"][2]
    shown = {each.name: each for each in imgui.get_current_context().windows if each.was_active}
    for name in ("Exporting", "Notice"):
        low, wide = shown[name].pos.x, shown[name].size.x
        assert left <= low < low + wide <= right, name
    driver.close()


def test_the_start_bar_has_room_for_its_text(gl):
    driver = PanelDriver(gl, size=(900, 600))
    driver.session.interface.start.shown = True
    driver.frames(5)
    shown = {each.name: each for each in imgui.get_current_context().windows if each.was_active}
    card = shown["Start"]
    assert card.content_size.x <= card.inner_rect.max.x - card.inner_rect.min.x - 16
    driver.close()


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_start_bar_is_as_high_as_what_it_shows(gl, scale):
    driver = PanelDriver(gl, size=(900, 600), scale=scale)
    driver.session.interface.start.shown = True
    for recent in ([], ["/home/me/character.glb"]):
        driver.session.settings.recent = recent
        driver.frames(5)
        shown = {each.name: each for each in imgui.get_current_context().windows if each.was_active}
        bar, padding = shown["Start"], imgui.get_style().window_padding.y
        assert abs(bar.size.y - bar.content_size.y - 2.0 * padding) <= 2.0
    driver.close()


@pytest.mark.parametrize("name", ["Joints", "Meshes", "Stage", "Findings"])
def test_the_first_frame_of_a_tab_is_whole(driver, name):
    driver.session.transport.pause_at(0.0)
    driver.frames(3)
    driver.press(*driver.place(f"tab {name}"))
    driver.gui.add(MouseButton(0, False))
    first = driver.picture()
    driver.frames(5)
    np.testing.assert_array_equal(first, driver.picture())
