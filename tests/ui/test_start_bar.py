"""The bar at the start without a file."""

import numpy as np
import pytest

from rigview.resources import asset_path
from rigview.tasks import still_pictures, thumbnail_cache
from rigview.tasks.thumbnail_cache import SIZE
from rigview.window.thumbnails import Thumbnails
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


def test_the_bar_is_above_the_view_and_shows_thumbnails(driver, tmp_path, monkeypatch):
    monkeypatch.setattr(thumbnail_cache, "cache_folder", lambda: tmp_path / "cache")
    red = np.full((SIZE, SIZE, 4), (200, 20, 30, 255), np.uint8)
    monkeypatch.setattr(still_pictures, "draw_thumbnail", lambda *_, **__: red)
    path = tmp_path / "recent.glb"
    path.write_bytes(light_mannequin(frozenset(("Idle",))))
    driver.session.settings.recent = [str(path)]
    driver.frames(2)
    for _ in range(3):
        Thumbnails(driver.gui).show(driver.session)
        driver.frames()
    view, tile = driver.session.interface.viewport.box, driver.marks["start recent 0"]
    assert tile[3] <= view[1]
    assert driver.marks["start demo"][3] <= view[1]
    left, top, right, _ = (round(x) for x in tile)
    inside = driver.picture()[top + 6 : top + right - left - 6, left + 6 : right - 6]
    assert (inside == red[0, 0, :3]).all()
    points = np.concatenate([each.swept for each in driver.scene.instances.visible])
    aspect = (view[2] - view[0]) / (view[3] - view[1])
    seen = driver.scene.camera.used.project(points, aspect)
    driver.click("start demo")
    driver.frames(2)
    taller = driver.session.interface.viewport.box
    assert taller[1] < view[1]
    assert 0.0 < seen[:, 1].min() < seen[:, 1].max() < 1.0
