"""The export dialog and the progress of an export, by mouse and keys."""

from functools import partial

import pytest

from rigview.session.export.animation_export import AnimationExport
from rigview.session.export.background_export import EXPORT
from rigview.session.export.export_view import ExportView
from tests.support.held_jobs import HeldJobs
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl, tmp_path):
    """The bundled character, with the dialog opened from the menu."""
    driver = PanelDriver(gl)
    driver.click("menu File")
    driver.click("menu export")
    driver.session.interface.of(ExportView).folder = tmp_path
    driver.frames(3)
    yield driver
    driver.close()


def choose(driver, field, value):
    driver.click(f"export {field}")
    driver.frames(2)
    driver.click(f"export {field} {value}")
    driver.frames(2)


def replace_text(driver, field, text):
    driver.click(f"export {field}")
    driver.key("left_ctrl", "a")
    driver.type(text)
    driver.key("enter")


def test_a_video_by_mouse_and_keys(driver, tmp_path):
    view = driver.session.interface.of(ExportView)
    assert driver.session.interface.popup == "export"
    choose(driver, "size", "custom")
    replace_text(driver, "custom size", "64x48")
    replace_text(driver, "frame rate", "fast")
    driver.click("start export")
    assert driver.session.interface.requests == [], "a field cannot be read"
    replace_text(driver, "frame rate", "12")
    replace_text(driver, "name", str(tmp_path / "none" / "walk.webm"))
    driver.click("start export")
    assert driver.session.interface.requests == [], "the folder does not exist"
    replace_text(driver, "name", "walk.webm")
    assert view.format == ".webm"
    values = view.values()
    assert (values.size, values.frame_rate) == ((64, 48), 12.0)
    driver.click("copy export")
    assert driver.session.interface.requests == ["copy export"]
    driver.session.interface.requests.clear()
    (tmp_path / "walk.webm").touch()
    driver.click("start export")
    assert driver.session.interface.requests == ["export"]
    assert driver.session.interface.popup == ""


def test_escape_closes_a_list_before_the_dialog(driver):
    driver.click("export kind")
    driver.frames(2)
    driver.key("escape")
    assert "export kind picture" not in driver.marks
    assert driver.session.interface.popup == "export"
    driver.key("escape")
    assert driver.session.interface.popup == ""


def test_fields_of_each_kind(driver):
    choose(driver, "kind", "turntable")
    assert {"export seconds", "export format", "export framed"} <= driver.marks.keys()
    assert "export repeat" not in driver.marks
    choose(driver, "background", "colour")
    replace_text(driver, "colour", "navy")
    assert driver.session.interface.of(ExportView).colour == "navy"
    choose(driver, "kind", "sheet")
    choose(driver, "size", "512x512")
    assert driver.session.interface.of(ExportView).cell == "512x512"
    assert "export frame rate" not in driver.marks
    choose(driver, "kind", "page")
    assert not {"export size", "export format", "export framed"} & driver.marks.keys()
    assert "export background" in driver.marks
    driver.click("close export")
    assert driver.session.interface.popup == ""


def test_the_window_stays_usable_and_cancels(driver):
    view = driver.session.interface.of(ExportView)
    driver.click("close export")
    held = driver.session.jobs = HeldJobs()
    held.start(EXPORT, partial(print), print, in_process=True)
    view.running, view.done, view.total = "/there/walk.mp4", 3, 12
    driver.frames(3)
    playing = driver.session.character.playback.paused
    driver.click("play")
    assert driver.session.character.playback.paused != playing
    driver.click("menu File")
    driver.click("menu export")
    driver.frames(2)
    driver.click("start export")
    assert driver.session.interface.requests == [], "one export at a time"
    driver.click("close export")
    driver.click("cancel export")
    assert held.processes[0].ended


def test_buttons_are_in_sight_in_a_low_window(gl):
    driver = PanelDriver(gl, size=(900, 600), scale=2.0)
    driver.session.interface.popup = "export"
    driver.frames(4)
    assert driver.marks["start export"][3] < driver.size[1]
    left, _, right, _ = driver.marks["export passes"]
    assert right - left > 60, "the number of passes has room"
    driver.session.jobs = HeldJobs()
    driver.session.interface.of(ExportView).kind = "animation"
    driver.session.interface.of(AnimationExport).what = "chosen"
    driver.frames(4)
    bottom = driver.marks["start export"][3]
    assert bottom < 0.94 * driver.size[1], "the dialog does not scroll"
    driver.close()


def test_fields_of_animations(driver):
    """Keys, tolerance and clips; figures are grey while newer ones are computed."""
    held = driver.session.jobs = HeldJobs()
    made = driver.session.interface.of(AnimationExport)
    choose(driver, "kind", "animation")
    driver.frames(2)
    assert {"export tolerance", "export quantize", "export figures"} <= driver.marks.keys()
    assert "export frame rate" not in driver.marks
    assert "export format" not in driver.marks
    assert held.processes
    driver.click("export quantize")
    left, top, right, bottom = driver.marks["export tolerance"]
    driver.drag(((left + right) / 2, (top + bottom) / 2), (right - 20, (top + bottom) / 2))
    assert made.quantizes
    assert made.millimetres > 2 * made.usual_millimetres
    options = held.processes[-1].arguments[0]
    assert options.keys.tolerance_mm == made.millimetres
    assert options.keys.quantize_rotations
    choose(driver, "keys", "resample")
    assert "export tolerance" not in driver.marks
    driver.click("export loop")
    assert made.leaves_out_end
    choose(driver, "what", "chosen")
    driver.click("export clip 1")
    assert made.chosen == {0, 1}
    driver.click("export clip 0")
    driver.click("export clip 1")
    driver.click("start export")
    assert driver.session.interface.requests == [], "no clip is chosen"
    driver.click("export clip 2")
    driver.click("start export")
    assert driver.session.interface.requests == ["export"]
    assert held.processes[-1].ended, "the preview"
