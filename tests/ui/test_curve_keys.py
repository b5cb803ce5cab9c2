"""Editing keys in the curves panel."""

import numpy as np
import pytest

from rigview.session import played_motion
from rigview.session.commands.actions import redo, undo
from rigview.session.curve_keys import CurveKeys, selected_key
from rigview.window.input_queue import Key
from tests.support.panels import PanelDriver


@pytest.fixture
def curves(gl):
    """A driver with the curves of the left arm in the cubic clip "Wave", paused at 0 s."""
    driver = PanelDriver(gl)
    names = [clip.name for clip in driver.session.model.clips]
    played_motion.start_clip(driver.session.transport, names.index("Wave"))
    driver.frames(2)
    driver.key("c")
    driver.session.transport.pause_at(0.0)
    driver.session.interface.curves.subject = "LeftArm"
    driver.frames(2)
    yield driver
    driver.close()


def track(driver):
    model = driver.session.model
    clip = next(clip for clip in model.clips if clip.name == "Wave")
    joint = model.skeleton.find("LeftArm")
    return next(t for t in clip.tracks if t.target == joint and t.path == "rotation")


NAME = "key Rotation Z 2"


def drag(driver, by, *held):
    start = driver.place(NAME)
    driver.press(*start)
    for name in held:
        driver.gui.add(Key(name, True))
    for part in (0.5, 1.0):
        driver.move(start[0] + part * by[0], start[1] + part * by[1])
    driver.release()
    for name in held:
        driver.gui.add(Key(name, False))


def test_a_drag_changes_the_value_as_one_step(curves):
    before = track(curves)
    drag(curves, (2.0, -20.0))
    after = track(curves)
    assert np.array_equal(after.times, before.times)
    changed = (after.values != before.values).any(axis=1)
    assert np.flatnonzero(changed).tolist() == [2]
    assert np.linalg.norm(after.values[2]) == pytest.approx(1.0)
    assert np.array_equal(after.tangents, before.tangents)
    assert curves.session.active.changes.words == "1 key in Wave"
    undo(curves.session)
    assert track(curves) is before
    assert not curves.session.history.undo_label
    redo(curves.session)
    assert np.array_equal(track(curves).values, after.values)


def test_a_drag_sideways_changes_the_time_and_the_present_time_follows(curves):
    before = track(curves)
    drag(curves, (12.0, 2.0))
    after = track(curves)
    assert np.array_equal(after.values, before.values)
    assert np.flatnonzero(after.times != before.times).tolist() == [2]
    assert curves.session.transport.time == pytest.approx(float(after.times[2]), abs=1e-3)


def test_with_ctrl_the_time_is_that_of_a_frame(curves):
    drag(curves, (12.0, 0.0), "left_ctrl")
    frames = track(curves).times[2] * curves.session.frame_rate
    assert frames == pytest.approx(round(float(frames)), abs=1e-3)


def test_with_shift_both_change(curves):
    before = track(curves)
    drag(curves, (12.0, -20.0), "left_shift")
    after = track(curves)
    assert after.times[2] != before.times[2]
    assert (after.values[2] != before.values[2]).any()


def test_a_click_selects_without_an_edit(curves):
    curves.click(NAME)
    assert not curves.session.history.undo_label
    held = selected_key(curves.session)
    assert held.key == 2
    assert held.seconds == pytest.approx(curves.session.transport.time)
    assert "key value" in curves.marks


def test_delete_removes_the_selected_key(curves):
    before = track(curves)
    curves.key("delete")
    assert track(curves) is before
    assert "Select a key" in curves.session.interface.notice
    curves.click(NAME)
    curves.key("delete")
    assert len(track(curves).times) == len(before.times) - 1
    assert selected_key(curves.session) is None
    undo(curves.session)
    assert track(curves) is before


def test_the_value_can_be_dragged_as_a_number(curves):
    curves.click(NAME)
    before = selected_key(curves.session).value
    place = curves.place("key value")
    curves.drag(place, (place[0] + 40, place[1]))
    now = selected_key(curves.session)
    assert now.value > before
    assert np.linalg.norm(track(curves).values[2]) == pytest.approx(1.0)


def test_the_scale_stays_during_a_drag(curves):
    start = curves.place(NAME)
    curves.press(*start)
    curves.move(start[0], start[1] - 60.0)
    curves.frames(2)
    assert curves.place(NAME)[1] == pytest.approx(start[1] - 60.0, abs=2.0)
    curves.release()
    assert curves.session.interface.of(CurveKeys).drag is None


def test_sampled_curves_are_not_edited(curves):
    curves.session.interface.curves.space = "model"
    curves.frames(2)
    assert selected_key(curves.session) is None


def test_the_selected_joint_moves_with_the_key(curves):
    curves.click(NAME)
    joint = curves.session.model.skeleton.find("LeftArm")
    before = curves.session.character.pose.rotation[joint].copy()
    drag(curves, (0.0, -30.0))
    assert not np.allclose(before, curves.session.character.pose.rotation[joint], atol=1e-3)
