"""Saving motion files under new names, live values, and files of the program's own."""

from dataclasses import replace

import pytest

from rigview.motion import edit
from rigview.motion.document import LayerSettings
from rigview.motion.read import read_motion
from rigview.resources import asset_path
from rigview.session import character_files, motion_saving
from rigview.session.commands.actions import action, undo
from rigview.session.session import Leaving, Session
from tests.support.fixed_clock import FixedClock
from tests.support.full_motion_file import DOCUMENT, open_session

BUNDLED = asset_path("mannequin.motion.toml")


@pytest.fixture
def bundled():
    """The bundled character with its motion."""
    session = Session(FixedClock(100.0))
    session.tick()
    character_files.open_file(session, asset_path("mannequin.glb"))
    return session


@pytest.fixture
def session(tmp_path):
    """A character with a motion file of the user's."""
    session = open_session(tmp_path)
    session.editor.start(DOCUMENT)
    assert session.editor.save()
    return session


def add_layer(session):
    document = edit.with_layer(session.editor.document, LayerSettings("more", "Walk"))
    assert session.editor.edit(document, "Add more")


def test_live_values_are_no_unsaved_work(bundled):
    editor = bundled.editor
    editor.drag("speed", 3.0, "Value of speed")
    assert not bundled.dirty
    editor.end_drag()
    assert not bundled.dirty
    muted = edit.changed_layer(editor.document, "base", lambda layer: replace(layer, mute=True))
    editor.edit(muted, "Mute base")
    assert (bundled.dirty, editor.differs) == (False, True)
    left = []
    bundled.ask_to_leave(lambda: left.append(1))
    assert left == [1]
    undo(bundled)
    undo(bundled)
    assert editor.document.parameters["speed"].default != 3.0
    assert not editor.differs


def test_weight_of_a_layer_is_unsaved_work(session):
    session.editor.drag("wave.weight", 0.1, "Weight of wave")
    assert session.dirty
    session.editor.end_drag()
    assert session.dirty


def test_bundled_file_is_not_written(bundled):
    before = BUNDLED.read_bytes()
    add_layer(bundled)
    assert bundled.dirty
    assert not bundled.active.save()
    assert bundled.interface.popup == "error"
    assert "not written" in bundled.interface.error
    bundled.interface.popup = ""
    action("save").run(bundled)
    assert bundled.interface.requests == ["save as"]
    assert bundled.interface.of(motion_saving.NewName).path.endswith("mannequin.motion.toml")
    assert not bundled.interface.of(motion_saving.NewName).path.startswith(str(BUNDLED.parent))
    assert BUNDLED.read_bytes() == before


def test_edited_bundled_motion_is_saved_under_a_new_name(bundled, tmp_path):
    add_layer(bundled)
    action("save").run(bundled)
    assert motion_saving.finish(bundled, tmp_path / "mine")
    path = tmp_path / "mine.motion.toml"
    assert read_motion(path).document == bundled.editor.document
    assert path.read_text().startswith(BUNDLED.read_text()[:200]), "the comments stay"
    assert f"--motion {path}" in bundled.interface.notice
    assert bundled.editor.path == path
    assert not bundled.dirty
    bundled.interface.requests.clear()
    add_layer(bundled)
    action("save").run(bundled)
    assert (bundled.interface.requests, bundled.dirty) == ([], False)


def test_leaving_after_a_new_name(bundled, tmp_path):
    left = []
    add_layer(bundled)
    bundled.ask_to_leave(lambda: left.append(1))
    assert bundled.interface.popup == "unsaved"
    asked = bundled.interface.of(Leaving)
    motion_saving.save_all(bundled, asked.unsaved, asked.leave)
    assert (left, bundled.interface.requests) == ([], ["save as"])
    motion_saving.finish(bundled, tmp_path / "mine.toml")
    assert left == [1]
    assert (tmp_path / "mine.toml").is_file()


def test_save_as(session, tmp_path):
    session.editor.drag("speed", 3.0, "Value of speed")
    action("save as").run(session)
    assert session.interface.of(motion_saving.NewName).path == str(tmp_path / "figure.motion.toml")
    assert motion_saving.finish(session, tmp_path / "other.motion.toml")
    assert read_motion(tmp_path / "other.motion.toml").document.parameters["speed"].default == 3.0
    assert read_motion(tmp_path / "figure.motion.toml").document == DOCUMENT
    assert not motion_saving.finish(session, tmp_path / "again.toml"), "asked once"


def test_new_name_that_cannot_be_written(session, tmp_path):
    add_layer(session)
    action("save as").run(session)
    assert not motion_saving.finish(session, tmp_path / "none" / "x.toml")
    assert session.interface.popup == "error"
    assert session.editor.path == tmp_path / "figure.motion.toml"
    assert session.dirty


def test_live_values_stay_when_files_are_reloaded(session, tmp_path):
    editor = session.editor
    editor.drag("speed", 3.0, "Value of speed")
    editor.end_drag()
    assert character_files.reload(session)
    assert editor.document.parameters["speed"].default == 3.0
    assert session.history.undo_label == "Value of speed"
    path = tmp_path / "figure.motion.toml"
    path.write_text(path.read_text().replace("0.8", "0.33"))
    assert character_files.reload(session)
    assert editor.document.parameters["speed"].default == 3.0
    assert editor.document.layers[1].weight == 0.33
    assert (session.dirty, editor.differs) == (False, True)
