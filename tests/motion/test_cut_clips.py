"""Clips cut out of long ones by a motion file: poses, order, continuity, errors."""

import numpy as np
import pytest

from rigview import load
from rigview.animation.pose import Pose
from rigview.errors import MotionError
from rigview.motion.cut_clips import with_cut_clips, with_parts_only
from rigview.motion.read import parse_motion
from tests.support.five_joint_model import (
    SPINE,
    bind_motion,
    five_joint_model,
    is_same_rotation,
    pose_at,
    rotation_about,
    turn_clip,
)
from tests.support.shared import MODELS, needs_shared

PARTS = """version = 1
[clips.late]
source = "Long"
range = [1.0, 3.5]
[clips.early]
source = "Long"
range = [0.0, 1.0]
"""


def long_model():
    return five_joint_model(turn_clip("Other", 1.0, 10), turn_clip("Long", 4.0, 80))


def document(text):
    return parse_motion(text).document


def test_parts_follow_the_others_in_the_order_of_the_file():
    model = with_cut_clips(long_model(), document(PARTS))
    assert [clip.name for clip in model.clips] == ["Other", "Long", "late", "early"]
    assert [clip.duration for clip in model.clips] == [1.0, 4.0, 2.5, 1.0]
    assert [clip.source for clip in model.clips] == ["", "", "Long", "Long"]


def test_parts_replace_their_source():
    model = with_parts_only(long_model(), document(PARTS))
    assert [clip.name for clip in model.clips] == ["Other", "late", "early"]


def test_range_without_source_shortens_a_clip():
    model = with_parts_only(long_model(), document("version = 1\nclips.Long.range = [1, 2]"))
    assert [(clip.name, clip.duration) for clip in model.clips] == [("Other", 1.0), ("Long", 1.0)]


def test_nothing_to_cut_returns_the_model():
    model = long_model()
    assert with_parts_only(model, document("version = 1")) is model


def test_layer_plays_a_part_from_its_own_start():
    text = PARTS.removeprefix("version = 1\n") + '[[layers]]\nname = "base"\nplay = "late"\n'
    model = with_cut_clips(long_model(), document(PARTS))
    pose = pose_at(bind_motion(model, text), model, 0.5)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("z", 30))


@needs_shared
@pytest.mark.parametrize(("name", "clip"), [("CesiumMan.glb", 0), ("Fox.glb", 0), ("robot.glb", 2)])
def test_parts_show_the_poses_of_the_long_clip(name, clip):
    """Values, and speeds on both sides of the cut, are those of the long clip."""
    model = load(MODELS / name)
    long = model.clips[clip].renamed("Long")
    middle = 0.37 * long.end
    text = (
        f'version = 1\n[clips.a]\nsource = "Long"\nrange = [0, {middle}]\n'
        f'[clips.b]\nsource = "Long"\nrange = [{middle}, {long.end}]\n'
    )
    cut = with_cut_clips(model.with_clips([long]), document(text))
    for part, begin in ((cut.clips["a"], 0.0), (cut.clips["b"], middle)):
        times = np.linspace(0.0, part.duration, 20)
        found = Pose.like(model.skeleton.rest, (20,))
        expected = Pose.like(model.skeleton.rest, (20,))
        part.sample(times, found)
        long.sample(begin + times, expected)
        size = np.abs(expected.translation).max() + 1.0
        assert np.abs(found.translation - expected.translation).max() < 2e-6 * size
        assert np.abs(np.abs((found.rotation * expected.rotation).sum(-1)) - 1).max() < 2e-6
    step = 1e-2 * long.end
    seam = [cut.clips["a"].sample(middle - step), cut.clips["a"].sample(middle)]
    seam += [cut.clips["b"].sample(0.0), cut.clips["b"].sample(step)]
    whole = [long.sample(t) for t in (middle - step, middle, middle, middle + step)]
    for k in (0, 2):
        found_speed = seam[k + 1].rotation - seam[k].rotation
        assert np.abs(found_speed - (whole[k + 1].rotation - whole[k].rotation)).max() < 1e-5


WRONG = {
    'source = "Lung"\nrange = [0, 1]': ("source", 'no clip "Lung"'),
    'source = "Long"\nrange = [3, 5]': ("range", "no part from 3 to 5 s of 'Long'"),
    'source = "Long"': ("source", "a clip that is cut out needs a range"),
}


@pytest.mark.parametrize("lines", WRONG)
def test_wrong_cut(lines):
    key, message = WRONG[lines]
    with pytest.raises(MotionError) as caught:
        with_cut_clips(long_model(), document(f"version = 1\n[clips.new]\n{lines}\n"))
    assert caught.value.path == ("clips", "new", key)
    assert message in str(caught.value)


def test_name_of_another_clip_is_refused():
    text = 'version = 1\n[clips.Other]\nsource = "Long"\nrange = [0, 1]\n'
    with pytest.raises(MotionError, match="a clip of the character has the same name"):
        with_cut_clips(long_model(), document(text))
