"""Bones that change their length in a clip, and clips of which few joints match."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.wording import measure
from tests.checks.cases_keys import TIMES, clip, turning
from tests.checks.cases_siblings import clips
from tests.support.rule_case import findings_of
from tests.support.rule_figure import (
    HEAD,
    HIPS,
    LEFT_ARM,
    LEFT_HAND,
    RIGHT_ARM,
    RIGHT_HAND,
    SPINE,
)


def stretching(metres, joint=LEFT_HAND):
    """The hand (or another joint) moves along the bone above it by `metres`."""
    along = 0.4 + metres * np.sin(np.pi * TIMES)
    return joint, "translation", TIMES, np.stack([along, 0 * along, 0 * along], axis=1)


@pytest.mark.parametrize(("metres", "count"), [(0, 0), (0.015, 0), (0.03, 1), (0.4, 1)])
def test_length_of_a_bone(metres, count):
    findings = findings_of(clip(stretching(metres))(), "bone-length")
    assert len(findings) == count
    if count:
        assert (findings[0].joint, findings[0].clip) == ("LeftHand", "Act")
        assert f"400 mm to {400 + metres * 1000:.0f} mm" in findings[0].message
        assert findings[0].time == pytest.approx(0.5, abs=0.04) or metres < 0.1


def test_size_of_a_stretch_is_that_of_the_bone_that_stretches_most():
    still = (RIGHT_HAND, "translation", [0, 1], [[-0.4, 0, 0]] * 2)
    (finding,) = findings_of(clip(stretching(0.03), still)(), "bone-length")
    assert (finding.joint, finding.touches) == ("LeftHand", 1)
    assert finding.size == pytest.approx(0.03, rel=0.01)


def test_hips_are_no_bone():
    assert not findings_of(clip(stretching(0.4, HIPS))(), "bone-length")


def constant(metres, joint=LEFT_HAND, offset=(0.4, 0, 0)):
    """A channel that holds a joint at its place at rest, `metres` further along its bone."""
    place = np.array(offset, float)
    longer = place * (1 + metres / np.linalg.norm(place))
    return joint, "translation", [0, 1], np.tile(longer, (2, 1))


@pytest.mark.parametrize(
    ("metres", "severity"),
    [(0.0025, ""), (-0.0025, ""), (0.0053, "warning"), (-0.0053, "warning"), (0.05, "error")],
)
def test_constant_length_that_is_not_that_at_rest(metres, severity):
    findings = findings_of(clip(turning(), constant(metres))(), "bone-differs")
    assert [each.severity for each in findings] == ([severity] if severity else [])
    for finding in findings:
        assert (finding.joint, finding.clip) == ("LeftHand", "Act")
        assert finding.size == pytest.approx(abs(metres), rel=1e-3)
        assert f"is {measure(400 + metres * 1000, 'mm')} long in “Act”, but 400 mm at rest" in (
            finding.message
        )


def test_length_of_one_clip_and_of_all():
    sound, longer = [turning(), constant(0)], [turning(), constant(0.05)]
    (finding,) = findings_of(clips(sound, longer, sound), "bone-differs")
    assert finding.clip == "Clip1"
    assert finding.message.endswith("but 400 mm at rest and in 2 other clips")
    every = findings_of(clips(longer, longer, longer), "bone-differs")
    assert len({each.cause for each in every}) == 1
    assert "in “Clip0” and 2 other clips, but 400 mm at rest" in every[0].message


def test_clip_of_a_character_of_another_size():
    offsets = {SPINE: (0, 0.4, 0), HEAD: (0, 0.3, 0), LEFT_ARM: (0.2, 0.1, 0)}
    offsets |= {RIGHT_ARM: (-0.2, 0.1, 0), LEFT_HAND: (0.4, 0, 0), RIGHT_HAND: (-0.4, 0, 0)}
    scaled = [
        (joint, "translation", [0, 1], [1.2 * np.array(p)] * 2) for joint, p in offsets.items()
    ]
    (finding,) = findings_of(clips(scaled), "bone-differs")
    assert (finding.severity, finding.joint) == ("info", "")
    assert "1.2 times as long as at rest" in finding.message
    one = [*scaled[:-1], (RIGHT_HAND, "translation", [0, 1], [[-0.6, 0, 0]] * 2)]
    found = findings_of(clips(one), "bone-differs")
    assert [each.severity for each in found] == ["error", "info"]
    assert "“RightHand” is 600 mm long in “Clip0”, but 480 mm at rest" in found[0].message


def test_place_of_the_hips_is_no_length():
    assert not findings_of(clip(turning(), constant(0.3, HIPS, (0, 0.9, 0)))(), "bone-differs")


@pytest.mark.parametrize(("matched", "count"), [(4, 1), (5, 0), (10, 0)])
def test_few_matched_joints(matched, count):
    made = clip(turning())()
    context = CheckContext(made.model, matches={"Act": (matched, 10)})
    findings = findings_of(context, "clip-matches")
    assert len(findings) == count
    if count:
        assert findings[0].message.startswith("only 4 of 10 joints match those of “Act”")
