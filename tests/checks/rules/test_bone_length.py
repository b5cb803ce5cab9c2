"""Bones that change their length in a clip, and clips of which few joints match."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from tests.checks.cases_keys import TIMES, clip, turning
from tests.support.rule_case import findings_of
from tests.support.rule_figure import HIPS, LEFT_HAND


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


def test_hips_are_no_bone():
    assert not findings_of(clip(stretching(0.4, HIPS))(), "bone-length")


@pytest.mark.parametrize(("matched", "count"), [(4, 1), (5, 0), (10, 0)])
def test_few_matched_joints(matched, count):
    made = clip(turning())()
    context = CheckContext(made.model, made.document, matches={"Act": (matched, 10)})
    findings = findings_of(context, "clip-matches")
    assert len(findings) == count
    if count:
        assert findings[0].message.startswith("only 4 of 10 joints match those of “Act”")
