"""Rotations between keys: slerp or nlerp for all characters of a session."""

import shutil

import numpy as np
import pytest

from rigview.motion.document import LayerSettings, MotionDoc
from rigview.rendering.renderer import Renderer
from rigview.resources import asset_path
from rigview.session import character_files, played_motion
from rigview.session.commands.actions import action
from rigview.session.copied_text import copy_command, not_in_command
from tests.support.animated_value_files import rotation_about
from tests.support.copied_commands import SIZE, draw_session, open_session, run_command
from tests.support.gltf_documents import Builder
from tests.support.sessions import advance


@pytest.fixture
def path(tmp_path):
    """A joint that turns by 150 degrees between two keys, with a triangle."""
    folder = tmp_path / "there"
    folder.mkdir()
    b = Builder()
    b.add("nodes", name="Arm", mesh=b.mesh())
    b.animation((0, "rotation", [0, 1], [rotation_about("z", a) for a in (0, 150)]), name="Turn")
    (folder / "arm.glb").write_bytes(b.glb())
    return folder / "arm.glb"


def middle(session):
    """The rotation of the joint at a quarter of the turn, without a change of the time."""
    session.update()
    return session.character.pose.rotation[0].copy()


def test_the_time_stays(path):
    session = open_session(path)
    session.transport.set_speed(-0.5)
    session.transport.pause_at(0.25)
    slerped = middle(session)
    session.set_key_rotation("nlerp")
    assert session.transport.time == 0.25
    assert not session.transport.running
    assert session.transport.speed == -0.5
    found = middle(session)
    expected = 0.75 * np.array(rotation_about("z", 0)) + 0.25 * np.array(rotation_about("z", 150))
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected), atol=1e-6)
    assert np.abs(found - slerped).max() > 0.01
    session.set_key_rotation("slerp")
    np.testing.assert_array_equal(middle(session), slerped)


def test_later_clips_and_files_have_it_too(path):
    session = open_session(path)
    session.set_key_rotation("nlerp")
    character_files.add_files(session, [path])
    assert {clip.rotation for each in session.open_characters for clip in each.model.clips} == {
        "nlerp"
    }
    assert character_files.reload(session)
    assert session.model.clips[0].rotation == "nlerp"
    played_motion.start_clip(session.transport, 0)
    session.update()
    assert session.doc.key_rotation == "nlerp"


def test_nothing_is_uploaded_again(gl, path):
    session, renderer = open_session(path), Renderer(gl)
    uploaded = renderer.upload(session.model)
    session.set_key_rotation("nlerp")
    assert renderer.upload(session.model) is uploaded
    renderer.release()


@pytest.mark.parametrize("running", [False, True])
def test_layers_keep_time_and_are_copied(gl, tmp_path, monkeypatch, running):
    folder = tmp_path / "there"
    folder.mkdir()
    session = open_session(shutil.copy(asset_path("mannequin.glb"), folder / "figure.glb"))
    layers = LayerSettings("base", "Walk"), LayerSettings("wave", "Wave", weight=0.5)
    session.editor.edit(MotionDoc(layers=layers), "Layers")
    advance(session, 40)
    if not running:
        session.transport.pause_at(session.transport.time)
    before = session.transport.time
    session.set_key_rotation("nlerp")
    assert session.transport.time == pytest.approx(before, abs=1e-9)
    assert session.editor.shown
    assert session.transport.running == running
    advance(session, 7)
    action("save").run(session)
    line = copy_command(session, SIZE, 1)
    assert "--key-rotation nlerp" in line
    assert not_in_command(session) == []
    shown = draw_session(gl, session, 1)
    with gl:
        np.testing.assert_array_equal(run_command(line, tmp_path, monkeypatch), shown)
