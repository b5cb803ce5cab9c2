"""What is behind surfaces is drawn once a pixel: background and floor."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.rendering.software import software_drawing
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from rigview.scenedoc.look import CLEAR
from tests.support.looks import new_look, set_look
from tests.support.models import make_model
from tests.support.solids import sphere

SIZE = 64


def draw(gl, samples, sunk, elevation=0.35, **display):
    """Return a picture of a ball that has sunk into the floor, and the same read later."""
    scene = Scene(camera=OrbitCamera(azimuth=0.3, elevation=elevation))
    new_look(scene, occlusion=False, **display)
    scene.show(make_model([sphere(12, 0.5)])).play_clip(-1, 0.0)
    scene.frame(1.0)
    scene.update(0.0)
    scene.bounds.floor += sunk
    renderer, target = Renderer(gl), Target(gl, (SIZE, SIZE), samples)
    renderer.draw(scene, target)
    picture = target.read().astype(float)
    assert target.depth(SIZE // 2, SIZE // 2) < 1.0
    later = target.read().astype(float)
    target.release()
    renderer.release()
    return picture, later


@pytest.mark.parametrize("elevation", [0.35, -0.35])
def test_samples_before_the_floor(gl, elevation):
    """Four samples, of the driver, differ from sixteen, which are not, by no more than at edges."""
    differ = []
    for sunk in (0.0, 0.8):
        many, _ = draw(gl, 16, sunk, elevation)
        four, later = draw(gl, 4, sunk, elevation)
        assert (later == four).all()
        differ.append((np.abs(four - many).max(axis=-1) > 16).sum())
    assert differ[1] <= differ[0]


@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize("elevation", [0.35, -0.35])
def test_the_floor_does_not_veil_what_is_below_it(gl, samples, elevation):
    """Neither grid nor shadow change a ball that has sunk into the floor, from both sides."""
    bare, _ = draw(gl, samples, 0.8, elevation, grid=False, background=CLEAR)
    shown, _ = draw(gl, samples, 0.8, elevation, background=(0.2, 0.2, 0.2, 1.0))
    inside = bare[..., 3] == 255
    assert inside.sum() > 200
    np.testing.assert_allclose(shown[inside], bare[inside], atol=1)


def test_what_did_not_change_is_kept(gl):
    """A renderer draws the same pictures as one that draws its first."""
    scene = Scene(camera=OrbitCamera(azimuth=0.3, elevation=0.35))
    new_look(scene, occlusion=False)
    scene.show(make_model([sphere(12, 0.5)])).play_clip(-1, 0.0)
    scene.frame(1.0)
    scene.update(0.0)
    renderer, targets = Renderer(gl), {size: Target(gl, (size, size), 4) for size in (SIZE, 48)}
    grey = 0.3, 0.3, 0.3, 1.0
    changes = (
        {}, {}, {}, {"azimuth": 0.4}, {}, {}, {"background": grey}, {},
        {"background": (grey, grey)},
        {"size": 48}, {}, {}, {"grid": False}, {}, {}, {"elevation": -0.2}, {}, {"exposure": 1.0},
    )  # fmt: skip
    size = SIZE
    for change in changes:
        for name, value in change.items():
            if name == "size":
                size = value
                continue
            if hasattr(scene.camera.orbit, name):
                setattr(scene.camera.orbit, name, value)
            else:
                set_look(scene, **{name: value})
        renderer.draw(scene, targets[size])
        fresh = Renderer(gl)
        kept = targets[size].read()
        fresh.draw(scene, targets[size])
        assert (targets[size].read() == kept).all(), change
        fresh.release()
    for target in targets.values():
        target.release()
    renderer.release()


@pytest.mark.parametrize("elevation", [0.35, -0.35])
@pytest.mark.parametrize("topology", ["triangles", "points"])
def test_samples_are_averaged_where_surfaces_are(gl, monkeypatch, elevation, topology):
    """The pictures and depths of several frames are those of the average of all pixels."""
    monkeypatch.setattr(software_drawing, "deferred_groups", lambda *_: [])
    scene = Scene(camera=OrbitCamera(azimuth=0.3, elevation=elevation))
    balls = [replace(sphere(6, 0.5), topology=topology)]
    scene.show(make_model(balls)).play_clip(-1, 0.0)
    scene.frame(1.0)
    scene.camera.orbit.distance *= 5.0
    scene.update(0.0)
    found = []
    for boxed in (True, False):
        if not boxed:
            monkeypatch.setattr(software_drawing, "surface_box", lambda *_: (0, 0, SIZE, SIZE))
        drawer, target = Renderer(gl), Target(gl, (SIZE, SIZE), 4)
        for display in (
            {"background": (0.3, 0.4, 0.5, 1.0), "grid": False},
            {},
            {"axes": True},
            {},
        ):
            new_look(scene, occlusion=False, **display)
            drawer.draw(scene, target)
            depths = [target.depth(SIZE * k // 4, SIZE // 2) for k in range(4)]
            found.append((target.read(), depths))
        drawer.release()
        target.release()
    half = len(found) // 2
    for (picture, depths), (other, others) in zip(found[:half], found[half:], strict=True):
        assert (picture == other).all()
        assert depths == others


@pytest.mark.parametrize("samples", [1, 4, 16])
@pytest.mark.parametrize("sunk", [0.0, 0.8])
def test_a_gpu_draws_the_same_forward(gl, monkeypatch, samples, sunk):
    """But for single steps of 255 and edges."""
    software, _ = draw(gl, samples, sunk)
    monkeypatch.setattr("rigview.rendering.renderer.is_software", lambda _: False)
    monkeypatch.setattr(software_drawing.SoftwareDrawing, "draw", None)
    forward, later = draw(gl, samples, sunk)
    assert (later == forward).all()
    differs = np.abs(forward - software).max(axis=-1)
    assert (differs > 2).mean() < 0.01
    assert forward[..., 3].min() == 255
