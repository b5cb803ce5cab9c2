"""Offscreen rendering, and joint names drawn onto pictures."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from rigview.errors import ContextError
from rigview.rendering.joint_labels import draw_joint_names
from rigview.rendering.offscreen import OffscreenRenderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.looks import set_look
from tests.support.models import rod_model


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
