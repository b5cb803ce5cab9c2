"""The list of characters and their captions by mouse; a single character has neither."""

import shutil

import numpy as np
import pytest

from rigview.resources import asset_path
from rigview.session import character_files, picking
from rigview.ui import popups
from tests.support.light_mannequin import light_mannequin
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


@pytest.fixture
def twenty(gl, tmp_path):
    data = light_mannequin(frozenset(("Idle",)))
    paths = [tmp_path / f"{k + 1}.glb" for k in range(20)]
    for path in paths:
        path.write_bytes(data)
    driver = PanelDriver(gl, paths[0])
    character_files.open_files(driver.session, paths)
    driver.frames(3)
    yield driver
    driver.close()


def test_twenty_stand_between_the_panels(twenty):
    view, scene = twenty.session.interface.viewport, twenty.scene
    wide = view.box[2] - view.box[0]
    free = view.covered[0] / wide, 1.0 - view.covered[1] / wide
    points = np.concatenate([each.swept for each in scene.instances.visible])
    seen = scene.camera.used.project(points, wide / (view.box[3] - view.box[1]))
    assert free[0] < seen[:, 0].min() < seen[:, 0].max() < free[1]
    assert 0.0 < seen[:, 1].min() < seen[:, 1].max() < 1.0
    captions = [box for name, box in twenty.marks.items() if name.startswith("caption ")]
    assert len(captions) == 20
    assert min(box[0] for box in captions) > view.covered[0]
    assert max(box[2] for box in captions) < view.box[2] - view.covered[1]


def test_the_list_takes_half_of_the_panel(twenty):
    top, end = twenty.marks["character 1"][1], twenty.marks["offset"][1]
    rows = [name for name, box in twenty.marks.items() if name.startswith("hide ") and box[3] < end]
    assert len(rows) >= 10
    assert 0.4 < (end - top) / (twenty.size[1] - 150.0) < 0.6


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
    assert several.session.interface.requests == ["add"]


def test_click_in_the_view_picks(several, monkeypatch):
    """No drag, no click on a panel, and no second click of a double click."""
    clicks = []
    monkeypatch.setattr(picking, "click", lambda _, place, size: clicks.append((place, size)))
    left, top, right, bottom = several.session.interface.viewport.box
    for _ in range(2):
        several.press(640, 300)
        several.release()
    ((place, size),) = clicks
    assert place == pytest.approx((640 - left, 300 - top))
    assert size == (right - left, bottom - top)
    several.drag((640, 300), (700, 300))
    several.click("clip Run")
    assert len(clicks) == 1


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


@pytest.mark.parametrize("azimuth", [0.0, 0.6, 2.6, np.pi, 4.2])
def test_captions_follow_their_characters_around(several, azimuth):
    camera = several.scene.camera.orbit
    camera.azimuth, camera.elevation = azimuth, 0.5
    several.scene.frame(several.session.aspect)
    several.frames(2)
    left, top, right, bottom = several.session.interface.viewport.box
    for number, each in enumerate(several.session.open_characters, 1):
        matrices = each.character.world @ each.character.matrices
        seen = camera.project(matrices[:, :3, 3], (right - left) / (bottom - top))
        x, y = left + seen[:, 0] * (right - left), top + seen[:, 1] * (bottom - top)
        caption = several.marks[f"caption {number}"]
        middle = (caption[0] + caption[2]) / 2
        assert x.min() < middle < x.max(), "under its own character"
        assert y.max() - 12 < caption[1] < y.max() + 60


def test_captions_move_with_a_clip_that_travels(several):
    first = several.session.open_characters[0]
    world = np.eye(4, dtype=np.float32)
    several.frames()
    before = several.marks["caption 1"]
    world[0, 3] = -0.5
    first.character.set_placement(world)
    several.frames()
    assert several.marks["caption 1"][0] < before[0] - 20


def test_captions_of_characters_behind_each_other_are_in_lines(several):
    camera = several.scene.camera.orbit
    camera.azimuth, camera.elevation = np.pi / 2, 0.0
    several.scene.frame(several.session.aspect)
    several.frames(2)
    first, second = several.marks["caption 1"], several.marks["caption 2"]
    assert abs(first[1] - second[1]) > 10


def test_joint_names_lie_beside_captions(several):
    several.key("n")
    several.frames(3)
    named = [box for name, box in several.marks.items() if name.startswith("joint name ")]
    assert len(named) > 20
    for number in (1, 2):
        left, top, right, bottom = several.marks[f"caption {number}"]
        for box in named:
            apart = box[2] <= left or right <= box[0] or box[3] <= top or bottom <= box[1]
            assert apart, (number, box)
