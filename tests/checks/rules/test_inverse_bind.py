"""Rules about inverse bind matrices."""

import numpy as np
import pytest

from tests.checks.cases_skin import BIND, inverse, node
from tests.support.rule_case import found, one
from tests.support.rule_figure import HEAD, HIPS, LEFT_ARM, LEFT_HAND, RIGHT_HAND, context


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


def test_a_rest_rotation_of_one_joint_names_it_only():
    finding = one(context(node(LEFT_HAND, rotation=[0, 0, 0.6, 0.8])), "bind-outlier")
    assert finding.message == (
        "the inverse bind matrix of “LeftHand” is unlike those of the other 6 joints of skin "
        "“Figure”, which rest as they were bound: it displaces its surface by 247 mm at rest"
    )
    assert (finding.joint, finding.unit, finding.severity) == ("LeftHand", "mm", "error")
    assert finding.amount == pytest.approx(247.39, abs=0.01)
    assert finding.size == pytest.approx(finding.amount / 1000)
    assert finding.touches == 6


def test_few_joints_are_no_difference_of_the_rest_pose():
    assert not found(context(node(LEFT_HAND, rotation=[0, 0, 0.6, 0.8])), "bind-differs")


@pytest.mark.parametrize(
    ("mm", "severity"), [(1.8, ""), (3.8, "warning"), (7, "warning"), (40, "error")]
)
@pytest.mark.parametrize("joint", [HIPS, LEFT_HAND])
def test_one_inverse_bind_matrix_that_is_displaced(joint, mm, severity):
    """Also that of the root, which the others are not compared with."""

    def displace(figure):
        figure.inverse[joint, 0, 3] += mm / 1000

    findings = found(context(displace), "bind-outlier")
    assert [each.severity for each in findings] == ([severity] if severity else [])
    assert all(each.size == pytest.approx(mm / 1000, rel=1e-3) for each in findings)
    assert not found(context(displace), "bind-differs")


def test_several_inverse_bind_matrices_of_many():
    """Seven joints more, without influence, rest as they were bound."""

    def change(figure):
        for k in range(7):
            figure.names.append(f"Extra{k}")
            figure.parents.append(HIPS)
            figure.nodes.append({"translation": [0, 0, 0.1]})
        more = np.tile(np.eye(4), (7, 1, 1))
        more[:, :3, 3] = 0, -0.9, -0.1
        figure.inverse = np.concatenate((figure.inverse, more))
        figure.inverse[[LEFT_ARM, LEFT_HAND], 0, 3] += 0.03, 0.05

    finding = one(context(change), "bind-outlier")
    assert finding.message == (
        "the inverse bind matrices of “LeftHand” and 1 other are unlike those of the other 12 "
        "joints of skin “Figure”, which rest as they were bound: they displace the surface by up "
        "to 50 mm at rest"
    )


def test_an_inverse_bind_matrix_unlike_those_beside_it():
    """Three joints of seven do not rest as they were bound, one of them by its matrix."""
    shift = np.eye(4)
    shift[1, 3] = 0.1
    turned = (node(joint, rotation=[0, 0, 0.6, 0.8]) for joint in (HEAD, RIGHT_HAND))
    finding = one(context(*turned, inverse(LEFT_ARM, shift)), "bind-outlier")
    assert finding.message == (
        "the inverse bind matrix of joint “LeftArm” displaces its 8 vertices by up to 100 mm from "
        "where the joints above and below it have them"
    )
    assert (finding.limit, finding.severity) == (pytest.approx(18, rel=0.2), "error")


@pytest.mark.parametrize("joints", [2, 7])
def test_more_than_a_fifth_of_the_joints_is_another_pose(joints):
    def displace(figure):
        figure.inverse[-joints:, 0, 3] += 0.05 * np.arange(1, joints + 1)

    assert not found(context(displace), "bind-outlier")
    assert one(context(displace), "bind-differs").severity == "info"


def test_bone_with_a_changed_length():
    finding = one(context(node(LEFT_HAND, translation=[0.5, 0, 0])), "bind-length")
    assert finding.message.endswith(
        "“LeftArm” to “LeftHand” is 500 mm at rest, 400 mm in the bind pose"
    )
    assert finding.size == pytest.approx(0.1)
