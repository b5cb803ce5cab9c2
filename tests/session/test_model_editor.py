"""Edits of an open character's model: undo, saving, and files that change meanwhile."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.gltf.save import model_bytes
from rigview.loading.load import load
from rigview.model.edits import FactorKey, ModelEdits, VertexKey, row_of
from rigview.motion.document import LayerSettings, MotionDoc
from rigview.session import character_files, motion_saving
from rigview.session.commands.actions import action, redo, undo
from rigview.session.motion_saving import NewName
from rigview.session.session import Leaving
from tests.support.animated_value_files import FeatureBuilder
from tests.support.sessions import new_session

ROUGH = FactorKey(0, "roughness")


@pytest.fixture
def session(paths):
    session = new_session(60.0)
    character_files.open_file(session, Path(paths[0]))
    return session


def rough(own, value=0.25, merge=""):
    own.changes.edit(
        own.changes.edits.with_factor(own.changes.base, ROUGH, value), "Roughness", merge
    )


def turn_key(own, key=1):
    base = own.changes.base
    clip = base.clips[own.character.clip]
    track = next(t for t in clip.tracks if t.path == "rotation" and len(t.times) > 3)
    values = track.values.copy()
    values[key] = np.roll(values[key], 1)
    edits = own.changes.edits.with_track(base, clip, replace(track, values=values))
    own.changes.edit(edits, "Key")
    return clip, track


def paint(own):
    key = VertexKey(0, 0, 3)
    row = ((1, 2, 0, 0), (0.5, 0.5, 0.0, 0.0))
    own.changes.edit(own.changes.edits.with_weights(own.changes.base, {key: row}), "Weights")
    return key, row


def test_an_edit_is_seen_at_once_and_can_be_undone(session):
    own = session.active
    before = own.model.materials[0].roughness
    rough(own)
    assert own.model.materials[0].roughness == 0.25
    assert own.character.pointer_values.material(0, own.character.pose.values).roughness == 0.25
    assert session.dirty
    undo(session)
    assert own.model.materials[0].roughness == before
    assert not session.dirty
    redo(session)
    assert own.model.materials[0].roughness == 0.25


def test_a_drag_is_one_step(session):
    own = session.active
    for value in (0.1, 0.2, 0.3):
        rough(own, value, "drag")
    session.history.close()
    undo(session)
    assert own.changes.edits == ModelEdits()
    assert not session.history.undo_label


def test_a_moved_key_changes_the_pose_and_the_time_stays(session):
    own = session.active
    clip, track = turn_key(own)
    session.transport.pause_at(float(track.times[1]))
    session.update()
    now, moved = session.transport.time, own.character.pose.rotation[track.target].copy()
    undo(session)
    session.update()
    assert session.transport.time == pytest.approx(now)
    assert not np.allclose(moved, own.character.pose.rotation[track.target])
    assert own.model.clips[own.character.clip] is clip


def test_a_painted_vertex_moves_and_the_bounds_follow(session):
    own = session.active
    bounds = own.bounds
    key, row = paint(own)
    assert row_of(own.model, key) == row
    assert own.bounds is not bounds


def test_edits_are_saved_under_a_new_name(session, paths, tmp_path):
    own, path = session.active, tmp_path / "edited.glb"
    before = Path(paths[0]).read_bytes()
    turn_key(own)
    paint(own)
    rough(own)
    clip = own.model.clips[own.character.clip].name
    assert own.changes.words == f"1 key in {clip}, 1 vertex and 1 material factor"
    assert own.save_model(path)
    assert session.interface.notice == f"Saved edited.glb: {own.changes.words}"
    assert not session.dirty
    assert path.read_bytes() == model_bytes(own.model)
    assert load(path).materials[0].roughness == 0.25
    assert Path(paths[0]).read_bytes() == before
    undo(session)
    assert session.dirty
    undo(session)
    undo(session)
    assert not session.dirty, "as the open file"


def test_the_key_that_saves_a_motion_file_does_not_lose_edits_of_the_model(session, paths):
    own, motion = session.active, Path(paths[0]).with_suffix(".motion.toml")
    rough(own)
    action("save").run(session)
    assert session.interface.of(NewName).model
    assert session.interface.requests == ["save as"]
    assert not motion.exists()
    layers = MotionDoc(layers=(LayerSettings("base", own.model.clips[0].name),))
    session.editor.edit(layers, "Create layers")
    action("save").run(session)
    assert motion.exists()
    assert session.dirty
    words = "Saved one.motion.toml, without 1 material factor: File > Save the edited model as…"
    assert session.interface.notice == words


def test_the_name_is_proposed_and_the_source_is_never_replaced_silently(session, paths):
    own = session.active
    rough(own)
    motion_saving.save_edits_as(session, own)
    asked = session.interface.of(NewName)
    assert Path(asked.path) == Path(paths[0]).absolute().with_name("one-edited.glb")
    assert session.interface.requests == ["save as"]
    assert motion_saving.finish(session, Path(asked.path[: -len(".glb")]))
    assert Path(asked.path).is_file()


def test_leaving_asks_about_edits_and_saves_them(session):
    own, left = session.active, []
    rough(own)
    session.ask_to_leave(lambda: left.append(1))
    assert session.interface.popup == "unsaved"
    assert session.interface.of(Leaving).unsaved == [own]
    motion_saving.save_all(session, [own], lambda: left.append(2))
    assert not left
    motion_saving.finish(session, Path(session.interface.of(NewName).path))
    assert left == [2]


def test_discarded_edits_are_not_asked_about(session):
    rough(session.active)
    session.active.changes.discard()
    assert not session.dirty


def later(path, model=None):
    """Write a file anew, with a later time."""
    data = Path(path).read_bytes() if model is None else model_bytes(model)
    Path(path).write_bytes(data)
    stat = os.stat(path)
    os.utime(path, (stat.st_atime, stat.st_mtime + 5))


def test_edits_stay_when_the_file_changes_elsewhere(session, paths):
    own = session.active
    rough(own)
    turn_key(own)
    model = load(paths[0])
    later(paths[0], replace(model, materials=(replace(model.materials[0], metallic=0.75),)))
    character_files.refresh(session)
    assert own.model.materials[0].metallic == 0.75
    assert own.model.materials[0].roughness == 0.25
    assert len(own.changes.edits.tracks) == 1
    assert session.interface.notice == "Reloaded one.glb"
    undo(session)
    assert own.changes.edits.tracks == {}
    assert own.model.materials[0].roughness == 0.25


def test_edits_that_do_not_fit_any_more_are_named(session, paths):
    own = session.active
    rough(own)
    model = load(paths[0])
    later(paths[0], replace(model, materials=(replace(model.materials[0], roughness=0.75),)))
    character_files.refresh(session)
    assert own.model.materials[0].roughness == 0.75
    assert session.interface.notice == "Reloaded one.glb; without 1 material factor: changed there"
    assert not session.dirty


def test_edits_saved_in_the_source_are_part_of_it(session, paths):
    own = session.active
    rough(own)
    assert own.save_model(Path(paths[0]))
    assert not own.changed()
    assert not session.dirty
    assert not session.history.undo_label
    assert own.changes.words == ""
    turn_key(own)
    later(paths[0])
    character_files.refresh(session)
    assert own.model.materials[0].roughness == 0.25
    assert own.changes.edits.factors == {}
    assert len(own.changes.edits.tracks) == 1
    assert session.interface.notice == "Reloaded one.glb"


def test_the_key_rotation_keeps_edits(session):
    own = session.active
    turn_key(own)
    own.set_key_rotation("nlerp")
    undo(session)
    assert own.model.clips[own.character.clip].rotation == "nlerp"


def test_a_bundled_file_is_not_replaced(session):
    from rigview.resources import asset_path

    own = session.active
    rough(own)
    assert not own.save_model(asset_path("mannequin.glb"))
    assert session.interface.error_title == "Not saved"


def test_keys_that_the_file_cannot_have_are_not_edited(session, tmp_path):
    b = FeatureBuilder()
    square = b.square(material=b.material())
    b.add("nodes", name="Square", mesh=square)
    rough = "/materials/0/pbrMetallicRoughness/roughnessFactor"
    b.pointer((rough, [0, 1], [1, 0]))
    b.animation((0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]]))
    path = tmp_path / "square.glb"
    path.write_bytes(b.glb())
    character_files.open_file(session, path)
    own = session.active
    moved = {
        track.path: own.changes.can_move_keys(clip, track)
        for clip in own.model.clips
        for track in clip.tracks
    }
    assert moved == {"values": False, "translation": True}
