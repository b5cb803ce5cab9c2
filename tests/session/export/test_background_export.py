"""An export runs beside the window: progress, cancel, errors, unsaved changes."""

import pickle
import shlex
import time
from dataclasses import replace
from pathlib import Path

import pytest

from rigview.cli.main import main, run_with_options
from rigview.errors import AppError
from rigview.motion.document import LayerSettings, MotionDoc
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.clip_import.add_clips import add_clips
from rigview.session.commands.actions import action
from rigview.session.copied_text import command_line
from rigview.session.export import export_command
from rigview.session.export.background_export import BackgroundExport, process_starter
from rigview.session.export.export_view import ExportView
from rigview.session.file_reading import FileReading
from rigview.session.session import Leaving, Session
from rigview.tasks.playback_setup import load_playback
from rigview.tasks.sheet_rows import clip_rows
from tests.support.animated_value_files import robot_arm
from tests.support.bvh_text import body_bvh
from tests.support.checked_files import WaitingJob
from tests.support.fixed_clock import FixedClock
from tests.support.light_mannequin import light_mannequin

SIZE = (64, 48)
DEADLINE = 60.0  # seconds for a process


@pytest.fixture
def jobs():
    return []


@pytest.fixture
def waiting(jobs):
    """Starts exports that wait, and lists them."""

    def start(command, options):
        jobs.append(WaitingJob((command, options)))
        return jobs[-1]

    return start


def open_dialog(path, folder):
    """A session with a file, whose dialog writes into a folder."""
    session = Session(FixedClock(60.0), files=FileReading(read_motions=False))
    session.tick()
    character_files.open_file(session, path)
    session.update()
    export_command.open_dialog(session)
    session.interface.popup = ""
    session.interface.of(ExportView).folder = folder
    return session


@pytest.fixture
def session(tmp_path):
    return open_dialog(asset_path("mannequin.glb"), tmp_path)


def test_it_runs_the_command_that_is_copied(session, waiting, jobs, tmp_path):
    export, view = BackgroundExport(session, waiting), session.interface.of(ExportView)
    line = export_command.export_text(session, SIZE, 16)
    assert not export.poll()
    export.begin(SIZE, 16)
    command, options = jobs[0].arguments
    assert command_line(command, options) == line
    assert view.running == str(tmp_path / "mannequin-Idle.mp4")
    assert not export.poll()
    jobs[0].progress = (2, 240)
    assert export.poll()
    assert (view.done, view.total) == (2, 240)
    assert not export.poll()
    export.begin(SIZE, 16)
    assert len(jobs) == 1, "only one at a time"
    jobs[0].result = ("plays 2 % slower",)
    assert export.poll()
    assert not view.running
    assert session.interface.notice == f"Saved {tmp_path / 'mannequin-Idle.mp4'}\nplays 2 % slower"


def test_cancel_kills_the_process(session, waiting, jobs):
    export, view = BackgroundExport(session, waiting), session.interface.of(ExportView)
    export.begin(SIZE, 16)
    view.cancel = True
    assert export.poll()
    assert jobs[0].ended
    assert not export.working
    assert not view.running
    export.begin(SIZE, 16)
    assert len(jobs) == 2
    assert not export.poll()


def test_quitting_says_that_the_export_ends(session, waiting, jobs):
    export = BackgroundExport(session, waiting)
    assert not export.at_quit
    export.begin(SIZE, 16)
    document = MotionDoc(layers=(LayerSettings("base", "Walk"),))
    session.editor.edit(document, "Add a layer")
    session.ask_to_leave(lambda: None, note=export.at_quit)
    assert session.interface.popup == "unsaved"
    assert "export" in session.interface.of(Leaving).note
    export.end()
    assert jobs[0].ended


def test_an_error_is_one_line(session, waiting, jobs):
    export = BackgroundExport(session, waiting)
    export.begin(SIZE, 16)
    jobs[0].result = AppError("no space left", file="walk.mp4")
    export.poll()
    assert session.interface.popup == "error"
    assert session.interface.error == "walk.mp4: no space left"


def test_an_error_leaves_the_question_of_another_pop_up(session, waiting, jobs):
    export = BackgroundExport(session, waiting)
    export.begin(SIZE, 16)
    session.interface.popup = "unsaved"
    jobs[0].result = AppError("no space left")
    export.poll()
    assert session.interface.popup == "unsaved"
    assert "no space left" in session.interface.notice


def test_unsaved_layers_are_exported(session, waiting, jobs):
    document = MotionDoc(layers=(LayerSettings("base", "Walk"),))
    session.editor.start(MotionDoc())
    session.editor.edit(document, "Add a layer")
    session.editor.show()
    session.update()
    export = BackgroundExport(session, waiting)
    export.begin(SIZE, 16)
    _, options = pickle.loads(pickle.dumps(jobs[0].arguments))
    setup = load_playback(options)
    assert setup.layered
    assert setup.document == document
    assert not session.active.editor.path, "the motion stays unsaved"


def test_an_unsaved_facing_holds_for_the_rest_pose(session, waiting, jobs):
    session.editor.edit(replace(session.document, facing=(1.0, 0.0, 0.0)), "Facing")
    action("pose").run(session)
    session.interface.of(ExportView).kind = "turntable"
    export = BackgroundExport(session, waiting)
    export.begin(SIZE, 16)
    _, options = jobs[0].arguments
    assert load_playback(options).facing == (1.0, 0.0, 0.0)
    export.end()


def test_clips_of_an_unsaved_import_are_exported(waiting, jobs, tmp_path):
    hero, capture = tmp_path / "hero.glb", tmp_path / "far" / "capture.bvh"
    hero.write_bytes(light_mannequin(frozenset(("Idle",))))
    capture.parent.mkdir()
    capture.write_text(body_bvh())
    session = open_dialog(hero, tmp_path)
    add_clips(session, capture)
    assert session.character.mixer.name == "capture"
    export = BackgroundExport(session, waiting)
    export.begin(SIZE, 16)
    _, options = jobs[0].arguments
    setup = load_playback(options)
    assert setup.name == "capture"
    export.end()
    assert {path.name for path in tmp_path.iterdir()} == {"hero.glb", "far"}


def test_sheet_has_the_clips_of_an_unsaved_motion(session, waiting, jobs):
    document = MotionDoc(layers=(LayerSettings("base", "Walk"),))
    session.editor.start(MotionDoc())
    session.editor.edit(document, "Add a layer")
    session.interface.of(ExportView).kind = "sheet"
    export = BackgroundExport(session, waiting)
    export.begin(SIZE, 16)
    _, options = jobs[0].arguments
    _, rows = clip_rows(options)
    assert [row.clip for row in rows] == [*range(len(session.model.clips))]
    assert rows[0].file.document == document
    export.end()


def until_done(export, wanted=lambda: False):
    """Let a process work until the export ends, or a condition holds."""
    limit = time.monotonic() + DEADLINE
    while export.working and not wanted():
        export.poll()
        time.sleep(0.02)
        assert time.monotonic() < limit


def test_a_small_video_is_that_of_the_command(tmp_path):
    path = robot_arm().path(tmp_path, "arm.glb")
    session = open_dialog(path, tmp_path / "pictures")
    view = session.interface.of(ExportView)
    view.kind, view.format, view.frame_rate = "range", ".gif", "10"
    session.transport.set_play_range(0.0, 0.2)
    export = BackgroundExport(session, process_starter(run_with_options))
    line = shlex.split(export_command.export_text(session, SIZE, 16))
    export.begin(SIZE, 16)
    target = Path(view.running)
    until_done(export)
    assert session.interface.notice.startswith(f"Saved {target}")
    assert (view.done, view.total) == (3, 3)
    made = target.read_bytes()
    target.unlink()
    assert main([*line[1:], "--quiet"]) == 0
    assert target.read_bytes() == made


def test_a_cancelled_video_leaves_no_file(tmp_path):
    path = robot_arm().path(tmp_path, "arm.glb")
    session = open_dialog(path, tmp_path / "pictures")
    view = session.interface.of(ExportView)
    view.format, view.passes, view.frame_rate = ".gif", 900, "20"
    export = BackgroundExport(session, process_starter(run_with_options))
    export.begin(SIZE, 16)
    until_done(export, lambda: view.done > 2)
    assert [*view.folder.iterdir()], "a temporary file is being written"
    view.cancel = True
    assert export.poll()
    assert not [*view.folder.iterdir()]
    assert not export.working
