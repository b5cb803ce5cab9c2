"""Small pictures of models, and functions that measure their pixels."""

import gc
import math

import moderngl
import numpy as np

from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.looks import set_look

PLAIN_DISPLAY = {
    "grid": False,
    "background": (0, 0, 0, 0),
    "shadow": False,
    "occlusion": False,
}
RED, GREEN, BLUE, WHITE = (
    np.array([*c, 255], np.uint8) for c in ([255, 0, 0], [0, 255, 0], [0, 0, 255], [255] * 3)
)


def draw(
    gl,
    model,
    *,
    size=(64, 64),
    samples=1,
    divisor=1,
    camera=None,
    tau=0.0,
    variant=-1,
    vertex_values=(),
    **display,
):
    """Picture [H, W, 4] of a model seen from +Z, without a grid, on a transparent background."""
    scene = Scene(camera=camera or OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True))
    character = scene.show(model)
    set_look(scene, **(PLAIN_DISPLAY | {"shadow": True} | display))
    scene.measure()
    character.play_clip(0 if model.clips else -1, 0.0)
    character.variant = variant
    character.vertex_values = vertex_values
    if camera is None:
        scene.frame(size[0] / size[1])
    scene.update(tau)
    renderer, target = Renderer(gl), Target(gl, size, samples, divisor)
    renderer.draw(scene, target)
    picture = target.read()
    renderer.release()
    target.release()
    return picture


def gpu_objects(gl):
    """The number of buffers, textures, framebuffers and vertex arrays that are not released."""
    gc.collect()
    kinds = (moderngl.Buffer, moderngl.Texture, moderngl.VertexArray, moderngl.Framebuffer)
    held = [item for item in gc.get_objects() if isinstance(item, kinds)]
    alive = [item for item in held if not isinstance(item.mglo, moderngl.mgl.InvalidObject)]
    return len(alive)


def middle(picture):
    return picture[picture.shape[0] // 2, picture.shape[1] // 2].astype(int)


def srgb(linear):
    c = np.asarray(linear, float)
    return 255 * np.where(c <= 0.0031308, c * 12.92, 1.055 * c ** (1 / 2.4) - 0.055)


SIDE = 64


def draw_clip(gl, model, tau=0.0, *, file_camera=-1, clip=0, camera=None, **display):
    """Return a picture [64, 64, 4] of a clip: with a camera of the file or one that frames 4 m."""
    scene = set_look(Scene(), **(PLAIN_DISPLAY | display))
    scene.camera.file_camera = file_camera
    character = scene.show(model)
    character.play_clip(clip if model.clips else -1, 0.0, passes=1)
    scene.update(tau)
    if camera is not None:
        scene.camera.orbit = camera
    renderer, target = Renderer(gl), Target(gl, (SIDE, SIDE), 1)
    renderer.draw(scene, target)
    picture = target.read()
    renderer.release()
    target.release()
    return picture


def orbit_camera(azimuth=0.0, elevation=0.0, *, ortho=True, height=4.0):
    """A camera around the origin whose picture is `height` metres high there."""
    distance = height / 2 / math.tan(math.radians(45) / 2)
    return OrbitCamera(
        distance=distance,
        azimuth=math.radians(azimuth),
        elevation=math.radians(elevation),
        ortho=ortho,
    )


def covered_extent(picture):
    """The columns and rows that are covered: left, right, top, bottom, as for slices."""
    rows, columns = np.nonzero(picture[..., 3] > 127)
    return columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
