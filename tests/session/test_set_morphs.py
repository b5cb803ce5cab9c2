"""Morph weights set by hand: copied as --set, saved as [morphs], no unsaved work until then."""

import numpy as np
import pytest

from rigview.motion import edit
from rigview.motion.document import LayerSettings
from rigview.motion.read import read_motion
from rigview.session import character_files
from rigview.session.copy_command import copy_command, not_in_command
from rigview.session.copy_python import as_python
from tests.support.command_files import write_document
from tests.support.copied_commands import SIZE, draw_session, open_session, run_command

SET = "morph:Target 0=0.75"


@pytest.fixture
def session(tmp_path):
    folder = tmp_path / "there"
    folder.mkdir()
    session = open_session(write_document(folder / "face.gltf"))
    session.read_motions = True
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
    session.editor.undo()
    assert session.character.override[0] == np.float32(0.1)
    assert session.dirty


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
    assert not_in_command(session) == ["morph weights that were reset"]


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
