"""Bones as octahedra: their pixels are those that picking finds, at every depth."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.skeleton import Skeleton
from rigview.rendering.frame import Frame
from rigview.rendering.overlay_lines import SIDES, skeleton_overlay
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.joint_picking import joints_at
from rigview.scene.scene import Scene
from tests.support.draw import draw
from tests.support.looks import set_look
from tests.support.models import make_model, square

SIZE, STEP = (360, 300), 3
NAMES = ("Root", "Left", "Right", "LeftEnd", "RightEnd")
PLACES = [[0, 0, 0], [-0.4, -0.5, 0.3], [0.5, -0.4, -0.3], [0.9, 1.1, 0.1], [-1.0, 0.9, 0.2]]


def crossed_bones():
    """A model of two bones that cross, the left one before the right one, and two short ones."""
    model = make_model([], (-1, 0, 0, 1, 2), translations=PLACES)
    own = model.skeleton
    return replace(model, skeleton=Skeleton(NAMES, own.parents, own.nodes, own.rest))


def shown(camera, mirror=1.0, **display):
    scene = Scene(camera=camera)
    character = scene.show(crossed_bones())
    character.set_placement(np.diag([mirror, 1.0, 1.0, 1.0]))
    for name, value in ({"grid": False, "background": (0, 0, 0, 0)} | display).items():
        set_look(scene, **{name: value})
    scene.update(0.0)
    return scene


def pixels(gl, scene):
    renderer, target = Renderer(gl), Target(gl, SIZE, 1)
    renderer.draw(scene, target)
    picture = target.read()
    renderer.release()
    target.release()
    return picture


@pytest.mark.parametrize("mirror", [1.0, -1.0])
@pytest.mark.parametrize("style", ["octahedra", "lines"])
def test_a_pixel_shows_the_joint_that_is_picked(gl, style, mirror):
    """The hue of the side, in perspective, except at the edges of bones and on dots."""
    camera = OrbitCamera(azimuth=0.4, elevation=0.2, distance=2.4)
    scene = shown(camera, mirror, bones=style)
    picture = pixels(gl, scene).astype(int)
    sure = {1: 0, 2: 0}
    for y, x in np.argwhere(picture[::STEP, ::STEP, 3] == 255).tolist():
        red, green, blue, _ = picture[y * STEP, x * STEP]
        side = 1 if blue - red > 60 else 2 if red - blue > 60 and red - green > 70 else 0
        place = x * STEP + 0.5, y * STEP + 0.5
        hits = joints_at([scene.character], camera, SIZE, place, style=style)
        assert hits, place
        if side and hits[0].distance == 0.0:
            assert hits[0].joint == side, place
            sure[side] += 1
    assert min(sure.values()) > 20


def test_what_is_not_drawn_is_not_under_the_pointer(gl):
    """And what is drawn is under it, up to the outline and the rounding of pixels."""
    camera = OrbitCamera(azimuth=-0.7, elevation=0.5, distance=3.2)
    scene = shown(camera)
    covered = pixels(gl, scene)[..., 3] > 0
    for y in range(0, SIZE[1], 4 * STEP):
        for x in range(0, SIZE[0], 2 * STEP):
            hits = joints_at([scene.character], camera, SIZE, (x + 0.5, y + 0.5))
            least = min((hit.distance for hit in hits), default=np.inf)
            if covered[y, x]:
                assert least < 6.0, (x, y)
            else:
                assert least > 0.0, (x, y)


def test_behind_the_mesh_bones_are_dimmed(gl):
    """Before it they are as without it; with the depth of overlays they are hidden behind it."""
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=3.0)
    look = {"camera": camera, "size": (200, 200), "skeleton": True, "view_mode": "base-colour"}

    def region(depth, **more):
        places = [[0, 0, 0], [-0.6, -0.6, depth], [0, 1.2, 0]]
        model = make_model([square(3.0)], (-1, -1, 1), translations=places)
        return draw(gl, model, **(look | more))[110:140, 48:57].astype(int)

    mesh, before, behind = region(1.0, skeleton=False), region(1.0), region(-1.0)
    np.testing.assert_array_equal(region(-1.0, overlay_depth=True), mesh)
    assert abs(before - mesh).mean() > 1.3 * abs(behind - mesh).mean() > 10


@pytest.mark.parametrize("style", ["octahedra", "lines"])
@pytest.mark.parametrize("far", [1e30, 3e38, 1e-40, np.nan])
def test_extreme_places(far, style):
    """Drawing and picking raise no error."""
    scene = Scene()
    model = make_model([square()], (-1, 0, 1), translations=[[0, 0, 0], [far, 0, 0], [0, far, 0]])
    character = scene.show(model)
    set_look(scene, skeleton=True, bones=style)
    with np.errstate(all="ignore"):
        scene.update(0.0)
    overlay = skeleton_overlay(Frame.of(scene), SIZE)
    assert len(overlay.bones)
    joints_at([character], OrbitCamera(), SIZE, (10, 10), style=style)


def test_colours_tell_the_sides():
    assert len(np.unique(SIDES, axis=0)) == 3


def test_the_bone_from_a_root_on_the_floor_is_thin():
    """It is as thick as a bone of the median length, however long it is."""
    chain = [[0, 0, 0], [0, 1, 0], *[[0, 0.1, 0]] * 6]
    scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=3.0))
    scene.show(make_model([], tuple(range(-1, 7)), translations=chain))
    scene.update(0.0)
    overlay = skeleton_overlay(Frame.of(scene), SIZE)
    thickness = np.linalg.norm(overlay.octahedra[:, 6:9], axis=1)
    lengths = np.linalg.norm(overlay.octahedra[:, 3:6] - overlay.octahedra[:, :3], axis=1)
    assert lengths.max() == pytest.approx(1.0)
    assert thickness[lengths.argmax()] <= 1.01 * np.median(thickness)
