"""The overlays as icons over the scene, with their names and keys in tooltips."""

import pytest

from rigview.session.commands.actions import action
from rigview.ui import overlay_row, widgets
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    yield driver
    driver.close()


def boxes(driver):
    return [driver.marks[name] for name in (*overlay_row.OVERLAYS, "overlay settings")]


def test_one_row_between_the_panels(driver):
    placed = boxes(driver)
    assert len({box[1] for box in placed}) == 1
    assert placed[0][0] > driver.marks["clip Idle"][2]
    assert placed[-1][2] < driver.marks["view cube"][0]
    assert driver.session.interface.viewport.top == placed[0][3]


def test_two_rows_in_a_narrow_scene_then_a_list(driver):
    driver.size = (900, 800)
    driver.frames(3)
    assert len({box[1] for box in boxes(driver)}) == 2
    driver.size = (480, 800)
    driver.frames(3)
    assert "bones" not in driver.marks
    driver.click("overlay settings")
    driver.frames(2)
    driver.click("bones")
    assert driver.scene.look.overlays.skeleton


@pytest.mark.parametrize("name", overlay_row.OVERLAYS)
def test_tooltips_have_name_and_key(driver, monkeypatch, name):
    shown = []
    monkeypatch.setattr(widgets, "tooltip", shown.append)
    driver.move(*driver.place(name))
    driver.frames(60)
    what = action(name)
    key = f" ({what.keys[0]})" if what.keys else ""
    assert shown
    assert shown[-1].splitlines()[0] == f"{what.label}{key}"


def test_no_row_while_the_panels_are_hidden(driver):
    driver.key("tab")
    assert "bones" not in driver.marks
    assert driver.session.interface.viewport.top == 0.0


def test_the_lists_open_beside_their_buttons(driver):
    for button, entry, below in (
        ("overlay settings", "bone shape", True),
        ("pose settings", "ghost", False),
    ):
        driver.click(button)
        driver.frames(2)
        low, box = driver.marks[button], driver.marks[entry]
        assert box[1] >= low[3] if below else box[3] <= low[1], "the button stays in sight"
        driver.key("escape")
        assert entry not in driver.marks
