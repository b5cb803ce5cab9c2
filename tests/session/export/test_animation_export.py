"""An export of animations: its command, what it writes, and the preview of error and size."""

import shlex

import pytest

from rigview.cli.main import main, run_beside_window
from rigview.loading.load import load
from rigview.motion.document import LayerSettings, MotionDoc
from rigview.options.parser import parse
from rigview.session import character_files
from rigview.session.clip_import.add_clips import add_clips
from rigview.session.export import background_export, export_command
from rigview.session.export.animation_export import (
    PREVIEW,
    AnimationExport,
    end_preview,
    has_mix,
    own_clips,
    summary,
)
from rigview.session.export.export_view import ExportView
from rigview.tasks.bake import BakeFigures, bake_figures
from tests.support.bvh_text import body_bvh
from tests.support.held_jobs import HeldJobs
from tests.support.light_mannequin import light_mannequin
from tests.support.sessions import new_session

SIZE = (64, 48)
CLIPS = ("Idle", "Walk", "Wave")
LAYERS = MotionDoc(
    layers=(LayerSettings("base", "Walk"), LayerSettings("wave", "Wave", weight=0.5))
)


@pytest.fixture
def held():
    return HeldJobs()


@pytest.fixture
def session(tmp_path, held):
    """A session with three clips, whose dialog exports animations."""
    path = tmp_path / "hero.glb"
    path.write_bytes(light_mannequin(frozenset(CLIPS)))
    session = new_session(60.0, jobs=held)
    session.tick()
    character_files.open_file(session, path)
    session.update()
    session.interface.of(ExportView).kind = "animation"
    export_command.open_dialog(session)
    session.interface.popup = ""
    return session


def written(session, **fields):
    """Set fields; return the options of the copied command, as the program reads them."""
    for name, value in fields.items():
        setattr(session.interface.of(AnimationExport), name, value)
    line = export_command.export_text(session, SIZE, 16)
    program, command, *arguments = shlex.split(line)
    assert (program, command) == ("rigview", "bake")
    return parse(command, arguments, {})


def exported(session, held):
    """Run the export in this process and return the written model."""
    background_export.begin(session, run_beside_window, SIZE, 16)
    command, options = held.processes[-1].arguments
    run_beside_window(command, options, lambda _: None)
    session.jobs.end()
    return load(options.output.file)


def test_a_clip_with_few_keys(session, held, tmp_path):
    view = session.interface.of(AnimationExport)
    options = written(session)
    assert options.output.file == str(tmp_path / "hero-baked.glb")
    assert options.clips.animations == ("Idle",)
    assert options.keys.tolerance_mm == view.usual_millimetres == 0.1
    assert (options.keys.fps, options.keys.mix, options.keys.keep_keys) == (None, None, False)
    assert not options.output.in_place
    assert summary(view, session.active, "Writes a.glb") == "Writes a.glb with 1 of 3 clips changed"
    before, after = session.model.clips, exported(session, held).clips
    same = [one.has_motion_of(other) for one, other in zip(before, after, strict=True)]
    assert dict(zip(before.names, same, strict=True)) == {"Idle": False, "Walk": True, "Wave": True}
    assert after["Idle"].key_count < before["Idle"].key_count


@pytest.mark.parametrize("leaves_out", [False, True])
def test_keys_at_a_rate(session, held, leaves_out):
    session.interface.of(ExportView).frame_rate = "12"
    fields = {"keys": "resample", "leaves_out_end": leaves_out, "what": "chosen", "chosen": {1, 2}}
    options = written(session, **fields)
    assert options.keys.fps == 12
    assert options.keys.tolerance_mm is None
    assert options.clips.animations == ("Walk", "Wave")
    walk = exported(session, held).clips["Walk"]
    frames = round(session.model.clips["Walk"].duration * 12)
    assert max(len(track.times) for track in walk.tracks) == frames + (not leaves_out)


def test_all_keys_with_integers(session, held):
    options = written(session, keys="keep", quantizes=True)
    assert options.keys.keep_keys
    assert options.keys.quantize_rotations
    model = exported(session, held)
    assert model.clips["Idle"].key_count == session.model.clips["Idle"].key_count
    assert 5122 in {row["componentType"] for row in model.document.json["accessors"]}


def test_unsaved_layers_become_a_clip(session, held):
    assert not has_mix(session.active)
    session.editor.start(MotionDoc())
    session.editor.edit(LAYERS, "Add a layer")
    session.editor.show()
    session.update()
    assert has_mix(session.active)
    view = session.interface.of(AnimationExport)
    view.what = "mix"
    assert (
        summary(view, session.active, "Writes a.glb")
        == "Writes a.glb with 0 of 3 clips changed, 1 added"
    )
    model = exported(session, held)
    assert model.clips.names == (*CLIPS, "motion")
    assert model.clips["motion"].duration >= 1


def test_a_motion_file_gives_its_name(session, tmp_path):
    session.editor.start(MotionDoc())
    session.editor.edit(LAYERS, "Add a layer")
    session.active.save(tmp_path / "Walk.motion.toml")
    session.editor.show()
    session.update()
    options = written(session, what="mix", keys="reduce", millimetres=0.2)
    assert options.keys.mix == "Walk 2", "there is a clip Walk"
    assert options.keys.fps == 30
    assert options.keys.tolerance_mm == 0.2
    assert options.shown.motion.file == str(tmp_path / "Walk.motion.toml")


def test_imported_clips_are_added(session, held, tmp_path):
    capture = tmp_path / "far" / "capture.bvh"
    capture.parent.mkdir()
    capture.write_text(body_bvh())
    add_clips(session, capture)
    session.jobs.wait()
    assert own_clips(session.active) == 3
    view = session.interface.of(AnimationExport)
    view.what, view.chosen = "chosen", {3}
    assert summary(view, session.active, "Writes a.glb").endswith("0 of 3 clips changed, 1 added")
    model = exported(session, held)
    assert model.clips.names == (*CLIPS, "capture")
    for one, other in zip(session.model.clips[:3], model.clips, strict=False):
        assert one.has_motion_of(other)


def test_the_open_file_is_replaced_after_asking(session, tmp_path):
    view = session.interface.of(ExportView)
    assert export_command.existing(session) is None
    view.name = "hero.glb"
    assert export_command.existing(session) == tmp_path / "hero.glb"
    assert export_command.is_open_file(session, tmp_path / "hero.glb")
    assert written(session).output.in_place
    assert main([*shlex.split(export_command.export_text(session, SIZE, 16))[1:], "--quiet"]) == 0
    assert len(load(tmp_path / "hero.glb").clips) == 3


def test_the_newest_preview_wins(session, held):
    view = session.interface.of(AnimationExport)
    export_command.update_preview(session)
    export_command.update_preview(session)
    assert len(held.processes) == 1, "nothing has changed"
    view.decades = 1.0
    assert view.millimetres == 1.0
    export_command.update_preview(session)
    first, second = held.processes
    assert first.ended
    (options,) = second.arguments
    assert options.keys.tolerance_mm == 1.0
    found = bake_figures(options, lambda _: None)
    second.finish(found)
    assert session.poll()
    assert view.figures == found
    data = exported(session, held)
    assert found.bytes[1] == (data.path.stat().st_size)
    assert found.bytes[1] < found.bytes[0] == session.path.stat().st_size
    assert 0 < found.metres <= 0.001


def test_the_preview_ends_with_the_dialog(session, held):
    view = session.interface.of(AnimationExport)
    view.figures = BakeFigures((2, 1), (2, 1), 0.0, 0.0, ())
    export_command.update_preview(session)
    assert session.jobs.is_running(PREVIEW)
    end_preview(session)
    assert held.processes[0].ended
    export_command.update_preview(session)
    assert len(held.processes) == 2


def test_motion_capture_has_no_file_to_write(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(body_bvh())
    session = new_session(60.0)
    session.tick()
    character_files.open_file(session, path)
    session.update()
    assert "animation" not in export_command.possible_kinds(session)
