"""The in/out range: which part of the ruler it is, and how playback repeats it."""

import math
import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.motion.document import LayerSettings, MotionDoc
from rigview.scenedoc.scene_doc import SceneDoc
from rigview.session import character_files, played_motion
from rigview.session.commands.actions import action
from rigview.session.copied_text import copy_range
from rigview.session.opened_character import OpenedCharacter
from rigview.session.play_range import crossing, frames_of
from rigview.session.played_motion import play_next
from rigview.session.player import PlayRange
from tests.support.clips import sliding_clip
from tests.support.light_mannequin import light_mannequin
from tests.support.models import make_model, show_model, square
from tests.support.sessions import new_session, play

SPAN = PlayRange(0.5, 1.0)


@pytest.fixture
def session():
    """Clips of 2 s and of 1 s, looping; 10 frames per second."""
    session = new_session(100.0, doc=SceneDoc(frame_rate=10.0))
    clips = sliding_clip("Long", 0.0, 0.5, 2.0), sliding_clip("Short", 0.0, 1.0)
    show_model(session, make_model([square()], clips=clips))
    return session


def ranged(session, begin=0.5, end=1.0, *, start=0.6):
    session.transport.set_play_range(begin, end)
    session.transport.seek(start)
    play(session, 0.02)
    session.transport.seek(start)
    session.update()


def test_keys_set_in_and_out_at_the_present_time(session):
    session.transport.pause_at(0.7)
    action("range in").run(session)
    assert session.active.transport.play_range == (0.7, 2.0)
    session.transport.pause_at(1.5)
    action("range out").run(session)
    assert session.active.transport.play_range == (0.7, 1.5)
    session.transport.pause_at(1.7)
    action("range in").run(session)
    assert session.active.transport.play_range == (1.7, 2.0), "an in point after the out point"
    session.transport.pause_at(0.4)
    action("range out").run(session)
    assert session.active.transport.play_range == (0.0, 0.4), "an out point before the in point"
    action("clear range").run(session)
    assert session.active.transport.play_range is None
    session.transport.pause_at(0.0)
    action("range out").run(session)
    assert session.active.transport.play_range is None
    assert "no length" in session.interface.notice


def test_loop_repeats_the_range(session):
    ranged(session)
    seen = [play(session, 0.1) for _ in range(12)]
    assert all(0.5 <= time <= 1.0 for time in seen)
    assert seen[4:9] == pytest.approx([0.6, 0.7, 0.8, 0.9, 0.5], abs=1e-6)


def test_reverse_playback_repeats_the_range(session):
    ranged(session)
    session.transport.set_speed(-1.0)
    assert play(session, 0.2) == pytest.approx(0.9, abs=1e-6)


def test_ping_pong_turns_back_at_both_ends(session):
    session.transport.set_loop("pingpong", math.inf)
    ranged(session)
    seen = [play(session, 0.2) for _ in range(6)]
    assert seen == pytest.approx([0.8, 1.0, 0.8, 0.6, 0.6, 0.8], abs=1e-6)


@pytest.mark.parametrize(("mode", "passes", "end"), [
    ("loop", 1.0, 1.0), ("loop", 3.0, 1.0), ("pingpong", 2.0, 0.5), ("pingpong", 3.0, 1.0),
])  # fmt: skip
def test_passes_of_the_range_are_counted(session, mode, passes, end):
    session.transport.set_loop(mode, passes)
    ranged(session, start=0.5)
    play(session, 0.5 * passes - 0.1)
    assert session.transport.running
    assert play(session, 0.2) == pytest.approx(end)
    assert not session.transport.running
    session.transport.toggle()
    assert play(session, 0.1) == pytest.approx(0.6, abs=0.021), "the first pass begins"
    play(session, 0.5 * passes - 0.3)
    assert session.transport.running, "all passes are played again"


def test_once_at_the_out_point_plays_again(session):
    session.transport.set_loop("loop", 1.0)
    ranged(session)
    session.transport.pause_at(1.0)
    play(session, 0.1)
    session.transport.toggle()
    assert play(session, 0.1) == pytest.approx(0.6, abs=0.021)


def test_seeks_and_steps_leave_the_range(session):
    ranged(session)
    session.transport.seek(1.4)
    assert play(session, 0.2) == pytest.approx(1.6), "time runs on"
    assert play(session, 1.0) == pytest.approx(0.6), "until it comes to the range again"
    assert play(session, 0.5) == pytest.approx(0.6)
    session.transport.pause_at(1.0)
    session.transport.step(1)
    assert play(session, 0.1) == pytest.approx(1.1)


def test_range_to_the_end_of_the_clip(session):
    ranged(session, 1.5, 2.0, start=1.6)
    seen = [play(session, 0.06) for _ in range(20)]
    assert all(1.5 <= time <= 2.0 for time in seen)


def test_a_long_frame_repeats_the_range_often(session):
    ranged(session)
    assert play(session, 3.0, step=3.0) == pytest.approx(0.6)


def test_a_speed_change_keeps_the_range(session):
    ranged(session)
    for k in range(30):
        session.transport.set_speed(1.0 + 0.01 * k)
        play(session, 0.02)
        assert session.transport.time <= 1.0


def test_range_belongs_to_the_clip(session):
    ranged(session)
    played_motion.next_clip(session.transport, 1)
    assert session.active.transport.play_range is None
    played_motion.next_clip(session.transport, 1)
    assert session.active.transport.play_range == SPAN


def test_linked_characters_have_the_same_range(session):
    clips = (sliding_clip("Other", 0.0, 0.75),)
    second = OpenedCharacter(session, make_model([square()], clips=clips))
    first = session.active
    session.scene.instances.add(second)
    played_motion.choose_clip(second, 0)
    session.activate(first)
    session.transport.set_play_range(0.5, 1.0)
    assert first.transport.play_range == SPAN
    assert second.transport.play_range == (0.5, 0.75), "the part that its clip has"
    session.together = False
    session.transport.clear_play_range()
    assert first.transport.play_range is None
    assert second.transport.play_range == (0.5, 0.75)


def test_next_clip_waits_for_the_end_of_the_clip(session):
    ranged(session)
    play_next(session.active, 1)
    assert play(session, 1.0) == pytest.approx(1.6), "not of the range"
    play(session, 0.5)
    assert session.character.clip == 1


@pytest.mark.parametrize(("continuous", "end"), [(False, 1.0), (True, 1.0), (True, 2.0)])
def test_layers_repeat_a_range(session, continuous, end):
    session.editor.edit(MotionDoc(layers=(LayerSettings("base", "Long"),)), "Layers")
    if not continuous:
        session.transport.set_loop("loop", math.inf)
    assert session.transport.continuous == continuous
    ranged(session, end - 0.5, end, start=end - 0.4)
    assert play(session, 1.5) == pytest.approx(end - 0.4)
    session.editor.edit(MotionDoc(), "No layers")
    assert session.active.transport.play_range is None, "of the layers"


@settings(max_examples=50)
@given(
    st.floats(0.5, 1.0),
    st.floats(-4.0, 4.0),
    st.booleans(),
    st.sampled_from([1.0, 2.0, 3.0, math.inf]),
)
def test_crossing_stays_inside(time, advance, bounces, passes):
    found = crossing(SPAN, time, advance, bounces=bounces, passes=passes)
    if found is None:
        assert SPAN.begin - 1e-9 <= time + advance <= SPAN.end + 1e-9
        return
    assert SPAN.begin - 1e-9 <= found.time <= SPAN.end + 1e-9
    assert found.passes <= passes
    if not bounces and found.passes < passes:
        turns = (time + advance - found.time) / SPAN.length
        assert turns == pytest.approx(round(turns), abs=1e-6)


@pytest.mark.parametrize(("span", "rate", "frames"), [
    ((0.0, 1.0), 30.0, range(31)), ((0.21, 0.39), 10.0, range(3, 4)),
    ((0.5, 0.51), 10.0, range(5, 6)), ((0.3, 0.7), 10.0, range(3, 8)),
    ((0.31, 0.39), 10.0, range(4, 5)),
])  # fmt: skip
def test_frames_in_a_range(span, rate, frames):
    assert frames_of(PlayRange(*span), rate) == frames


def test_copied_range_is_a_video_of_its_frames(tmp_path):
    path = tmp_path / "figure.glb"
    path.write_bytes(light_mannequin(("Walk",)))
    session = new_session(100.0, doc=SceneDoc(frame_rate=24.0))
    session.tick()
    character_files.open_file(session, path)
    assert copy_range(session, (64, 48), 1) == ""
    assert "range" in session.interface.notice
    session.transport.set_play_range(0.25, 0.75)
    words = shlex.split(copy_range(session, (64, 48), 1))
    assert words[words.index("--frames") + 1] == "6..18"
    assert words[words.index("--frame-rate") + 1] in ("24", "24.0")
    assert words[words.index("-o" if "-o" in words else "--output") + 1] == (
        "figure-Walk-0.25s-0.75s.mp4"
    )
    assert "--time" not in words
