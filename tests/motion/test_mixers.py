"""Mixers of a clip, of layers and of a still pose, as a character plays them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.blending.clip_mixer import ClipMixer, clip_mixer
from rigview.blending.mixer import StillMixer
from rigview.motion.bind import bind
from rigview.motion.document import ClipSettings, MotionDoc, Root
from rigview.motion.single_clip import clip_mixer_with_settings, single_clip_document
from tests.support.clips import sliding_clip
from tests.support.models import make_model, square

TAUS = (0.0, 0.3, 0.7, 1.0, 1.2, 2.9, 7.3)


@pytest.fixture(scope="module")
def model():
    """A clip of 2 s, and one of 1 s that starts at 0.25 s."""
    return make_model(
        [square()], clips=(sliding_clip("Long", 0.0, 0.5, 2.0), sliding_clip("Late", 0.25, 1.0))
    )


def settings(model, mode):
    root = Root(model.skeleton.names[0], mode=mode)
    return MotionDoc(clips={"Long": ClipSettings(range=(0.25, 1.5), loop="pingpong", root=root)})


def evaluated(mixer, tau, model):
    pose = Pose.like(model.skeleton.rest)
    mixer.update(tau)
    mixer.sample(pose)
    return pose.data.tobytes(), mixer.world.tolist()


@pytest.mark.parametrize("mode", ["keep", "in-place", "accumulate"])
def test_a_clip_equals_a_layer_of_the_clip_bit_for_bit(model, mode):
    document = settings(model, mode)
    alone = clip_mixer_with_settings(model, document, 0)
    layer = bind(model, single_clip_document(document, 0))
    for tau in TAUS:
        assert evaluated(alone, tau, model) == evaluated(layer, tau, model)


def swept_heights(mixer):
    """Least and greatest coordinates [2, 3] of the first joint over the sweep of a mixer."""
    places = np.concatenate([pose.translation[..., 0, :] for pose in mixer.sweep().poses])
    return np.stack([places.min(axis=0), places.max(axis=0)])


@pytest.mark.parametrize("mode", ["keep", "in-place", "accumulate"])
def test_a_clip_with_settings_sweeps_what_its_layer_does(model, mode):
    document = settings(model, mode)
    layer = bind(model, single_clip_document(document, 0))
    swept = swept_heights(clip_mixer_with_settings(model, document, 0))
    np.testing.assert_allclose(swept, swept_heights(layer), atol=0.02)


@pytest.mark.parametrize(
    "document",
    [
        MotionDoc(),
        MotionDoc(facing=(0.0, 0.0, 1.0)),
        MotionDoc(clips={"Long": ClipSettings(cycles=2)}),
        MotionDoc(clips={"Late": ClipSettings(range=(0.5, 0.75))}),
        MotionDoc(clips={"Long": ClipSettings(loop="once")}),
    ],
)
def test_a_motion_file_that_changes_no_pose_changes_no_sweep(model, document):
    plain = clip_mixer(model.clips, model.skeleton.rest, 0).sweep()
    swept = clip_mixer_with_settings(model, document, 0).sweep()
    assert [pose.data.tobytes() for pose in swept.poses] == [
        pose.data.tobytes() for pose in plain.poses
    ]
    assert not swept.rotates


def test_settings_that_do_not_affect_playback_leave_a_plain_clip(model):
    document = MotionDoc(clips={"Long": ClipSettings(cycles=2)})
    assert not clip_mixer_with_settings(model, document, 0).from_motion
    assert clip_mixer_with_settings(model, replace(document, facing=(0, 0, 1)), 0).from_motion


def test_loop_mode_of_the_call_precedes_the_settings(model):
    document = settings(model, "keep")
    own, asked, other = (
        clip_mixer_with_settings(model, document, clip, loop=loop).playback
        for clip, loop in ((0, None), (0, ("loop", 1.0)), (1, None))
    )
    assert (own.mode, float(own.passes)) == ("pingpong", math.inf)
    assert (asked.mode, float(asked.passes)) == ("loop", 1.0)
    assert (other.mode, float(other.passes)) == ("loop", math.inf)


def test_mixers_answer_for_what_they_play(model):
    rest = model.skeleton.rest
    clip, still = clip_mixer(model.clips, rest, 1, trim=True), clip_mixer(model.clips, rest, -1)
    layers = bind(model, single_clip_document(MotionDoc(), 0))
    assert (clip.name, clip.clip, clip.length) == ("Late", 1, 0.75)
    assert clip.key_times.tolist() == [0.25, 1.0]
    assert [source.clip.name for _, source in clip.playing()] == ["Late"]
    assert isinstance(still, StillMixer)
    assert (still.name, still.clip, still.length) == ("", -1, 0.0)
    assert (layers.name, layers.clip, layers.length) == ("motion", -1, 2.0)
    assert [mixer.still for mixer in (clip, still, layers)] == [False, True, False]
    assert [mixer.layered for mixer in (clip, still, layers)] == [False, False, True]


def test_equal_settings_need_no_restart(model):
    document = settings(model, "accumulate")
    mixer = clip_mixer_with_settings(model, document, 0)
    assert mixer.like(clip_mixer_with_settings(model, document, 0))
    assert not mixer.like(clip_mixer_with_settings(model, settings(model, "in-place"), 0))
    assert not mixer.like(clip_mixer(model.clips, model.skeleton.rest, 0))


@pytest.mark.parametrize("layered", [False, True])
def test_a_new_loop_mode_keeps_time_rate_and_pause(model, layered):
    rest = model.skeleton.rest
    layers = bind(model, single_clip_document(MotionDoc(), 0))
    mixer = layers if layered else ClipMixer(model.clips[0], rest)
    mixer.playback.set_rate(0.5, 0.0)
    mixer.playback.pause(1.2)
    mixer.set_loop("pingpong", 3.0, 5.0)
    now = mixer.playback
    assert (now.mode, float(now.passes), float(now.rate)) == ("pingpong", 3.0, 0.5)
    assert float(now.time(9.0)) == pytest.approx(0.6)
