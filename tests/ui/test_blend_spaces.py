"""Blend spaces by mouse: the point on a line, a plane and a dial, and the clips' places."""

import numpy as np
import pytest

from rigview.motion.document import Space, StrafeSpace
from rigview.ui import blend_space_pad, blend_spaces
from tests.support.full_motion_file import DOC
from tests.support.panels import Hands


@pytest.fixture
def hands(gl):
    hands = Hands(gl)
    hands.session.editor.start(DOC)
    hands.key("m")
    hands.click("tab Space")
    hands.frames(3)
    yield hands
    hands.close()


def show(hands, name):
    hands.click("space")
    hands.click(f"space {name}")
    hands.frames(3)


def value(hands, name):
    return hands.session.editor.document.parameters[name].default


def test_the_point_of_a_line(hands):
    left, top, right, bottom = hands.marks["space line"]
    y = (top + bottom) / 2
    hands.drag((left + 40, y), (left + 0.5 * (right - left), y))
    hands.frames(2)
    assert value(hands, "speed") == pytest.approx(2.0, abs=0.15)
    hands.drag((left + 40, y), (right + 300, y))
    hands.frames(2)
    assert value(hands, "speed") == 4.0
    hands.key("left_ctrl", "z")
    assert value(hands, "speed") == pytest.approx(2.0, abs=0.15)


def test_the_point_of_a_plane(hands):
    show(hands, "pad")
    before = hands.picture()
    left, top, right, bottom = hands.marks["space pad"]
    x, y = (left + right) / 2, (top + bottom) / 2
    hands.drag((x, y), (x + 0.25 * (right - left), y - 0.2 * (bottom - top)))
    hands.frames(2)
    assert value(hands, "x") > 0.4
    assert value(hands, "y") > 0.3
    assert hands.session.editor.history.undo_label == "Point of pad"
    assert (hands.picture() != before).any()
    hands.session.editor.undo()
    assert (value(hands, "x"), value(hands, "y")) == (0.25, 0.25)


def test_the_dial_of_a_strafe(hands):
    show(hands, "strafe")
    left, top, right, bottom = hands.marks["space dial"]
    x, y = (left + right) / 2, (top + bottom) / 2
    for goal, degrees in (((-50, 0), 90.0), ((50, 0), -90.0), ((0, -50), 0.0), ((-40, -40), 45.0)):
        hands.drag((x + 3, y - 30), (x + goal[0], y + goal[1]))
        hands.frames(2)
        assert value(hands, "direction") == pytest.approx(degrees, abs=2.0)


def test_clips_are_moved(hands):
    show(hands, "pad")
    hands.click("arrange")
    space = hands.session.editor.document.spaces["pad"]
    left, top, right, bottom = hands.marks["space pad"]
    x, y = (left + right) / 2, (top + bottom) / 2
    hands.drag((x, y), (x + 20, y - 20))
    hands.frames(2)
    moved = hands.session.editor.document.spaces["pad"]
    assert moved.clips[1:] == space.clips[1:]
    assert 0.1 < moved.clips[0].at[0] < 0.5
    assert 0.1 < moved.clips[0].at[1] < 0.5
    assert value(hands, "x") == 0.25, "the point stays"
    hands.key("left_ctrl", "z")
    assert hands.session.editor.document == DOC


def test_clips_are_added_and_taken_out(hands):
    hands.click("space clip")
    hands.type("Idle")
    hands.click("space clip Idle")
    clips = hands.session.editor.document.spaces["gait"].clips
    assert [each.clip for each in clips] == ["Walk", "Run", "Idle"]
    assert clips[2].at == (1.2,), "where the point is"
    hands.frames(2)
    hands.click("remove Idle 2")
    assert hands.session.editor.document == DOC
    hands.click("remove Run 1")
    assert hands.session.editor.document == DOC, "one clip is no space: the old one stays"
    assert hands.session.interface.notice


def test_a_new_space_plays_at_once(hands):
    blend_spaces.make_space(hands.session, "Idle", "Walk", plane=True)
    hands.frames(3)
    document = hands.session.editor.document
    assert isinstance(document.spaces["plane"], Space)
    assert document.layers[0].play == "plane"
    assert hands.session.interface.bench.space == "plane"
    blend_spaces.make_space(hands.session, "Idle", "Walk", plane=False)
    assert list(hands.session.editor.document.parameters)[-3:] == ["blend", "lift", "blend 2"]


def test_weights_of_a_strafe_sum_to_one():
    assert isinstance(DOC.spaces["strafe"], StrafeSpace)
    roles = list(DOC.spaces["strafe"].clips)
    for degrees in range(-400, 400, 7):
        assert blend_spaces._strafe_weights(roles, degrees).sum() == pytest.approx(1.0)


def test_places_and_values_are_each_others_inverse():
    frame = blend_space_pad.Frame((10.0, 20.0), (110.0, 70.0), (-1.0, 0.0), (3.0, 5.0))
    assert frame.at((-1.0, 0.0)) == (10.0, 70.0)
    for point in np.random.default_rng(1).uniform((-1, 0), (3, 5), (20, 2)):
        np.testing.assert_allclose(frame.value(*frame.at(point)), point, atol=1e-9)
    assert frame.value(-500.0, 500.0) == (-1.0, 0.0)


def test_a_name_makes_way_for_the_knob_and_for_other_names():
    knob = (90.0, 20.0, 110.0, 40.0)
    taken = [knob]
    assert blend_space_pad.free((80.0, 120.0), (30.0, 5.0), 12.0, taken) == 5.0
    assert blend_space_pad.free((115.0, 150.0), (5.0, 50.0), 12.0, taken) == 50.0
    assert blend_space_pad.free((80.0, 120.0), (10.0, 45.0), 12.0, taken) is None
    assert len(taken) == 3
