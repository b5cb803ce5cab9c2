"""Pops of joints: those of a clip, and their rank among findings."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.finding import by_cause
from rigview.checks.rules.pops import clip_pops
from rigview.loading.load import load
from tests.checks.cases_motion import CASES
from tests.support.planted_faults import popped
from tests.support.shared import MODELS, needs_shared


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


@needs_shared
@pytest.mark.parametrize(
    ("name", "clip", "joint"),
    [
        ("CesiumMan.glb", "Animation 0", "Skeleton_arm_joint_L__3_"),
        ("Fox.glb", "Survey", "b_Neck_04"),
        ("robot.glb", "Robot_Dance", "UpperArm.L"),
        ("Woman.gltf", "Walking", "LeftArm"),
    ],
)
def test_a_pop_is_above_the_grammar_of_the_file(name, clip, joint):
    model = load(str(MODELS / name))
    number = [each.name for each in model.clips].index(clip)
    target = model.skeleton.names.index(joint)
    tracks = tuple(
        replace(track, values=popped("rotation", 34, 1, track.values).astype(np.float32))
        if track.target == target and track.path == "rotation"
        else track
        for track in model.clips[number].tracks
    )
    clips = list(model.clips)
    clips[number] = replace(clips[number], tracks=tracks)
    rows = by_cause(examine(CheckContext(replace(model, clips=tuple(clips)))))
    (row,) = [k for k, same in enumerate(rows) if same[0].rule == "pop" and same[0].joint == joint]
    assert row < 3
    assert rows[row][0].severity == "error"
    assert rows[row][0].amount == pytest.approx(34, rel=0.1)
    assert all(same[0].severity == "info" for same in rows if same[0].is_unseen)
