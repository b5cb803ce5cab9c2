"""Morph weights set by hand: copied as --set, saved as [morphs], no unsaved work until then."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.motion import edit
from rigview.motion.document import LayerSettings
from rigview.motion.read import read_motion
from rigview.session import character_files, played_motion
from rigview.session.commands.actions import redo, undo
from rigview.session.copied_text import as_python, copy_command, not_in_command
from rigview.session.morph_overrides import without_lost_morphs
from tests.support.command_files import write_document
from tests.support.copied_commands import SIZE, draw_session, open_session, run_command

SET = "morph:Target 0=0.75"


@pytest.fixture
def session(tmp_path):
    folder = tmp_path / "there"
    folder.mkdir()
    session = open_session(write_document(folder / "face.gltf"))
    session.files.read_motions = True
    return session


def set_weight(session, weight=0.75):
    session.character.override[0] = weight
    session.update()


def test_weight_is_copied_and_no_unsaved_work(gl, session, tmp_path, monkeypatch):
    set_weight(session)
    assert not session.dirty
    assert not_in_command(session) == []
    line = copy_command(session, SIZE, samples=1)
    assert f"--set '{SET}'" in line
    assert f"set={[SET]}" in as_python(session, SIZE, samples=1)
    drawn = draw_session(gl, session, samples=1)
    with gl:
        found = run_command(line, tmp_path, monkeypatch)
    np.testing.assert_array_equal(found, drawn)


def test_save_writes_the_weight(session):
    set_weight(session, 0.1)
    assert session.active.save()
    assert not session.dirty
    assert read_motion(session.editor.path).document.morphs == {"Target 0": 0.1}
    set_weight(session, np.nan)
    assert not session.dirty
    assert session.active.save()
    assert read_motion(session.editor.path).document.morphs == {}
    undo(session)
    assert session.character.override[0] == np.float32(0.1)
    assert not session.dirty, "weights are values that are tried out"


def test_comments_and_names_of_the_file_stay(session):
    path = session.editor.default_path()
    text = "version = 1\n[morphs]  # face\n'T* 0' = 0.5  # a pattern\n"
    path.write_text(text)
    character_files.open_file(session, session.path)
    assert session.character.override[0] == 0.5
    assert session.active.save()
    assert path.read_text() == text
    set_weight(session)
    assert session.active.save()
    assert path.read_text() == 'version = 1\n[morphs]  # face\n"Target 0" = 0.75\n'


def test_weights_of_the_motion_file_are_not_copied(gl, session, tmp_path, monkeypatch):
    session.editor.edit(edit.with_layer(session.document, LayerSettings("base", "0")), "layer")
    set_weight(session, 0.5)
    assert session.active.save()
    line = copy_command(session, SIZE, samples=1)
    assert "morph:" not in line
    drawn = draw_session(gl, session, samples=1)
    with gl:
        np.testing.assert_array_equal(run_command(line, tmp_path, monkeypatch), drawn)
    set_weight(session)
    assert SET in copy_command(session, SIZE, samples=1)
    set_weight(session, np.nan)
    assert not_in_command(session) == ["unsaved changes of the motion"]


def test_changed_motion_file_is_applied(session):
    path = session.editor.default_path()
    path.write_text("version = 1\n[morphs]\n'Target 0' = 0.5\n")
    character_files.open_file(session, session.path)
    path.write_text("version = 1\n[morphs]\n'Target 0' = 0.25\n# changed\n")
    assert character_files.reload(session)
    assert session.character.override[0] == 0.25
    set_weight(session)
    assert character_files.reload(session)
    assert session.character.override[0] == 0.75, "a weight set by hand stays"


def test_unknown_target_is_reported(session):
    session.editor.default_path().write_text("version = 1\n[morphs]\nSmile = 0.5\n")
    character_files.open_file(session, session.path)
    assert 'morphs.Smile: no morph target "Smile"' in session.interface.error
    assert np.isnan(session.character.override).all()


def test_another_character_is_made_active(tmp_path):
    one, two = (write_document(tmp_path / f"{name}.gltf") for name in ("one", "two"))
    session = open_session(one)
    character_files.open_files(session, [one, two])
    session.activate(session.open_characters[1])
    set_weight(session)
    line = copy_command(session, SIZE, samples=1)
    assert "--active 2" in line
    assert SET in line
    assert not_in_command(session) == []


def drag(session, *weights, label="Morph Target 0"):
    for weight in weights:
        session.editor.drag_morph(0, weight, label)
        session.update()
    session.editor.end_drag()


def test_a_drag_is_one_undo_step(session):
    weights = session.character.override
    drag(session, 0.1, 0.2, 0.3)
    drag(session, 0.4)
    session.editor.drag_morph(None, np.nan, "Reset of morph weights")
    session.editor.end_drag()
    assert np.isnan(weights).all()
    for before in (0.4, 0.3, np.nan):
        undo(session)
        np.testing.assert_array_equal(weights[0], np.float32(before))
    assert not session.history.undo_label
    redo(session)
    assert weights[0] == np.float32(0.3)
    assert not session.dirty
    assert not_in_command(session) == []


def test_undo_of_a_weight_keeps_what_plays(session):
    """A clip that plays in place of the layers goes on, as does its time."""
    session.editor.edit(edit.with_layer(session.document, LayerSettings("base", "0")), "layer")
    played_motion.start_clip(session.transport, 0)
    session.transport.pause_at(0.25)
    drag(session, 0.5)
    mixer = session.character.mixer
    undo(session)
    assert np.isnan(session.character.override[0])
    assert session.character.mixer is mixer
    redo(session)
    assert session.character.override[0] == 0.5
    assert session.transport.mixer_time == 0.25


def test_saved_weights_and_a_layer_that_is_undone(session):
    drag(session, 0.5)
    session.editor.edit(edit.with_layer(session.document, LayerSettings("base", "0")), "layer")
    assert session.active.save()
    assert read_motion(session.editor.path).document.morphs == {"Target 0": 0.5}
    drag(session, 0.75)
    session.editor.edit(edit.with_weight(session.document, "base", 0.5), "weight")
    undo(session)
    assert session.character.override[0] == 0.75
    undo(session)
    assert session.character.override[0] == 0.5


def test_reload_without_a_target_that_was_tried_out(session):
    """It is no error, unlike a target that the motion file names."""
    drag(session, 0.5)
    document = without_lost_morphs(
        replace(session.document, morphs={"Target 0": 0.5, "Gone": 1.0, "Kept": 1.0}),
        replace(session.document, morphs={"Kept": 0.0}),
        session.model,
    )
    assert document.morphs == {"Target 0": 0.5, "Kept": 1.0}
    assert character_files.reload(session)
    assert session.character.override[0] == 0.5
