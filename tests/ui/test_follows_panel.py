"""The panel "Follows": clips that can follow the present one."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.ui import view_panel
from tests.support.models import rod_model, show_model
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    """The rod: "Bend" (1 s), "Back" joins its end, "Rest" does not."""
    model = rod_model()
    bend = model.clips[0]
    back = [replace(track, values=track.values[::-1].copy()) for track in bend.tracks]
    rest = [replace(track, values=track.values[[0, 0]]) for track in bend.tracks]
    model = replace(model, clips=(bend, Clip.of("Rest", rest), Clip.of("Back", back)))
    driver = PanelDriver(gl, size=(1280, 1000))
    show_model(driver.session, model)
    driver.frames(3)
    driver.click("follows")
    driver.frames(2)
    yield driver
    driver.close()


def playing(driver):
    return driver.session.model.clips[driver.session.character.mixer.clip].name


def time(driver):
    return driver.session.transport.time


def test_best_first(driver):
    listed = [name for name in driver.marks if name.startswith("follows ")]
    assert listed[0] == "follows Back"
    assert len(listed) == 3


def test_click_plays_the_clip_when_the_present_one_ends(driver):
    driver.session.active.character.playback.seek(0.5, driver.session.tau)
    driver.click("follows Back")
    assert playing(driver) == "Bend"
    while time(driver) > 0.3 and playing(driver) == "Bend":
        before = time(driver)
        driver.frames()
    assert playing(driver) == "Back"
    assert time(driver) == pytest.approx(before + 1 / 60 - 1.0, abs=1e-6), "no time is lost"
    assert driver.session.active.next_clip is None


def test_second_click_plays_it_at_once(driver):
    driver.session.active.character.playback.seek(0.2, driver.session.tau)
    driver.click("follows Back")
    driver.click("follows Back")
    assert playing(driver) == "Back"


def test_paused_time_starts_it_at_once(driver):
    driver.session.transport.pause_at(0.5)
    driver.click("follows Rest")
    assert playing(driver) == "Rest"


def test_another_choice_cancels_it(driver):
    driver.session.active.character.playback.seek(0.2, driver.session.tau)
    driver.click("follows Back")
    driver.click("clip Rest")
    driver.frames(90)
    assert playing(driver) == "Rest"
    assert driver.session.active.next_clip is None


@pytest.mark.parametrize(("mode", "passes", "at"), [("once", 1, 1.0), ("pingpong", np.inf, 3.0)])
def test_end_of_the_pass(driver, mode, passes, at):
    """Ping-pong: the clip's end, not its start."""
    active = driver.session.active
    active.character.playback.set_mode("pingpong" if mode == "pingpong" else "loop", passes, 0.0)
    active.character.playback.enter(1.5 if mode == "pingpong" else 0.5, driver.session.tau)
    driver.click("follows Back")
    assert active.next_clip is None or active.next_clip.end == at
    driver.frames(150)
    assert playing(driver) == "Back"


def test_clips_are_compared_in_the_background(driver):
    session = driver.session
    kept, session.jobs.in_background = session.interface.of(view_panel.KeptFollowers), True
    kept.model = None
    driver.frames()
    assert session.jobs.is_running(view_panel.FOLLOWERS)
    assert "follows Back" not in driver.marks
    session.jobs.wait()
    assert kept.ready == 3
    driver.frames(2)
    assert "follows Back" in driver.marks
