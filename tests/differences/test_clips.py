import numpy as np
import pytest

from rigview.differences.compare import compare
from rigview.loading.load import load
from tests.support.bvh_text import BVH
from tests.support.character_versions import WAVE_ANGLE, character, z_rotation
from tests.support.gltf_documents import Builder
from tests.support.shared import MODELS, needs_shared


def clip_of(found, name="Wave"):
    return next(clip for clip in found.clips if clip.name == name)


def test_moved_key():
    """The tip is 2 m from Arm: a rotation by one degree moves it by 2 · 2 sin(0.5°)."""
    found = compare(character().load(), character(wave=(0, WAVE_ANGLE + 1, 0)).load())
    deviation = clip_of(found).deviation
    assert deviation.metres == pytest.approx(4 * np.sin(np.radians(0.5)), rel=1e-5)
    assert (deviation.joint, deviation.time) == ("Hand", 1)
    assert deviation.degrees == pytest.approx(1, rel=1e-4)
    assert (deviation.turned, deviation.turned_time) == ("Arm", 1), (
        "of a limb that turns as one, its first"
    )
    assert not clip_of(found).same
    assert clip_of(found, "Rest").same
    assert found.worst == clip_of(found)


def test_mean_is_over_vertices_and_time():
    """A constant rotation by one degree: the mean over five vertices is constant in time."""
    still = {"times": (0, 0.25, 2)}
    a = character(wave=(0, 0, 0), **still).load()
    b = character(wave=(1, 1, 1), **still).load()
    deviation = clip_of(compare(a, b)).deviation
    chord = 2 * np.sin(np.radians(0.5))
    radii = [0, 0, np.hypot(0.2, 0.5), np.hypot(0.2, 1), 2]
    assert deviation.mean == pytest.approx(chord * np.mean(radii), rel=1e-4)


def test_mean_does_not_depend_on_key_times():
    means = []
    for times in ((0, 1, 2), (0, 0.1, 2)):
        a, b = character(wave=(0, 0, 0), times=times), character(wave=(0, 0, 2), times=times)
        deviation = clip_of(compare(a.load(), b.load())).deviation
        means.append(deviation.mean / (2 - times[1]))
    assert means[0] == pytest.approx(means[1], rel=0.02)


@pytest.mark.parametrize(("degrees", "same"), [(0.02, True), (0.2, False)])
def test_thresholds(degrees, same):
    a, b = character().load(), character(wave=(0, WAVE_ANGLE + degrees, 0)).load()
    assert compare(a, b, metres=1e-3, degrees=0.05).same is same
    assert not compare(a, b, metres=1e-9, degrees=0.05).same
    assert compare(a, b, metres=1, degrees=1).same


def test_rotation_without_displacement_counts():
    """The joint has no vertices away from its axis."""
    a, b = character(), character()
    for each, degrees in ((a, 0), (b, 5)):
        half = np.radians(degrees) / 2
        turn = [0, float(np.sin(half)), 0, float(np.cos(half))]
        each.add("nodes", name="Eye")
        each.animation((4, "rotation", [0, 1], [[0, 0, 0, 1], turn]), name="Look")
    look = clip_of(compare(a.load(), b.load()), "Look")
    assert look.deviation.metres == 0
    assert look.deviation.degrees == pytest.approx(5, rel=1e-4)
    assert not look.same


def test_skin_weights_count_with_equal_keys():
    """The tip is bound to Arm instead of Hand: it differs only when Hand rotates."""
    weights = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0]]
    a, b = character(), character(weights=weights)
    for each in (a, b):
        each.animation((2, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 1, 0]]), name="Turn")
    found = compare(a.load(), b.load())
    assert found.rest.metres == pytest.approx(0, abs=1e-7)
    assert clip_of(found).deviation.metres == pytest.approx(0, abs=1e-6)
    assert clip_of(found, "Turn").deviation.metres == pytest.approx(2, rel=1e-5), (
        "3 m up, or 1 m up"
    )


def test_without_matching_vertices_joints_are_compared():
    points = [[-0.3, 0, 0], [0.3, 0.7, 0], [-0.3, 1.4, 0], [0.3, 2.2, 0]]
    weights = [[1, 0, 0, 0]] * 4
    triangles = ((0, 1, 2), (1, 3, 2))
    b = character(points=points, weights=weights, triangles=triangles, wave=(0, WAVE_ANGLE + 1, 0))
    found = compare(character().load(), b.load())
    assert not found.skin
    assert found.unmatched == ("Body",)
    deviation = clip_of(found).deviation
    assert deviation.metres == pytest.approx(2 * np.sin(np.radians(0.5)), rel=1e-5), (
        "of Hand's origin"
    )


def test_morph_weights():
    def morphing(weight):
        b = character()
        lift = b.accessor([[0, 0, 0], [0, 0, 0], [0, 0, 2]])
        face = b.mesh(targets=[{"POSITION": lift}])
        b.add("nodes", mesh=face, name="Face")
        b.animation((4, "weights", [0, 1], [[0], [weight]]), name="Smile")
        return b.load()

    found = clip_of(compare(morphing(1), morphing(0.75)), "Smile")
    assert found.deviation.metres == pytest.approx(0.5)
    assert found.deviation.weight == pytest.approx(0.25)
    assert (found.deviation.value, found.deviation.value_time) == ("Face", 1)


def test_mean_of_a_linear_ramp():
    a = character(wave=(0, 0), times=(0, 1)).load()
    b = character(wave=(0, 2), times=(0, 1)).load()
    radii = [0, 0, np.hypot(0.2, 0.5), np.hypot(0.2, 1), 2]
    half = 2 * np.sin(np.radians(1)) / 2
    assert clip_of(compare(a, b)).deviation.mean == pytest.approx(half * np.mean(radii), rel=1e-3)


def test_inverse_bind_moves_the_skin():
    found = compare(character().load(), character(bind=(0, -1, -2.25)).load())
    assert found.rest.metres == pytest.approx(0.25)
    assert all(clip.deviation.metres == pytest.approx(0.25) for clip in found.clips)


def test_first_joint_of_a_rigid_limb_is_reported():
    """Rounding may give any of its descendants the greatest angle."""

    def chain(degrees):
        b = Builder()
        turns = np.random.default_rng(3).normal(size=(12, 4))
        for k, turn in enumerate(turns):
            row = {"rotation": (turn / np.linalg.norm(turn)).tolist(), "translation": [0, 1, 0]}
            b.add("nodes", name=f"Joint{k}", **row, **({"children": [k + 1]} if k < 11 else {}))
        b.animation((4, "rotation", [0, 1], [[0, 0, 0, 1], z_rotation(degrees)]), name="Turn")
        return b.load()

    for degrees in (1, 7, 33, 90, 140):
        deviation = clip_of(compare(chain(0), chain(degrees)), "Turn").deviation
        assert deviation.turned == "Joint4"
        assert deviation.degrees == pytest.approx(degrees, rel=1e-3)


def test_rest_difference_visible_in_a_clip_only():
    """The scale of a parent is cancelled by its child: the rest poses are equal."""

    def scaled(size):
        b = Builder()
        b.add("nodes", name="Above", children=[1], scale=[size] * 3)
        b.add("nodes", name="Below", translation=[0, 1 / size, 0], scale=[1 / size] * 3)
        b.animation((1, "translation", [0, 1], [[0, 0.5, 0], [0, 1, 0]]), name="Up")
        return b.load()

    found = compare(scaled(1), scaled(2))
    assert found.rest.metres == 0
    assert clip_of(found, "Up").deviation.metres == pytest.approx(1)


def test_interpolation_counts_if_it_changes_the_motion():
    a, b = character(), character()
    b.json["animations"][0]["samplers"][0]["interpolation"] = "STEP"
    found = compare(a.load(), b.load())
    assert clip_of(found).deviation.degrees == pytest.approx(45, rel=1e-3)
    assert [c.field for c in found.changes if c.kind == "clip"] == ["interpolation"]


def test_morph_weight_without_displacement_counts():
    def morphing(weight):
        b = character()
        face = b.mesh(targets=[{"POSITION": b.accessor([[0, 0, 0]] * 3)}])
        b.add("nodes", mesh=face, name="Face")
        b.animation((4, "weights", [0, 1], [[0], [weight]]), name="Smile")
        return b.load()

    found = compare(morphing(1), morphing(0.5))
    assert clip_of(found, "Smile").deviation.metres == 0
    assert not found.same


def test_only_some_clips():
    found = compare(character().load(), character(wave=(0, 1, 0)).load(), clips={"Rest"})
    assert [clip.name for clip in found.clips] == ["Rest"]
    assert found.same


def test_clips_renamed_added_removed():
    a = character(clips=("Wave", "Rest"))
    b = character(clips=("Hello", "Rest"))
    a.animation((0, "scale", [0, 1], [[1, 1, 1], [2, 2, 2]]), name="Old")
    b.animation((0, "scale", [0, 3], [[1, 1, 1], [2, 2, 2]]), name="New")
    found = compare(a.load(), b.load())
    reported = [(c.what, c.name, c.now) for c in found.changes if c.kind == "clip"]
    assert reported == [("removed", "Old", ""), ("added", "New", ""), ("renamed", "Wave", "Hello")]
    assert [(clip.name, clip.now) for clip in found.clips] == [("Wave", "Hello"), ("Rest", "Rest")]


def test_renamed_clip_is_matched_by_poses():
    a = character(wave=(0, 45, 90))
    b = character(wave=(0, 22.5, 45, 67.5, 90), times=(0, 0.5, 1, 1.5, 2), clips=("Hi", "Rest"))
    found = compare(a.load(), b.load())
    renamed = [c for c in found.changes if c.what == "renamed"]
    assert [(c.name, c.now, c.note) for c in renamed] == [("Wave", "Hi", "same poses")]


def test_range_counts_and_keys_do_not():
    b = character(wave=(0, 45, 90, 45, 0), times=(0, 0.5, 1, 1.5, 2))
    found = compare(character().load(), b.load())
    assert found.same
    assert {c.field for c in found.changes if c.kind == "clip"} == {"keys", "bytes"}
    longer = compare(character().load(), character(times=(0, 1, 3)).load())
    ends = [c for c in longer.changes if c.field == "end"]
    assert [(c.name, c.before, c.after, c.stored) for c in ends] == [("Wave", 2, 3, False)]


def test_only_clip_of_each_is_the_same():
    a, b = character(clips=("Walk",)), character(clips=("mixamo.com",), wave=(0, WAVE_ANGLE + 1, 0))
    found = compare(a.load(), b.load())
    assert [(c.what, c.name, c.now) for c in found.changes if c.kind == "clip"] == [
        ("renamed", "Walk", "mixamo.com")
    ]
    assert found.clips[0].deviation.degrees == pytest.approx(1, rel=1e-3)


def test_motion_capture_clip_is_named_after_its_file(tmp_path):
    for name in ("a.bvh", "b.bvh"):
        (tmp_path / name).write_text(BVH)
    found = compare(load(tmp_path / "a.bvh"), load(tmp_path / "b.bvh"))
    assert found.same
    assert [clip.now for clip in found.clips] == ["b"]


def test_constant_clips_do_not_match():
    a, b = character(), character()
    for each, name in ((a, "StillA"), (b, "StillB")):
        each.animation((0, "translation", [0, 1], [[0, 0, 0]] * 2), name=name)
    b.json["animations"][-1]["channels"][0]["target"]["node"] = 1
    found = compare(a.load(), b.load())
    assert {(c.what, c.name) for c in found.changes} >= {("removed", "StillA"), ("added", "StillB")}


def test_clips_of_different_characters_do_not_match():
    """They share a root joint without motion, and the duration of the clip."""
    b = character(
        names=("Root", "Tail", "Tip"),
        bind=(0.0, -1.5, -2.7),
        rest=(0.0, 1.5, 1.2),
        wave=(0, 10, 0),
        clips=("Wag",),
    )
    found = compare(character(clips=("Wave",)).load(), b.load())
    reported = {(c.what, c.name) for c in found.changes if c.kind == "clip"}
    assert reported == {("removed", "Wave"), ("added", "Wag")}
    assert not found.clips


@needs_shared
@pytest.mark.parametrize("name", ["Fox.glb", "CesiumMan.glb", "Woman.gltf", "robot.glb"])
def test_real_file_against_itself(name):
    found = compare(load(MODELS / name), load(MODELS / name))
    assert found.same
    assert found.changes == ()


@needs_shared
def test_deviation_equals_the_report_of_bake():
    from rigview.gltf.bake import bake
    from rigview.loading.load import load

    model = load(MODELS / "CesiumMan.glb")
    baked = bake(model.document, model)
    (clip,) = compare(model, baked.model).clips
    (report,) = baked.reports
    assert clip.deviation.metres == pytest.approx(report.deviation.metres, rel=1e-4)
    assert clip.deviation.degrees == pytest.approx(report.deviation.degrees, rel=1e-4)
    assert clip.same
