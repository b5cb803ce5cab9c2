"""A crowd in one draw call equals the composited pictures of its characters."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.crowd import Crowd
from rigview.animation.morph import MorphTargets
from rigview.animation.track import Track
from rigview.errors import ContextError
from rigview.model.material import Material
from rigview.model.model import Channel
from rigview.rendering import palette as palettes
from rigview.rendering.crowd_surfaces import CrowdSurfaces
from rigview.rendering.geometry import GpuPrimitive
from rigview.rendering.program import Programs
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from tests.support.clips import rest_pose
from tests.support.crowd_pictures import (
    SIZE,
    draw_crowd,
    draw_singly,
    places_in_a_row,
    scene_with,
    show_crowd,
)
from tests.support.draw import gpu_objects
from tests.support.models import make_model, rod_model, square

CLIPS, TIMES = [0, 1, 0], [0.1, 0.6, 1.0]


def bending(influences=4):
    """Return the rod with a second clip that bends only its middle joint, the other way."""
    model = rod_model(influences)
    track = model.clips[0].tracks[1]
    other = Clip.of("Other", [replace(track, values=track.values * np.float32([1, 1, -1, 1]))])
    return replace(model, clips=(*model.clips, other))


@pytest.mark.parametrize("influences", [4, 8])
def test_skinned(gl, influences):
    model, world = bending(influences), places_in_a_row(3, turned=True)
    expected = draw_singly(gl, model, CLIPS, TIMES, world)
    np.testing.assert_allclose(draw_crowd(gl, model, CLIPS, TIMES, world), expected, atol=1)
    swapped = draw_crowd(gl, model, CLIPS, TIMES[::-1], world)
    assert np.abs(swapped - expected).max() > 50


def test_one_draw_call_per_primitive(gl, monkeypatch):
    calls = []
    draw_instanced = GpuPrimitive.draw_instanced

    def counted(self, program, carriers, count):
        calls.append(count)
        draw_instanced(self, program, carriers, count)

    monkeypatch.setattr(GpuPrimitive, "draw_instanced", counted)
    monkeypatch.setattr(GpuPrimitive, "draw", None)
    model = bending()
    times, places = np.linspace(0, 1, 40), places_in_a_row(40)
    draw_crowd(gl, model, [0, 1] * 20, times, places, shadow=True)
    assert calls == [40, 40], "what casts the shadow, and the picture"


def test_shared_palette(gl):
    model, world = bending(), places_in_a_row(3, turned=True)
    expected = draw_singly(gl, model, [1] * 3, [0.7] * 3, world)
    np.testing.assert_allclose(draw_crowd(gl, model, 1, 0.7, world), expected, atol=1)


def test_palettes_longer_than_a_row_of_texels(gl, monkeypatch):
    monkeypatch.setattr(palettes, "TEXTURE_WIDTH", 6)  # two joints: the skin takes two lines
    model, world = bending(), places_in_a_row(3)
    expected = draw_singly(gl, model, CLIPS, TIMES, world)
    np.testing.assert_allclose(draw_crowd(gl, model, CLIPS, TIMES, world), expected, atol=1)


def morphed():
    """Return a square moved by joint 1, with morph targets that lift and widen it."""
    lift, wide = np.zeros((2, 4, 3), np.float32)
    lift[:, 1] = 1.0
    wide[[0, 3], 0], wide[[1, 2], 0] = -0.5, 0.5
    targets = MorphTargets(np.stack([lift, wide]), None, None, ("lift", "wide"))
    channel = Channel("/nodes/1/weights", 0, 2, "linear", 1, np.zeros(2, np.float32))
    model = make_model([replace(square(), morph=targets)], (-1, 0), channels=(channel,))
    instance = replace(model.instances[0], joint=1, channel=0)
    times = np.array([0, 1], np.float32)
    move = np.array([[0, 0, 0], [0, 0.5, 0]], np.float32)
    both = np.eye(2, dtype=np.float32)
    clips = (
        Clip.of("Lift", [Track(0, "values", "LINEAR", times, both[:, ::-1] * np.float32([1, 0]))]),
        Clip.of(
            "Both",
            [
                Track(0, "values", "LINEAR", times, both),
                Track(1, "translation", "LINEAR", times, move),
            ],
        ),
    )
    skeleton = replace(model.skeleton, rest=rest_pose(2, values=2))
    return replace(model, skeleton=skeleton, instances=(instance,), clips=clips)


@pytest.mark.parametrize("shared", [False, True])
def test_rigid_and_morphed(gl, shared):
    model, world = morphed(), places_in_a_row(3, turned=True)
    world[1, :3, :3] = np.eye(3) * 0.5
    clips, times = ([1] * 3, [0.5] * 3) if shared else (CLIPS, TIMES)
    expected = draw_singly(gl, model, clips, times, world)
    found = draw_crowd(gl, model, 1 if shared else clips, 0.5 if shared else times, world)
    np.testing.assert_allclose(found, expected, atol=1)


@pytest.mark.parametrize("count", [1, 2])
def test_mirrored_characters_show_their_front_faces(gl, count):
    """One mirrored and one other character: neither is inside out."""
    model = make_model([square()], materials=(Material(base_color=(0.5, 0.5, 0.5, 1)),))
    world = places_in_a_row(count)
    world[0, 0, 0] = -1
    single = draw_singly(gl, model, [-1] * count, [0] * count, world)
    np.testing.assert_allclose(
        draw_crowd(gl, model, [-1] * count, [0] * count, world)[..., 3], single[..., 3], atol=1
    )


def test_the_camera_frames_all_characters(gl):
    model = bending()
    scene, _ = scene_with(model)
    show_crowd(scene, 0, places_in_a_row(9))
    scene.frame(SIZE[0] / SIZE[1])
    at = scene.camera.current.project(scene.bounds.swept, SIZE[0] / SIZE[1])
    assert at[:, 0].min() >= 0
    assert at[:, 0].max() <= 1
    assert np.ptp(scene.bounds.swept[:, 0]) > 32


def test_crowd_is_replaced_and_removed(gl):
    """Another crowd of the same model, then the character alone: GPU objects are freed."""
    replace_crowds(gl)
    before = gpu_objects(gl)  # with those that the context keeps
    replace_crowds(gl)
    assert gpu_objects(gl) == before


def replace_crowds(gl):
    model, target, renderer = bending(), Target(gl, SIZE, 1), Renderer(gl)
    scene, character = scene_with(model)
    character.play_clip(0, 0.0)
    scene.update(0.5)
    renderer.draw(scene, target)
    alone = target.read()
    for count in (2, 5):
        show_crowd(scene, 1, places_in_a_row(count), 0.3)
        renderer.draw(scene, target)
        assert (target.read() != alone).any()
    scene.crowd = None
    renderer.draw(scene, target)
    np.testing.assert_array_equal(target.read(), alone)
    renderer.release()
    target.release()


def test_too_many_characters_are_an_error(gl, monkeypatch):
    model = bending()
    renderer = Renderer(gl)
    monkeypatch.setitem(gl.info, "GL_MAX_TEXTURE_SIZE", 4)
    crowd = Crowd(model.skeleton, model.skins, model.clips, [0] * 5, places_in_a_row(5))
    with pytest.raises(ContextError, match="5 characters of 3 joints"):
        CrowdSurfaces(gl, Programs(gl), renderer.upload(model), crowd)
    renderer.release()
