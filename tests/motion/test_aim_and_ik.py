"""Layers of aims and of two-bone IK in a motion file, compared with exact numbers."""

import numpy as np
import pytest

from tests.support.five_joint_model import bind_motion, five_joint_model, look_at_eye, pose_at


def test_aim_reaches_its_target_unless_masked():
    model = five_joint_model()
    text = look_at_eye("{ Spine = 0.3, Head = 1.0 }")
    mixer = bind_motion(model, text)
    pose = pose_at(mixer, model, 0.0)
    matrices = model.skeleton.to_model(pose)
    sight = np.array([2.0, 1.8, 0.0]) - matrices[4, :3, 3]
    assert np.allclose(matrices[4, :3, 2], sight / np.linalg.norm(sight), atol=1e-5)
    off = text + "weight = 0\n"
    assert pose_at(bind_motion(model, off), model, 0.0).equals(model.skeleton.rest)


def test_an_aim_turns_at_its_speed():
    model = five_joint_model()
    text = look_at_eye("{ Head = 1.0 }", speed=90)
    mixer = bind_motion(model, text)
    for tau, degrees in ((0.0, 0), (0.25, 22.5), (0.5, 45), (1.0, 90), (2.0, 90)):
        axis = model.skeleton.to_model(pose_at(mixer, model, tau))[4, :3, 2]
        assert np.degrees(np.arctan2(axis[0], axis[2])) == pytest.approx(degrees, abs=0.1)


def test_an_ik_layer_meets_its_target():
    model = five_joint_model()
    text = """
    [parameters]
    hand = { default = [0.2, 1.4, 0.3] }
    [iks.arm]
    chain = ["Hips", "Spine", "Arm"]
    target = "hand"
    [[layers]]
    name = "arm"
    play = "arm"
    """
    matrices = model.skeleton.to_model(pose_at(bind_motion(model, text), model, 0.0))
    assert np.allclose(matrices[3, :3, 3], [0.2, 1.4, 0.3], atol=1e-5)
