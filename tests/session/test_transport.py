"""Playback controls, at fixed times of the clock."""

import math

import pytest

from rigview.motion.document import ClipSettings, LayerSettings, MotionDoc, Root
from rigview.scenedoc.scene_doc import SceneDoc
from rigview.session import played_motion
from tests.support.clips import sliding_clip
from tests.support.models import make_model, show_model, square
from tests.support.sessions import new_session, wait


@pytest.fixture
def session():
    """Clips of 2 s (keys at 0, 0.5, 2) and of 1 s that starts at 0.25 s; 10 frames per second."""
    session = new_session(100.0, doc=SceneDoc(frame_rate=10.0))
    show_model(
        session,
        make_model(
            [square()], clips=(sliding_clip("Long", 0.0, 0.5, 2.0), sliding_clip("Late", 0.25, 1.0))
        ),
    )
    return session


def test_first_clip_plays(session):
    assert session.transport.running
    assert wait(session, 0.3) == pytest.approx(0.3)


def test_pause_and_play(session):
    wait(session, 0.3)
    session.transport.toggle()
    assert not session.transport.running
    assert wait(session, 5.0) == pytest.approx(0.3)
    session.transport.toggle()
    assert wait(session, 0.2) == pytest.approx(0.5)


@pytest.mark.parametrize(("rate", "start"), [(1.0, 0.0), (-1.0, 2.0)])
def test_play_at_the_end_restarts(session, rate, start):
    session.transport.set_loop("loop", 1.0)
    session.transport.set_speed(rate)
    wait(session, 3.0)
    assert not session.transport.running
    session.transport.toggle()
    assert session.transport.running
    assert session.transport.time == pytest.approx(start)


def test_seek_does_not_pause(session):
    session.transport.seek(1.2)
    assert wait(session, 0.1) == pytest.approx(1.3)


def test_steps_are_whole_frames(session):
    wait(session, 0.53)
    session.transport.step(1)
    assert session.transport.time == 6 / 10
    assert not session.transport.running
    session.transport.step(1)
    assert session.transport.time == 7 / 10
    session.transport.step(-1)
    assert session.transport.time == 6 / 10


def test_step_back_from_between_frames(session):
    wait(session, 0.53)
    session.transport.step(-1)
    assert session.transport.time == 5 / 10


def test_steps_wrap_at_the_ends(session):
    session.transport.go_to_end(last=True)
    assert session.transport.time == 2.0
    assert session.transport.frame == 20
    session.transport.step(1)
    assert session.transport.time == 0.0
    session.transport.step(-1)
    assert session.transport.time == 2.0
    session.transport.go_to_end(last=False)
    assert session.transport.time == 0.0


def test_stepping_through_a_whole_clip(session):
    session.transport.go_to_end(last=False)
    seen = []
    for _ in range(21):
        seen.append(session.transport.frame)
        session.transport.step(1)
    assert seen == list(range(21))


def test_go_to_frame_is_clamped_to_the_clip(session):
    for number, time in [(7, 0.7), (900, 2.0), (-3, 0.0)]:
        session.transport.go_to_frame(number)
        assert session.transport.time == time


def test_keys_of_the_clip(session):
    wait(session, 0.2)
    found = []
    for way in (1, 1, 1, -1, -1, -1):
        session.transport.go_to_key(way)
        found.append(session.transport.time)
    assert found == [0.5, 2.0, 2.0, 0.5, 0.0, 0.0]


def test_speed_in_steps(session):
    session.transport.set_speed(1.0)
    seen = []
    for way in (1, 1, -1, -1, -1):
        session.transport.change_speed(way)
        seen.append(session.transport.speed)
    assert seen == [1.25, 1.5, 1.25, 1.0, 0.75]


def test_speed_between_steps_and_backwards(session):
    session.transport.set_speed(-1.1)
    session.transport.change_speed(1)
    assert session.transport.speed == -1.25
    session.transport.set_speed(99.0)
    session.transport.change_speed(1)
    assert session.transport.speed == 99.0
    session.transport.change_speed(-1)
    assert session.transport.speed == 4.0


def test_speed_change_keeps_the_time(session):
    before = wait(session, 0.7)
    session.transport.set_speed(3.0)
    assert session.transport.time == pytest.approx(before)
    assert wait(session, 0.1) == pytest.approx(before + 0.3)


def test_cycling_loop_modes(session):
    seen = []
    for _ in range(4):
        seen.append(session.transport.loop_name)
        session.transport.next_loop()
    assert seen == ["Loop", "Ping-pong", "Once", "Loop"]


def test_labels_of_other_loop_modes(session):
    session.transport.set_loop("pingpong", 3.0)
    assert session.transport.loop_name == "Ping-pong, 3 times"
    session.transport.next_loop()
    assert session.transport.loop_name == "Loop"


def test_next_clip_keeps_speed_and_loop_mode(session):
    session.transport.set_speed(2.0)
    session.transport.set_loop("pingpong", math.inf)
    session.transport.toggle()
    played_motion.next_clip(session.transport, 1)
    assert session.character.clip == 1
    assert session.transport.running
    assert session.transport.speed == 2.0
    assert session.transport.loop_name == "Ping-pong"
    played_motion.next_clip(session.transport, 1)
    assert session.character.clip == 0
    played_motion.next_clip(session.transport, -1)
    assert session.character.clip == 1


def test_choosing_a_clip_measures_its_bounds(session):
    far = session.scene.bounds.swept[:, 0].max()
    played_motion.start_clip(session.transport, 1)
    assert session.scene.bounds.swept[:, 0].max() == pytest.approx(far - 1.0)


def test_trim_starts_at_the_first_key(session):
    played_motion.start_clip(session.transport, 1)
    assert session.transport.span == (0.0, 1.0)
    wait(session, 0.5)
    played_motion.set_trim(session.active, trim=True)
    assert session.transport.span == (0.25, 1.0)
    assert session.transport.time == pytest.approx(0.5)
    assert session.transport.running
    assert session.transport.frames == (3, 10)
    session.transport.toggle()
    played_motion.set_trim(session.active, trim=False)
    assert session.transport.span == (0.0, 1.0)
    assert session.transport.time == pytest.approx(0.5)
    assert not session.transport.running


def test_trim_stays_for_the_next_clip(session):
    played_motion.set_trim(session.active, trim=True)
    played_motion.start_clip(session.transport, 1)
    assert session.transport.span[0] == 0.25


def test_seeking_leaves_the_rest_pose(session):
    session.character.show = "rest"
    assert not session.transport.running
    session.transport.seek(0.5)
    assert session.character.show == "clip"


@pytest.mark.parametrize("empty", [True, False], ids=["no character", "no clips"])
def test_without_a_clip_to_play(empty):
    session = new_session(60.0)
    if not empty:
        show_model(session, make_model([square()]))
    session.transport.toggle()
    session.transport.next_loop()
    session.transport.step(1)
    session.transport.go_to_key(-1)
    session.transport.go_to_end(last=True)
    played_motion.next_clip(session.transport, 1)
    session.transport.change_speed(1)
    assert session.transport.time == 0.0
    assert session.transport.span == (0.0, 0.0)
    assert not session.transport.running


def test_clip_of_zero_length():
    session = new_session(60.0)
    show_model(session, make_model([square()], clips=(sliding_clip("Still", 0.0),)))
    wait(session, 1.0)
    session.transport.step(1)
    session.transport.toggle()
    session.transport.go_to_key(1)
    assert session.transport.time == 0.0
    assert session.transport.frames == (0, 0)


SAID = MotionDoc(
    clips={"Long": ClipSettings(loop="pingpong", range=(0.5, 1.5))},
    layers=(LayerSettings("base", "Late"),),
)


def alone(session, said=SAID):
    """The first clip with settings of a motion file."""
    session.editor.start(said)
    played_motion.start_clip(session.transport, 0)
    return session.character


def test_single_clip_has_range_and_loop_of_the_motion_file(session):
    character = alone(session)
    assert not session.character.mixer.layered
    assert session.transport.span == (0.5, 1.5)
    assert session.transport.frames == (5, 15)
    assert session.transport.loop_name == "Ping-pong"
    assert wait(session, 0.2) == pytest.approx(0.7)
    assert character.pose.translation[0, 0] == pytest.approx(0.7)
    assert wait(session, 1.0) == pytest.approx(1.3)


def test_steps_and_seeks_stay_in_the_range(session):
    alone(session)
    session.transport.go_to_end(last=True)
    assert session.transport.time == 1.5
    session.transport.step(1)
    assert session.transport.time == 0.5
    session.transport.seek(1.9)
    assert session.transport.time == 1.5


def test_loop_setting_applies_to_its_clip_only(session):
    alone(session)
    played_motion.next_clip(session.transport, 1)
    assert session.transport.loop_name == "Loop"
    assert session.transport.span == (0.0, 1.0)
    session.transport.set_loop("loop", 1.0)
    played_motion.next_clip(session.transport, 1)
    assert session.transport.loop_name == "Ping-pong"


def test_range_overrides_trim(session):
    alone(session)
    played_motion.set_trim(session.active, trim=True)
    assert session.transport.span == (0.5, 1.5)


@pytest.mark.parametrize("mode", ["in-place", "accumulate"])
def test_root_motion_of_a_single_clip(session, mode):
    root = Root(session.model.skeleton.names[0], mode=mode)
    said = MotionDoc(clips={"Long": ClipSettings(root=root)}, layers=SAID.layers)
    character = alone(session, said)
    wait(session, 4.5)
    carried = {"in-place": 0.0, "accumulate": 4.5}[mode]
    assert character.pose.translation[0, 0] == pytest.approx(0.0, abs=1e-6)
    assert character.world[0, 3] == pytest.approx(carried, abs=1e-5)
    character.show = "rest"
    session.update()
    assert character.world[0, 3] == 0.0


def test_document_without_layers_applies_clip_settings(session):
    wait(session, 0.7)
    clips = {"Long": ClipSettings(range=(0.5, 1.5))}
    session.editor.start(MotionDoc(clips=clips))
    assert not session.character.mixer.layered
    assert session.transport.span == (0.5, 1.5)
    assert session.transport.time == pytest.approx(0.7)


def test_invalid_document_keeps_the_clip(session):
    gone = MotionDoc(clips={"Gone": ClipSettings(range=(0.5, 1.5))})
    session.editor.set_document(gone)
    played_motion.start_clip(session.transport, 0)
    assert session.transport.span == (0.0, 2.0)
