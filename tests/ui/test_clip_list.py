"""The list of clips: the preview of the one under the pointer, and search by tags."""

import numpy as np
import pytest

from rigview.motion.read import read_motion
from rigview.ui.clip_list import PREVIEW
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver

CLIPS = ("Crouch", "Idle", "Limp", "Run", "Stand", "Walk", "WalkBack", "Wave", "Prone")


@pytest.fixture
def driver(gl, tmp_path):
    path = tmp_path / "character.glb"
    path.write_bytes(light_mannequin(frozenset(CLIPS)))
    driver = PanelDriver(gl, path)
    yield driver
    driver.close()


def rest_on(driver, name, seconds=2.0 * PREVIEW):
    driver.move(*driver.place(name))
    driver.frames(round(seconds * 60))


def other_clip(driver):
    """The name of a clip that does not play."""
    character = driver.session.character
    return next(clip.name for clip in character.model.clips[2:])


def test_a_clip_under_the_resting_pointer_is_shown(driver):
    session, character = driver.session, driver.session.character
    before, played = character.mixer, session.active.record
    rest_on(driver, f"clip {other_clip(driver)}", 0.5 * PREVIEW)
    assert character.preview is None, "the pointer passes"
    driver.frames(round(PREVIEW * 60))
    shown = character.preview
    assert character.model.clips[shown.clip].name == other_clip(driver)
    assert session.moving
    pose = character.pose.data.copy()
    driver.frames(3)
    assert not np.array_equal(character.pose.data, pose), "it plays"
    assert character.mixer is before
    assert session.active.record is played
    assert (session.history.undo_label, session.dirty) == ("", False)
    driver.move(640, 300)
    driver.frames(2)
    assert character.preview is None
    before.update(session.tau)
    before.sample(pose_of := character.pose.copy())
    np.testing.assert_array_equal(character.pose.data, pose_of.data)


def test_a_paused_character_previews_and_stays_paused(driver):
    session = driver.session
    session.transport.pause_at(0.5)
    rest_on(driver, f"clip {other_clip(driver)}")
    assert session.character.preview is not None
    driver.move(640, 300)
    driver.frames(2)
    assert not session.moving
    assert session.transport.time == 0.5


def test_a_click_plays_it_and_ends_the_preview(driver):
    name = other_clip(driver)
    rest_on(driver, f"clip {name}")
    driver.click(f"clip {name}")
    character = driver.session.character
    assert character.preview is None
    assert character.model.clips[character.clip].name == name
    driver.frames(60)
    assert character.preview is None, "it plays already"
    driver.key("space")
    driver.frames(60)
    assert character.preview is None, "it rests"


def test_tags_are_typed_saved_and_searched(driver, tmp_path):
    name = other_clip(driver)
    driver.click(f"clip {name}", button=1)
    driver.frames(3)
    driver.click(f"add clips.{name}.tags")
    driver.frames(2)
    driver.click(f"clips.{name}.tags 0")
    driver.key("left_ctrl", "a")
    driver.type("fight")
    driver.key("enter")
    assert driver.session.document.clips[name].tags == ("fight",)
    assert driver.session.history.undo_label
    for text in ("fight", "#fi"):
        driver.session.interface.filter_clips = text
        driver.frames(3)
        listed = [mark for mark in driver.marks if mark.startswith("clip ")]
        assert listed == [f"clip {name}"]
    driver.key("left_ctrl", "s")
    saved = read_motion(tmp_path / "character.motion.toml")
    assert saved.document.clips[name].tags == ("fight",)
