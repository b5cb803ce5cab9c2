"""Numbers are aligned at their points, and headings are heavier than rows."""

import pytest
from imgui_bundle import imgui

from rigview.scene.selected import Selected
from rigview.ui import blend_space_pad, theme, widgets
from tests.support.full_motion_file import DOCUMENT
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    yield driver
    driver.close()


@pytest.fixture
def points(monkeypatch):
    """Each number that is written by its end: text, y, and x of its point."""
    found, before = [], widgets.text_before

    def noted(right, y, text, color):
        if "." in text:
            end = text[text.index(".") :]
            found.append((text, round(y), right - imgui.calc_text_size(end).x))
        return before(right, y, text, color)

    monkeypatch.setattr(widgets, "text_before", noted)
    return found


def test_digits_are_equally_wide(driver):
    driver.gui.begin(driver.size, 1.0, 1 / 60)
    widths = {imgui.calc_text_size(digit).x for digit in "0123456789"}
    driver.gui.skip()
    assert len(widths) == 1


def test_the_numbers_of_a_joint(driver, points):
    session = driver.session
    session.transport.pause_at(0.4)
    arm = session.model.skeleton.find("LeftForeArm")
    session.selections.select(session.active, Selected(arm))
    driver.frames(3)
    points.clear()
    driver.frames()
    rows = {}
    for text, y, x in points:
        if text.count(".") == 1 and text.lstrip("-").replace(".", "").isdigit():
            rows.setdefault(y, []).append(x)
    columns = [sorted(xs) for xs in rows.values() if len(xs) == 3]
    assert len(columns) == 3, "translation, rotation and scale"
    for row in columns[1:]:
        assert row == pytest.approx(columns[0], abs=1.0)


def test_the_clips_of_a_space(driver, points):
    driver.session.editor.start(DOCUMENT)
    driver.key("m")
    driver.click("tab Space")
    points.clear()
    driver.frames()
    weights = {round(x) for text, _, x in points if len(text) == 4 and text[1] == "."}
    places = {round(x) for text, _, x in points if text.startswith("at ")}
    assert len(weights) == len(places) == 1


def test_headings_are_bold(driver):
    drawn = {}
    driver.gui.begin(driver.size, 1.0, 1 / 60)
    for name, bold in (("plain", False), ("bold", True)):
        with theme.Bold(bold):
            drawn[name] = imgui.calc_text_size("Environment").x
    driver.gui.skip()
    assert drawn["bold"] > 1.02 * drawn["plain"]


def test_the_handle_of_a_space_is_larger_than_its_clips():
    assert blend_space_pad.KNOB > 1.4 * blend_space_pad.DISC
