"""New entries of a motion document: they bind to a model, and move what they name."""

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.motion import new_entries
from rigview.motion.bind import bind
from rigview.motion.document import MotionDoc
from rigview.motion.edit import renamed_entry, with_entry, without_entry
from rigview.resources import asset_path


@pytest.fixture(scope="module")
def model():
    return load(asset_path("mannequin.glb"))


def pose_at(model, document, time, **values):
    mixer = bind(model, document)
    for name, value in values.items():
        mixer.set(name, value, 0.0, 0.0)
    pose = model.skeleton.rest.copy()
    mixer.update(time)
    mixer.sample(pose)
    return model.skeleton.to_model(pose)


def test_reach_moves_the_hand_to_its_target(model):
    skeleton = model.skeleton
    hand = skeleton.names.index("LeftHand")
    document, layer, target = new_entries.with_reach(MotionDoc(), model, hand)
    assert layer == "LeftHand IK"
    rest = skeleton.to_model(skeleton.rest)[hand, :3, 3]
    assert document.parameters[target].default == pytest.approx(rest, abs=1e-4)
    goal = rest + np.array([-0.1, 0.05, 0.15])
    document = with_entry(
        document,
        "parameters",
        target,
        type(document.parameters[target])(tuple(goal.tolist())),
    )
    assert pose_at(model, document, 0.0)[hand, :3, 3] == pytest.approx(goal, abs=2e-5)
    assert new_entries.with_reach(MotionDoc(), model, 0) is None, "no two joints above the root"


def test_drive_sets_the_time_of_the_clip(model):
    clip = next(k for k, each in enumerate(model.clips) if each.name == "Walk")
    document, by = new_entries.with_drive(MotionDoc(), model, clip)
    document = new_entries.with_base(document, "Walk")
    for value in (0.0, 0.25, 1.0):
        pose = model.skeleton.rest.copy()
        model.clips[clip].sample(value * model.clips[clip].end, pose)
        found = pose_at(model, document, 0.0, **{by: value})
        assert found == pytest.approx(model.skeleton.to_model(pose), abs=1e-5)


def test_strafe_moves_in_every_direction(model):
    document, name = new_entries.with_strafe(MotionDoc(), model)
    assert document.layers[0].play == name
    poses = [pose_at(model, document, 0.3, direction=turn) for turn in (0.0, 90.0, -90.0, 180.0)]
    for k, one in enumerate(poses):
        assert np.isfinite(one).all()
        for other in poses[k + 1 :]:
            assert np.abs(one - other).max() > 1e-3


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Idle", "Run", "Walk"], ["Walk"] * 6),
        (
            ["walk_fwd", "walk_l", "walk_r", "walk_b", "walk_bl", "walk_br"],
            ["walk_fwd", "walk_l", "walk_r", "walk_b", "walk_bl", "walk_br"],
        ),
        (
            ["Jog Forward", "Jog Strafe Left", "Jog Strafe Right", "Jog Backward"],
            ["Jog Forward", "Jog Strafe Left", "Jog Strafe Right", "Jog Backward"]
            + ["Jog Forward"] * 2,
        ),
    ],
)
def test_directions_by_name(names, expected):
    assert list(new_entries.strafe_clips(names).values()) == expected


def test_pivot_turns_by_its_parameter(model):
    document = new_entries.with_base(new_entries.with_pivot(MotionDoc()), "Walk")
    assert document.pivot.rate == "turn"
    assert document.parameters["turn"].range == new_entries.TURN


def test_renamed_entries_and_their_references(model):
    document, _, target = new_entries.with_reach(MotionDoc(), model, 20)
    (name,) = document.iks
    renamed = renamed_entry(document, "iks", name, "reach")
    assert list(renamed.iks) == ["reach"]
    assert renamed.layers[-1].play == "reach"
    renamed = renamed_entry(renamed, "parameters", target, "point")
    assert renamed.iks["reach"].target == "point"
    assert list(renamed.parameters) == ["point"]
    assert not without_entry(renamed, "iks", "reach").iks
