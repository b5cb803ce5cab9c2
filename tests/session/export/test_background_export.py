"""An export runs beside the window: progress, cancel, errors, unsaved changes."""

import pickle
import shlex
import time
from dataclasses import replace
from pathlib import Path

import pytest

from rigview.batch.jobs import Jobs
from rigview.cli.main import main, run_beside_window
from rigview.errors import AppError
from rigview.motion.document import LayerSettings, MotionDoc
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.clip_import.add_clips import add_clips
from rigview.session.commands.actions import action
from rigview.session.copied_text import command_line
from rigview.session.export import background_export, export_command
from rigview.session.export.background_export import EXPORT
from rigview.session.export.export_view import ExportView
from rigview.session.session import Leaving
from rigview.tasks.playback_setup import load_playback
from rigview.tasks.sheet_of_clips import clip_rows
from tests.support.animated_value_files import robot_arm
from tests.support.bvh_text import body_bvh
from tests.support.held_jobs import HeldJobs
from tests.support.light_mannequin import light_mannequin
from tests.support.sessions import new_session

SIZE = (64, 48)
DEADLINE = 60.0  # seconds for a process


@pytest.fixture
def held():
    return HeldJobs()


def begin(session):
    """Export with a command that is not run."""
    background_export.begin(session, run_beside_window, SIZE, 16)


def open_dialog(path, folder, jobs=None):
    """A session with a file, whose dialog writes into a folder."""
    session = new_session(60.0, jobs=jobs)
    session.tick()
    character_files.open_file(session, path)
    session.update()
    export_command.open_dialog(session)
    session.interface.popup = ""
    session.interface.of(ExportView).folder = folder
    return session


@pytest.fixture
def session(tmp_path, held):
    return open_dialog(asset_path("mannequin.glb"), tmp_path, held)


def test_it_runs_the_command_that_is_copied(session, held, tmp_path):
    view = session.interface.of(ExportView)
    line = export_command.export_text(session, SIZE, 16)
    assert not session.poll()
    begin(session)
    command, options = held.processes[0].arguments
    assert command_line(command, options) == line
    assert view.running == str(tmp_path / "mannequin-Idle.mp4")
    assert not session.poll()
    held.processes[0].progress = (2, 240)
    assert session.poll()
    assert (view.done, view.total) == (2, 240)
    assert not session.poll()
    begin(session)
    assert len(held.processes) == 1, "only one at a time"
    held.processes[0].finish(("plays 2 % slower",))
    assert session.poll()
    assert not view.running
    assert session.interface.notice == f"Saved {tmp_path / 'mannequin-Idle.mp4'}\nplays 2 % slower"


def test_cancel_kills_the_process(session, held):
    view = session.interface.of(ExportView)
    begin(session)
    background_export.cancel(session)
    assert held.processes[0].ended
    assert not session.jobs.is_running(EXPORT)
    assert not view.running
    begin(session)
    assert len(held.processes) == 2
    assert not session.poll()


def test_quitting_says_that_the_export_ends(session, held):
    assert not background_export.at_quit(session)
    begin(session)
    document = MotionDoc(layers=(LayerSettings("base", "Walk"),))
    session.editor.edit(document, "Add a layer")
    session.ask_to_leave(lambda: None, note=background_export.at_quit(session))
    assert session.interface.popup == "unsaved"
    assert "export" in session.interface.of(Leaving).note
    session.jobs.end()
    assert held.processes[0].ended


def test_an_error_is_one_line(session, held):
    begin(session)
    held.processes[0].finish(AppError("no space left", file="walk.mp4"))
    session.poll()
    assert session.interface.popup == "error"
    assert session.interface.error == "walk.mp4: no space left"


def test_an_error_leaves_the_question_of_another_pop_up(session, held):
    begin(session)
    session.interface.popup = "unsaved"
    held.processes[0].finish(AppError("no space left"))
    session.poll()
    assert session.interface.popup == "unsaved"
    assert "no space left" in session.interface.notice


def test_unsaved_layers_are_exported(session, held):
    document = MotionDoc(layers=(LayerSettings("base", "Walk"),))
    session.editor.start(MotionDoc())
    session.editor.edit(document, "Add a layer")
    session.editor.show()
    session.update()
    begin(session)
    _, options = pickle.loads(pickle.dumps(held.processes[0].arguments))
    setup = load_playback(options)
    assert setup.layered
    assert setup.document == document
    assert not session.active.editor.path, "the motion stays unsaved"


def test_an_unsaved_facing_holds_for_the_rest_pose(session, held):
    session.editor.edit(replace(session.document, facing=(1.0, 0.0, 0.0)), "Facing")
    action("pose").run(session)
    session.interface.of(ExportView).kind = "turntable"
    begin(session)
    _, options = held.processes[0].arguments
    assert load_playback(options).facing == (1.0, 0.0, 0.0)
    session.jobs.end()


def test_clips_of_an_unsaved_import_are_exported(held, tmp_path):
    hero, capture = tmp_path / "hero.glb", tmp_path / "far" / "capture.bvh"
    hero.write_bytes(light_mannequin(frozenset(("Idle",))))
    capture.parent.mkdir()
    capture.write_text(body_bvh())
    session = open_dialog(hero, tmp_path, held)
    add_clips(session, capture)
    session.jobs.wait()
    assert session.character.mixer.name == "capture"
    begin(session)
    _, options = held.processes[0].arguments
    setup = load_playback(options)
    assert setup.name == "capture"
    session.jobs.end()
    assert {path.name for path in tmp_path.iterdir()} == {"hero.glb", "far"}


def test_sheet_has_the_clips_of_an_unsaved_motion(session, held):
    document = MotionDoc(layers=(LayerSettings("base", "Walk"),))
    session.editor.start(MotionDoc())
    session.editor.edit(document, "Add a layer")
    session.interface.of(ExportView).kind = "sheet"
    begin(session)
    _, options = held.processes[0].arguments
    _, rows = clip_rows(options)
    assert [row.setup.clip for row in rows] == [*range(len(session.model.clips))]
    assert rows[0].setup.file.document == document
    session.jobs.end()


def until_done(session, wanted=lambda: False):
    """Let a process work until the export ends, or a condition holds."""
    limit = time.monotonic() + DEADLINE
    while session.jobs.is_running(EXPORT) and not wanted():
        session.poll()
        time.sleep(0.02)
        assert time.monotonic() < limit


def test_a_small_video_is_that_of_the_command(tmp_path):
    path = robot_arm().path(tmp_path, "arm.glb")
    session = open_dialog(path, tmp_path / "pictures", Jobs(in_background=True))
    view = session.interface.of(ExportView)
    view.kind, view.format, view.frame_rate = "range", ".gif", "10"
    session.transport.set_play_range(0.0, 0.2)
    line = shlex.split(export_command.export_text(session, SIZE, 16))
    begin(session)
    target = Path(view.running)
    until_done(session)
    assert session.interface.notice.startswith(f"Saved {target}")
    assert (view.done, view.total) == (3, 3)
    made = target.read_bytes()
    target.unlink()
    assert main([*line[1:], "--quiet"]) == 0
    assert target.read_bytes() == made


def test_a_cancelled_video_leaves_no_file(tmp_path):
    path = robot_arm().path(tmp_path, "arm.glb")
    session = open_dialog(path, tmp_path / "pictures", Jobs(in_background=True))
    view = session.interface.of(ExportView)
    view.format, view.passes, view.frame_rate = ".gif", 900, "20"
    begin(session)
    until_done(session, lambda: view.done > 2)
    assert [*view.folder.iterdir()], "a temporary file is being written"
    background_export.cancel(session)
    assert not [*view.folder.iterdir()]
    assert not session.jobs.is_running(EXPORT)
