from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.track import Track
from rigview.loading.load import load
from rigview.model import transition_continuity as continuity
from rigview.model.transition_continuity import ClipFollowers, transition_continuity
from rigview.resources import asset_path
from tests.support.models import make_model, rod_model, square

CORE = {
    "Stand": ({"StandToCrouch", "StandToProne", "Wave"}, {"CrouchToStand", "ProneToStand", "Wave"}),
    "Crouch": ({"CrouchToStand", "CrouchToProne"}, {"StandToCrouch", "ProneToCrouch"}),
    "Prone": ({"ProneToCrouch", "ProneToStand"}, {"CrouchToProne", "StandToProne"}),
}


def turn(degrees):
    half = np.radians(degrees) / 2
    return [0, 0, np.sin(half), np.cos(half)]


def moved(name, *x, joint=1, times=None):
    times = np.arange(len(x)) if times is None else times
    keys = np.array([[0, value, 0] for value in x], np.float32)
    times = np.array(times, np.float32)
    return Clip.of(name, [Track(joint, "translation", "LINEAR", times, keys)])


def turned(name, *degrees, joint=1):
    keys = np.array([turn(each) for each in degrees], np.float32)
    times = np.arange(len(degrees), dtype=np.float32)
    return Clip.of(name, [Track(joint, "rotation", "LINEAR", times, keys)])


def model_of(*clips):
    """Three joints in a row, a metre apart."""
    places = [[0, 0, 0], [0, 1, 0], [0, 1, 0]]
    return make_model([], (-1, 0, 1), translations=places, clips=clips)


def test_numbers_by_hand():
    found = transition_continuity(model_of(moved("A", 1, 3), moved("B", 3.5, 4.5)))
    # rows end, columns begin: A ends at 3 and B at 4.5
    np.testing.assert_allclose(found.place.amount, [[2, 0.5], [3.5, 1]], rtol=1e-6)
    np.testing.assert_allclose(found.speed.amount, [[0, 1], [1, 0]], atol=1e-3)
    assert found.place.joint[0, 1] == 1
    assert (found.angle.amount == 0).all()
    assert not found.joined.any()


def test_angles_are_local_and_name_the_joint():
    found = transition_continuity(model_of(turned("A", 0, 30), turned("B", 10, 100)))
    np.testing.assert_allclose(found.angle.amount, [[30, 20], [100, 90]], rtol=1e-5)
    assert (found.angle.joint == 1).all()
    np.testing.assert_allclose(found.spin.amount, [[0, 60], [60, 0]], atol=0.05)
    # the joint a metre above moves
    assert found.place.joint[0, 1] == 2
    assert found.place.amount[0, 1] == pytest.approx(2 * np.sin(np.radians(10)), rel=1e-5)


def test_a_quaternion_and_its_negative_are_one():
    back = turned("B", 40, 0)
    flipped = Track(1, "rotation", "LINEAR", back.tracks[0].times, -back.tracks[0].values)
    found = transition_continuity(model_of(turned("A", 0, 40), Clip.of("B", [flipped])))
    assert found.joined.tolist() == [[False, True], [True, False]]
    assert found.angle.amount[0, 1] == pytest.approx(0, abs=1e-6)
    assert found.spin.amount[0, 1] == pytest.approx(80, abs=0.05)


def test_thresholds():
    model = model_of(moved("A", 0, 1), moved("B", 1.01, 0))
    assert not transition_continuity(model).joined[0, 1]
    assert transition_continuity(model, metres=0.011).joined[0, 1]
    model = model_of(turned("A", 0, 30, joint=2), turned("B", 32, 0, joint=2))
    assert not transition_continuity(model).joined[0, 1]
    assert transition_continuity(model, degrees=2.1).joined[0, 1]


def test_speed_of_a_curve_at_its_end():
    times = np.linspace(0, 1, 31)
    slope = np.array([[[0, 2 * t, 0]] * 2 for t in times], np.float32)
    keys = np.array([[0, t * t, 0] for t in times], np.float32)
    track = Track(1, "translation", "CUBICSPLINE", times.astype(np.float32), keys, slope)
    found = transition_continuity(model_of(Clip.of("Parabola", [track]), moved("Still", 1, 1)))
    assert found.speed.amount[0, 1] == pytest.approx(2, rel=1e-3)
    assert found.speed.amount[1, 0] == pytest.approx(0, abs=1e-3)


def test_clip_that_begins_later_begins_there():
    found = transition_continuity(model_of(moved("A", 0, 1, times=[0.5, 1.5])))
    assert found.speed.amount[0, 0] == pytest.approx(0, abs=1e-3)
    assert found.place.amount[0, 0] == pytest.approx(1)


def test_core_pose_is_called_by_who_holds_it():
    clips = [moved("Go", 0, 5), moved("Hold", 5, 5), moved("Back", 5, 0), moved("Alone", 9, 8)]
    found = transition_continuity(model_of(*clips))
    assert {pose.name for pose in found.poses} == {"Hold", "start of Go"}
    hold = next(pose for pose in found.poses if pose.name == "Hold")
    assert (hold.begins, hold.ends) == ((1, 2), (0, 1))


def test_chosen_clips_keep_their_numbers():
    found = transition_continuity(
        model_of(moved("A", 0, 1), moved("B", 7, 7), moved("C", 1, 0)), [0, 2]
    )
    assert found.clips == (0, 2)
    assert found.place.amount.shape == (2, 2)
    assert {pose.begins for pose in found.poses} == {(0,), (2,)}


def test_no_clips_and_still_ones():
    assert transition_continuity(model_of()).place.amount.shape == (0, 0)
    found = transition_continuity(model_of(moved("Pose", 3), Clip.of("Empty", [])))
    assert (found.speed.amount == 0).all()
    assert found.place.amount.tolist() == [[0, 2], [2, 0]]


def test_core_poses_of_the_mannequin():
    model = load(asset_path("mannequin.glb"))
    names = [clip.name for clip in model.clips]
    found = transition_continuity(model)
    poses = {pose.name: pose for pose in found.poses}
    for core, (begins, ends) in CORE.items():
        assert {core, *begins} <= {names[c] for c in poses[core].begins}
        assert {core, *ends} <= {names[c] for c in poses[core].ends}
    index = {name: k for k, name in enumerate(names)}
    assert found.joined[index["StandToCrouch"], index["Crouch"]]
    assert found.joined[index["Walk"], index["Walk"]]
    assert not found.joined[index["StandToCrouch"], index["Stand"]]
    assert found.place.amount[index["StandToCrouch"], index["Stand"]] > 0.1


@pytest.fixture
def model():
    """The rod with its clip, the clip backwards, and one that turns half as far."""
    model = rod_model()
    bend = model.clips[0]
    back = [replace(track, values=track.values[::-1].copy()) for track in bend.tracks]
    half = [replace(track, values=track.values[[0, 0]]) for track in bend.tracks]
    return replace(model, clips=(bend, Clip.of("Back", back), Clip.of("Still", half)))


def test_amounts_are_those_of_the_matrix(model):
    followers, matrix = ClipFollowers(model), transition_continuity(model)
    for clip in range(3):
        found = followers.after(clip)
        assert [each.miss for each in found] == sorted(each.miss for each in found)
        for each in found:
            at = clip, each.clip
            assert each.metres == pytest.approx(matrix.place.amount[at], abs=1e-12)
            assert each.degrees == pytest.approx(matrix.angle.amount[at], abs=1e-9)
            assert each.joint == matrix.place.joint[at]
            assert each.joins == matrix.joined[at]
    assert [each.clip for each in followers.after(0) if each.joins] == [1]


def test_a_few_at_a_time(model, monkeypatch):
    whole = ClipFollowers(model).after(0)
    monkeypatch.setattr(continuity, "PART", 2)
    steps = []
    assert ClipFollowers(model, steps.append).after(0) == whole
    assert steps == [2, 3]


def test_model_without_clips():
    steps = []
    ClipFollowers(make_model([square()]), steps.append)
    assert steps == []
