"""The seam of a loop beside the timeline: the numbers of the rules of `check`."""

import time

from rigview.batch.jobs import Jobs
from rigview.checks.examine import examine
from rigview.motion.document import ClipSettings, MotionDoc
from rigview.session.clip_results import DELAY, ClipResults
from rigview.session.timeline.timeline_marks import LoopSeams, loop_seam
from tests.checks.cases_motion import CASES

BROKEN = CASES["loop-seam"].broken()
TWO = CASES["pop"].broken()  # clips, and more


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


def test_seams_are_found_once():
    seams, document, jobs = LoopSeams(), MotionDoc(), Jobs()
    found = seams.find(BROKEN.model, document, 0, jobs)
    assert found.faults
    assert seams.find(BROKEN.model, document, 0, jobs) is found


def test_seams_are_found_in_the_background_after_a_rest():
    seams, document, jobs = LoopSeams(), MotionDoc(), Jobs(in_background=True)
    begun = time.monotonic()
    for _ in range(3):
        assert seams.find(BROKEN.model, document, 0, jobs) is None
    jobs.wait(seams)
    assert time.monotonic() - begun >= DELAY
    assert seams.find(BROKEN.model, document, 0, jobs).faults


def test_a_clip_that_is_shown_shortly_is_not_examined():
    examined = []
    results = ClipResults(lambda *args: examined.append(args[2]) or args[2])
    document, jobs, model = MotionDoc(), Jobs(in_background=True), TWO.model
    for clip in (0, 1, 0, 1):
        assert results.find(model, document, clip, jobs) is None
    jobs.wait()
    assert examined == [1]
    assert results.find(model, document, 1, jobs) == 1
