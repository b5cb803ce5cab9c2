"""Playback controls, at fixed times of the clock."""

import math

import pytest

from rigview.motion.document import ClipSettings, LayerSettings, MotionDoc, Root
from rigview.scenedoc.scene_doc import SceneDoc
from rigview.session import character_files, playing, transport
from rigview.session.file_reading import FileReading
from rigview.session.session import Session
from tests.support.clips import sliding_clip
from tests.support.fixed_clock import FixedClock
from tests.support.models import make_model, square


@pytest.fixture
def session():
    """Clips of 2 s (keys at 0, 0.5, 2) and of 1 s that starts at 0.25 s; 10 frames per second."""
    session = Session(
        FixedClock(100.0), doc=SceneDoc(frame_rate=10.0), files=FileReading(read_motions=False)
    )
    character_files.show_model(
        session,
        make_model(
            [square()], clips=(sliding_clip("Long", 0.0, 0.5, 2.0), sliding_clip("Late", 0.25, 1.0))
        ),
    )
    return session


def wait(session, seconds):
    session.clock.frame += round(seconds * 100)
    session.tick()
    session.update()
    return transport.time(session)


def test_first_clip_plays(session):
    assert transport.is_running(session)
    assert wait(session, 0.3) == pytest.approx(0.3)


def test_pause_and_play(session):
    wait(session, 0.3)
    transport.toggle(session)
    assert not transport.is_running(session)
    assert wait(session, 5.0) == pytest.approx(0.3)
    transport.toggle(session)
    assert wait(session, 0.2) == pytest.approx(0.5)


@pytest.mark.parametrize(("rate", "start"), [(1.0, 0.0), (-1.0, 2.0)])
def test_play_at_the_end_restarts(session, rate, start):
    transport.set_loop(session, "loop", 1.0)
    transport.set_speed(session, rate)
    wait(session, 3.0)
    assert not transport.is_running(session)
    transport.toggle(session)
    assert transport.is_running(session)
    assert transport.time(session) == pytest.approx(start)


def test_seek_does_not_pause(session):
    transport.seek(session, 1.2)
    assert wait(session, 0.1) == pytest.approx(1.3)


def test_steps_are_whole_frames(session):
    wait(session, 0.53)
    transport.step(session, 1)
    assert transport.time(session) == 6 / 10
    assert not transport.is_running(session)
    transport.step(session, 1)
    assert transport.time(session) == 7 / 10
    transport.step(session, -1)
    assert transport.time(session) == 6 / 10


def test_step_back_from_between_frames(session):
    wait(session, 0.53)
    transport.step(session, -1)
    assert transport.time(session) == 5 / 10


def test_steps_wrap_at_the_ends(session):
    transport.go_to_end(session, last=True)
    assert transport.time(session) == 2.0
    assert transport.frame(session) == 20
    transport.step(session, 1)
    assert transport.time(session) == 0.0
    transport.step(session, -1)
    assert transport.time(session) == 2.0
    transport.go_to_end(session, last=False)
    assert transport.time(session) == 0.0


def test_stepping_through_a_whole_clip(session):
    transport.go_to_end(session, last=False)
    seen = []
    for _ in range(21):
        seen.append(transport.frame(session))
        transport.step(session, 1)
    assert seen == list(range(21))


def test_go_to_frame_is_clamped_to_the_clip(session):
    for number, time in [(7, 0.7), (900, 2.0), (-3, 0.0)]:
        transport.go_to_frame(session, number)
        assert transport.time(session) == time


def test_keys_of_the_clip(session):
    wait(session, 0.2)
    found = []
    for way in (1, 1, 1, -1, -1, -1):
        transport.go_to_key(session, way)
        found.append(transport.time(session))
    assert found == [0.5, 2.0, 2.0, 0.5, 0.0, 0.0]


def test_speed_in_steps(session):
    transport.set_speed(session, 1.0)
    seen = []
    for way in (1, 1, -1, -1, -1):
        transport.change_speed(session, way)
        seen.append(transport.speed(session))
    assert seen == [1.25, 1.5, 1.25, 1.0, 0.75]


def test_speed_between_steps_and_backwards(session):
    transport.set_speed(session, -1.1)
    transport.change_speed(session, 1)
    assert transport.speed(session) == -1.25
    transport.set_speed(session, 99.0)
    transport.change_speed(session, 1)
    assert transport.speed(session) == 99.0
    transport.change_speed(session, -1)
    assert transport.speed(session) == 4.0


def test_speed_change_keeps_the_time(session):
    before = wait(session, 0.7)
    transport.set_speed(session, 3.0)
    assert transport.time(session) == pytest.approx(before)
    assert wait(session, 0.1) == pytest.approx(before + 0.3)


def test_cycling_loop_modes(session):
    seen = []
    for _ in range(4):
        seen.append(transport.loop_name(session))
        transport.next_loop(session)
    assert seen == ["Loop", "Ping-pong", "Once", "Loop"]


def test_labels_of_other_loop_modes(session):
    transport.set_loop(session, "pingpong", 3.0)
    assert transport.loop_name(session) == "Ping-pong, 3 times"
    transport.next_loop(session)
    assert transport.loop_name(session) == "Loop"


def test_next_clip_keeps_speed_and_loop_mode(session):
    transport.set_speed(session, 2.0)
    transport.set_loop(session, "pingpong", math.inf)
    transport.toggle(session)
    playing.next_clip(session, 1)
    assert session.character.clip == 1
    assert transport.is_running(session)
    assert transport.speed(session) == 2.0
    assert transport.loop_name(session) == "Ping-pong"
    playing.next_clip(session, 1)
    assert session.character.clip == 0
    playing.next_clip(session, -1)
    assert session.character.clip == 1


def test_choosing_a_clip_measures_its_bounds(session):
    far = session.scene.bounds.swept[:, 0].max()
    playing.choose_clip(session, 1)
    assert session.scene.bounds.swept[:, 0].max() == pytest.approx(far - 1.0)


def test_trim_starts_at_the_first_key(session):
    playing.choose_clip(session, 1)
    assert transport.time_range(session) == (0.0, 1.0)
    wait(session, 0.5)
    playing.set_trim(session, trim=True)
    assert transport.time_range(session) == (0.25, 1.0)
    assert transport.time(session) == pytest.approx(0.5)
    assert transport.is_running(session)
    assert transport.frames(session) == (3, 10)
    transport.toggle(session)
    playing.set_trim(session, trim=False)
    assert transport.time_range(session) == (0.0, 1.0)
    assert transport.time(session) == pytest.approx(0.5)
    assert not transport.is_running(session)


def test_trim_stays_for_the_next_clip(session):
    playing.set_trim(session, trim=True)
    playing.choose_clip(session, 1)
    assert transport.time_range(session)[0] == 0.25


def test_seeking_leaves_the_rest_pose(session):
    session.character.show = "rest"
    assert not transport.is_running(session)
    transport.seek(session, 0.5)
    assert session.character.show == "clip"


@pytest.mark.parametrize("empty", [True, False], ids=["no character", "no clips"])
def test_without_a_clip_to_play(empty):
    session = Session(FixedClock(60.0), files=FileReading(read_motions=False))
    if not empty:
        character_files.show_model(session, make_model([square()]))
    for do in (transport.toggle, transport.next_loop):
        do(session)
    transport.step(session, 1)
    transport.go_to_key(session, -1)
    transport.go_to_end(session, last=True)
    playing.next_clip(session, 1)
    transport.change_speed(session, 1)
    playing.set_trim(session, trim=True)
    assert transport.time(session) == 0.0
    assert transport.time_range(session) == (0.0, 0.0)
    assert not transport.is_running(session)


def test_clip_of_zero_length():
    session = Session(FixedClock(60.0), files=FileReading(read_motions=False))
    character_files.show_model(session, make_model([square()], clips=(sliding_clip("Still", 0.0),)))
    wait(session, 1.0)
    transport.step(session, 1)
    transport.toggle(session)
    transport.go_to_key(session, 1)
    assert transport.time(session) == 0.0
    assert transport.frames(session) == (0, 0)


SAID = MotionDoc(
    clips={"Long": ClipSettings(loop="pingpong", range=(0.5, 1.5))},
    layers=(LayerSettings("base", "Late"),),
)


def alone(session, said=SAID):
    """The first clip with settings of a motion file."""
    session.editor.start(said)
    playing.choose_clip(session, 0)
    return session.character


def test_single_clip_has_range_and_loop_of_the_motion_file(session):
    character = alone(session)
    assert not session.character.mixer.layered
    assert transport.time_range(session) == (0.5, 1.5)
    assert transport.frames(session) == (5, 15)
    assert transport.loop_name(session) == "Ping-pong"
    assert wait(session, 0.2) == pytest.approx(0.7)
    assert character.pose.translation[0, 0] == pytest.approx(0.7)
    assert wait(session, 1.0) == pytest.approx(1.3)


def test_steps_and_seeks_stay_in_the_range(session):
    alone(session)
    transport.go_to_end(session, last=True)
    assert transport.time(session) == 1.5
    transport.step(session, 1)
    assert transport.time(session) == 0.5
    transport.seek(session, 1.9)
    assert transport.time(session) == 1.5


def test_loop_setting_applies_to_its_clip_only(session):
    alone(session)
    playing.next_clip(session, 1)
    assert transport.loop_name(session) == "Loop"
    assert transport.time_range(session) == (0.0, 1.0)
    transport.set_loop(session, "loop", 1.0)
    playing.next_clip(session, 1)
    assert transport.loop_name(session) == "Ping-pong"


def test_range_overrides_trim(session):
    alone(session)
    playing.set_trim(session, trim=True)
    assert transport.time_range(session) == (0.5, 1.5)


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
    assert transport.time_range(session) == (0.5, 1.5)
    assert transport.time(session) == pytest.approx(0.7)


def test_invalid_document_keeps_the_clip(session):
    gone = MotionDoc(clips={"Gone": ClipSettings(range=(0.5, 1.5))})
    session.editor.set_document(gone)
    playing.choose_clip(session, 0)
    assert transport.time_range(session) == (0.0, 2.0)
