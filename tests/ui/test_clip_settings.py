"""The settings of a clip, set in the panel that the gear of its row opens."""

import pytest

from rigview.animation.playback import parse_loop
from rigview.loading.read_character import read_with
from rigview.motion.document import Root
from rigview.motion.read import parse_motion
from rigview.session import motion_saving
from rigview.session.clip_import import add_clips
from rigview.session.commands.actions import action, undo
from rigview.session.session import Session
from rigview.ui.motion_panel import OpenEntry
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver

MOTION = """# by hand
version = 1
[clips.Walk] # the walk
cycles = 1 # a pair of steps
"""


@pytest.fixture
def driver(gl, tmp_path):
    """A character with a motion file; the settings of its clip Walk, which plays, are open."""
    path = tmp_path / "figure.glb"
    path.write_bytes(light_mannequin(("Walk", "Run")))
    (tmp_path / "figure.motion.toml").write_text(MOTION)
    driver = PanelDriver(gl, path, size=(1000, 1500), read_motions=True)
    driver.session.transport.pause_at(0.5)
    driver.frames(2)
    driver.click("settings of Walk")
    driver.frames(2)
    yield driver
    driver.close()


def walk(driver):
    return driver.session.document.clips["Walk"]


def choose(driver, name, value):
    driver.click(name)
    driver.click(f"{name} {value}")
    driver.frames(2)


def test_settings_are_saved_with_comments(driver, tmp_path):
    session = driver.session
    driver.click("set clips.Walk.loop")
    choose(driver, "clips.Walk.loop", "pingpong")
    assert walk(driver).loop == "pingpong"
    assert session.character.mixer.own_loop == parse_loop("pingpong"), "it plays with it"
    driver.click("sync mark name")
    driver.type("left")
    driver.click("add sync mark")
    assert walk(driver).sync == {"left": (pytest.approx(0.5, abs=1e-4),)}
    driver.click("set clips.Walk.root")
    driver.frames(2)
    choose(driver, "clips.Walk.root.mode", "accumulate")
    assert walk(driver).root == Root("Hips", "accumulate")
    driver.click("clips.Walk.root.axes y")
    driver.click("clips.Walk.root.turn")
    assert walk(driver).root == Root("Hips", "accumulate", "xyz", turn=True)
    driver.key("escape")
    driver.frames(2)
    driver.key("left_ctrl", "s")
    text = (tmp_path / "figure.motion.toml").read_text()
    for part in ("# by hand", "# the walk", "# a pair of steps", 'loop = "pingpong"', "accumulate"):
        assert part in text
    assert not session.dirty
    for _ in range(7):
        assert session.history.undo_label in ("Settings of the clip Walk", "Save")
        undo(session)
    assert walk(driver).loop is None


def test_range_of_a_clip(driver):
    session: Session = driver.session
    driver.click("set clips.Walk.range")
    assert walk(driver).range == (0.0, 1.0)
    session.transport.set_play_range(0.2, 0.6)
    driver.frames(2)
    driver.click("range from timeline")
    assert walk(driver).range == (0.2, 0.6)
    assert session.transport.span == pytest.approx((0.2, 0.6))
    driver.click("unset clips.Walk.range")
    assert not session.document.clips, "nothing is set"


def test_number_of_passes_and_joint(driver):
    driver.click("set clips.Walk.loop")
    choose(driver, "clips.Walk.loop", "times")
    assert walk(driver).loop == "2"
    driver.click("set clips.Walk.root")
    driver.frames(2)
    assert walk(driver).root.mode == "in-place"
    driver.click("clips.Walk.root.joint")
    driver.frames(2)
    driver.type("spine2")
    driver.click("clips.Walk.root.joint Spine2")
    assert walk(driver).root.joint == "Spine2"
    driver.click("unset clips.Walk.root")
    driver.frames(2)
    assert walk(driver).root is None


def test_gear_of_other_rows(driver):
    driver.key("escape")
    driver.frames(2)
    driver.move(500, 300)
    assert "settings of Walk" in driver.marks, "it has settings"
    assert "settings of Run" not in driver.marks
    driver.click("clip Run", button=1)
    driver.frames(2)
    assert driver.session.interface.of(OpenEntry).opened == ("clips", "Run")
    assert driver.session.character.mixer.name == "Walk", "it does not play"


def test_range_of_the_timeline_becomes_a_clip(driver, tmp_path):
    session = driver.session

    def names():
        add_clips.poll(session)
        session.jobs.wait()
        driver.frames(3)
        return [clip.name for clip in session.model.clips]

    driver.key("escape")
    session.transport.set_play_range(0.2, 0.7)
    action("cut range").run(session)
    assert names() == ["Walk", "Run", "Walk part"]
    part = session.model.clips["Walk part"]
    assert (part.duration, part.source) == (pytest.approx(0.5, abs=1e-4), "Walk")
    session.transport.set_play_range(0.1, 0.3)
    action("cut range").run(session)
    assert names() == ["Walk", "Run", "Walk part 2", "Walk part"], "in the order of their ranges"
    driver.click("settings of Walk part 2")
    driver.frames(2)
    driver.click("name clips")
    driver.key("left_ctrl", "a")
    driver.type("Start")
    driver.key("enter")
    assert names() == ["Walk", "Run", "Start", "Walk part"]
    undo(session)
    assert names() == ["Walk", "Run", "Walk part 2", "Walk part"]
    undo(session)
    assert names() == ["Walk", "Run", "Walk part"]
    motion_saving.save(session, session.active)
    text = (tmp_path / "figure.motion.toml").read_text()
    assert "cycles = 1 # a pair of steps" in text
    found = read_with(tmp_path / "figure.glb", parse_motion(text, str(tmp_path / "a.motion.toml")))
    assert found.model.clips.names == ("Walk", "Run", "Walk part")
