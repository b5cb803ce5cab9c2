"""Edits of the record of a view: what is undone, and what stays through an undo."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rigview.fields.option import restored
from rigview.motion import edit
from rigview.motion.document import ClipSettings, LayerSettings
from rigview.scenedoc.look import Look, Overlays, Shading
from rigview.session import character_files, played_motion
from rigview.session.clip_settings import default_root
from rigview.session.commands.actions import action
from rigview.session.copied_text import copy_command, not_in_command
from rigview.session.view_record import view_record
from tests.support.copied_commands import CHARACTER, SIZE, open_session
from tests.support.full_file import full_file
from tests.support.sessions import advance


@pytest.fixture
def session():
    return open_session(CHARACTER)


def undo(session):
    action("undo").run(session)
    return session.interface.notice


def test_a_drag_of_the_exposure_is_one_step(session):
    for exposure in (0.5, 1.0, 1.5):
        session.change(Shading, "Exposure", "exposure", exposure=exposure)
    session.history.close()
    session.change(Shading, "Exposure", "exposure", exposure=2.0)
    assert undo(session) == "Undo: Exposure"
    assert session.doc.look.shading.exposure == 1.5
    undo(session)
    assert session.doc.look.shading.exposure == 0.0
    assert undo(session) == "Nothing to undo"
    action("redo").run(session)
    assert session.doc.look.shading.exposure == 1.5


def test_overlays_view_mode_camera_and_time_stay_through_an_undo(session):
    session.change(Shading, "Shadow", shadow=False)
    session.change(Overlays, skeleton=True)
    session.change(Shading, view_mode="normals", weights=None)
    session.scene.camera.orbit.orbit(0.3, 0.1)
    session.transport.seek(0.4)
    azimuth = session.scene.camera.orbit.azimuth
    undo(session)
    look = session.doc.look
    assert look.shading.shadow
    assert (look.overlays.skeleton, look.shading.view_mode) == (True, "normals")
    assert session.scene.camera.orbit.azimuth == azimuth
    assert session.transport.time == 0.4
    assert undo(session) == "Nothing to undo"


def test_looks_motions_and_visibility_have_one_order(session):
    session.change(Shading, "Exposure", exposure=1.0)
    layers = edit.with_layer(session.document, LayerSettings("base", "0"))
    session.editor.edit(layers, "Add a layer")
    session.show(hidden_joints="LeftArm")
    assert [undo(session) for _ in range(4)] == [
        "Undo: Hidden joints",
        "Undo: Add a layer",
        "Undo: Exposure",
        "Nothing to undo",
    ]
    assert session.active.shown.hidden_joints is None
    assert not session.character.hidden_joints


def test_an_equal_value_is_no_step_and_keeps_the_record(session):
    before = session.doc
    session.change(Shading, "Exposure", exposure=0.0)
    session.show(variant=None)
    session.scene.change(frame_rate=before.frame_rate)
    assert session.doc is before
    assert undo(session) == "Nothing to undo"


def test_time_does_not_change_the_record(session):
    """The camera follows root motion; the record has it relative to the character."""
    names = [clip.name for clip in session.model.clips]
    moving = ClipSettings(root=replace(default_root(session.model), mode="accumulate"))
    session.editor.edit(
        edit.with_clip_settings(session.document, "WalkForward", moving), "Root motion"
    )
    played_motion.start_clip(session.transport, names.index("WalkForward"))
    advance(session, 2)
    before, place = session.doc, session.scene.camera.current.target
    advance(session, 40)
    assert session.doc is before
    assert np.linalg.norm(session.scene.camera.current.target - place) > 0.3, "it follows"
    shown = before.character
    assert (shown.clip, shown.pose, shown.speed, shown.loop) == (
        "WalkForward",
        "clip",
        1.0,
        ("loop", math.inf),
    )
    played = session.character.playback.x(session.tau)
    runs = shown.speed * (session.tau - shown.since)
    assert shown.played + runs == pytest.approx(float(played), abs=1e-12)
    session.transport.set_speed(2.0)
    advance(session, 10)
    assert session.doc.character.speed == 2.0
    session.transport.toggle()
    assert session.doc.character.since is None, "it stands still"
    played = session.character.playback.x(session.tau)
    assert session.doc.character.played == float(played)


def test_a_lost_variant_returns_with_the_file(session, tmp_path):
    file = full_file()
    character_files.open_file(session, file.path(tmp_path))
    session.show(variant=session.model.variants[1])
    variants = file.json["extensions"]["KHR_materials_variants"]["variants"]
    removed = variants.pop()
    file.path(tmp_path)
    assert character_files.reload(session)
    assert session.character.variant == -1
    variants.append(removed)
    file.path(tmp_path)
    assert character_files.reload(session)
    assert session.character.variant == 1
    assert undo(session) == "Undo: Variant", "an edit names things, so it outlives a reload"
    assert session.character.variant == -1


def test_closing_a_character_ends_its_steps(session):
    character_files.add_files(session, [CHARACTER])
    second = session.active
    session.show(second, hidden_meshes="#0")
    session.remove(second)
    assert undo(session) == "Nothing to undo"


def test_describing_a_view_changes_nothing(session):
    session.scene.camera.orbit.orbit(0.7, 0.31)
    session.scene.camera.orbit.fov = 0.61234567
    advance(session, 33)
    session.transport.toggle()
    session.update()
    orbit = vars(session.scene.camera.orbit)
    before = repr(orbit), session.doc, session.transport.mixer_time, session.history.undo_label
    first = view_record(session, SIZE, 4)
    line = copy_command(session, SIZE, 4)
    assert not_in_command(session) == []
    after = repr(orbit), session.doc, session.transport.mixer_time, session.history.undo_label
    assert after == before
    session.update()
    assert repr(orbit) == before[0], "a camera that was placed stays"
    assert view_record(session, SIZE, 4) == first
    assert copy_command(session, SIZE, 4) == line


def test_what_is_kept_is_that_of_now():
    now = Look().changed(Overlays, grid=False).changed(Shading, exposure=1.0, weights="Hips")
    then = Look().changed(Overlays, axes=True).changed(Shading, exposure=-1.0)
    found = restored(now, then)
    assert found.overlays is now.overlays
    assert (found.shading.exposure, found.shading.weights) == (-1.0, "Hips")
    assert restored(now, now) is now
