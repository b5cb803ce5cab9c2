"""The list of characters and their captions by mouse; a single character has neither."""

import shutil

import numpy as np
import pytest

from rigview.resources import asset_path
from rigview.session import character_files
from rigview.ui import popups
from tests.support.panels import PanelDriver

CHARACTER = asset_path("mannequin.glb")


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cast")
    return [shutil.copy(CHARACTER, folder / f"{name}.glb") for name in ("one", "two")]


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    yield driver
    driver.close()


@pytest.fixture
def several(driver, paths):
    character_files.open_files(driver.session, paths)
    driver.frames(3)
    return driver


def test_single_character_has_no_list(driver):
    assert not {"character 1", "together", "add"} & set(driver.marks)


def test_click_activates_a_character(several):
    first, second = several.session.open_characters
    several.click("character 2")
    assert several.session.active is second
    several.click("clip Run")
    names = [clip.name for clip in second.model.clips]
    assert (names[second.character.clip], names[first.character.clip]) == ("Run", "Idle")
    several.key("a")
    assert several.session.active is first
    several.click("together")
    several.key("space")
    assert [each.character.playback.paused for each in (first, second)] == [True, False]


def test_hiding_and_removing(several):
    first, second = several.session.open_characters
    several.click("hide 2")
    assert second.hidden
    assert several.session.active is first
    several.click("hide 2")
    assert not second.hidden
    several.click("remove 1")
    assert several.session.open_characters == [second]
    assert "character 1" not in several.marks


def test_add_button(several):
    several.click("add")
    assert several.session.requests == ["add"]


def test_click_in_the_view_requests_a_pick(several):
    several.press(640, 300)
    several.release()
    left, top, right, bottom = several.session.interface.view
    x, y = several.session.interface.picked
    assert (x * (right - left) + left, y * (bottom - top) + top) == pytest.approx((640, 300))
    several.session.interface.picked = None
    several.drag((640, 300), (700, 300))
    assert several.session.interface.picked is None
    several.click("clip Run")
    assert several.session.interface.picked is None


def test_captions_are_below_the_characters(several):
    several.key("space")
    before = several.picture()
    for each in several.session.open_characters:
        each.path = None  # shows the model's name, which is longer
    changed = (before != several.picture()).any(axis=-1)[500:]
    columns = np.flatnonzero(changed[:, 260:1020].any(axis=0))
    assert np.ptp(columns) > 150, "two of them, side by side"


def test_scrolling_list_and_drop_down(gl, paths):
    driver = PanelDriver(gl, size=(640, 480))
    character_files.open_files(driver.session, paths * 5)
    driver.frames(3)
    assert "character 1" not in driver.marks
    driver.click("characters")
    driver.click("characters 7")
    assert driver.session.open_characters.index(driver.session.active) == 7
    driver.close()
    driver = PanelDriver(gl)
    character_files.open_files(driver.session, paths * 5)
    driver.session.activate(driver.session.open_characters[9])
    driver.frames(3)
    top, bottom = driver.marks["character 10"][1::2]
    assert driver.marks["together"][1] >= bottom > top, "the active one is in view"
    driver.close()


def test_names_in_a_sentence():
    names = [f"{k}.motion.toml" for k in range(7)]
    assert popups.listed(names[:1]) == "0.motion.toml"
    assert popups.listed(names[:3]) == "0.motion.toml, 1.motion.toml and 2.motion.toml"
    assert popups.listed(names).endswith("3.motion.toml and 3 more")
