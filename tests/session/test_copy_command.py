"""A view copied as a command: run, the line draws the same picture bit for bit."""

import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rigview.cli.main import main
from rigview.clock import FixedClock
from rigview.render.joint_labels import draw_joint_names
from rigview.render.render_target import Target
from rigview.render.renderer import Renderer
from rigview.resources import asset_path
from rigview.session import transport
from rigview.session.actions import action
from rigview.session.copy_command import copy_command, unsaid
from rigview.session.session import Session
from tests.support.full_file import stocked
from tests.support.shared import MODELS, needs_shared

SIZE = (211, 160)
CHARACTER = asset_path("mannequin.glb")
FOX = MODELS / "Fox.glb"


def opened(path):
    session = Session(FixedClock(60.0), beside=False)
    session.tick()
    session.aspect = 0.7
    session.open(path)
    return session


def wait(session, frames):
    session.clock.frame += frames
    session.tick()
    session.update()


def drawn(gl, session, samples):
    """[H, W, 4] of the session's scene, as a saved picture has it."""
    renderer, target = Renderer(gl), Target(gl, SIZE, samples)
    try:
        session.update()
        renderer.draw(session.scene, target)
        pixels = target.read()
    finally:
        renderer.release()
        target.release()
    return draw_joint_names(pixels, session.scene) if session.scene.display.joint_names else pixels


def run(line, folder, monkeypatch):
    """[H, W, 4] that a copied line draws, run in `folder`."""
    monkeypatch.chdir(folder)
    program, *arguments = shlex.split(line)
    assert program == "rigview"
    assert main([*arguments, "--quiet"]) == 0
    (picture,) = folder.glob("*.png")
    with Image.open(picture) as image:
        return np.asarray(image.convert("RGBA"))


def walking(session):
    """In the middle of another clip than was framed, faster, trimmed, seen from aside."""
    action("next clip").run(session)
    transport.set_trim(session, trim=True)
    action("faster").run(session)
    session.scene.camera.orbit(0.7, 0.31)
    session.scene.camera.pan(0.13, -0.07)
    session.scene.camera.zoom(1.5)
    wait(session, 137)
    return 4


def looked_into(session):
    """All switches, parallel, from above, on nothing, backwards there and back."""
    display = session.scene.display
    display.skeleton = display.joint_names = display.wireframe = True
    display.background = (0.0, 0.0, 0.0, 0.0)
    display.exposure = 0.3
    display.view_mode = "base-colour"
    action("weights").run(session)
    action("loop").run(session)
    transport.set_speed(session, -1.25)
    session.scene.camera.ortho = True
    session.scene.camera.view_from("top")
    wait(session, 41)
    return 1


def standing(session):
    """The rest pose, with a wide angle of view, on a colour, without a grid."""
    action("pose").run(session)
    display = session.scene.display
    display.grid = False
    display.background = (0x33 / 255, 1.0, 0.0, 0x80 / 255)
    display.tone_mapping = "aces"
    session.scene.camera.fov = 1.234
    session.scene.camera.orbit(-2.5, -0.2)
    return 2


def inspected(session):
    """One quantity of the surface in another clip than was framed, in boxes, without a shadow."""
    action("next clip").run(session)
    for _ in range(3):
        action("next view").run(session)
    action("bounds").run(session)
    action("shadow").run(session)
    wait(session, 33)
    return 4


@pytest.mark.parametrize(
    "file", [CHARACTER, pytest.param(FOX, marks=needs_shared)], ids=["", "fox"]
)
@pytest.mark.parametrize("state", [walking, looked_into, standing, inspected])
def test_line_draws_what_is_shown(gl, tmp_path, monkeypatch, file, state):
    session = opened(file)
    samples = state(session)
    before = drawn(gl, session, samples)
    line = copy_command(session, SIZE, samples)
    shown = drawn(gl, session, samples)
    assert shown.std() > 5.0
    assert np.abs(shown.astype(int) - before).mean() < 0.01, "copying moves nothing"
    assert unsaid(session) == []
    with gl:  # the command makes a context of its own; afterwards this one is current again
        found = run(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


@pytest.mark.parametrize("camera", [0, 1, 2])
def test_line_looks_through_the_camera_of_the_file(gl, tmp_path, monkeypatch, camera):
    folder = tmp_path / "there"
    folder.mkdir()
    session = opened(stocked().path(folder))
    for _ in range(camera + 1):
        action("camera").run(session)
    session.character.variant = 1
    wait(session, 21)
    line = copy_command(session, SIZE, 4)
    assert "--camera-position" not in line
    shown = drawn(gl, session, 4)
    assert shown.std() > 5.0
    with gl:
        found = run(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


def test_line_after_the_mouse_took_over_from_the_camera_of_the_file(gl, tmp_path, monkeypatch):
    folder = tmp_path / "there"
    folder.mkdir()
    session = opened(stocked().path(folder))
    action("camera").run(session)
    session.scene.look_freely()
    session.scene.camera.orbit(0.3, 0.1)
    wait(session, 21)
    line = copy_command(session, SIZE, 4)
    assert "--camera " not in line
    shown = drawn(gl, session, 4)
    with gl:
        found = run(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


def test_only_what_is_not_the_default_is_said(tmp_path):
    alone = shutil.copy(CHARACTER, tmp_path / "figure.glb")  # without its motion file
    words = shlex.split(copy_command(opened(alone), (1024, 1024), 4))
    flags = [word.partition("=")[0] for word in words if word.startswith("-")]
    assert flags == ["-o", "--animation", "--camera-position", "--camera-target"]


def test_names_that_a_shell_would_read(tmp_path):
    folder = tmp_path / "it's $HOME; *"
    folder.mkdir()
    path = folder / "-a b.glb"
    path.write_bytes(CHARACTER.read_bytes())
    session = opened(path)
    session.root = folder
    words = shlex.split(copy_command(session, SIZE, 4))
    assert Path(words[2]) == path
    assert Path(words[words.index("--root") + 1]) == folder


def test_what_no_option_says_is_told():
    session = opened(CHARACTER)
    session.scene.display.axes = True
    assert unsaid(session) == ["joint axes"]
    session.character.override = np.zeros(2, np.float32)
    assert unsaid(session) == ["joint axes", "morph sliders held by hand"]


def test_nothing_on_stage_is_no_command():
    assert copy_command(Session(FixedClock(60.0)), SIZE, 4) == ""
