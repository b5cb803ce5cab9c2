"""Characters 100 km from the origin give the same pixels as at the origin."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.model.material import Material
from rigview.model.model import CameraView
from rigview.rendering.joint_labels import draw_joint_names
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.resources import asset_path
from rigview.scene.instance import Instance
from rigview.scene.scene import Scene
from tests.support import animated_value_files
from tests.support.crowd_pictures import places_in_a_row, show_crowd
from tests.support.five_joint_model import bind_motion, five_joint_model, slide_clip
from tests.support.lights import lit_model
from tests.support.looks import set_look
from tests.support.models import rod_model, square, square_model

FAR = np.array([100_000.0, 0.0, 100_000.0])
SIZE = (160, 120)
ASPECT = SIZE[0] / SIZE[1]
OVERLAYS = {"skeleton": True, "axes": True, "bounds": True, "ghost": "rest"}
WALK = '[clips.Walk]\nroot = { joint = "Hips", mode = "accumulate" }\n'
LAYERS = '[[layers]]\nname = "base"\nplay = "Walk"\n'


def scene_of(*models, tau=0.0, **display):
    scene = set_look(Scene(), **display)
    scene.set_instances([Instance.of(model) for model in models])
    for instance in scene.instances:
        instance.character.play_clip(0 if instance.model.clips else -1, 0.0)
    scene.frame(ASPECT)
    scene.update(tau)
    return scene


def move(scene, offset=FAR):
    """Move everything in a scene, and measure it at its new place."""
    matrix = np.eye(4)
    matrix[:3, 3] = offset
    for instance in scene.instances:
        instance.character.set_placement(matrix @ instance.character.placement)
        instance.measure(instance.points())
    scene.bounds.measure()
    scene.camera.orbit.frame(scene.bounds.swept, ASPECT)


def picture(gl, scene, *, names=False):
    renderer, target = Renderer(gl), Target(gl, SIZE, 4)
    renderer.draw(scene, target)
    found = target.read()
    renderer.release()
    target.release()
    return draw_joint_names(found, scene) if names else found


def same_there(gl, scene, *, names=False):
    """Return whether a scene gives the same pixels after it is moved, and none is empty."""
    move(scene, 0.0 * FAR)
    here = picture(gl, scene, names=names)
    move(scene)
    assert np.ptp(here[..., :3], axis=(0, 1)).max() > 30
    return np.array_equal(here, picture(gl, scene, names=names))


@pytest.mark.parametrize("overlays", [{}, OVERLAYS], ids=["plain", "overlays"])
def test_grid_shadow_and_overlays(gl, overlays):
    model = load(asset_path("mannequin.glb"))
    assert same_there(gl, scene_of(model, tau=0.4, **overlays))


def test_joint_names_and_several_files(gl):
    scene = scene_of(rod_model(), five_joint_model(), square_model(), tau=0.7, skeleton=True)
    assert same_there(gl, scene, names=True)


def test_root_motion_beside_another_character(gl):
    scene = scene_of(five_joint_model(slide_clip("Walk", 1.0, 1.4)), rod_model())
    character = scene.instances[0].character
    character.play(bind_motion(character.model, WALK + LAYERS), 0.0)
    scene.frame(ASPECT)
    scene.update(2.6)
    assert character.world[0, 3] > 3.0
    assert same_there(gl, scene)


def test_after_a_day_of_walking(gl):
    """86400 passes of 1.25 m: a whole number of grid cells."""
    day = 86400.0
    scene = scene_of(five_joint_model(slide_clip("Walk", 1.0, 1.25)), skeleton=True)
    character = scene.instances[0].character
    character.play(bind_motion(character.model, WALK + LAYERS), 0.0)
    scene.frame(ASPECT)
    pictures = []
    for tau in (0.0, day):
        scene.update(tau)
        pictures.append(picture(gl, scene, names=True))
    assert character.world[0, 3] == pytest.approx(1.25 * day, abs=1e-6)
    np.testing.assert_array_equal(*pictures)


@pytest.mark.parametrize("kind", ["full", "axis"])
def test_billboards(gl, kind):
    assert same_there(gl, scene_of(animated_value_files.billboard(kind, {}).load()))


def test_lights_of_the_file_and_blended_surfaces(gl):
    glass = Material(base_color=(0.2, 0.4, 0.9, 0.5), alpha_mode="BLEND", double_sided=True)
    lamps = [{"kind": "point", "intensity": 40.0}, {"kind": "spot", "intensity": 60.0}]
    model = lit_model([square(), square(0.6, 0.5)], lamps)
    model = replace(model, materials=(glass,))
    assert same_there(gl, scene_of(model))


def test_camera_of_the_file(gl):
    lens = CameraView("Lens", 0, "perspective", 0.9, 1.0, 1.0, 0.01, 100.0)
    model = replace(square_model(), cameras=(replace(lens, joint=0),))
    model.skeleton.rest.translation[0] = [0.3, 0.3, 0.1]
    scene = scene_of(model, rod_model())
    scene.camera.file_camera = 0
    here = scene.camera.used.position().copy()
    move(scene)
    np.testing.assert_allclose(scene.camera.used.position() - here, FAR, atol=1e-9)


def test_crowd(gl):
    model = rod_model()
    pictures = []
    for offset in (0.0 * FAR, FAR):
        scene = scene_of(model)
        world = places_in_a_row(3, turned=True)
        world[:, :3, 3] += offset.astype(np.float32)
        show_crowd(scene, [0, 0, 0], world, [0.1, 0.5, 0.9])
        orbit = scene.camera.orbit
        orbit.target, orbit.distance = offset + np.array([0.0, 1.0, 0.0]), 14.0
        scene.bounds.extent = np.array([[-6.0, 0.0, -2.0], [6.0, 2.0, 2.0]]) + offset
        pictures.append(picture(gl, scene))
    np.testing.assert_array_equal(*pictures)


def test_the_picture_does_not_change_where_the_origin_does(gl):
    """The origin of a frame moves by whole cells, 500 m before the next tile."""
    model = rod_model()
    before, after = (picture_at(gl, model, [499.5 + k, 0.0, -0.25 * k]).astype(int) for k in (0, 1))
    assert (np.abs(before - after).max(axis=-1) > 8).mean() < 2e-3


def picture_at(gl, model, place):
    scene = scene_of(model, tau=0.5, grid=False)
    move(scene, np.array(place))
    return picture(gl, scene)
