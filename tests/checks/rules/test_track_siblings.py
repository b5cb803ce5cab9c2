"""Tracks that are missing in one clip, and single STEP tracks."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.loading.load import load
from rigview.motion.read import parse_motion
from tests.checks.cases_siblings import ARMS, body, clips, swing
from tests.support.rule_case import findings_of
from tests.support.rule_figure import HEAD, HIPS, LEFT_ARM, LEFT_HAND, RIGHT_HAND, SPINE

RESTING = (HEAD, "rotation", [0, 1], [[0, 0, 0, 1]] * 2)
SCALES = [(joint, "scale", [0, 1], [[1, 1, 1]] * 2) for joint in range(7)]  # that do nothing


def test_missing_track_names_the_joint_and_its_clip():
    context = clips(body(), body(without=[LEFT_ARM]), body(), body())
    (finding,) = findings_of(context, "track-missing")
    assert (finding.joint, finding.clip, finding.severity) == ("LeftArm", "Clip1", "error")
    assert finding.message == (
        "“LeftArm” has no rotation in “Clip1”, but in 3 of 3 other clips of its kind: it stays at "
        f"rest, and its surface {finding.size * 1000:.0f} mm from where it typically is in them"
    )
    assert finding.size == pytest.approx(2 * np.sin(np.radians(25)) * 0.6, rel=0.05)


def test_missing_tracks_of_a_clip_are_one_finding():
    context = clips([*body(without=[LEFT_ARM, HEAD]), *SCALES], *[[*body(), *SCALES]] * 3)
    (finding,) = findings_of(context, "track-missing")
    assert finding.message.endswith("; 1 other joint too")
    assert (finding.joint, finding.touches) == ("LeftArm", 2)


@pytest.mark.parametrize("others", [1, 2])
def test_kind_has_three_clips(others):
    context = clips([*body(without=[LEFT_ARM]), *SCALES], *[[*body(), *SCALES]] * others)
    assert len(findings_of(context, "track-missing")) == (others == 2)


def test_clip_of_one_arm_is_of_another_kind():
    wave = [swing(LEFT_ARM), swing(LEFT_HAND)]
    assert not findings_of(clips(wave, *[body()] * 4), "track-missing")


def test_track_that_others_have_at_rest_is_not_missed():
    still = [*body(without=[HEAD]), RESTING]
    assert not findings_of(clips(body(without=[HEAD]), *[still] * 3), "track-missing")


def test_track_that_some_clips_lack_is_not_missed():
    context = clips(*[body(without=[LEFT_ARM])] * 2, *[body()] * 4)
    assert not findings_of(context, "track-missing")


@pytest.mark.parametrize(("begin", "count"), [(50.0, 1), (0.0, 0)])
def test_both_arms_may_rest_on_purpose_unless_no_clip_comes_near(begin, count):
    others = [[*body(begin=begin), *SCALES]] * 3
    context = clips([*body(begin=begin, without=ARMS), *SCALES], *others)
    assert len(findings_of(context, "track-missing")) == count


@pytest.mark.parametrize(("others", "count"), [(4, 0), (20, 1)])
def test_files_that_leave_out_resting_tracks_need_many_clips(others, count):
    """No track does nothing, and the arm comes near its rest pose: it may be at rest here."""
    rested = [body(without=[HEAD], begin=0.0), body(begin=0.0)] * (others // 2)
    context = clips(body(without=[LEFT_ARM], begin=0.0), *rested)
    assert len(findings_of(context, "track-missing")) == count


@pytest.mark.parametrize(("begin", "count"), [(0.0, 0), (0.5, 0), (1.5, 1)])
def test_clip_in_place_needs_no_motion_of_the_root(begin, count):
    """Others move a node above the hips from the origin, or from elsewhere."""

    def root(b):
        b.add("nodes", name="Root", children=[HIPS])
        (scene,) = b.json["scenes"]
        scene["nodes"] = [len(b.json["nodes"]) - 1, *scene["nodes"][1:]]

    walk = (8, "translation", [0, 1], [[0, 0, begin], [0, 0, 2]])
    context = clips(body(), *[[*body(), walk]] * 12, change=root)
    assert context.hips > context.model.skeleton.find("Root")
    assert len(findings_of(context, "track-missing")) == count


def test_additive_is_a_difference():
    broken = clips(body(without=[LEFT_ARM]), *[body()] * 3)
    text = 'version = 1\n[additives.Nod]\nsource = "Clip0"\n'
    motion = parse_motion(text, "figure.motion.toml")
    assert not findings_of(CheckContext(broken.model, motion=motion), "track-missing")


def test_step_track_among_linear_ones():
    context = clips(body(swing(LEFT_ARM, 30.0, interpolation="STEP")))
    (finding,) = findings_of(context, "track-step")
    jump = 2 * np.sin(np.radians(30 * np.sin(2 * np.pi / 30)) / 2) * 0.6
    assert (finding.joint, finding.clip) == ("LeftArm", "Clip0")
    assert finding.size == pytest.approx(jump, rel=0.02)
    assert finding.severity == "error"
    assert finding.message.startswith(
        "the rotation of “LeftArm” is STEP in “Clip0”, whose other tracks that move are "
        "interpolated: it jumps by up to "
    )


def held(joint, *degrees, times=None):
    """A STEP channel that holds a joint at angles about +Z."""
    half = np.radians(degrees) / 2
    times = np.linspace(0.01, 0.9, len(degrees)) if times is None else times
    values = np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], axis=1)
    return joint, "rotation", times, values, "STEP"


@pytest.mark.parametrize(
    "channels",
    [
        body(held(LEFT_HAND, 0, 40)),
        body(held(LEFT_HAND, 0, 40, 0, 40, 0, 40, 0)),
        body(held(LEFT_HAND, 0, 40, -30, 20)),
        body(held(LEFT_HAND, 30, 30, 30)),
        body(*(swing(joint, interpolation="STEP") for joint in (LEFT_HAND, RIGHT_HAND))),
        [swing(joint, interpolation="STEP") for joint in range(7)],
        [swing(HIPS), swing(LEFT_HAND, interpolation="STEP")],
    ],
    ids=["switch", "alternating", "poses", "constant", "both sides", "all", "few others"],
)
def test_intended_steps(channels):
    assert not findings_of(clips(channels), "track-step")


def test_few_keys_at_the_times_of_others():
    times = np.array([0, 0.5, 0.8, 1.0])
    values = np.tile([0, 0, 0, 1.0], (4, 1))
    values[1] = values[3] = [0, 0, 0.1, 0.995]
    smooth = [(joint, "rotation", times, values) for joint in (HIPS, SPINE, HEAD)]
    context = clips([*smooth, held(LEFT_HAND, 0, 20, -10, 30, times=times)])
    (finding,) = findings_of(context, "track-step")
    assert finding.time == pytest.approx(1.0)


def test_bundled_character_holds_its_eyes():
    model = load("assets/mannequin.glb")
    steps = [
        track
        for clip in model.clips
        for track in clip.tracks
        if track.interpolation == "STEP" and track.path == "rotation"
    ]
    assert steps
    assert not findings_of(CheckContext(model), "track-*")
