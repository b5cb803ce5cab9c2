"""Rules about motion: what they measure, against numbers that were put in; and what is no fault."""

import numpy as np
import pytest

from rigview.check.clip_ends import ends
from rigview.check.examine import examine
from rigview.check.feet import feet
from rigview.check.foot_contacts import contacts
from rigview.check.key_reduction_estimate import enough
from rigview.check.looping_clips import looping, named
from rigview.check.rule_settings import Settings
from rigview.check.subject import Subject
from rigview.gltf.bake import bake
from rigview.loading.load import load_document
from tests.check import cases_keys, cases_motion
from tests.support.broken_mannequins import FILE, keys, mannequin, turned, with_motion
from tests.support.rule_case import findings_of
from tests.support.shared import MODELS, needs_shared
from tests.support.walking_figure import LEFT, RIGHT, foot, stand, walk, walker

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
def test_place_of_a_finding(rule, clip, joint, time):
    first, *_ = findings_of(CASES[rule].broken(), rule)
    assert (first.clip, first.joint) == (clip, joint)
    assert first.time == pytest.approx(time, abs=1e-5)


def test_slide_is_how_far_the_foot_stopped_for():
    first, *_ = findings_of(CASES["foot-slide"].broken(), "foot-slide")
    assert first.amount == pytest.approx(cases_motion.HALT * 1000, rel=0.02)
    assert "1 m/s" in first.sentence


def test_jolt_is_the_slope_at_the_end():
    first, *_ = findings_of(CASES["loop-speed"].broken(), "loop-speed")
    assert first.amount == pytest.approx(cases_motion.JOLT * 1000, rel=0.06)


def test_depth_is_that_of_the_sole():
    first, *_ = findings_of(CASES["floor"].broken(), "floor")
    assert first.amount == pytest.approx(cases_motion.DIP * 1000, rel=0.01)


@pytest.mark.parametrize("degrees", [9.5, 25, 120])
def test_pop_is_as_large_as_the_key_is_off(degrees):
    subject = mannequin("Walk", "LeftForeArm", "rotation", turned(12, degrees))
    first, *others = findings_of(subject, "pop")
    assert not others
    assert first.amount == pytest.approx(degrees, rel=0.02)
    assert first.joint == "LeftForeArm"
    assert first.time == keys("Walk", "LeftForeArm", "rotation")[12]


def test_small_pop_is_none():
    assert not findings_of(mannequin("Walk", "LeftForeArm", "rotation", turned(12, 6)), "pop")


@pytest.mark.parametrize("clip", ["Walk", "Run", "Limp", "LeanLeft", "StrafeRight", "WalkBack"])
def test_ground_of_the_mannequin_is_as_fast_as_it_was_made(clip):
    subject = mannequin(clip)
    index = subject.clips[0]
    made = subject.document.json["animations"][index]["extras"]["rigview"]
    steps = subject.once(contacts, index)
    assert np.abs(-steps.ground - made["speed"]).max() < 0.015
    assert -np.degrees(steps.turn) == pytest.approx(made["turn"], abs=1)
    assert [foot.name for foot, _ in steps.feet] == ["LeftFoot", "RightFoot"]
    assert all(len(stands) == 1 for _, stands in steps.feet)
    assert max(contact.slid for _, stands in steps.feet for contact in stands) < 0.01


@pytest.mark.parametrize(("slower", "amount"), [(1.0, 0), (0.9, 80), (0.5, 400)])
def test_travelling_feet_stand_still(slower, amount):
    def change(values):
        values[:, 2] = values[0, 2] + (values[:, 2] - values[0, 2]) * slower
        return values

    hits = findings_of(mannequin("WalkForward", "Hips", "translation", change), "foot-slide")
    assert [hit.joint for hit in hits] == (["LeftFoot", "RightFoot"] if amount else [])
    if amount:  # that share of 1.4 m/s, for the 0.6 s that a foot stands
        assert hits[0].amount == pytest.approx(amount, rel=0.12)


def test_declared_speed_that_feet_have_not():
    extras = {"rigview": {"loop": True, "speed": [0, 1.2]}}
    first, *_ = findings_of(walker(walk(), extras=extras), "ground-speed")
    assert first.severity == "warning"
    assert first.amount == pytest.approx(200, rel=1e-3)
    assert not findings_of(walker(walk(), extras={"rigview": {"speed": [0, 1.02]}}), "ground-speed")


@pytest.mark.parametrize("rule", ["loop-seam", "root-drift", "loop-speed"])
def test_walk_that_walks_away_has_no_seam(rule):
    model, document = load_document(FILE)
    index = [clip.name for clip in model.clips].index("WalkForward")
    subject = Subject(model, document, clips=[index], loops={"Walk*": True})
    assert looping(subject, index).wanted
    assert subject.once(ends, index).travels
    assert subject.once(ends, index).ground == pytest.approx(1.4, rel=1e-3)
    assert not findings_of(subject, rule)


def test_turn_that_goes_on_is_no_seam():
    angle = np.radians(np.linspace(0, 90, 61)) / 2
    turns = np.stack([0 * angle, np.sin(angle), 0 * angle, np.cos(angle)], axis=1)
    subject = walker([(0, "rotation", np.arange(61) / 60, turns)], "Turn loop")
    assert np.degrees(subject.once(ends, 0).turn) == pytest.approx(90)
    assert not findings_of(subject, "loop-seam")
    assert not findings_of(subject, "root-drift")


def test_frame_that_was_not_exported_is_offered():
    short = [(node, path, times[:-1], values[:-1]) for node, path, times, values in walk()]
    first, *_ = findings_of(walker(short), "loop-seam")
    assert "one frame after the last" in first.mend
    wrong, *_ = findings_of(CASES["loop-seam"].broken(), "loop-seam")
    assert "one frame after the last" not in wrong.mend


def test_step_may_jump():
    node, path, times, values = cases_keys.turning()
    values[15:] = [0, 0, 1, 0]
    values[:15] = [0, 0, 0, 1]
    for rule in ("jump", "pop", "half-turn"):
        assert not findings_of(cases_keys.clip((node, path, times, values, "STEP"))(), rule)
    assert findings_of(cases_keys.clip((node, path, times, values))(), "jump")


def test_what_is_harmless_for_slerp_is_told_as_such():
    (hit,) = findings_of(
        cases_keys.clip(cases_keys.with_key(cases_keys.flipped))(), "rotation-flip"
    )
    assert hit.severity == "info"


def test_loop_that_pauses_is_graver_than_a_gesture_that_does():
    late = cases_keys.turning(cases_keys.TIMES + 0.5)
    grave = {
        name: findings_of(cases_keys.clip(late, name=name)(), "late-start")[0]
        for name in ("Idle", "Nod")
    }
    assert {name: hit.severity for name, hit in grave.items()} == {"Idle": "warning", "Nod": "info"}


def test_saving_is_about_what_bake_saves():
    model, document = load_document(FILE)
    index = [clip.name for clip in model.clips].index("FaceSmile")
    subject = Subject(model, document, clips=[index])
    baked = bake(document, model, clips=[index])
    fewer = sum(subject.once(enough, index))
    before, after = baked.reports[0].keys
    assert before == sum(len(track.times) for track in model.clips[index].tracks)
    assert after <= fewer <= before


@pytest.mark.parametrize(
    "rule", ["loop-seam", "loop-speed", "root-drift", "foot-slide", "floor", "feet-hover"]
)
def test_a_figure_in_centimetres_is_judged_alike(rule):
    (one,) = findings_of(CASES[rule].broken(), rule)
    subject = CASES[rule].broken()
    root = subject.model.skeleton.names.index("Root")
    subject.model.skeleton.rest.scale[root] = 100
    (other,) = findings_of(Subject(subject.model, subject.document), rule)
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
def test_name_of_a_loop(name, loops):
    assert named(name) is loops


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
        ("Clip", {}, True),  # it comes back to where it began, and goes on
    ],
)
def test_what_says_that_a_clip_loops(name, options, wanted):
    rules = options.pop("loops", {})
    subject = walker(walk(), name, **options)
    subject.loops = rules
    assert looping(subject, 0).wanted is wanted


def test_motion_file_says_it_first():
    subject = with_motion(lambda text: text.replace("[clips.Walk]", '[clips.Walk]\nloop = "once"'))
    index = [clip.name for clip in subject.model.clips].index("Walk")
    assert not looping(subject, index).wanted
    assert looping(subject, index).why == "the motion file says so"


def test_gesture_that_begins_and_ends_at_rest_is_no_loop():
    way = np.tile(foot(LEFT)[0], (61, 1))
    way[:, 1] += 0.3 * np.sin(np.linspace(0, np.pi, 61)) ** 2
    assert not looping(walker(stand(LEFT, way), "Clip"), 0).wanted


def test_gesture_that_goes_round_once_is_no_loop():
    u = np.linspace(0, 1, 61)
    angle = 2 * np.pi * u**3 * (10 - 15 * u + 6 * u * u)  # from rest to rest, in one direction
    way = np.stack([0.1 + 0.2 * np.sin(angle), 0.4 - 0.2 * np.cos(angle), 0 * u], axis=1)
    assert not looping(walker(stand(LEFT, way), "Clip"), 0).wanted
    way[:, :2] = np.stack([0.1 + 0.2 * np.sin(2 * np.pi * u), 0.4 - 0.2 * np.cos(2 * np.pi * u)], 1)
    assert looping(walker(stand(LEFT, way), "Clip"), 0).wanted


def test_swing_close_to_the_floor_is_no_contact():
    ways = [foot(LEFT), foot(RIGHT, shift=30)]
    for way in ways:
        way[:, 1] *= 0.05
    subject = walker(walk(*ways))
    steps = subject.once(contacts, 0)
    assert steps.speed == pytest.approx(1, rel=0.01)
    assert not findings_of(subject, "foot-slide")
    for _, stands in steps.feet:
        (one,) = stands
        assert (one.end - one.begin) % 1 == pytest.approx(0.6, abs=0.05)


def test_ground_goes_as_fast_as_most_feet_do():
    way = foot(RIGHT, shift=30)
    k = (np.arange(61) + 30) % 60
    way[:, 2] = np.where(k <= 36, 0.3 - 1.3 * k / 60 - 0.8 * (k / 60) ** 2, way[:, 2])
    assert walker(walk(right=way)).once(contacts, 0).speed == pytest.approx(1, abs=0.01)


def test_noise_is_no_pop():
    noise = np.random.default_rng(5).normal(size=900) * 9
    subject = cases_motion.keyed(LEFT, noise)
    assert not findings_of(subject, "pop")
    noise[400] += 150
    (hit,) = findings_of(cases_motion.keyed(LEFT, noise), "pop")
    assert hit.time == pytest.approx(400 / 30, abs=1e-3)


def test_wheel_may_turn_as_fast_as_it_likes():
    assert not findings_of(cases_motion.keyed(LEFT, np.arange(31) * 90.0), "full-turn")


def test_quarter_turns_are_no_flips():
    turning = cases_keys.cubic(cases_keys.turning(np.arange(5) / 4, 360))
    assert not findings_of(cases_keys.clip(turning)(), "rotation-flip")


def test_marks_may_be_anywhere_in_a_contact_as_long_as_all_are():
    def later(text):
        marks = "sync = { left = 0.25, right = 0.75 }"
        return text.replace(marks, "sync = { left = 0.5, right = 0 }")

    assert not findings_of(with_motion(later, ["Walk", "WalkBack", "LeanLeft"]), "sync-mark")


def test_floor_may_be_far_from_the_middle_of_the_scene():
    subject = walker(walk())
    root = subject.model.skeleton.names.index("Root")
    subject.model.skeleton.rest.translation[root, 1] = -5
    assert not findings_of(Subject(subject.model, subject.document), "floor")


def test_feet_of_any_names():
    subject = walker(walk())
    names = [name.replace("Foot", "Paw") for name in subject.model.skeleton.names]
    object.__setattr__(subject.model.skeleton, "names", tuple(names))
    assert [each.name for each in subject.once(feet)] == ["LeftPaw", "RightPaw"]


def test_mannequin_with_its_motion_file():
    hits = examine(with_motion(), Settings(only=tuple(CASES)))
    assert not [hit for hit in hits if hit.severity != "info"]
    assert {hit.rule for hit in hits} <= {"constant-tracks", "redundant-keys", "rotation-flip"}


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
                ("foot-slide", "Robot_Walking"),
            },
        ),
        ("Woman.gltf", {("loop-speed", "Running")}),
        ("Fox.glb", {("floor", "Walk"), ("floor", "Run")}),
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
    hits = examine(Subject(*load_document(str(MODELS / name))), Settings(only=tuple(CASES)))
    assert {(hit.rule, hit.clip) for hit in hits if hit.severity != "info"} == expected
