"""Compiled poses agree with those of numpy within 1e-6 of their size."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rigview.animation import compiled
from rigview.animation.clip import Clip
from rigview.animation.crowd import Crowd
from rigview.animation.pose import Pose
from rigview.animation.sampled_clip import SampledClip
from rigview.animation.skin import Skin
from rigview.gltf.load import load
from rigview.scene.character import Character
from tests.support.clips import (
    JOINTS,
    VALUES,
    about,
    clips,
    make_skeleton,
    make_track,
    random_pose,
)
from tests.support.models import rod_model
from tests.support.shared import MODELS

PARENTS = [-1, 0, 0, 2]
OWN_MODELS = Path(__file__).resolve().parents[1].glob("oracle/models/*.gltf")
TIMES = st.lists(st.floats(-1, 6, width=32), min_size=1, max_size=4)
WITHIN = 1e-6  # of the largest number of the pose, at least 1


def skins_of(rng, count):
    """Skins of two and three joints."""
    made = []
    for size in (2, 3)[:count]:
        bind = rng.normal(size=(size, 4, 4)).astype(np.float32)
        bind[:, 3] = [0, 0, 0, 1]
        made.append(Skin("", rng.permutation(JOINTS)[:size].astype(np.int32), bind))
    return made


def assert_agree(actual, expected):
    within = WITHIN * max(1.0, float(np.nanmax(np.abs(expected), initial=0.0)))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=within)


def crowd_arrays(crowd):
    return crowd.matrices[..., :3, :], crowd.values, *crowd.palettes


def assert_same_crowds(make_poser, skeleton, skins, played, chosen, times):
    """Pose a crowd with numpy and compiled, and compare all that it holds."""
    world = np.tile(np.eye(4, dtype=np.float32), (np.size(times), 1, 1))
    by_numpy, fast = (Crowd(skeleton, skins, played, chosen, world) for _ in range(2))
    by_numpy.pose_at(times)
    compiled.use(make_poser)
    try:
        fast.pose_at(times)
    finally:
        compiled.use(None)
    for actual, expected in zip(crowd_arrays(fast), crowd_arrays(by_numpy), strict=True):
        assert_agree(actual, expected)


@pytest.mark.parametrize("rotation", ["slerp", "nlerp"])
@pytest.mark.parametrize("skins", [0, 1, 2])
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(clip=clips(), times=TIMES)
def test_crowds_of_any_clip_agree(make_poser, rotation, skins, clip, times):
    rng = np.random.default_rng(len(times))
    rest = random_pose(rng, JOINTS, values=VALUES)  # with scale and shear
    skeleton = make_skeleton(PARENTS, rest)
    clip = replace(clip, rotation=rotation)
    chosen = np.zeros(len(times), int)
    assert_same_crowds(make_poser, skeleton, skins_of(rng, skins), [clip], chosen, times)


@pytest.mark.parametrize("path", [*MODELS.glob("*.gl*"), *OWN_MODELS], ids=lambda path: path.name)
def test_crowds_of_models_agree(make_poser, path):
    model = load(path)
    played = [
        *model.clips[:3],
        *(SampledClip.of(each, model.skeleton.rest, 10) for each in model.clips[:1]),
    ]
    chosen = np.arange(-1, 3 * len(played)) % (len(played) + 1) - 1
    times = np.linspace(-0.1, 2.0, len(chosen))
    assert_same_crowds(make_poser, model.skeleton, model.skins, played, chosen, times)


@pytest.mark.parametrize("time", [np.nan, np.inf, -np.inf, 1e30])
def test_times_that_are_no_times_agree(make_poser, time):
    turn = [about([0, 1, 0], 50 * k) for k in range(3)]
    tracks = [
        make_track("rotation", "LINEAR", [0, 1, 2], turn, target=1),
        make_track("scale", "STEP", [0.5, 1], [[1, 2, 3], [2, 3, 4]], target=2),
    ]
    skeleton = make_skeleton(PARENTS, random_pose(np.random.default_rng(1), JOINTS, values=VALUES))
    assert_same_crowds(make_poser, skeleton, [], [Clip.of("", tracks)], [0], [time])


def test_no_joints_and_no_keys(make_poser):
    skeleton = make_skeleton([])
    assert_same_crowds(make_poser, skeleton, [], [Clip.of("", [])], [0, 0], [0.0, 1.0])


def test_numbers_beyond_float32_do_not_raise(make_poser):
    huge = make_track("translation", "LINEAR", [0, 1], [[-3e38] * 3, [3e38] * 3])
    skeleton = make_skeleton(PARENTS)
    poser = make_poser(skeleton, [])
    pose = skeleton.rest.copy()
    poser.sample(Clip.of("", [huge]), np.asarray(0.5), pose)
    poser.place(pose, np.zeros((JOINTS, 4, 4), np.float32), [])
    assert not np.isfinite(pose.translation[0]).all()


def test_character_uses_them_until_numpy_is_asked_for(make_poser):
    model, made = rod_model(), []

    def make(*rig):
        made.append(make_poser(*rig))
        return made[-1]

    def played():
        character = Character(model)
        character.play_clip(0, 0.0)
        character.update(0.37)
        return character

    reference = played()
    compiled.use(make)
    try:
        character = played()
        with ThreadPoolExecutor(1) as other:
            others = other.submit(played).result()
        with compiled.numpy_only():
            exact = played()
    finally:
        compiled.use(None)
    assert len(made) == 1
    for each in (others, exact):
        assert each.pose.equals(reference.pose)
        np.testing.assert_array_equal(each.palettes[0], reference.palettes[0])
    assert_agree(character.pose.data, reference.pose.data)
    assert_agree(character.matrices, reference.matrices)
    assert_agree(character.palettes[0], reference.palettes[0])


@pytest.mark.parametrize("times", [0.0, [0.0, 1.0]])
def test_clips_of_a_skeleton_without_joints(make_poser, times):
    skeleton = make_skeleton([])
    pose = Pose.like(skeleton.rest, np.shape(times))
    make_poser(skeleton, []).sample(Clip.of("Still", []), np.array(times), pose)
    assert pose.data.size == 0
