"""Offscreen rendering, and joint names drawn onto pictures."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from rigview.errors import ContextError
from rigview.rendering.joint_labels import draw_joint_names, draw_swatches
from rigview.rendering.offscreen import OffscreenRenderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from rigview.scenedoc.view_modes import INFLUENCES, WEIGHTS
from tests.support.looks import set_look
from tests.support.models import make_primitive, rod_model


def test_a_too_large_picture_names_the_limit():
    with pytest.raises(ContextError, match="at most"):
        OffscreenRenderer((10**6, 16))


def test_a_picture_of_too_much_memory_is_refused_before_it_is_allocated():
    words = "16384 x 16384 pixels with 16 samples take 10.5 GiB of memory; at most 4 GiB"
    with pytest.raises(ContextError, match=words):
        OffscreenRenderer((16384, 16384), 16)


BEYOND_MEMORY = """
import resource
from rigview.errors import ContextError
from rigview.rendering.offscreen import OffscreenRenderer
from tests.support.looks import set_look

offscreen = OffscreenRenderer((16, 16))
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (1 << 29)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    offscreen.resize((8192, 8192), 4)
except ContextError as error:
    print(error)
print(offscreen.target.read().shape)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_picture_beyond_the_memory_is_an_error_that_changes_nothing(gl):
    if "llvmpipe" not in gl.info["GL_RENDERER"]:
        pytest.skip("only a software renderer draws in the memory of the process")
    command = [sys.executable, "-c", BEYOND_MEMORY]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stdout == (
        "not enough GPU memory for 8192 x 8192 pixels with 4 samples; "
        "choose a lower resolution or fewer samples\n(16, 16, 4)\n"
    ), ran.stderr


def test_joint_names_have_no_common_prefix():
    """The names are the same with and without the name of a rig."""
    model, pictures = rod_model(), []
    plain = tuple(f"Bone{chr(65 + k)}" for k in range(len(model.skeleton.names)))
    for names in (plain, tuple(f"rig:{name}" for name in plain)):
        scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0))
        scene.show(replace(model, skeleton=replace(model.skeleton, names=names)))
        scene.frame(1.0)
        scene.update(0.0)
        pictures.append(draw_joint_names(np.zeros((200, 200, 4), np.uint8), scene))
    assert pictures[0].any()
    assert (pictures[0] == pictures[1]).all()


def test_joint_names_are_beside_their_joints():
    scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0))
    scene.show(rod_model())
    scene.frame(1.0)
    scene.update(0.0)
    blank = np.zeros((300, 300, 4), np.uint8)
    named = draw_joint_names(blank, scene)
    written = np.argwhere(named[..., 3] > 0)
    at = scene.camera.current.project(scene.character.matrices[1:, :3, 3], 1.0)[:, :2] * 300
    for x, y in at:
        near = np.abs(written[:, 0] - y) < 12
        assert near.any(), "a name at the joint's height"
        assert np.abs(written[near, 1] - x).min() < 20
    assert not blank.any(), "the picture given is left alone"


def test_joint_names_are_drawn_if_displayed():
    offscreen = OffscreenRenderer((200, 200), 1)
    scene = Scene()
    scene.show(rod_model())
    scene.frame(1.0)
    scene.update(0.0)
    plain = offscreen.render(scene)
    set_look(scene, joint_names=True)
    assert (offscreen.render(scene) != plain).any()
    offscreen.release()


def tiles(weights):
    """A row of unit squares that face +Z, each with [8] weights of the joints of a rod."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
    count = len(weights)
    places = np.concatenate([np.add(corners, [k, 0, 0]) for k in range(count)])
    faces = (np.array([0, 1, 2, 0, 2, 3]) + 4 * np.arange(count)[:, None]).ravel()
    found = np.repeat(np.asarray(weights, np.float32), 4, axis=0)
    joints = np.tile(np.arange(8, dtype=np.uint16) % 2, (4 * count, 1))
    row = make_primitive(places, faces, joints=joints, weights=found)
    model = rod_model()
    return replace(model, meshes=(replace(model.meshes[0], primitives=(row,)),), clips=())


COUNTS = np.tri(6, 8, -1)  # ones: 0 to 5 of them
SHARES = np.array([0.0, 1e-6, 0.25, 0.5, 0.75, 1.0])  # of the first joint


@pytest.mark.parametrize(
    ("weights", "look", "expected"),
    [
        (COUNTS[1:] / np.arange(1, 6)[:, None], {"view_mode": "influences"}, INFLUENCES),
        (np.stack([SHARES, 1 - SHARES, *np.zeros((6, 6))], axis=1), {"weights": "Root"}, WEIGHTS),
    ],
    ids=["influences", "weights"],
)
def test_swatches_are_the_colours_of_the_mesh(gl, weights, look, expected):
    model = tiles(weights)
    look = {**look, "weights": model.skeleton.names[1]} if "weights" in look else look
    scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True))
    set_look(scene, grid=False, background=(0.0, 0.0, 0.0, 1.0), **look)
    scene.show(model)
    scene.measure()
    scene.frame(1.0)
    scene.update(0.0)
    offscreen = OffscreenRenderer((400, 400), 1)
    picture = offscreen.render(scene)
    plain = offscreen.render(scene, swatches=False)
    middles = [[k + 0.5, 0.5, 0.0] for k in range(len(weights))]
    places = (scene.camera.current.project(np.array(middles), 1.0)[:, :2] * 400).astype(int)
    colors = [tuple(round(255 * c) for c in swatch.colour) for swatch in expected]
    for (x, y), color in zip(places, colors[-len(weights) :], strict=True):
        assert np.abs(plain[y, x, :3].astype(int) - color).max() <= 2
    changed = (picture != plain).any(axis=-1)
    rows, columns = np.nonzero(changed)
    assert columns.max() < 80
    assert rows.min() > 250, "at the lower left"
    legend = picture[rows.min() :, : columns.max()].reshape(-1, 4)[:, :3]
    tops = [np.nonzero((legend == color).all(axis=1))[0].min() for color in colors]
    assert tops == sorted(tops, reverse=True), "the last one is at the top"
    set_look(scene, background=(0.0, 0.0, 0.0, 0.0))  # cut-outs have none
    assert (offscreen.render(scene) == offscreen.render(scene, swatches=False)).all()
    offscreen.release()


def test_swatches_are_not_over_the_character():
    """They move to another corner where a joint is in the first one."""
    boxes = []
    for shift in (0.0, 1.0):
        scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True))
        set_look(scene, view_mode="influences")
        scene.show(rod_model())
        scene.frame(1.0)
        scene.update(0.0)
        scene.camera.orbit.target += np.array([1.2, 0.9, 0.0]) * shift
        rows, columns = np.nonzero(draw_swatches(np.zeros((400, 400, 4), np.uint8), scene)[..., 3])
        boxes.append((columns.min() < 200, rows.min() < 200))
    assert boxes == [(True, False), (False, False)]
