"""Sessions without a window, and the pictures that commands copied from them draw."""

import shlex

import numpy as np
from PIL import Image

from rigview.cli.main import main
from rigview.rendering.joint_labels import draw_joint_names, draw_swatches
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.resources import asset_path
from rigview.session import character_files
from tests.support.sessions import new_session

SIZE = (211, 160)


CHARACTER = asset_path("mannequin.glb")


def open_session(path):
    session = new_session(60.0)
    session.tick()
    session.interface.viewport.aspect = 0.7
    character_files.open_file(session, path)
    return session


def draw_session(gl, session, samples):
    """[H, W, 4] of the session's scene, as a saved picture has it."""
    renderer, target = Renderer(gl), Target(gl, SIZE, samples)
    try:
        session.update()
        renderer.draw(session.scene, target)
        pixels = target.read()
    finally:
        renderer.release()
        target.release()
    named = session.scene.look.overlays.joint_names
    pixels = draw_joint_names(pixels, session.scene) if named else pixels
    return draw_swatches(pixels, session.scene)


def run_command(line, folder, monkeypatch):
    """[H, W, 4] that a copied line draws, run in `folder`."""
    monkeypatch.chdir(folder)
    program, *arguments = shlex.split(line)
    assert program == "rigview"
    assert main([*arguments, "--quiet"]) == 0
    (picture,) = folder.glob("*.png")
    with Image.open(picture) as image:
        return np.asarray(image.convert("RGBA"))
