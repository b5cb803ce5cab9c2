"""The motion editor: edits, drags, undo, and events."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.errors import MotionError
from rigview.motion import edit
from rigview.motion.bind import bind
from rigview.motion.document import At, ClipEvent, ClipSettings, LayerSettings, MotionDoc, Root, Set
from rigview.session import character_files, played_motion
from rigview.session.commands.actions import action, redo, undo
from tests.support.full_motion_file import DOCUMENT, TIMED_CHANGES, open_session
from tests.support.light_mannequin import light_mannequin
from tests.support.sessions import play


@pytest.fixture
def session(tmp_path):
    return open_session(tmp_path)


def pause(session, seconds):
    session.transport.pause_at(seconds)
    session.update()


def document_pose(session):
    """The pose of a run of the document from 0 at the current time."""
    pose = Pose.like(session.model.skeleton.rest)
    mixer = bind(session.model, session.editor.document)
    mixer.seek(session.transport.time)
    mixer.sample(pose)
    return pose


def assert_document_pose(session):
    np.testing.assert_array_equal(session.character.pose.rotation, document_pose(session).rotation)
    np.testing.assert_array_equal(
        session.character.pose.translation, document_pose(session).translation
    )


def test_adding_and_removing_layers(session):
    assert not session.editor.shown
    assert session.editor.edit(MotionDoc(layers=(LayerSettings("base", "Idle"),)), "Create layers")
    assert session.editor.shown
    undo(session)
    assert not session.editor.shown
    assert session.character.clip == 0
    redo(session)
    assert session.editor.shown


@pytest.mark.parametrize("playing", ["Idle", "Walk"])
def test_undo_of_new_layers_stays_paused_at_the_time_of_the_clip(session, playing):
    pause(session, 0.25)
    session.editor.edit(MotionDoc(layers=(LayerSettings("base", playing),)), "Create layers")
    pause(session, 0.6)
    time = session.transport.time
    undo(session)
    session.update()
    assert not session.editor.shown
    assert not session.transport.running
    assert session.transport.time == pytest.approx(time if playing == "Idle" else 0.0)
    redo(session)
    assert session.editor.shown
    assert not session.transport.running


def test_a_drag_of_a_weight_shows_the_layers_as_its_undo_does(session):
    session.editor.start(DOCUMENT)
    played_motion.choose_clip(session.active, 1)
    pause(session, 0.2)
    assert not session.editor.shown
    session.editor.drag("wave.weight", 0.1, "Weight of wave")
    assert session.editor.shown
    assert not session.transport.running
    session.editor.end_drag()
    assert session.character.mixer.parameters.at("wave.weight", 9.0) == pytest.approx(0.1)
    undo(session)
    assert session.editor.shown
    assert session.character.mixer.parameters.at("wave.weight", 9.0) == pytest.approx(0.8)


def test_schedule_without_layers_keeps_the_clip(session):
    document = MotionDoc(parameters=DOCUMENT.parameters, at=(At(1.0, Set("speed", 2.0)),))
    assert session.editor.edit(document, "Set speed at 1 s")
    assert not session.editor.shown
    assert not session.editor.has_layers
    session.editor.edit(replace(DOCUMENT, at=document.at), "Layers")
    assert session.editor.shown
    bare = session.editor.document
    for name in ("base", "wave", "look"):
        bare = edit.without_layer(bare, name)
    assert session.editor.edit(bare, "Remove all")
    assert not session.editor.shown
    play(session, 0.1)
    assert session.transport.running


def test_base_layer_continues_the_playing_clip(session):
    play(session, 0.7)
    before = session.character.pose.rotation.copy()
    now = session.transport.time
    session.editor.edit(MotionDoc(layers=(LayerSettings("base", "Idle"),)), "Create layers")
    session.update()
    assert session.transport.time == pytest.approx(now)
    np.testing.assert_allclose(session.character.pose.rotation, before, atol=2e-6)


def test_invalid_edit_is_rejected(session):
    session.editor.start(DOCUMENT)
    before = session.character.mixer
    lonely = edit.without_space_clip(DOCUMENT, "gait", 1)
    assert not session.editor.edit(lonely, "A space with one clip")
    assert session.editor.document == DOCUMENT
    wrong = edit.with_play(DOCUMENT, "wave", "Nothing of that name")
    assert not session.editor.edit(wrong, "Source of wave")
    assert session.editor.document == DOCUMENT
    assert session.character.mixer is before
    assert "Nothing of that name" in session.interface.notice
    assert session.history.undo_label == ""
    with pytest.raises(MotionError):
        session.editor.start(wrong)
    assert session.editor.document == DOCUMENT


def test_edit_keeps_time_and_pause(session):
    session.editor.start(DOCUMENT)
    pause(session, 1.5)
    session.editor.edit(edit.with_weight(DOCUMENT, "wave", 0.1), "Weight of wave")
    session.update()
    assert session.transport.time == 1.5
    assert not session.transport.running
    assert_document_pose(session)


@pytest.mark.parametrize("name", ["wave.weight", "speed"])
def test_drag_is_one_edit(session, name):
    session.editor.start(DOCUMENT)
    play(session, 0.5)
    for value in (0.1, 0.4, 0.5):
        session.editor.drag(name, value, f"Value of {name}")
        play(session, 0.04)
        assert session.editor.value(name) == value
        assert session.editor.document == DOCUMENT, "not yet"
        assert session.editor.differs
    session.editor.end_drag()
    assert edit.value_of(session.editor.document, name) == 0.5
    session.editor.end_drag()
    undo(session)
    assert session.editor.document == DOCUMENT


def test_drag_of_a_damped_parameter(session):
    session.editor.start(DOCUMENT)
    play(session, 0.5)
    session.editor.drag("speed", 3.2, "Value of speed")
    play(session, 0.1)
    assert session.editor.current_value("speed") == pytest.approx(2.2, abs=0.05)
    assert session.editor.value("speed") == 3.2
    play(session, 0.2)
    assert session.editor.current_value("speed") == pytest.approx(3.2)


def test_drag_while_running_then_pause(session):
    session.editor.start(replace(DOCUMENT, layers=DOCUMENT.layers[:1]))
    play(session, 0.73)
    session.editor.drag("speed", 3.5, "Value of speed")
    before = session.character.matrices.copy()
    session.update()
    assert np.abs(session.character.matrices - before).max() < 1e-5, "the ramp has just begun"
    play(session, 0.3)
    session.editor.end_drag()
    before = session.character.matrices.copy()
    session.update()
    assert np.abs(session.character.matrices - before).max() < 1e-5
    session.transport.toggle()
    session.update()
    assert_document_pose(session)


def test_drag_while_paused(session):
    session.editor.start(DOCUMENT)
    pause(session, 0.8)
    session.editor.drag("wave.weight", 0.25, "Weight of wave")
    session.update()
    dragged = session.character.pose.rotation.copy()
    session.editor.end_drag()
    session.update()
    np.testing.assert_allclose(session.character.pose.rotation, dragged, atol=2e-6)
    assert_document_pose(session)


def test_drag_changes_the_scheduled_value(session):
    session.editor.start(replace(DOCUMENT, at=TIMED_CHANGES))
    pause(session, 3.0)
    assert session.editor.value("wave.weight") == pytest.approx(0.2)
    session.editor.drag("wave.weight", 0.6, "Weight of wave")
    session.editor.end_drag()
    assert session.editor.document.at[1].do.value == 0.6
    assert session.editor.document.layers == DOCUMENT.layers
    assert session.editor.current_value("wave.weight") == pytest.approx(0.6)


def test_seek_shows_the_document_state(session):
    session.editor.start(replace(DOCUMENT, at=TIMED_CHANGES))
    play(session, 2.6)
    pause(session, 1.1)
    assert_document_pose(session)
    pause(session, 0.4)
    assert_document_pose(session)


def test_edit_does_not_fire_events_twice(session):
    session.editor.start(replace(DOCUMENT, at=TIMED_CHANGES))
    play(session, 1.5)
    count = len(session.editor.fired)
    assert count >= 2
    session.editor.edit(edit.with_weight(session.editor.document, "wave", 0.3), "Weight")
    session.update()
    assert len(session.editor.fired) == count


def test_upcoming_events_cover_the_motion(session):
    session.editor.start(replace(DOCUMENT, layers=(LayerSettings("base", "Walk"),)))
    play(session, 1.0)
    named = [(fired.name, round(fired.tau, 3)) for fired in session.editor.upcoming]
    assert named[:2] == [("left", 0.1), ("right", 0.6)]
    fired = [(each.name, round(each.tau, 3)) for each, _ in session.editor.fired]
    assert fired == [("left", 0.1), ("right", 0.6)]


def test_added_event_fires(session):
    session.editor.start(MotionDoc(layers=(LayerSettings("base", "Idle"),)))
    document = edit.with_event(session.editor.document, "Idle", ClipEvent("blink", time=0.3))
    assert session.editor.edit(document, "Add event blink")
    play(session, 0.5)
    assert [fired.name for fired, _ in session.editor.fired] == ["blink"]


def test_long_run(session):
    """Past time is not evaluated again; a pause shows the pose of a run from 0."""
    clips = DOCUMENT.clips
    spaces = {"gait": replace(DOCUMENT.spaces["gait"], sync=True)}
    document = MotionDoc(
        parameters={"speed": DOCUMENT.parameters["speed"]},
        clips=clips,
        spaces=spaces,
        layers=(LayerSettings("base", "gait"),),
    )
    session.editor.start(document)
    play(session, 9.0)
    mixer = session.character.mixer
    assert session.transport.time - mixer._now < 5.0
    names = [fired.name for fired, _ in session.editor.fired]
    assert names[:4] == ["left", "right", "left", "right"]
    assert names == (["left", "right"] * len(names))[: len(names)], "each once"
    session.transport.toggle()
    session.update()
    assert_document_pose(session)
    assert session.character.mixer is not mixer


def test_upcoming_events_match_the_fired_events(session):
    muted = replace(DOCUMENT, layers=(*DOCUMENT.layers, LayerSettings("run", "Run", mute=True)))
    for document in (
        replace(DOCUMENT, at=TIMED_CHANGES),
        muted,
        edit.changed_layer(DOCUMENT, "look", lambda each: replace(each, solo=True)),
        edit.with_at(DOCUMENT, At(0.5, Set("look.weight", 0.0))),
    ):
        session.editor.start(document)
        session.editor.fired.clear()
        play(session, 2.5)
        fired = [(each.name, round(each.tau, 6)) for each, _ in session.editor.fired]
        now = session.transport.time
        assert session.editor._preview is not None
        assert session.editor._preview.reached > now
        ahead = [each for each in session.editor.upcoming if each.tau <= now]
        assert [(each.name, round(each.tau, 6)) for each in ahead] == fired


def test_upcoming_events_stay_during_a_new_preview(session):
    session.editor.start(DOCUMENT)
    play(session, 3.0)
    before = [fired.tau for fired in session.editor.upcoming]
    assert before
    session.editor.edit(edit.with_weight(DOCUMENT, "look", 0.5), "Weight of look")
    play(session, 0.1)
    assert [fired.tau for fired in session.editor.upcoming] == before


def test_camera_follows_accumulated_root_motion_after_reload(session):
    root = Root("Hips", mode="accumulate")
    doc = MotionDoc(
        clips={"WalkForward": ClipSettings(root=root)},
        layers=(LayerSettings("base", "WalkForward"),),
    )
    session.editor.start(doc)
    session.scene.frame(1.0)
    session.scene.camera.orbit.orbit(0.3, 0.1)
    session.scene.camera.orbit.zoom(-3.0)  # every clip fits into the picture: none is framed

    def seen():
        return session.scene.camera.current.target - session.character.world[:3, 3]

    before = seen()
    play(session, 4.0)
    assert session.character.world[2, 3] > 3.0
    character_files.reload(session)
    play(session, 0.1)
    assert session.character.world[2, 3] > 3.0
    np.testing.assert_allclose(seen(), before, atol=1e-5)
    played_motion.start_clip(session.transport, 0)
    play(session, 0.1)
    assert session.character.world[2, 3] < 0.5
    np.testing.assert_allclose(seen(), before, atol=1e-5)
    session.editor.show()
    play(session, 0.1)
    np.testing.assert_allclose(seen(), before, atol=1e-5)


def test_clip_chosen_after_a_drag(session):
    session.editor.start(DOCUMENT)
    play(session, 2.0)
    session.editor.drag("speed", 3.0, "Value of speed")
    play(session, 0.1)
    session.editor.end_drag()
    play(session, 0.5)
    played_motion.start_clip(session.transport, 1)
    play(session, 0.5)
    assert not session.editor.shown
    assert session.character.clip == 1
    session.editor.show()
    pause(session, 2.5)
    assert_document_pose(session)


def test_undo_to_layers_that_a_reloaded_character_lacks(session):
    """Undo and redo go on, a single clip plays, and a notice names what is missing."""
    editor = session.editor
    editor.edit(MotionDoc(layers=(LayerSettings("base", "Run"),)), "Create layers")
    editor.edit(MotionDoc(layers=(LayerSettings("base", "Walk"),)), "Play Walk")
    session.path.write_bytes(light_mannequin(frozenset(("Idle", "Walk"))))
    character_files.refresh(session)
    assert editor.shown
    undo(session)
    assert editor.document.layers[0].play == "Run"
    assert not editor.shown
    assert '"Run"' in session.interface.notice
    action("mixer").run(session)
    play(session, 0.1)
    assert not editor.shown
    redo(session)
    assert editor.shown
    assert session.interface.notice == "Redo: Play Walk"
