"""The ruler of layers that run on: their common loop, or no end."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.motion import edit
from rigview.motion.bind import bind
from rigview.motion.document import ClipSettings, Fade, LayerSettings, MotionDoc, Pivot, Root
from rigview.scenedoc.scene_doc import SceneDoc
from tests.support.five_joint_model import five_joint_model, slide_clip, turn_clip
from tests.support.models import show_model
from tests.support.sessions import new_session, wait

LAYERS = MotionDoc(layers=(LayerSettings("base", "Slide"), LayerSettings("arm", "Turn")))
ROOT = {"Slide": ClipSettings(root=Root("Hips", "accumulate", "x"))}


@pytest.fixture
def session():
    """Clips of 1, 1.5 and 0.7 s; 10 frames per second."""
    session = new_session(100.0, doc=SceneDoc(frame_rate=10.0))
    show_model(
        session,
        five_joint_model(
            slide_clip("Slide", 1.0, 1.4), turn_clip("Turn", 1.5, 100), turn_clip("Back", 0.7, -60)
        ),
    )
    return session


def play(session, document, seconds):
    session.editor.start(document)
    wait(session, seconds)


def document_pose(session):
    """The pose of a run of the document from 0 to the time on the ruler."""
    pose = Pose.like(session.model.skeleton.rest)
    mixer = bind(session.model, session.editor.document)
    mixer.seek(session.transport.time)
    mixer.sample(pose)
    return pose.data


def test_common_loop_is_shown(session):
    play(session, LAYERS, 110.4)
    assert session.transport.span == (0.0, pytest.approx(3.0))
    assert session.transport.time == pytest.approx(2.4)
    assert (session.transport.frame, session.transport.frames) == (24, (0, 30))
    np.testing.assert_allclose(session.character.pose.data, document_pose(session), atol=1e-5)


def test_frames_wrap_in_the_common_loop(session):
    play(session, LAYERS, 62.9)
    session.transport.step(1)
    assert (session.transport.frame, session.transport.time) == (30, pytest.approx(3.0))
    session.transport.step(1)
    assert session.transport.frame == 0
    session.transport.go_to_end(last=True)
    session.update()
    assert session.transport.frame == 30
    np.testing.assert_allclose(session.character.pose.data, document_pose(session), atol=1e-5)


def test_fade_stands_at_the_time_on_the_ruler(session):
    play(session, LAYERS, 61.2)
    before = session.character.pose.data.copy()
    now = session.transport.time
    faded = edit.with_fade(session.editor.document, round(now, 3), Fade("arm", "Back", 0.5))
    assert session.editor.edit(faded, "Fade")
    session.update()
    assert now == pytest.approx(1.2)
    assert session.transport.time == pytest.approx(now)
    np.testing.assert_allclose(session.character.pose.data, before, atol=1e-5)
    wait(session, 0.25)
    np.testing.assert_allclose(session.character.pose.data, document_pose(session), atol=1e-6)
    assert session.transport.endless, "the fade does not come back"


def test_travelling_layers_have_no_end(session):
    play(session, replace(LAYERS, clips=ROOT), 110.4)
    assert session.transport.frame == 1104
    assert session.transport.frames == (0, None)
    begin, end = session.transport.ruler
    assert begin < 110.4 < end
    assert (begin, end) == pytest.approx((108.0, 114.0)), "four times the longest layer"
    wait(session, 3.0)
    assert session.transport.ruler == (begin, end), "it rests until its end"
    wait(session, 1.0)
    assert session.transport.ruler[0] == end
    session.transport.seek(110.4)
    session.transport.go_to_end(last=True)
    assert session.transport.time == pytest.approx(110.4)
    session.transport.go_to_key(1)
    session.transport.step(1)
    assert session.transport.time == pytest.approx(110.5)
    session.transport.go_to_end(last=False)
    assert session.transport.time == 0.0
    assert session.transport.ruler == (0.0, 6.0)


def test_playing_backwards_from_the_start(session):
    play(session, replace(LAYERS, clips=ROOT), 0.5)
    session.transport.set_speed(-1.0)
    wait(session, 1.0)
    assert not session.transport.running
    session.transport.toggle()
    wait(session, 0.1)
    assert 0.0 < session.transport.time < 2.0


def test_long_turn_starts_again_after_an_edit(session):
    """A run from 0 that needs small steps all the way would take as long as the session."""
    turning = replace(LAYERS, clips=ROOT, pivot=Pivot(20.0))
    play(session, turning, 0.5)
    session.transport.pause_at(3 * 60.0 + 0.5)
    assert session.editor.edit(edit.with_weight(turning, "arm", 0.5), "Weight of arm")
    session.update()
    assert session.transport.time == pytest.approx(0.5)
    np.testing.assert_array_equal(session.character.pose.data, document_pose(session))


def test_long_walk_stays_where_it_is_after_an_edit(session):
    walking = replace(LAYERS, clips=ROOT)
    play(session, walking, 0.5)
    session.transport.pause_at(180.5)
    assert session.editor.edit(edit.with_weight(walking, "arm", 0.5), "Weight of arm")
    session.update()
    assert session.transport.time == pytest.approx(180.5)
    np.testing.assert_array_equal(session.character.pose.data, document_pose(session))
