"""Rules about motion: measured amounts against known input, and accepted motion."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.clip_ends import compare_ends
from rigview.checks.examine import examine
from rigview.checks.foot_contacts import contacts, feet
from rigview.checks.looping_clips import loop_decision, loops_by_name
from rigview.checks.rule_settings import Settings
from rigview.checks.rules.redundant_keys import needed_keys
from rigview.gltf.bake import bake
from rigview.loading.load import load
from tests.checks import cases_keys, cases_motion
from tests.support.broken_mannequins import (
    FILE,
    context_of_clip,
    context_with_motion,
    key_times,
    rotate_key,
)
from tests.support.rule_case import findings_of
from tests.support.shared import MODELS, needs_shared
from tests.support.walking_figure import HEAD, LEFT, RIGHT, foot_path, joint_channel, walk, walker

CASES = cases_motion.CASES | cases_keys.CASES


@pytest.mark.parametrize(
    ("rule", "clip", "joint", "time"),
    [
        ("loop-seam", "Walk", "LeftFoot", 1.0),
        ("loop-speed", "Walk", "Head", 1.0),
        ("root-drift", "Walk", "Root", 1.0),
        ("foot-slide", "Walk", "LeftFoot", 0.0),
        ("floor", "Stamp", "LeftFoot", 29 / 60),
        ("jump", "Act", "LeftFoot", 0.4),
        ("full-turn", "Act", "LeftFoot", 0.4),
        ("rotation-length", "Act", "LeftArm", 0.4),
        ("rotation-flip", "Act", "LeftArm", 0.3),
        ("half-turn", "Act", "LeftArm", 0.0),
        ("animated-scale", "Act", "LeftArm", 0.5),
        ("short-track", "Act", "LeftArm", 0.5),
        ("off-frame-keys", "Act", "", 7 / 30 + 0.011),
    ],
)
def test_clip_joint_and_time_of_a_finding(rule, clip, joint, time):
    first, *_ = findings_of(CASES[rule].broken(), rule)
    assert (first.clip, first.joint) == (clip, joint)
    assert first.time == pytest.approx(time, abs=1e-5)


def test_slide_distance_of_a_stopping_foot():
    first, *_ = findings_of(CASES["foot-slide"].broken(), "foot-slide")
    assert first.amount == pytest.approx(cases_motion.HALT * 1000, rel=0.02)
    assert "1 m/s" in first.message


def test_velocity_jump_is_the_slope_at_the_end():
    first, *_ = findings_of(CASES["loop-speed"].broken(), "loop-speed")
    assert first.amount == pytest.approx(cases_motion.JOLT * 1000, rel=0.06)


def test_penetration_is_that_of_the_sole():
    first, *_ = findings_of(CASES["floor"].broken(), "floor")
    assert first.amount == pytest.approx(cases_motion.DIP * 1000, rel=0.01)


@pytest.mark.parametrize("degrees", [9.5, 25, 120])
def test_amount_of_a_pop_is_the_deviation_of_the_key(degrees):
    context = context_of_clip("Walk", "LeftForeArm", "rotation", rotate_key(12, degrees))
    first, *others = findings_of(context, "pop")
    assert not others
    assert first.amount == pytest.approx(degrees, rel=0.02)
    assert first.joint == "LeftForeArm"
    assert first.time == key_times("Walk", "LeftForeArm", "rotation")[12]


@pytest.mark.parametrize(("degrees", "count"), [(2, 0), (3, 1)])
def test_pop_of_few_degrees_is_found_by_its_effect(degrees, count):
    """From 1 % of the height: 18 mm at the fingertips."""
    context = context_of_clip("Walk", "LeftForeArm", "rotation", rotate_key(12, degrees))
    found = findings_of(context, "pop")
    assert len(found) == count
    for finding in found:
        assert finding.amount == pytest.approx(degrees, rel=0.02)
        assert 2 < finding.limit < 3
        assert finding.share > 0.01


def test_pop_of_a_scale():
    """A bone that is a third larger at one key."""
    times = np.arange(41) / 30
    values = np.tile([1.0, 1, 1], (41, 1)) * (1 + 0.1 * np.sin(times)[:, None])
    sound = walker([(HEAD, "scale", times, values.copy())], "Act")
    values[20] *= 1.3
    (finding,) = findings_of(walker([(HEAD, "scale", times, values)], "Act"), "pop")
    assert not findings_of(sound, "pop")
    assert (finding.joint, finding.path, finding.unit) == ("Head", "scale", "%")
    assert finding.time == pytest.approx(times[20])
    assert finding.amount == pytest.approx(32, rel=0.05)


@pytest.mark.parametrize("clip", ["Walk", "Run", "Limp", "LeanLeft", "StrafeRight", "WalkBack"])
def test_ground_speed_of_the_mannequin_is_the_declared_speed(clip):
    context = context_of_clip(clip)
    index = context.clips[0]
    made = context.document.json["animations"][index]["extras"]["rigview"]
    found = context.cached(contacts, index)
    assert np.abs(-found.ground_velocity - made["speed"]).max() < 0.015
    assert -np.degrees(found.ground_turn) == pytest.approx(made["turn"], abs=1)
    assert [foot.name for foot, _ in found.feet] == ["LeftFoot", "RightFoot"]
    assert all(len(of_foot) == 1 for _, of_foot in found.feet)
    slide = max(contact.slide for _, of_foot in found.feet for contact in of_foot)
    assert slide < 0.01


@pytest.mark.parametrize(("slower", "amount"), [(1.0, 0), (0.9, 80), (0.5, 400)])
def test_slide_of_travelling_feet(slower, amount):
    def change(values):
        values[:, 2] = values[0, 2] + (values[:, 2] - values[0, 2]) * slower
        return values

    findings = findings_of(
        context_of_clip("WalkForward", "Hips", "translation", change), "foot-slide"
    )
    assert [finding.joint for finding in findings] == (["LeftFoot", "RightFoot"] if amount else [])
    if amount:  # that share of 1.4 m/s, for a contact of 0.6 s
        assert findings[0].amount == pytest.approx(amount, rel=0.12)


def test_declared_speed_that_differs_from_the_feet():
    extras = {"rigview": {"loop": True, "speed": [0, 1.2]}}
    first, *_ = findings_of(walker(walk(), extras=extras), "ground-speed")
    assert first.amount == pytest.approx(200, rel=1e-3)
    assert first.size == pytest.approx(0.2 * 0.6, rel=0.1)  # metres in a contact of 0.6 s
    assert not findings_of(walker(walk(), extras={"rigview": {"speed": [0, 1.02]}}), "ground-speed")


@pytest.mark.parametrize("rule", ["loop-seam", "root-drift", "loop-speed"])
def test_travelling_walk_has_no_seam(rule):
    model = load(FILE)
    index = [clip.name for clip in model.clips].index("WalkForward")
    context = CheckContext(model, clips=[index], loops={"Walk*": True})
    assert loop_decision(context, index).expected
    assert context.cached(compare_ends, index).travels
    assert context.cached(compare_ends, index).ground_distance == pytest.approx(1.4, rel=1e-3)
    assert not findings_of(context, rule)


def test_continuous_turn_is_accepted():
    angle = np.radians(np.linspace(0, 90, 61)) / 2
    turns = np.stack([0 * angle, np.sin(angle), 0 * angle, np.cos(angle)], axis=1)
    context = walker([(0, "rotation", np.arange(61) / 60, turns)], "Turn loop")
    assert np.degrees(context.cached(compare_ends, 0).turn) == pytest.approx(90)
    assert not findings_of(context, "loop-seam")
    assert not findings_of(context, "root-drift")


def test_fix_of_a_clip_one_frame_short():
    short = [(node, path, times[:-1], values[:-1]) for node, path, times, values in walk()]
    first, *_ = findings_of(walker(short), "loop-seam")
    assert "one frame after the last" in first.fix
    wrong, *_ = findings_of(CASES["loop-seam"].broken(), "loop-seam")
    assert "one frame after the last" not in wrong.fix


def test_step_interpolation_may_jump():
    node, path, times, values = cases_keys.turning()
    values[15:] = [0, 0, 1, 0]
    values[:15] = [0, 0, 0, 1]
    for rule in ("jump", "pop", "half-turn"):
        assert not findings_of(cases_keys.clip((node, path, times, values, "STEP"))(), rule)
    assert findings_of(cases_keys.clip((node, path, times, values))(), "jump")


def test_sign_flips_of_linear_keys_are_info():
    (finding,) = findings_of(
        cases_keys.clip(cases_keys.with_key(cases_keys.flipped))(), "rotation-flip"
    )
    assert finding.severity == "info"


def test_late_start_is_a_warning_for_loops_only():
    late = cases_keys.turning(cases_keys.TIMES + 0.5)
    found = {
        name: findings_of(cases_keys.clip(late, name=name)(), "late-start")[0]
        for name in ("Idle", "Nod")
    }
    assert {name: finding.severity for name, finding in found.items()} == {
        "Idle": "warning",
        "Nod": "info",
    }


def test_key_estimate_is_an_upper_bound_of_baking():
    model = load(FILE)
    index = [clip.name for clip in model.clips].index("FaceSmile")
    context = CheckContext(model, clips=[index])
    baked = bake(model.document, model, clips=[index])
    fewer = sum(context.cached(needed_keys, index))
    before, after = baked.reports[0].keys
    assert before == sum(len(track.times) for track in model.clips[index].tracks)
    assert after <= fewer <= before


@pytest.mark.parametrize(
    "rule", ["loop-seam", "loop-speed", "root-drift", "foot-slide", "floor", "feet-hover"]
)
def test_results_in_centimetres_are_the_same(rule):
    (one,) = findings_of(CASES[rule].broken(), rule)
    context = CASES[rule].broken()
    root = context.model.skeleton.names.index("Root")
    context.model.skeleton.rest.scale[root] = 100
    (other,) = findings_of(CheckContext(context.model), rule)
    assert other.amount == pytest.approx(100 * one.amount, rel=1e-3)
    assert other.limit == pytest.approx(100 * one.limit, rel=1e-3)
    assert (other.joint, other.time) == (one.joint, one.time)


@pytest.mark.parametrize(
    ("name", "loops"),
    [
        ("Robot_Running", True),
        ("walkcycle", True),
        ("SitIdle", True),
        ("Armature|Walk", True),
        ("Strafe Left", True),
        ("swimming_01", True),
        ("JumpLoop", True),
        ("Robot_WalkJump", False),
        ("Run_To_Stop", False),
        ("StandToCrouch", False),
        ("Death", False),
        ("HitReact", False),
        ("Sit Down", False),
        ("Take 001", None),
        ("mixamo.com", None),
        ("Runaway", None),
        ("", None),
    ],
)
def test_loop_by_name(name, loops):
    assert loops_by_name(name) is loops


@pytest.mark.parametrize(
    ("name", "options", "wanted"),
    [
        ("Walk", {}, True),
        ("Walk", {"loops": {"W*": False}}, False),
        ("Walk", {"extras": {"rigview": {"loop": False}}}, False),
        ("Walk", {"loops": {"Walk": True}, "extras": {"rigview": {"loop": False}}}, True),
        ("Death", {"extras": {"rigview": {"loop": True}}}, True),
        ("Death", {"extras": {"rigview": {"loop": "yes"}}}, False),
        ("Death", {"extras": ["rigview"]}, False),
        ("Clip", {}, True),  # its ends meet in motion
    ],
)
def test_declarations_of_a_loop(name, options, wanted):
    rules = options.pop("loops", {})
    context = walker(walk(), name, **options)
    context.loops = rules
    assert loop_decision(context, 0).expected is wanted


def test_motion_file_has_precedence():
    context = context_with_motion(
        lambda text: text.replace("[clips.Walk]", '[clips.Walk]\nloop = "once"')
    )
    index = [clip.name for clip in context.model.clips].index("Walk")
    assert not loop_decision(context, index).expected
    assert loop_decision(context, index).why == "the motion file says so"


def test_gesture_from_rest_to_rest_is_not_a_loop():
    way = np.tile(foot_path(LEFT)[0], (61, 1))
    way[:, 1] += 0.3 * np.sin(np.linspace(0, np.pi, 61)) ** 2
    assert not loop_decision(walker(joint_channel(LEFT, way), "Clip"), 0).expected


def test_circular_gesture_from_rest_to_rest_is_not_a_loop():
    u = np.linspace(0, 1, 61)
    angle = 2 * np.pi * u**3 * (10 - 15 * u + 6 * u * u)  # from rest to rest, in one direction
    way = np.stack([0.1 + 0.2 * np.sin(angle), 0.4 - 0.2 * np.cos(angle), 0 * u], axis=1)
    assert not loop_decision(walker(joint_channel(LEFT, way), "Clip"), 0).expected
    way[:, :2] = np.stack([0.1 + 0.2 * np.sin(2 * np.pi * u), 0.4 - 0.2 * np.cos(2 * np.pi * u)], 1)
    assert loop_decision(walker(joint_channel(LEFT, way), "Clip"), 0).expected


def test_swing_close_to_the_floor_is_not_a_contact():
    ways = [foot_path(LEFT), foot_path(RIGHT, shift=30)]
    for way in ways:
        way[:, 1] *= 0.05
    context = walker(walk(*ways))
    found = context.cached(contacts, 0)
    assert found.speed == pytest.approx(1, rel=0.01)
    assert not findings_of(context, "foot-slide")
    for _, of_foot in found.feet:
        (one,) = of_foot
        assert (one.end - one.begin) % 1 == pytest.approx(0.6, abs=0.05)


def test_ground_speed_is_that_of_most_samples():
    way = foot_path(RIGHT, shift=30)
    k = (np.arange(61) + 30) % 60
    way[:, 2] = np.where(k <= 36, 0.3 - 1.3 * k / 60 - 0.8 * (k / 60) ** 2, way[:, 2])
    assert walker(walk(right=way)).cached(contacts, 0).speed == pytest.approx(1, abs=0.01)


def test_noise_is_not_a_pop():
    noise = np.random.default_rng(5).normal(size=900) * 9
    context = cases_motion.keyed(LEFT, noise)
    assert not findings_of(context, "pop")
    noise[400] += 150
    (finding,) = findings_of(cases_motion.keyed(LEFT, noise), "pop")
    assert finding.time == pytest.approx(400 / 30, abs=1e-3)


def test_fast_wheel_is_accepted():
    assert not findings_of(cases_motion.keyed(LEFT, np.arange(31) * 90.0), "full-turn")


def test_quarter_turns_are_not_sign_flips():
    turning = cases_keys.cubic(cases_keys.turning(np.arange(5) / 4, 360))
    assert not findings_of(cases_keys.clip(turning)(), "rotation-flip")


def test_sync_marks_at_any_consistent_time_of_a_contact_are_accepted():
    def later(text):
        marks = "sync = { left = 0.25, right = 0.75 }"
        return text.replace(marks, "sync = { left = 0.5, right = 0 }")

    assert not findings_of(
        context_with_motion(later, ["Walk", "WalkBack", "LeanLeft"]), "sync-mark"
    )


def test_floor_far_from_the_origin():
    context = walker(walk())
    root = context.model.skeleton.names.index("Root")
    context.model.skeleton.rest.translation[root, 1] = -5
    assert not findings_of(CheckContext(context.model), "floor")


def test_feet_without_known_names():
    context = walker(walk())
    names = [name.replace("Foot", "Paw") for name in context.model.skeleton.names]
    object.__setattr__(context.model.skeleton, "names", tuple(names))
    assert [each.name for each in context.cached(feet)] == ["LeftPaw", "RightPaw"]


def test_mannequin_with_its_motion_file():
    findings = examine(context_with_motion(), Settings(only=tuple(CASES)))
    assert not [finding for finding in findings if finding.severity != "info"]
    assert {finding.rule for finding in findings} <= {
        "constant-tracks",
        "redundant-keys",
        "rotation-flip",
    }


@needs_shared
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "robot.glb",
            {
                ("floor", "Robot_Death"),
                ("floor", "Robot_Jump"),
                ("floor", "Robot_Punch"),
                ("floor", "Robot_Running"),
                ("floor", "Robot_WalkJump"),
                ("floor", "Robot_Walking"),
                ("foot-slide", "Robot_Death"),
                ("foot-slide", "Robot_Walking"),
            },
        ),
        ("Woman.gltf", {("loop-speed", "Running"), ("noise", "Running")}),
        (
            "Fox.glb",
            {("floor", "Walk"), ("floor", "Run"), ("pop", "Run"), ("noise", "Walk")},
        ),
        (
            "CesiumMan.glb",
            {
                (rule, "Animation 0")
                for rule in ("loop-seam", "loop-speed", "foot-slide", "floor", "late-start")
            },
        ),
        ("BoxAnimated.gltf", {("half-turn", "Animation 0")}),
        ("SimpleSkin.gltf", set()),
        ("RiggedSimple.gltf", set()),
        ("InterpolationTest/interpolation_test.gltf", set()),
    ],
)
def test_warnings_of_real_files(name, expected):
    findings = examine(CheckContext(load(str(MODELS / name))), Settings(only=tuple(CASES)))
    assert {
        (finding.rule, finding.clip) for finding in findings if finding.severity != "info"
    } == expected
