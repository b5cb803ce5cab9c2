"""A view copied as a command draws the same picture, bit for bit."""

import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

from rigview import resources
from rigview.scenedoc.look import Background, Lighting, Look
from rigview.scenedoc.scene_doc import SceneDoc
from rigview.session import character_files, played_motion
from rigview.session.commands.actions import action
from rigview.session.copied_text import copy_command, not_in_command
from rigview.session.session import Session
from tests.support.bvh_text import BVH
from tests.support.copied_commands import CHARACTER, SIZE, draw_session, open_session, run_command
from tests.support.fixed_clock import FixedClock
from tests.support.full_file import full_file
from tests.support.looks import environment, set_look
from tests.support.radiance_files import write_radiance
from tests.support.session_states import all_overlays, ghost_and_axes, rest_pose, surface_view
from tests.support.sessions import advance, new_session
from tests.support.shared import MODELS, needs_shared

FOX = MODELS / "Fox.glb"


def walking(session):
    """Another clip than the framed one, faster and trimmed, seen from the side."""
    action("next clip").run(session)
    played_motion.set_trim(session.active, trim=True)
    action("faster").run(session)
    session.scene.camera.orbit.orbit(0.7, 0.31)
    session.scene.camera.orbit.pan(0.13, -0.07)
    session.scene.camera.orbit.zoom(1.5)
    advance(session, 137)
    return 4


@pytest.mark.parametrize(
    "file", [CHARACTER, pytest.param(FOX, marks=needs_shared)], ids=["", "fox"]
)
@pytest.mark.parametrize("state", [walking, all_overlays, ghost_and_axes, rest_pose, surface_view])
def test_command_draws_the_same_picture(gl, tmp_path, monkeypatch, file, state):
    session = open_session(file)
    samples = state(session)
    before = draw_session(gl, session, samples)
    line = copy_command(session, SIZE, samples)
    shown = draw_session(gl, session, samples)
    assert shown.std() > 5.0
    assert np.abs(shown.astype(int) - before).mean() < 0.01, "copying changes nothing"
    assert not_in_command(session) == []
    with gl:  # the command creates its own context; afterwards this one is current again
        found = run_command(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


def test_command_with_the_environment_as_background(gl, tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "cache_folder", lambda: tmp_path / "cache")
    light = np.random.default_rng(1).gamma(0.5, 0.6, (16, 32, 3))
    sky = write_radiance(tmp_path / "sky.hdr", light)
    session = open_session(full_file().path(tmp_path))
    sky_light = Lighting(environment=str(sky), rotation=40.0)
    background = Background(environment=True, blur=0.37)
    session.stage.set(Look(lighting=sky_light, background=background), "Sky")
    session.jobs.wait()
    session.scene.camera.orbit.orbit(0.7, 0.2)
    line = copy_command(session, SIZE, 1)
    shown = draw_session(gl, session, 1)
    assert shown[..., 3].min() == 255
    assert shown[:10].std() > 5.0
    with gl:
        found = run_command(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


@pytest.mark.parametrize("camera", [0, 1, 2])
def test_command_with_a_file_camera(gl, tmp_path, monkeypatch, camera):
    folder = tmp_path / "there"
    folder.mkdir()
    session = open_session(full_file().path(folder))
    for _ in range(camera + 1):
        action("camera").run(session)
    session.show(variant="#1")
    advance(session, 21)
    line = copy_command(session, SIZE, 4)
    assert "--camera-position" not in line
    shown = draw_session(gl, session, 4)
    assert shown.std() > 5.0
    with gl:
        found = run_command(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


def test_command_after_leaving_a_file_camera(gl, tmp_path, monkeypatch):
    folder = tmp_path / "there"
    folder.mkdir()
    session = open_session(full_file().path(folder))
    action("camera").run(session)
    session.scene.camera.use_orbit()
    session.scene.camera.orbit.orbit(0.3, 0.1)
    advance(session, 21)
    line = copy_command(session, SIZE, 4)
    assert "--camera " not in line
    shown = draw_session(gl, session, 4)
    with gl:
        found = run_command(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


def test_defaults_are_left_out(tmp_path):
    alone = shutil.copy(CHARACTER, tmp_path / "figure.glb")  # without its motion file
    words = shlex.split(copy_command(open_session(alone), (1024, 1024), 16))
    flags = [word.partition("=")[0] for word in words if word.startswith("-")]
    assert flags == ["-o", "--animation", "--camera-position", "--camera-target"]


def test_shell_quoting_of_names(tmp_path):
    folder = tmp_path / "it's $HOME; *"
    folder.mkdir()
    path = folder / "-a b.glb"
    path.write_bytes(CHARACTER.read_bytes())
    session = open_session(path)
    session.files.root = folder
    words = shlex.split(copy_command(session, SIZE, 4))
    assert Path(words[2]) == path
    assert Path(words[words.index("--root") + 1]) == folder


def test_imported_clips_of_another_skeleton_are_copied_with_force(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(BVH)
    session = new_session(60.0, doc=SceneDoc(anims=(str(path),), force=True))
    character_files.open_file(session, CHARACTER)
    assert session.model.clips[-1].name == "walk"
    words = shlex.split(copy_command(session, SIZE, 4))
    assert words[words.index("--anims") + 1] == str(path)
    assert "--force" in words


def test_not_in_command():
    session = open_session(CHARACTER)
    set_look(session.scene, axes=True)
    assert not_in_command(session) == []
    set_look(session.scene, mask=(1.0,))
    assert not_in_command(session) == ["the mask shown on the mesh"]


def test_empty_scene_has_no_command():
    assert copy_command(Session(FixedClock(60.0)), SIZE, 4) == ""


@pytest.mark.parametrize(
    ("rotation", "words"), [(0.0, ""), (-30.5, " --environment-rotation=-30.5")]
)
def test_environment_map_is_named(tmp_path, rotation, words):
    session = open_session(CHARACTER)
    assert "--environment" not in copy_command(session, SIZE, 4)
    sky = tmp_path / "sky.hdr"
    environment(session.scene, file=str(sky), rotation=rotation)
    line = copy_command(session, SIZE, 4)
    assert f" --environment {sky}{words}" in line
    assert ("--environment-rotation" in line) == bool(rotation)
    assert "--environment-background" not in line
    shown = np.ones((8, 16, 3), np.float16)
    environment(session.scene, file=str(sky), environment_map=shown, blur=0.25)
    line = copy_command(session, SIZE, 4)
    assert " --environment-background --environment-blur 0.25" in line
