"""The motion file of an open character: saved, read back, reloaded, left unsaved."""

import shutil

import pytest

from rigview.motion import edit
from rigview.motion.document import MotionDoc
from rigview.motion.read import read_motion
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.commands.actions import undo
from rigview.session.session import Leaving
from tests.support.full_motion_file import DOCUMENT, open_session
from tests.support.sessions import play


@pytest.fixture
def session(tmp_path):
    return open_session(tmp_path)


def test_saved_and_read_back(session, tmp_path):
    session.editor.edit(DOCUMENT, "All at once")
    assert session.editor.dirty
    assert session.editor.save()
    assert not session.editor.dirty
    path = tmp_path / "figure.motion.toml"
    assert read_motion(path).document == DOCUMENT
    character_files.open_file(session, tmp_path / "figure.glb")
    assert session.editor.document == DOCUMENT
    assert session.editor.shown
    assert session.interface.mixer_panels.shown
    assert not session.editor.dirty


def test_saving_keeps_comments(session, tmp_path):
    path = tmp_path / "figure.motion.toml"
    text = '# mine\nversion = 1\n[[layers]]\nname = "base"  # the first\nplay = "Idle"\n'
    path.write_text(text)
    character_files.open_file(session, tmp_path / "figure.glb")
    document = edit.with_weight(session.editor.document, "base", 0.5)
    assert session.editor.edit(document, "Weight of base")
    assert session.editor.save()
    assert "# mine" in path.read_text()
    assert "# the first" in path.read_text()
    assert read_motion(path).document == document


def test_failed_save_reports_an_error(session, tmp_path):
    session.editor.start(DOCUMENT)
    session.editor.edit(edit.with_weight(DOCUMENT, "wave", 0.3), "Weight of wave")
    (tmp_path / "figure.motion.toml").mkdir()
    assert not session.editor.save()
    assert session.interface.popup == "error"
    assert session.interface.error_title == "Not saved"
    assert session.editor.dirty
    assert session.editor.document.layers[1].weight == 0.3


def test_invalid_motion_file_beside_a_character(session, tmp_path):
    (tmp_path / "figure.motion.toml").write_text("version = 1\nlayerz = 3\n")
    character_files.open_file(session, tmp_path / "figure.glb")
    assert session.interface.popup == "error"
    assert "layerz" in session.interface.error
    assert session.transport.running
    assert not session.editor.shown


@pytest.mark.parametrize(
    ("anims", "words"),
    [
        ('files = ["none.glb"]', "none.glb: there is no such file"),
        ('files = ["figure.glb"], names = { Hps = "Hips" }', "no joint 'Hps'"),
    ],
)
def test_invalid_anims_are_reported_with_their_line(session, tmp_path, anims, words):
    (tmp_path / "figure.motion.toml").write_text(f"version = 1\nanims = {{ {anims} }}\n")
    character_files.open_file(session, tmp_path / "figure.glb")
    assert session.interface.popup == "error"
    assert "figure.motion.toml:2" in session.interface.error
    assert words in session.interface.error
    assert session.transport.running


def test_import_reports_belong_to_the_open_file(session, tmp_path):
    motion = tmp_path / "figure.motion.toml"
    motion.write_text('version = 1\nanims = { files = ["figure.glb"] }\n')
    session.scene.change(anims=(str(tmp_path / "figure.glb"),))
    character_files.open_file(session, tmp_path / "figure.glb")
    assert len(session.active.imports) == 2  # the motion file's, then the user's
    motion.unlink()
    session.scene.change(anims=())
    character_files.open_file(session, tmp_path / "figure.glb")
    assert session.active.imports == ()


def test_reload_reads_the_motion_file(session, tmp_path):
    session.editor.start(DOCUMENT)
    session.editor.save()
    play(session, 0.5)
    changed = edit.with_weight(DOCUMENT, "wave", 0.33)
    path = tmp_path / "figure.motion.toml"
    path.write_text(path.read_text().replace("0.8", "0.33"))
    now = session.transport.time
    assert character_files.reload(session)
    assert session.editor.document == changed
    assert session.editor.shown
    assert session.transport.time == pytest.approx(now)


def test_reload_keeps_unsaved_edits(session):
    session.editor.start(DOCUMENT)
    session.editor.save()
    edited = edit.with_weight(DOCUMENT, "wave", 0.33)
    session.editor.edit(edited, "Weight of wave")
    assert character_files.reload(session)
    assert session.editor.document == edited
    assert session.editor.dirty
    undo(session)
    assert session.editor.document == DOCUMENT


def test_opening_a_file_asks_about_unsaved_changes(session, tmp_path):
    session.editor.edit(DOCUMENT, "All at once")
    other = shutil.copy(asset_path("mannequin.glb"), tmp_path / "other.glb")
    character_files.try_open(session, other)
    assert session.interface.popup == "unsaved"
    assert session.path.name == "figure.glb"
    session.editor.discard()
    session.interface.of(Leaving).leave()
    assert session.path.name == "other.glb"
    assert session.editor.document == MotionDoc()


def test_leaving_without_unsaved_changes(session):
    left = []
    session.ask_to_leave(lambda: left.append(1))
    assert left == [1]
