"""Pictures of the ground and the shadows on it, seen from straight above."""

import math

import numpy as np

from rigview.model.material import Material
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.looks import set_look

MATTE = Material(base_color=(0.8, 0.8, 0.8, 1), metallic=0.0, roughness=1.0)


PAPER = (0.9, 0.9, 0.9, 1.0)


def draw_from_above(gl, model, size=192, reach=4.0, **display):
    """A picture of the ground from straight above, and the metres per pixel."""
    camera = OrbitCamera(azimuth=0.0, elevation=math.pi / 2 - 1e-4, ortho=True)
    scene = set_look(Scene(camera=camera), background=PAPER, **display)
    scene.show(model)
    scene.measure()
    camera.target = np.zeros(3)
    camera.distance = 6.0
    scene.update(0.0)
    renderer, target = Renderer(gl), Target(gl, (size, size), 1)
    renderer.draw(scene, target)
    picture = target.read().astype(int)
    across = np.linalg.norm(camera.projection(1.0)[0, 0])
    renderer.release()
    target.release()
    return picture, 2 / across / size
