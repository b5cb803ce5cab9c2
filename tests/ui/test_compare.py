"""The tab Compare, by mouse: modes, the edge of a wipe, the list of differences, names."""

import numpy as np
import pytest

from rigview.session import character_files
from tests.support.character_versions import character
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl, tmp_path):
    versions = {"old": character(), "new": character(wave=(0, 120, 0))}
    for name, version in versions.items():
        (tmp_path / f"{name}.glb").write_bytes(version.glb())
    driver = PanelDriver(gl, tmp_path / "old.glb")
    driver.frames(2)
    assert "tab Compare" not in driver.marks, "there is one character"
    character_files.add_files(driver.session, [tmp_path / "new.glb"])
    driver.frames(2)
    driver.click("tab Compare")
    yield driver
    driver.close()


@pytest.fixture
def compared(driver):
    """The driver once the differences are listed."""
    driver.frames()
    driver.session.poll()
    driver.frames(4)  # the panel grows
    return driver


def test_every_mode_has_a_button(driver):
    session = driver.session
    for label, mode in (
        ("Side by side", "side-by-side"),
        ("Overlaid", "overlaid"),
        ("Wipe", "wipe"),
        ("Error", "error"),
        ("In a row", None),
    ):
        driver.click(f"compare {label}")
        assert session.comparison.mode == mode
    driver.key("e")
    assert session.comparison.mode == "side-by-side"
    assert session.interface.notice == "Side by side"


def test_names_stand_where_each_version_is(driver):
    driver.click("compare Side by side")
    driver.frames(2)
    (left, _), (right, _) = driver.place("version old.glb"), driver.place("version new.glb")
    start, _, end, _ = driver.session.interface.viewport.box
    middle = start + driver.session.comparison.versions.middle * (end - start)
    assert left < middle < right
    assert "caption 1" not in driver.marks
    driver.click("compare In a row")
    assert "caption 1" in driver.marks


def test_the_edge_follows_the_pointer(driver):
    driver.click("compare Wipe")
    comparison = driver.session.comparison
    left, top, right, _ = driver.session.interface.viewport.box
    driver.move(left + 0.4 * (right - left), top + 200.0)
    assert comparison.versions.edge == pytest.approx(0.4)
    driver.press(left + 0.6 * (right - left), top + 200.0)
    assert comparison.versions.edge == pytest.approx(0.6)
    driver.move(left + 0.5 * (right - left), top + 200.0)
    assert comparison.versions.edge == pytest.approx(0.6), "a drag orbits"
    driver.release()
    driver.move(*driver.place("compare Wipe"))
    edge = comparison.versions.edge
    driver.move(*driver.place("compare Error"))
    assert comparison.versions.edge == edge, "the pointer is over a panel"


def test_the_edge_is_dragged(driver):
    driver.click("compare Wipe")
    driver.click("edge at the pointer")
    comparison = driver.session.comparison
    left, top, right, _ = driver.session.interface.viewport.box
    assert not comparison.follows_pointer
    driver.move(left + 0.5 * (right - left), top + 100.0)
    before, orbit = comparison.versions.edge, driver.scene.camera.orbit
    turned = orbit.azimuth
    x, y = driver.place("wipe edge")
    driver.drag((x, y), (left + 0.35 * (right - left), y))
    assert comparison.versions.edge == pytest.approx(0.35, abs=1e-3)
    assert comparison.versions.edge != before
    assert orbit.azimuth == turned


def test_a_click_on_a_difference_goes_to_its_moment(compared):
    session = compared.session
    compared.click("compare Wipe")
    compared.frames(4)
    compared.click("difference Arm rotation")
    assert [each.transport.time for each in session.open_characters] == [1.0, 1.0]
    assert session.selections.current.name == "Arm"
    assert "difference Motion" in compared.marks


def test_the_panel_says_which_version_lacks_a_clip(driver, tmp_path):
    (tmp_path / "new.glb").write_bytes(character(clips=("Rest",)).glb())
    character_files.reload(driver.session)
    session = driver.session
    session.activate(session.open_characters[0])
    driver.click("compare Side by side")
    driver.frames(2)
    assert session.comparison.missing[1] == "Wave"
    assert "version new.glb: no clip Wave" in driver.marks


def test_the_legend_has_the_scale_of_errors(compared):
    session = compared.session
    session.transport.pause_at(1.0)
    compared.click("compare Error")
    compared.frames(2)
    assert session.comparison.painted_errors.full == pytest.approx(1.0353, rel=1e-3)
    left, top, right, bottom = map(round, compared.marks["legend"])
    pixels = compared.picture()[top:bottom, left:right].reshape(-1, 3).astype(int)
    yellow = (np.abs(pixels - [253, 231, 37]) < 12).all(axis=1)
    assert yellow.any(), "the end of the colour scale"


def test_two_of_three_are_chosen(driver, tmp_path):
    character_files.add_files(driver.session, [tmp_path / "old.glb"])
    driver.frames(2)
    session = driver.session
    first, second, third = session.open_characters
    driver.click("compare New")
    driver.click("compare New 2")
    assert session.comparison.pair == (first, third)
    driver.click("compare Old")
    driver.click("compare Old 2")
    assert session.comparison.pair == (third, first), "both change places"
    assert second not in session.comparison.pair
