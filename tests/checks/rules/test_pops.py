"""The pops of each joint of a clip are those of the rules."""

from rigview.checks.examine import examine
from rigview.checks.rules.pops import clip_pops
from tests.checks.cases_motion import CASES


def test_pops_are_those_of_check():
    broken = CASES["pop"].broken()
    (finding,) = [each for each in examine(broken) if each.rule == "pop"]
    model = broken.model
    number = [clip.name for clip in model.clips].index(finding.clip)
    found = clip_pops(model, number)
    (mark,) = found[model.skeleton.find(finding.joint)]
    assert mark.seconds == finding.time
    assert mark.words.startswith("pop, ")
    assert mark.path == finding.path == "rotation"
    assert mark.words.split()[1] in finding.message


def test_sound_clip_has_none():
    model = CASES["pop"].broken().model
    assert clip_pops(model, [clip.name for clip in model.clips].index("Run")) == {}
