"""A frame reads the scene once, and is what the passes draw."""

from collections import Counter

import numpy as np
import pytest

from rigview.rendering.frame import Frame, Lighting
from rigview.rendering.ground_pass import shadow_caster_points
from rigview.rendering.overlay_pass import OverlayPass
from rigview.rendering.program import Programs
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.instance import Instance
from rigview.scene.lights import key_light
from rigview.scene.scene import Scene
from tests.support.crowd_pictures import show_crowd
from tests.support.looks import set_look
from tests.support.models import rod_model


class CountedScene:
    """A scene that counts what is read of it."""

    def __init__(self, scene):
        self.reads = Counter()
        self._scene = scene

    def __getattr__(self, name):
        self.reads[name] += 1
        return getattr(self._scene, name)


def scene_of(*models):
    scene = Scene()
    scene.set_instances([Instance.of(model) for model in models])
    scene.update(0.0)
    return scene


def test_every_property_of_the_scene_is_read_once(gl):
    scene = CountedScene(scene_of(rod_model(), rod_model()))
    set_look(scene, wireframe=True, skeleton=True, bounds=True)
    renderer, target = Renderer(gl), Target(gl, (16, 16), 1)
    scene.reads.clear()
    renderer.draw(scene, target)
    assert set(scene.reads.values()) == {1}
    renderer.release()
    target.release()


def test_weights_and_mask_are_shown_on_the_active_character():
    scene = scene_of(rod_model(), rod_model())
    active, other = scene.characters
    assert Frame.of(scene).mode_of(active) == "lit"
    set_look(scene, weights_joint=0)
    frame = Frame.of(scene)
    assert (frame.mode_of(active), frame.mode_of(other)) == ("weights", "lit")
    set_look(scene, mask=(1.0,))
    frame = Frame.of(scene)
    assert (frame.mode_of(active), frame.mode_of(other)) == ("mask", "lit")


@pytest.mark.parametrize("option", ["skeleton", "axes", "bounds", "onion_skins"])
def test_overlays_are_known(gl, option):
    overlays, scene = OverlayPass(gl, Programs(gl)), scene_of(rod_model())
    assert not overlays.draws(Frame.of(scene))
    set_look(scene, **{option: 1})
    assert overlays.draws(Frame.of(scene))


def test_casters_are_within_the_posed_bounds_of_all_characters():
    scene = scene_of(rod_model(), rod_model())
    scene.characters[1].world[:3, 3] = 100.0, 0.0, 0.0
    assert np.ptp(shadow_caster_points(Frame.of(scene)), axis=0)[0] > 99.0


def test_a_crowd_is_drawn_instead_of_its_character():
    model = rod_model()
    scene = scene_of(model)
    world = np.tile(np.eye(4, dtype=np.float32), (3, 1, 1))
    show_crowd(scene, np.zeros(3, int), world)
    frame = Frame.of(scene)
    assert frame.characters == []
    assert len(frame.instances) == 1
    assert 0 < frame.character_size <= frame.size


@pytest.mark.parametrize("shadow", [True, False])
def test_lighting_by_one_directional_light(shadow):
    light = key_light()
    lighting = Lighting.of([light], "neutral", shadow=shadow)
    assert lighting.shadow_light is (light if shadow else None)
    assert lighting.defines == {"TONE": 1} | ({"SHADOW": 1} if shadow else {})


def test_lighting_without_lights():
    lighting = Lighting.of([], "linear", shadow=True)
    assert lighting.shadow_light is None
    assert lighting.defines == {"TONE": 3, "PUNCTUAL": 0}
