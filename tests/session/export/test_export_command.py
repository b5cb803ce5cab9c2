"""The command of an export: what the dialog asks for, as the options of the program."""

import shlex
from pathlib import Path

import numpy as np
import pytest

from rigview.options.parser import parse
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.export.export_command import (
    existing,
    export_options,
    export_path,
    export_text,
    open_dialog,
    possible_kinds,
    proposed_name,
    type_name,
)
from rigview.session.export.export_view import ExportView
from rigview.session.session import Session
from tests.support.fixed_clock import FixedClock
from tests.support.looks import environment, set_look
from tests.support.sessions import new_session

SIZE = (400, 300)


@pytest.fixture
def session(tmp_path):
    """A session with the bundled character, whose dialog is open."""
    session = new_session(60.0)
    session.tick()
    character_files.open_file(session, asset_path("mannequin.glb"))
    session.update()
    open_dialog(session)
    session.interface.of(ExportView).folder = tmp_path
    return session


def written(session, **fields):
    """The options of the exported command, read by the program, and its name."""
    for name, value in fields.items():
        setattr(session.interface.of(ExportView), name, value)
    program, command, *arguments = shlex.split(export_text(session, SIZE, 16))
    assert program == "rigview"
    return command, parse(command, arguments, {})


def test_video_of_the_clip(session, tmp_path):
    session.transport.pause_at(0.4)
    command, options = written(session, frame_rate="12.5", format=".webm")
    assert command == "render"
    assert options.output.file == str(tmp_path / "mannequin-Idle.webm")
    assert options.scene.size == (1920, 1080)
    assert written(session, size="view")[1].scene.size == SIZE
    assert options.shown.time is None
    assert options.scene.frame_rate == 12.5
    assert options.shown.loop == ("loop", float("inf"))
    assert "samples" not in options.given, "a video has fewer samples by default"


@pytest.mark.parametrize(
    ("repeat", "passes", "loop"),
    [
        ("loop", 3, ("loop", 3.0)),
        ("pingpong", 1, ("pingpong", float("inf"))),
        ("pingpong", 2, ("pingpong", 4.0)),
        ("once", 5, ("loop", 1.0)),
    ],
)
def test_passes(session, repeat, passes, loop):
    _, options = written(session, repeat=repeat, passes=passes)
    assert options.shown.loop == loop


def test_range_is_offered_where_there_is_one(session, tmp_path):
    assert "range" not in possible_kinds(session)
    session.transport.set_play_range(0.2, 0.45)
    assert "range" in possible_kinds(session)
    _, options = written(session, kind="range", frame_rate="10")
    assert options.times.frames == range(2, 5)
    assert options.output.file == str(tmp_path / "mannequin-Idle-0.20s-0.45s.mp4")


def test_turntable_of_the_view_or_framed(session):
    command, options = written(session, kind="turntable", seconds="2.5", frame_rate="24")
    assert command == "turntable"
    assert options.output.seconds == 2.5
    assert options.scene.camera.position is not None
    assert options.scene.samples == 4
    _, options = written(session, framed=True)
    assert options.scene.camera.is_framed
    assert options.scene.camera.azimuth == pytest.approx(25.0)


def test_sheet_of_all_clips(session, tmp_path):
    command, options = written(session, kind="sheet", cell="custom", custom="48x64")
    assert command == "sheet"
    assert options.output.file == str(tmp_path / "mannequin-sheet.png")
    assert options.scene.size == (48, 64)
    assert options.clips.animations == ()
    assert options.shown.motion.none, "as the session, which has read no motion file"
    assert options.scene.camera.position is None


def test_page_of_all_clips(session, tmp_path):
    set_look(session.scene, grid=False)
    command, options = written(session, kind="page", size="3840x2160", format=".gif")
    assert command == "page"
    assert options.output.file == str(tmp_path / "mannequin-page.html")
    assert (options.clips.animations, options.shown.clip) == ((), None)
    text = export_text(session, SIZE, 16)
    assert "--no-grid" in text
    assert "--resolution" not in text, "the size of its still picture is the command's own"
    assert not session.interface.of(ExportView).is_moving


def test_picture_with_another_background(session):
    _, options = written(session, kind="picture", size="640x360", background="transparent")
    assert options.scene.look.background.transparent
    assert options.scene.size == (640, 360)
    set_look(session.scene, grid=False)
    _, options = written(session, background="colour", colour="#ff0000, blue")
    assert options.scene.look.background.colours == ((1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0))
    assert options.scene.look.overlays.grid is False


@pytest.mark.parametrize("background", ["transparent", "colour"])
def test_another_background_than_the_environment(session, background):
    environment(session.scene, environment_map=np.ones((8, 16, 3), np.float16), blur=0.5)
    _, options = written(session, kind="picture", background="view")
    assert options.scene.look.background.environment
    _, options = written(session, background=background, colour="red")
    assert options.scene.look.lighting.environment == "/maps/sky.hdr"
    assert not options.scene.look.background.environment
    assert options.scene.look.background.blur == 0.0


def test_a_framed_picture_shows_the_whole_motion(session):
    _, options = written(session, kind="picture", framed=True)
    assert options.scene.camera.is_framed
    assert options.scene.camera.fit == "clip"


def test_an_unreadable_field_is_said(session):
    session.interface.of(ExportView).frame_rate = "fast"
    with pytest.raises(ValueError, match=r"frame rate: .*fast"):
        export_options(session, SIZE, 16)
    assert not export_text(session, SIZE, 16)
    assert "fast" in session.interface.notice


def test_names(session, tmp_path):
    view = session.interface.of(ExportView)
    assert proposed_name(session) == "mannequin-Idle.mp4"
    type_name(view, "walk.GIF")
    assert view.format == ".gif"
    view.format = ".webp"
    assert export_path(session) == tmp_path / "walk.webp"
    view.name, view.format = "", ".png"
    assert proposed_name(session) == "mannequin-Idle_####.png"
    assert existing(session) is None
    first = tmp_path / "mannequin-Idle_0000.png"
    first.touch()
    assert existing(session) == first
    view.name = str(Path("/else", "where.mp4"))
    assert export_path(session) == Path("/else/where.png")
    type_name(view, "walk.exr")
    assert (view.format, view.is_sequence) == (".exr", True)


def test_formats_of_pictures(session, tmp_path):
    view = session.interface.of(ExportView)
    view.kind = "picture"
    assert not view.is_moving
    for ending in (".jpg", ".exr", ".png"):
        type_name(view, f"walk{ending}")
        assert export_path(session) == tmp_path / f"walk{ending}"
    type_name(view, "walk.exr")
    view.kind = "sheet"  # which is not of light
    assert export_path(session) == tmp_path / "walk.png"
    view.kind = "video"
    assert view.format == ".mp4"


def test_nothing_to_export_without_a_file():
    session = Session(FixedClock(60.0))
    open_dialog(session)
    assert not possible_kinds(session)
    assert export_text(session, SIZE, 16) == ""
