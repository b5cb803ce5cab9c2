"""Pictures of crowds, and of their characters drawn one by one and composited."""

import numpy as np

from rigview.animation.crowd import Crowd
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.looks import set_look

SIZE = (192, 96)
PLAIN = {"grid": False, "background": (0, 0, 0, 0), "shadow": False, "occlusion": False}


def places_in_a_row(count, turned=False):
    """World matrices side by side; `turned`: the second one about Y, at half the size."""
    world = np.tile(np.eye(4, dtype=np.float32), (count, 1, 1))
    world[:, 0, 3] = 4.0 * np.arange(count) - 2.0 * (count - 1)
    if turned:
        world[1, :3, :3] = np.array([[0, 0, 0.5], [0, 0.5, 0], [-0.5, 0, 0]])
    return world


def scene_with(model):
    scene = Scene(camera=OrbitCamera(azimuth=0.2, elevation=0.1, distance=14.0))
    scene.camera.orbit.target = np.array([0.0, 1.0, 0.0])
    scene.camera.follow = False
    set_look(scene, **PLAIN)
    return scene, scene.show(model)


def draw_scene(gl, scene):
    renderer, target = Renderer(gl), Target(gl, SIZE, 1)
    renderer.draw(scene, target)
    found = target.read().astype(int)
    renderer.release()
    target.release()
    return found


def draw_singly(gl, model, clips, times, world):
    """The sum of pictures of the characters, each drawn alone; they may not overlap."""
    total = 0
    for clip, time, place in zip(clips, times, world, strict=True):
        scene, character = scene_with(model)
        character.play_clip(clip, 0.0, passes=1)
        character.set_placement(place)
        scene.update(time)
        one = draw_scene(gl, scene)
        assert one[..., 3].any()
        assert not (np.minimum(total, one)[..., 3] if np.ndim(total) else np.zeros(1)).any()
        total = total + one
    return total


def show_crowd(scene, clips, world, times=None):
    """Show characters of the scene's model instead of it, posed if `times` are given."""
    model = scene.character.model
    scene.crowd = Crowd(model.skeleton, model.skins, model.clips, clips, world)
    scene.measure()
    if times is not None:
        scene.crowd.pose_at(times)


def draw_crowd(gl, model, chosen, times, world, **display):
    scene, _ = scene_with(model)
    set_look(scene, **display)
    show_crowd(scene, chosen, world, times)
    return draw_scene(gl, scene)
