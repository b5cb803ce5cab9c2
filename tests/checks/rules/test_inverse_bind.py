"""Rules about inverse bind matrices."""

import pytest

from tests.checks.cases_skin import BIND, node
from tests.support.rule_case import found, one
from tests.support.rule_figure import HIPS, LEFT_HAND, context


def test_bind_pose_of_a_rotated_and_scaled_armature_is_accepted():
    turned = node(HIPS, rotation=[0, 0.6, 0, 0.8], scale=[0.01] * 3)
    assert not found(context(turned), "bind-*")


def test_rest_pose_that_differs_from_the_bind_pose():
    finding = one(context(node(3, rotation=[0, 0, 0.6, 0.8])), "bind-differs")
    assert finding.place == BIND
    assert finding.message == (
        "2 of 7 joints of skin “Figure” differ between rest and bind pose: “LeftHand” is "
        "displaced by 480 mm, “LeftArm” is rotated by 73.7°"
    )


def test_a_rest_rotation_that_differs_names_the_rotated_joint_only():
    finding = one(context(node(LEFT_HAND, rotation=[0, 0, 0.6, 0.8])), "bind-differs")
    assert finding.message.endswith("rest and bind pose: “LeftHand” is rotated by 73.7°")
    assert (finding.joint, finding.unit) == ("LeftHand", "°")
    assert finding.amount == pytest.approx(73.74, abs=0.01)


def test_bone_with_a_changed_length():
    finding = one(context(node(LEFT_HAND, translation=[0.5, 0, 0])), "bind-length")
    assert finding.message.endswith(
        "“LeftArm” to “LeftHand” is 500 mm at rest, 400 mm in the bind pose"
    )
