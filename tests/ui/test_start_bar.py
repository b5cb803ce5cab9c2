"""The bar at the start without a file."""

import pytest

from rigview.resources import asset_path
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    driver.session.settings.recent = [str(asset_path("mannequin.glb"))]
    driver.session.interface.start.shown = True
    driver.frames(3)
    yield driver
    driver.close()


def test_the_demo_closes_the_bar(driver):
    assert "start recent 0" not in driver.marks, "the bundled character is below the bar"
    driver.click("start demo")
    assert not driver.session.interface.start.shown
    driver.frames()
    assert "start open" not in driver.marks


def test_open_asks_for_a_file(driver):
    driver.click("start open")
    assert "open" in driver.session.interface.requests


def test_escape_closes_the_bar(driver):
    driver.key("escape")
    assert not driver.session.interface.start.shown


def test_a_recent_file_opens_and_closes_the_bar(driver, tmp_path):
    path = tmp_path / "recent.glb"
    path.write_bytes(light_mannequin(frozenset(("Idle",))))
    driver.session.settings.recent = [str(path), str(tmp_path / "gone.glb")]
    driver.frames(3)
    driver.click("start recent 1")
    assert driver.session.interface.popup == "error"
    driver.key("escape")
    driver.session.interface.start.shown = True
    driver.frames(3)
    driver.click("start recent 0")
    driver.frames(2)
    assert driver.session.path == path
    assert not driver.session.interface.start.shown
