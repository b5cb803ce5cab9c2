"""Clips in which the tracks of left and right are exchanged."""

from dataclasses import replace

import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.rules.exchanged_sides import side_pairs
from rigview.loading.load import load
from tests.checks.cases_siblings import ARMS, body, clips, exchanged
from tests.support.rule_case import findings_of
from tests.support.rule_figure import LEFT_HAND, RIGHT_HAND
from tests.support.shared import MODELS, needs_shared

HANDS = (LEFT_HAND, RIGHT_HAND)


def test_exchanged_pair_names_its_joints_and_its_clip():
    context = clips(body(), exchanged(ARMS), body(begin=40.0), body(begin=60.0))
    (finding,) = findings_of(context, "sides-exchanged")
    assert (finding.joint, finding.clip, finding.severity) == ("LeftArm", "Clip1", "error")
    assert finding.message.startswith(
        "“LeftArm” and “RightArm” are exchanged in “Clip1”: the rotation of “LeftArm” is "
    )
    assert "in the other clips, but 0° from those of “RightArm”" in finding.message
    assert finding.touches == 2
    assert 0.6 < finding.size < 1.2  # the hand of an arm of 0.6 m goes from below to above


def test_exchanged_side_is_one_finding():
    context = clips(exchanged(ARMS, HANDS), body(), body(begin=40.0))
    (finding,) = findings_of(context, "sides-exchanged")
    assert finding.joint == "LeftArm"
    assert finding.clip == "Clip0"


def test_two_exchanged_clips_of_many():
    context = clips(exchanged(ARMS), exchanged(ARMS), *[body(begin=40.0 + k) for k in range(7)])
    assert [each.clip for each in findings_of(context, "sides-exchanged")] == ["Clip0", "Clip1"]


@pytest.mark.parametrize("begin", [-50.0, 0.0, 5.0])
def test_alike_sides_cannot_be_told(begin):
    """Arms that hang in one direction of their axes, or do not differ, are exchanged unseen."""
    lists = [exchanged(ARMS, begin=begin), *[body(begin=begin)] * 3]
    assert bool(findings_of(clips(*lists), "sides-exchanged")) == (begin == -50.0)


def test_only_clip_is_compared_with_the_rest_pose():
    own = [("translation", (0.2, 0.1, 0)), ("translation", (-0.2, 0.1, 0))]
    ends = [
        (joint, path, [0, 1], [value] * 2) for joint, (path, value) in zip(ARMS, own, strict=True)
    ]
    wrong = [
        (joint, path, [0, 1], [value] * 2)
        for joint, (path, value) in zip(ARMS, own[::-1], strict=True)
    ]
    assert not findings_of(clips([*body(), *ends]), "sides-exchanged")
    (finding,) = findings_of(clips([*body(), *wrong]), "sides-exchanged")
    assert finding.size == pytest.approx(0.4, rel=0.2)
    assert "is 400 mm from those of the joint at rest, but 0 mm" in finding.message


def test_joints_without_sides_in_their_names_are_no_pair():
    context = clips(exchanged(ARMS), body(), body(begin=40.0))
    skeleton = context.model.skeleton
    names = tuple(f"Bone{k}" for k in range(skeleton.count))
    model = replace(context.model, skeleton=replace(skeleton, names=names))
    assert not findings_of(CheckContext(model), "sides-exchanged")


@needs_shared
@pytest.mark.parametrize(
    ("name", "pairs"), [("Fox.glb", 7), ("CesiumMan.glb", 7), ("robot.glb", 25)]
)
def test_numbers_in_names_do_not_hide_pairs(name, pairs):
    context = CheckContext(load(str(MODELS / name)))
    found, names = side_pairs(context), context.model.skeleton.names
    assert len(found) / 2 >= pairs - 1
    for joint, other in found.items():
        assert found[other] == joint
        assert names[joint] != names[other]
