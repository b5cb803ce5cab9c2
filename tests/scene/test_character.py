"""A character: playback, rest and bind pose, overrides, swept bounds."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.track import Track
from rigview.blending.clip_mixer import ClipMixer
from rigview.clock import WallClock
from rigview.loading.load import load
from rigview.scene.bounds import PosedBounds
from rigview.scene.character import Character
from rigview.scene.scene import Scene
from tests.support.fixed_clock import FixedClock
from tests.support.models import make_model, rod_model, square
from tests.support.shared import MODELS, needs_shared
from tests.support.solids import cube


def late_clip():
    """Return the bend of the rod, with its first key at 0.5 s."""
    model = rod_model()
    tracks = [
        replace(track, times=track.times + np.float32(0.5)) for track in model.clips[0].tracks
    ]
    return replace(model, clips=(Clip.of("Late", tracks),))


def test_at_rest_until_it_plays():
    character = Character(rod_model())
    character.update(0.3)
    assert character.pose.equals(character.model.skeleton.rest)


def test_update_equals_its_steps():
    """Time to pose to matrices to palette: `update` equals the functions called separately."""
    model = rod_model()
    character = Character(model)
    character.play_clip(0, 0.0)
    character.update(0.4)
    pose = Pose.like(model.skeleton.rest)
    model.clips[0].sample(0.4, pose)
    assert character.pose.equals(pose)
    matrices = model.skeleton.to_model(pose)
    np.testing.assert_array_equal(character.matrices, matrices)
    np.testing.assert_array_equal(character.palettes[0], model.skins[0].palette(matrices))


def test_buffers_are_reused():
    character = Character(rod_model())
    character.play_clip(0, 0.0)
    before = id(character.matrices), id(character.palettes[0]), id(character.pose.rotation)
    character.update(0.1)
    character.update(0.2)
    after = id(character.matrices), id(character.palettes[0]), id(character.pose.rotation)
    assert before == after


@pytest.mark.parametrize(
    ("trim", "tau", "expected"),
    [(False, 0.2, 0.2), (False, 1.7, 0.2), (True, 0.2, 0.7), (True, 1.2, 0.7)],
)
def test_loop_range_with_and_without_trim(trim, tau, expected):
    """Untrimmed, a pass is [0, last key]; trimmed, [first key, last key]."""
    character = Character(late_clip())
    character.play_clip(0, 0.0, trim=trim)
    assert character.playback.time(tau) == pytest.approx(expected)


def test_a_clip_does_not_depend_on_the_previous_one():
    model = rod_model()
    track = model.clips[0].tracks[0]
    model = replace(model, clips=(*model.clips, Clip.of("One", [track])))
    character = Character(model)
    character.play_clip(0, 0.0)
    character.update(0.9)
    character.play_clip(1, 0.0)
    character.update(0.9)
    rest = model.skeleton.rest.rotation
    np.testing.assert_array_equal(character.pose.rotation[2:], rest[2:])
    assert not np.array_equal(character.pose.rotation[1], rest[1])


@needs_shared
@pytest.mark.parametrize("name", ["CesiumMan.glb", "Woman.gltf", "robot.glb"])
def test_bind_pose_leaves_the_mesh_as_modelled(name):
    """In the bind pose every palette entry of a skin is the same matrix: nothing is deformed."""
    character = Character(load(MODELS / name))
    character.show = "bind"
    character.update(0.0)
    for palette in character.palettes:
        spread = np.abs(palette - palette[0]).max() / np.abs(palette).max()
        assert spread < 1e-3


@needs_shared
def test_override_of_a_morph_weight():
    character = Character(load(MODELS / "AnimatedMorphCube" / "AnimatedMorphCube.gltf"))
    character.play_clip(0, 0.0)
    character.override[1] = 0.75
    character.update(1.0)
    assert character.pose.values[1] == np.float32(0.75)
    character.override[:] = np.nan
    character.update(1.0)
    assert character.pose.values[1] != np.float32(0.75)


def test_track_of_one_key_is_a_constant():
    model = rod_model()
    times, value = np.zeros(1, np.float32), np.array([[0, 0, 1, 0]], np.float32)
    clip = Clip.of("Still", [Track(1, "rotation", "LINEAR", times, value, None)])
    character = Character(replace(model, clips=(clip,)))
    character.play_clip(0, 0.0)
    for tau in (0.0, 5.0):
        character.update(tau)
        np.testing.assert_allclose(character.pose.rotation[1], [0, 0, 1, 0], atol=1e-6)


def test_fixed_clock_counts_in_integers():
    clock = FixedClock(30.0)
    clock.frame = 7
    assert clock.now() == 7 / 30


def test_wall_clock_runs():
    clock = WallClock()
    first = clock.now()
    assert 0.0 <= first <= clock.now()


def test_scene_without_a_character():
    scene = Scene()
    scene.update(1.0)
    scene.frame(1.0)
    assert math.isfinite(scene.camera.orbit.distance)


def test_floor_is_below_the_lowest_point_at_rest():
    model = rod_model()
    model.skeleton.rest.translation[1] = [0, -5, 0]
    scene = Scene()
    scene.show(model)
    assert scene.bounds.floor == pytest.approx(-5.0, abs=1e-3)
    model.skeleton.rest.translation[1] = [0, 0, 0]
    scene.show(model)
    assert scene.bounds.floor == 0.0


def test_floor_is_below_wide_models():
    """What reaches a quarter of its height below 0 stands on a floor, however wide it is."""
    scene = Scene()
    scene.show(make_model([square(2.0), cube(2.0, (20.0, 2.0, 0.0))]))
    assert scene.bounds.floor == -1.0


def test_floor_is_the_same_for_all_clips():
    """Also for a clip that moves the character far below, or rotates the boxes of its limbs."""
    model = rod_model()
    times = np.array([0, 1], np.float32)
    fall = np.array([[0, 0, 0], [0, -9, 0]], np.float32)
    clip = Clip.of("Fall", [Track(1, "translation", "LINEAR", times, fall, None)])
    scene = Scene()
    scene.show(replace(model, clips=(clip,))).play_clip(0, 0.0)
    scene.frame(1.0)
    assert scene.bounds.extent[0, 1] < -8.0
    assert scene.bounds.floor == 0.0


def test_keys_between_even_samples_are_framed():
    model = rod_model()
    times = np.array([0, 10, 10.01, 10.02, 60], np.float32)
    leap = np.array([[0, y, 0] for y in (0, 0, 50, 0, 0)], np.float32)
    clip = Clip.of("Leap", [Track(1, "translation", "LINEAR", times, leap, None)])
    scene = Scene()
    scene.show(replace(model, clips=(clip,))).play_clip(0, 0.0)
    scene.frame(1.0)
    assert scene.bounds.extent[1, 1] > 50.0


def test_the_number_of_swept_keys_is_limited():
    model = rod_model()
    times = np.arange(20_000, dtype=np.float32) / 30
    path = np.stack([times, times * 0, times * 0], axis=1)
    clip = Clip.of("Mocap", [Track(1, "translation", "LINEAR", times, path, None)])
    bounds = PosedBounds(replace(model, clips=(clip,)))
    swept = bounds.sweep(ClipMixer(clip, model.skeleton.rest).sweep().poses)
    assert len(swept) < 2000 * len(bounds.corners(model.skeleton.rest))
