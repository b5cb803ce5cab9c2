"""Joints without influence."""

from rigview.checks.rules.unused_joints import used_joints
from tests.support.rule_figure import LEFT_ARM, LEFT_HAND, context


def test_ancestors_of_used_joints_are_used():
    def bind(figure):
        figure.joints[figure.joints == LEFT_ARM] = LEFT_HAND

    make = context(bind)()
    assert used_joints(make)[make.model.skeleton.find("LeftArm")]
    assert not used_joints(make)[make.model.skeleton.find("BodyMesh")]
