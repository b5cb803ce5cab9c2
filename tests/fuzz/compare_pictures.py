"""Draws random documents in several ways, which must give the same picture."""

import numpy as np

from rigview.rendering.context import create_context
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.crowd_pictures import show_crowd
from tests.support.looks import set_look
from tests.support.random_documents import RandomDocument
from tests.support.solids import uniform_environment

SIZE = (64, 64)
TAU = 0.37
MIRROR = {
    "occlusion": False,  # its directions are not symmetric
    "environment": uniform_environment(0.7),
    "tone_mapping": "linear",
}  # symmetric


class SharedRenderer:
    """A renderer and a target for all documents, so that shaders are compiled once."""

    def __init__(self, context):
        self.context = context
        self.renderer, self.target = Renderer(context), Target(context, SIZE, 1)

    def draw(self, scene):
        """The picture of a scene; OpenGL errors are failures."""
        self.renderer.draw(scene, self.target)
        assert self.context.error == "GL_NO_ERROR"
        return self.target.read().astype(int)

    def release(self):
        """Free the renderer and the target."""
        self.renderer.release()
        self.target.release()


def scene_of(seed, *, crowd=False, mirrored=False, symmetric=False, **display):
    """The scene of a random document with a camera in front of it."""
    document = RandomDocument(seed, symmetric=symmetric)
    model = (document.mirrored() if mirrored else document).load()
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, distance=5.0, ortho=True)
    shown = {"grid": False, "background": (0, 0, 0, 0), "shadow": False}
    scene = set_look(Scene(camera=camera), **(shown | display))
    scene.camera.follow = False
    scene.show(model).play_clip(0, 0.0)
    scene.update(TAU)
    if crowd:
        world = np.eye(4, dtype=np.float32)[None]
        show_crowd(scene, [0], world, TAU)
    return scene


def assert_only_edges_differ(picture, expected, most):
    """Pixels differ by at most `most`, but for those whose centre is on an edge.

    There rounding decides which of two triangles is seen: a camera that moves by 1e-7 of a unit
    changes them too.
    """
    off = np.abs(picture - expected).max(axis=-1) > most
    seen = np.count_nonzero(expected[..., 3])
    assert off.sum() <= 8 + 0.02 * seen, f"{off.sum()} of {seen} pixels, more than edges"


def check_repetitions(renderer, seed):
    """Drawn again, as a crowd of one, and over white, a document looks the same."""
    scene = scene_of(seed)
    first = renderer.draw(scene)
    np.testing.assert_array_equal(renderer.draw(scene_of(seed)), first)
    crowd = renderer.draw(scene_of(seed, crowd=True))
    assert_only_edges_differ(crowd, first, 1)
    assert not first[first[..., 3] == 0].any()
    set_look(scene, background=(1, 1, 1, 1))
    white = renderer.draw(scene)
    assert (white[..., 3] == 255).all()
    alpha = first[..., 3:] / 255
    np.testing.assert_allclose(white[..., :3], first[..., :3] * alpha + 255 * (1 - alpha), atol=3)


def check_mirror(renderer, seed):
    """A mirrored document looks like the mirrored picture."""
    original = renderer.draw(scene_of(seed, symmetric=True, **MIRROR))
    mirrored = renderer.draw(scene_of(seed, symmetric=True, mirrored=True, **MIRROR))
    assert_only_edges_differ(mirrored[:, ::-1], original, 6)


def compare(seed):
    """Check the pictures of a seed with a renderer of its own."""
    context = create_context()
    renderer = SharedRenderer(context)
    for check in (check_repetitions, check_mirror):
        check(renderer, seed)
    renderer.release()
    context.release()
