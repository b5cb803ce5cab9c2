"""The seam of a loop beside the timeline: the numbers of the rules of `check`."""

import time

from rigview.check.examine import examine
from rigview.motion.document import ClipSettings, MotionDoc
from rigview.session.clip_results import DELAY
from rigview.session.timeline.timeline_marks import LoopSeams, loop_seam
from tests.check.cases_motion import CASES

BROKEN = CASES["loop-seam"].broken()


def test_faults_are_those_of_check():
    found = loop_seam(BROKEN.model, MotionDoc(), 0)
    expected = [each.message for each in examine(BROKEN) if each.rule.startswith("loop-")]
    assert found.loops
    assert list(found.faults) == expected
    assert "20" in found.faults[0]
    assert "The last pose is 20" in found.distance


def test_motion_file_says_that_a_clip_does_not_loop():
    name = BROKEN.model.clips[0].name
    found = loop_seam(BROKEN.model, MotionDoc(clips={name: ClipSettings(loop="once")}), 0)
    assert (found.loops, found.faults) == (False, ())
    assert "should not loop: the motion file says so" in found.distance


def test_seams_are_found_once_after_a_rest():
    seams, document = LoopSeams(), MotionDoc()
    assert seams.find(BROKEN.model, document, 0, 1.0, in_background=False) == (None, True)
    found, awaited = seams.find(BROKEN.model, document, 0, 1.0 + DELAY, in_background=False)
    assert found.faults
    assert not awaited
    assert seams.find(BROKEN.model, document, 0, 9.0, in_background=False)[0] is found


def test_seams_are_found_in_a_thread():
    seams, document = LoopSeams(), MotionDoc()
    seams.find(BROKEN.model, document, 0, 0.0, in_background=True)
    awaited, tau = True, 1.0
    while awaited:
        found, awaited = seams.find(BROKEN.model, document, 0, tau, in_background=True)
        tau += 1.0
        time.sleep(0.01)
    assert found.faults
